"""Fair play: what in a server's record its staff may want to ask about. It gives figures, never verdicts.

The times of presses are read from the stored moves.
"""

from collections import defaultdict
from collections.abc import Generator, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final, Generic, TypeVar

from bot.words.names import person_name
from data.errors import EventsDamaged
from data.repositories.deal_search import EventTime
from data.store import Place, asked
from data.transaction import ReadTransaction
from league.ids import GuildId, PersonId, TableId
from league.results import DealId, DealResult, Player
from league.statistics.estimates import strengths
from league.statistics.fairplay import (
    Coincidence,
    LateBoards,
    Quick,
    Throws,
    TimedAnswer,
    Transfer,
    coincidences,
    dependence,
    feeding,
    late_boards,
    quick_answers,
    transfers,
)
from league.statistics.par import pars
from league.statistics.stats import DealFacts
from marriage.events import Discarded, Drew, Event, Took
from marriage.rules import PRESETS
from render.words import speaking

_PRESSED: Final = {"drew", "took", "discarded"}


@dataclass(slots=True)
class MoveTimes:
    """The times of the moves that people made themselves."""

    presses: defaultdict[tuple[Player, TableId], list[int]] = field(default_factory=lambda: defaultdict(list))
    """The times of presses by player and table, in milliseconds of UTC."""
    answers: list[TimedAnswer] = field(default_factory=list[TimedAnswer])


def own_seats(facts: DealFacts) -> tuple[Player | None, ...]:
    """Return the player of each seat, without those for whom a computer played any part of the deal."""
    return tuple(None if seat.stand_in is not None else seat.person for seat in facts.seats)


def move_times(moments: Iterable[EventTime], seats: Mapping[DealId, Sequence[Player | None]]) -> MoveTimes:
    """Return the presses and answers in these deals, whose moments are consecutive; `seats` has the players of each deal."""
    times = MoveTimes()
    for deal, happened in groupby(moments, key=lambda moment: moment.deal):
        if deal in seats:
            _add(times, deal[0], seats[deal], happened)
    return times


def _add(
    times: MoveTimes, table: TableId, people: Sequence[Player | None], happened: Iterable[EventTime]
) -> None:
    """Add moments. The first event at a moment caused the others: a card that is drawn ahead is not a press."""
    before: int | None = None
    discarder: Player | None = None
    thrown_at = 0
    for moment in happened:
        by_press, before = moment.at != before, moment.at
        player = people[moment.actor] if moment.actor is not None else None
        if moment.type not in _PRESSED:
            continue
        if by_press and moment.actor is not None:
            if player is not None:
                times.presses[player, table].append(moment.at)
                if discarder is not None:
                    times.answers.append(TimedAnswer(table, player, discarder, moment.at - thrown_at))
            discarder = None
        if moment.type == "discarded":
            discarder, thrown_at = player, moment.at


LOOKED_AT = 200
"""How many of a player's latest deals are searched for fed discards."""

TIMED = 2_000
"""How many of a server's latest deals are searched for the times of moves."""

Finding = TypeVar("Finding")

_PAR: Final = pars(PRESETS["pagat"])
"""One par for all rules: players are only compared with themselves."""


@dataclass(frozen=True, slots=True)
class Fed:
    """How often the next neighbour takes a player's discards."""

    to_receiver: float
    """The share of the discards that the receiver took, from 0 to 1."""
    to_others: float
    """The share that other neighbours took."""
    z: float


@dataclass(frozen=True, slots=True)
class FairPlayQuestion:
    """A pair to ask about."""

    transfer: Transfer
    giver: str
    receiver: str
    """The names of giver and receiver, as plain text."""
    company: float
    """The share of the receiver's tables at which the giver sat too."""
    fed: Fed | None
    """None if they never sat next to each other, or if no others sat there."""


@dataclass(frozen=True, slots=True)
class FairPlaySign(Generic[Finding]):
    """The findings of one figure, and the number expected by chance."""

    found: tuple[Finding, ...]
    """The findings, the strongest first."""
    compared: int
    expected: float


@dataclass(frozen=True, slots=True)
class Questions:
    """What stands out in a server, and how much of it would by chance."""

    pairs: tuple[FairPlayQuestion, ...]
    deals: int
    compared: int
    expected: float
    late: FairPlaySign[LateBoards] = FairPlaySign((), 0, 0.0)
    together: FairPlaySign[Coincidence] = FairPlaySign((), 0, 0.0)
    quick: FairPlaySign[Quick] = FairPlaySign((), 0, 0.0)
    names: Mapping[Player, str] = field(default_factory=dict[Player, str])
    """The names of everyone in the last three fields, as plain text."""
    damaged: tuple[EventsDamaged, ...] = ()
    """The errors about deals that were left out, for the log."""


def stored_questions(
    place: Place, guild_id: GuildId, since: int, language: str
) -> Generator[None, None, Questions]:
    """Run `questions` on the database at `place`. It takes seconds, so run it in a process of the `WorkPool`."""

    async def question(db: ReadTransaction) -> Questions:
        with speaking(language):  # set here, in a task of its own, because other work runs between two steps
            return await questions(db, guild_id, since)

    return (yield from asked(place, question))


async def questions(db: ReadTransaction, guild_id: GuildId, since: int) -> Questions:
    """Find what stands out in the rated deals of a server since that time, in milliseconds of UTC."""
    results: list[DealResult] = []
    seats: dict[DealId, tuple[Player | None, ...]] = {}
    async for deal in db.stats.rated_deals(guild_id, since):
        results.append(deal.result(_PAR[len(deal.seats)] / 100))
        seats[results[-1].id] = own_seats(deal)
    estimates = strengths(results)
    report = transfers(results, estimates)
    damaged = list[EventsDamaged]()
    pairs = [await _question(db, guild_id, transfer, results, damaged) for transfer in report.transfers]
    late = late_boards(results, await db.fair_play.boards(guild_id, since), estimates)
    times = move_times(await db.fair_play.moments(guild_id, since, TIMED), seats)
    together, quick = coincidences(times.presses), quick_answers(times.answers)
    named = {one.player for one in late.players}
    named |= {player for one in together.pairs for player in one.players}
    named |= {player for one in quick.pairs for player in (one.player, one.before)}
    return Questions(
        tuple(pairs),
        len(results),
        report.compared,
        report.expected,
        FairPlaySign(late.players, late.compared, late.expected),
        FairPlaySign(together.pairs, together.compared, together.expected),
        FairPlaySign(quick.pairs, quick.compared, quick.expected),
        await _names(db, guild_id, named),
        tuple(damaged),
    )


async def _names(db: ReadTransaction, guild_id: GuildId, players: AbstractSet[Player]) -> dict[Player, str]:
    people = await db.people.get_many(players)
    return {
        player: person_name(
            PersonId(player), people[player].names.in_server(guild_id) if player in people else ""
        )
        for player in players
    }


async def _question(
    db: ReadTransaction,
    guild_id: GuildId,
    transfer: Transfer,
    results: Sequence[DealResult],
    damaged: list[EventsDamaged],
) -> FairPlayQuestion:
    """Ask about a pair. Errors about damaged deals, which are left out, are added to `damaged`."""
    names = await _names(db, guild_id, {transfer.giver, transfer.receiver})
    deals = [deal for deal in results if transfer.giver in deal.players][-LOOKED_AT:]
    throws = Throws.nothing()
    for deal in deals:
        try:
            add_throws(throws, transfer.giver, deal.players, await db.deals.events(*deal.id))
        except EventsDamaged as error:
            damaged.append(error)
    company = dependence(_companies(results), transfer.receiver, transfer.giver)
    giver, receiver = names[transfer.giver], names[transfer.receiver]
    return FairPlayQuestion(transfer, giver, receiver, company, _fed(throws, transfer.receiver))


def _companies(results: Iterable[DealResult]) -> Iterable[set[Player]]:
    """Yield the people who sat together at each table."""
    tables: defaultdict[int, set[Player]] = defaultdict(set)
    for deal in results:
        tables[deal.id[0]].update(deal.people())
    return tables.values()


def add_throws(
    throws: Throws, giver: Player, players: Sequence[Player | None], events: Iterable[Event]
) -> None:
    """Count the discards of a player in a deal: who could take each, and which were taken."""
    lies = False
    for event in events:
        match event:
            case Discarded(seat=seat):
                lies = players[seat] == giver
            case Drew(seat=seat) | Took(seat=seat):
                taker = players[seat]
                if lies and taker is not None:
                    throws.thrown[taker] += 1
                    throws.taken[taker] += isinstance(event, Took)
                lies = False
            case _:
                continue


def _fed(throws: Throws, receiver: Player) -> Fed | None:
    taken, thrown = throws.taken[receiver], throws.thrown[receiver]
    others, all_others = throws.taken.total() - taken, throws.thrown.total() - thrown
    if not thrown or not all_others:
        return None
    return Fed(taken / thrown, others / all_others, feeding(throws, receiver))
