"""`python -m bot recompute`: recomputes ratings, boards and achievements from the recorded deals."""

from dataclasses import dataclass

from bot.history.estimates import worked_out
from data.store import Store
from data.transaction import WriteTransaction
from league.statistics import adjusted, ratings, stats
from league.statistics.stats import Stats

MODEL = "ratings.model"
"""The note with the versions of the models that the stored ratings and estimates come from."""
_MODELS = f"{ratings.MODEL_VERSION} {adjusted.MODEL_VERSION} {stats.MODEL_VERSION}"


@dataclass(frozen=True, slots=True)
class Recomputed:
    """The result of a recomputation."""

    deals: int
    ratings: int
    differing: int
    """How many stored values differed in any bit, were missing or superfluous, plus the boards with other estimates."""


async def recompute(store: Store) -> Recomputed:
    """Work everything out from the recorded deals and put it in the place of what was stored, if that differs."""
    async with store.writing() as db:
        fresh, deals = Stats(), 0
        async for deal in db.stats.finished_deals():
            fresh.enter(deal)
            deals += 1
        differing = _differences(await db.stats.everything(), fresh)
        if differing:
            await db.stats.replace(fresh)
        differing += await db.stats.add_sums_anew()
        differing += await _estimate_anew(db)
        await db.key_values.set(MODEL, _MODELS)
    return Recomputed(deals, sum(map(len, fresh.ratings.values())), differing)


async def recompute_if_outdated(store: Store) -> Recomputed | None:
    """The same, if the stored ratings are of another model; None if they are not."""
    model = await store.read(lambda db: db.key_values.get(MODEL))
    return None if model == _MODELS else await recompute(store)


async def _estimate_anew(db: WriteTransaction) -> int:
    """Correct the estimates of every board from their deals; returns how many boards differed."""
    differing = 0
    for (guild_id, span), (basis, _, at) in (await db.estimates.kept()).items():
        fresh = await worked_out(db, guild_id, basis, at)
        stored = await db.estimates.listed(guild_id, span)
        if stored is None or not stored.agrees(fresh):
            await db.estimates.save(guild_id, span, fresh)
            differing += 1
    return differing


def _differences(stored: Stats, fresh: Stats) -> int:
    """Return how many values differ."""
    before, after = _values(stored), _values(fresh)
    return sum(before.get(key) != after.get(key) for key in before.keys() | after.keys())


def _values(stats: Stats) -> dict[object, object]:
    """Every value of the stats under a key of its own."""
    values: dict[object, object] = {
        ("rating", guild, person): rating
        for guild, pool in stats.ratings.items()
        for person, rating in pool.items()
    }
    values |= {("tally", *key): tally for key, tally in stats.tallies.items()}
    values |= {("with computers", *key): tally for key, tally in stats.with_computers.items()}
    values |= {("career", person): career for person, career in stats.careers.items()}
    return values | {("earned", earned.person, earned.achievement): earned for earned in stats.earned}
