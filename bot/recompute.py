"""`python -m bot recompute`: ratings, boards and achievements, worked out anew from the recorded deals."""

from dataclasses import dataclass

from data.store import Store
from league.annals import Annals
from league.ratings import MODEL_VERSION

MODEL = "ratings.model"
"""The note that says by which model the stored ratings were worked out."""


@dataclass(frozen=True, slots=True)
class Recomputed:
    """What came of it."""

    deals: int
    ratings: int
    differing: int
    """Stored values that were not the same to the last bit, or missing, or too many."""


async def recompute(store: Store) -> Recomputed:
    """Work everything out from the recorded deals and put it in the place of what was stored, if that differs."""
    async with store.write() as writer:
        annals, deals = Annals(), 0
        async for deal in writer.finished_deals():
            annals.enter(deal)
            deals += 1
        differing = _differences(await writer.all_annals(), annals)
        if differing:
            await writer.replace_annals(annals)
        await writer.set_note(MODEL, MODEL_VERSION)
    return Recomputed(deals, sum(map(len, annals.ratings.values())), differing)


async def recompute_if_outdated(store: Store) -> Recomputed | None:
    """The same, if the stored ratings are of another model; None if they are not."""
    async with store.read() as reader:
        model = await reader.note(MODEL)
    return None if model == MODEL_VERSION else await recompute(store)


def _differences(stored: Annals, fresh: Annals) -> int:
    """How many values are not the same in both."""
    before, after = _values(stored), _values(fresh)
    return sum(before.get(key) != after.get(key) for key in before.keys() | after.keys())


def _values(annals: Annals) -> dict[object, object]:
    """Every value of the annals under a key of its own."""
    values: dict[object, object] = {
        ("rating", guild, person): rating
        for guild, pool in annals.ratings.items()
        for person, rating in pool.items()
    }
    values |= {("tally", *key): tally for key, tally in annals.tallies.items()}
    values |= {("career", person): career for person, career in annals.careers.items()}
    return values | {("earned", one.person, one.achievement): one for one in annals.earned}
