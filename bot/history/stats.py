"""Statistics of deals that have ended: entering a deal into the record, recomputing what follows from all, and up-to-date estimates."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import structlog

from bot.clock import Clock
from bot.cluster.shards import Shards
from bot.table.core.change import TableHooks, TableTransaction
from bot.table.core.table import ledger_of, player
from data.errors import EventsDamaged
from data.shards import Share
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from data.values import PlayedRow, SeatRow
from league.ids import GuildId, TableId
from league.statistics import estimates, ratings, stats
from league.statistics.estimates import Basis, Estimates, Summed
from league.statistics.stats import SeatFacts, Span, StandIn, Stats, places
from league.times import MINUTE
from marriage.events import Event
from marriage.review import kept_debts, only_ruled, ruled_debts, rulings, seat_summaries
from marriage.rules import nearest_preset
from marriage.scoring.settlement import penalties
from marriage.sheet import Sheet

LOOK_S = 5.0
"""The interval, in seconds, between checks for finished deals."""
REST_MS_A_DEAL = 50
"""The pause per deal, in milliseconds. With many deals, estimates take longer and one more changes little."""
LONGEST_REST_MS = 10 * MINUTE
LARGE = 5_000
"""The fewest deals for which a board's sums are kept in memory. Fewer deals are quick to read again."""
MOST_KEPT = 8
"""The most boards whose sums are kept. The sums of a thousand people take 8 MB."""

log = structlog.get_logger(__name__)


class EstimatesWorker:
    """Recomputes the estimates off the event loop when deals have ended.

    For large boards it keeps the sums over their deals, so that only newer deals are read.
    """

    def __init__(self, store: Store, clock: Clock, shards: Shards | None = None) -> None:
        self._store = store
        self._clock = clock
        self._shards = shards or Shards()
        self._summed: dict[tuple[int, Span], Summed] = {}

    async def keep_up(self) -> float:
        """Recompute everything that is due; returns how long to rest, in seconds."""
        await self.catch_up()
        return LOOK_S

    def forget(self) -> None:
        """Drop all deals from memory, because a person was forgotten."""
        self._summed.clear()

    async def catch_up(self) -> None:
        """Recompute everything that is due."""
        now = self._clock.now()
        due = await self._store.read(_due, now, self._shards.share)
        for guild_id, span, basis in due:
            before = self._summed.pop((guild_id, span), Summed(basis.since))
            summed = await self._store.read(_summed, guild_id, basis, before)
            fresh = await asyncio.to_thread(summed.estimates, now)
            await self._store.write(_save, guild_id, span, fresh)
            log.debug("estimates.kept", guild=guild_id, span=span, deals=fresh.deals)
            if len(self._summed) < MOST_KEPT and summed.deals >= LARGE:
                self._summed[guild_id, span] = summed


async def _summed(db: ReadTransaction, guild_id: GuildId, basis: Basis, before: Summed) -> Summed:
    """Return the sums of a server on this basis.

    They are the sums from before plus the deals since, unless a person in them was forgotten.
    """
    is_valid = before.basis.since == basis.since and await db.estimates.are_known(before.people)
    summed = before if is_valid else Summed(basis.since)
    await db.estimates.add_deals(guild_id, summed, basis.number)
    return summed


async def _save(db: WriteTransaction, guild_id: GuildId, span: Span, fresh: Estimates) -> None:
    await db.estimates.save(guild_id, span, fresh)


async def worked_out(db: ReadTransaction, guild_id: GuildId, basis: Basis, now: int) -> Estimates:
    """Return the estimates of a server on this basis, computed from all its deals."""
    return (await _summed(db, guild_id, basis, Summed(basis.since))).estimates(now)


async def _due(db: ReadTransaction, now: int, share: Share) -> list[tuple[GuildId, Span, Basis]]:
    """Return the estimates to compute for the servers of a share, and the deals to use.

    Estimates are due when a span has begun, or when deals have ended and the minimum pause is over.
    """
    kept = await db.estimates.kept()
    due: list[tuple[GuildId, Span, Basis]] = []
    for guild_id, number in (await db.estimates.last_deals()).items():
        for span in Span if share.owns(guild_id) else ():
            basis = Basis(span.starts(now), number)
            before, deals, at = kept.get((guild_id, span), (None, 0, 0))
            rested = now - at >= min(LONGEST_REST_MS, REST_MS_A_DEAL * deals)
            if before is None or before.since != basis.since or (before.number < number and rested):
                due.append((guild_id, span, basis))
    return due


MODEL = "ratings.model"
"""The key of the note with the model versions that the stored ratings and estimates come from."""
_MODELS = f"{ratings.MODEL_VERSION} {estimates.MODEL_VERSION} {stats.MODEL_VERSION}"


@dataclass(frozen=True, slots=True)
class Recomputed:
    """The result of a recomputation."""

    deals: int
    ratings: int
    differing: int
    """The number of stored values that differed in any bit, were missing or superfluous.

    Boards with other estimates are counted too.
    """


async def recompute(store: Store) -> Recomputed:
    """Recompute everything from the recorded deals, and replace what is stored if it differs."""

    async def enter_all_anew(db: WriteTransaction):
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
        return fresh, deals, differing

    fresh, deals, differing = await store.write(enter_all_anew)
    return Recomputed(deals, sum(map(len, fresh.ratings.values())), differing)


async def recompute_if_outdated(store: Store) -> Recomputed | None:
    """Recompute if the stored ratings are of another model; otherwise return None."""
    model = await store.read(lambda db: db.key_values.get(MODEL))
    return None if model == _MODELS else await recompute(store)


async def _estimate_anew(db: WriteTransaction) -> int:
    """Correct the estimates of every board from its deals; returns how many boards differed."""
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
    """Return every value of the stats, each under its own key."""
    values: dict[object, object] = {
        ("rating", guild, person): rating
        for guild, pool in stats.ratings.items()
        for person, rating in pool.items()
    }
    values |= {("tally", *key): tally for key, tally in stats.tallies.items()}
    values |= {("with computers", *key): tally for key, tally in stats.with_computers.items()}
    values |= {("career", person): career for person, career in stats.careers.items()}
    return values | {("earned", earned.person, earned.achievement): earned for earned in stats.earned}


def follow(hooks: TableHooks) -> None:
    """Enter every deal that ends at a table."""
    hooks.deal_ended.append(enter)


async def enter(tx: TableTransaction) -> None:
    """Enter the deal that this transaction has ended; its results are stored already."""
    table, deal, sheet = tx.table, tx.deals.get(tx.deal_no), tx.state and tx.state.sheet
    if sheet is None:
        raise ValueError("a deal that is over has a sheet")
    if deal is None:
        raise ValueError(f"deal {tx.deal_no} of table {table.id} is not stored")
    db = await tx.database()
    name, differences = nearest_preset(deal.rules)
    events = await db.deals.events(table.id, deal.deal_no)
    seats = await _seats(db, tx, sheet, events, deal.match_no)
    row = PlayedRow(
        table_id=table.id,
        deal_no=deal.deal_no,
        match_no=deal.match_no,
        match_deal=deal.match_deal,
        guild_id=table.guild_id,
        channel_id=table.channel_id,
        private=table.kind.by_invitation,
        preset=name,
        variations=len(differences),
        seats=len(seats),
        ending=sheet.ending,
        stopped=tx.changes.get("ended") is not None or _is_ruled_from_outside(events),
        started_at=deal.started_at,
        ended_at=tx.now,
    )
    await db.stats.enter(row, seats)


def _is_ruled_from_outside(events: Sequence[Event]) -> bool:
    """Return whether somebody who does not play the deal ruled a foul in it, so that it counts for no board.

    A player's ruling must not have that effect: they could take any deal that they lose out of the ratings.
    """
    return None in rulings(events).values()


async def _seats(
    db: ReadTransaction, tx: TableTransaction, sheet: Sheet, events: Sequence[Event], match_no: int | None
) -> list[SeatFacts]:
    """Return what each seat of the deal did."""
    results = await db.deals.results_of_match(tx.table.id, match_no) if match_no else []
    ledger = ledger_of(results)
    ruled = await _ruled_points(db, tx, sheet, events)
    lines = sheet.lines[: len(tx.seats)]
    placed = places([line.net for line in lines])
    standings = places([ledger.total_of(player(seat)) for seat in tx.seats])
    return [
        SeatFacts(
            person=seat.person_id,
            name=seat.name,
            net=line.net,
            points=line.points,
            place=placed[seat.seat],
            standing=standings[seat.seat],
            winner=sheet.winner == seat.seat,
            status=line.status,
            shown=summary.shown,
            shown_turn=summary.shown_turn,
            one_turn=summary.one_turn,
            tunnelas=summary.tunnelas,
            marriages=summary.marriages,
            tiplus=summary.tiplus,
            stand_in=_stand_in(seat),
            ruled=ruled[seat.seat],
        )
        for seat, line, summary in zip(tx.seats, lines, seat_summaries(events), strict=True)
    ]


async def _ruled_points(
    db: ReadTransaction, tx: TableTransaction, sheet: Sheet, events: Sequence[Event]
) -> list[int]:
    """Return what ruled fouls, of this deal and of earlier ones, gave and cost each seat."""
    carry = tx.state.carry if tx.state else ()
    try:
        debts = await _ruled_debts(db, tx.table.id, tx.deal_no - 1) if carry else []
    except EventsDamaged:  # this deal must be able to end
        log.exception("stats.debts_unknown", table=tx.table.id, deal=tx.deal_no)
        debts = [False] * len(carry)
    return penalties(
        [line.status for line in sheet.lines],
        tx.deals[tx.deal_no].rules,
        sheet.total,
        only_ruled(events),
        winner=sheet.winner,
        carry=[seat for seat, is_ruled in zip(carry, debts, strict=True) if is_ruled],
    )


async def _ruled_debts(db: ReadTransaction, table_id: TableId, deal_no: int) -> list[bool]:
    """Return of each foul that is owed after a deal whether it is owed only because it was ruled."""
    events = await db.deals.events(table_id, deal_no)
    return ruled_debts(events, await _ruled_debts(db, table_id, deal_no - 1) if kept_debts(events) else [])


def _stand_in(seat: SeatRow) -> StandIn | None:
    if seat.person_id is None or seat.stand_in is None:
        return None
    if seat.stand_in == "whole":
        return StandIn.WHOLE
    return StandIn.BACK if seat.present else StandIn.PART
