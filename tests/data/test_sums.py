"""Stored figures of finished deals, compared with plain sums: pages, profiles, and the sums."""

import random
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import TextClause, text, update
from sqlalchemy.event import listens_for

from data.repositories.deal_search import Search, Sight
from data.schema.stats import BLOCK, meeting
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from data.values import PlayedRow, TableRow
from league.statistics.profile import BestDeal
from league.statistics.stats import Company, SeatFacts, Span, StandIn, places
from marriage.rules import preset
from marriage.sheet import Ending, Status
from tests.cases import cases
from tests.data.conftest import GUILD, RAM, first_deal
from tests.league.facts import NOON, seat

GUILDS, CHANNELS = (900, 950), (1, 2, 3)
PEOPLE = tuple(range(11, 17))
PRESETS = ("kathmandu", "pagat")
DEALS, TABLES = 70, 8
MINUTE = 60_000


@dataclass(frozen=True)
class Finished:
    """A finished deal as the test remembers it."""

    number: int
    row: PlayedRow
    seats: tuple[SeatFacts, ...]
    sealed: bool

    @property
    def rated(self) -> bool:
        return self.row.facts(self.seats).rated

    def seat_of(self, person: int) -> SeatFacts | None:
        return next((seat for seat in self.seats if seat.person == person), None)


@pytest.fixture(params=cases(range(2), [0]))
async def finished(request: pytest.FixtureRequest, store: Store) -> list[Finished]:
    """Random deals in the order of their numbers, which lie in several blocks."""
    return await many_deals(store, random.Random(request.param))


def jump_by(store: Store, by: int) -> TextClause:
    """Return the statement that raises the next deal's number by this much."""
    if isinstance(store.place, Path):
        return text(f"UPDATE sqlite_sequence SET seq = seq + {by} WHERE name = 'played'")
    return text(f"SELECT setval('played_number_seq', nextval('played_number_seq') + {by})")


async def many_deals(store: Store, chance: random.Random) -> list[Finished]:
    async def write(db: WriteTransaction):
        for guild in GUILDS:
            await db.guilds.keep(guild)
        for person in PEOPLE:
            await db.people.keep(person, f"P{person}", 1)
        rules = preset("kathmandu", alter=True)
        tables = [
            await db.tables.create(chance.choice(GUILDS), chance.choice(CHANNELS), PEOPLE[0], rules, 1)
            for _ in range(TABLES)
        ]
        boards = await db.boards.open_set(GUILDS[0], rules, 3, 1)
        played = Counter[int]()
        found: list[Finished] = []
        for place in range(DEALS):
            table, at = chance.choice(tables), NOON + MINUTE * (10 * place - chance.randrange(25))
            played[table.id] += 1
            sealed = chance.random() < 0.1
            board = {"board_set": boards.id, "board_no": 1} if sealed else {}
            await db.deals.start(replace(first_deal(table), deal_no=played[table.id], **board))
            if chance.random() < 0.2:
                await db.stats._execute(jump_by(store, BLOCK // 3))
            row, seats = a_deal(table.id, played[table.id], table.guild_id, table.channel_id, at, chance)
            await db.stats.enter(row, seats)
            number = await db.stats._scalar(text("SELECT max(number) FROM played"))
            found.append(Finished(number, row, tuple(seats), sealed))
        return found

    return await store.write(write)


def a_deal(
    table: int, deal_no: int, guild: int, channel: int, at: int, chance: random.Random
) -> tuple[PlayedRow, list[SeatFacts]]:
    row = PlayedRow(
        table_id=table,
        deal_no=deal_no,
        match_no=None if chance.random() < 0.1 else 1 + deal_no // 4,
        match_deal=1,
        guild_id=guild,
        channel_id=channel,
        private=table % 3 == 0,
        preset=chance.choice(PRESETS),
        variations=0,
        seats=3,
        ending=chance.choice((Ending.GROUPS, Ending.DUBLEES)),
        stopped=chance.random() < 0.1,
        started_at=0,
        ended_at=at,
    )
    people: list[int | None] = [*chance.sample(PEOPLE, 3)]
    if chance.random() < 0.15:
        people[0] = None
    nets = [chance.randrange(-9, 10) for _ in range(2)]
    nets.append(-sum(nets))
    placed = places(nets)
    standing_in = {None: 8, StandIn.WHOLE: 1, StandIn.PART: 1, StandIn.BACK: 1}
    return row, [
        seat(
            person,
            net,
            winner=place == 1,
            seen=chance.random() < 0.7,
            place=place,
            points=chance.randrange(9),
            ruled=chance.choice((0, 0, 15, -30)),
            stand_in=person and chance.choices(list(standing_in), list(standing_in.values()))[0],
        )
        for person, net, place in zip(people, nets, placed, strict=True)
    ]


def expected(finished: list[Finished], sight: Sight, search: Search) -> list[int]:
    """Return the numbers of the deals that should be found, newest first."""

    def is_found(deal: Finished) -> bool:
        mine = deal.seat_of(sight.person_id) is not None
        watched = not deal.row.private and deal.row.channel_id in sight.channels
        here = deal.row.guild_id == sight.guild_id and (watched or mine)
        return (
            (mine if sight.guild_id is None else here)
            and not deal.sealed
            and (mine or not search.own)
            and search.table_id in {None, deal.row.table_id}
            and (search.with_id is None or deal.seat_of(search.with_id) is not None)
            and search.preset in {None, deal.row.preset}
            and (search.since is None or deal.row.ended_at >= search.since)
        )

    return [deal.number for deal in reversed(finished) if is_found(deal)]


def searches() -> list[Search]:
    middle = NOON + MINUTE * 10 * DEALS // 2
    return [
        Search(only_own, table_id, with_id, name, since)
        for only_own in (True, False)
        for table_id, with_id in ((None, None), (1, None), (None, PEOPLE[1]), (3, PEOPLE[1]))
        for name, since in ((None, None), (None, middle), (PRESETS[0], None), (PRESETS[0], middle))
    ]


async def test_every_page_holds_what_a_look_at_all_deals_finds(store: Store, finished: list[Finished]):
    sights = [
        Sight(PEOPLE[0], GUILDS[0], frozenset(CHANNELS)),
        Sight(PEOPLE[0], GUILDS[1], frozenset(CHANNELS[:1])),
        Sight(99, GUILDS[0], frozenset(CHANNELS[1:])),
        Sight(PEOPLE[2], GUILDS[0]),
        Sight(PEOPLE[0], None),
    ]
    assert len({deal.number // BLOCK for deal in finished}) > 3
    size, pages = 4, 0
    for sight in sights:
        for search in searches():
            wanted = expected(finished, sight, search)
            last = max(0, len(wanted) - 1) // size
            for number in (1, last + 5 * (sight == sights[0])):
                page = await store.read(lambda db: db.history.page(sight, search, number, size))
                near = min(number, last)
                assert (page.count, page.number) == (len(wanted), near)
                assert [deal.row.number for deal in page.deals] == wanted[near * size : (near + 1) * size]
                pages += len(page.deals) > 0
    assert pages > 100


def _has_seen(seat: SeatFacts) -> bool:
    return seat.shown is not None and seat.status is Status.SEEN


def by_dublees(deals: list[tuple[Finished, SeatFacts]]) -> int:
    """Return how many of these seats have won with dublees, without sealed boards."""
    return sum(seat.winner and deal.row.ending is Ending.DUBLEES and not deal.sealed for deal, seat in deals)


async def test_a_profile_says_what_all_deals_together_say(store: Store, finished: list[Finished]):
    for person, guild in product(PEOPLE, (*GUILDS, None)):
        here = [deal for deal in finished if guild in {None, deal.row.guild_id} and deal.seat_of(person)]
        rated = [(deal, deal.seat_of(person)) for deal in here if deal.rated]
        as_person = [deal for deal in here if deal.seat_of(person).stand_in is not StandIn.WHOLE]

        async def look(db: ReadTransaction) -> None:
            figures = await db.profiles.figures(person, guild)
            course, course_with_computers = [
                await db.profiles.course(person, guild, company, 7) for company in Company
            ]
            form, form_with_computers = [
                await db.profiles.form(person, guild, company, 5) for company in Company
            ]
            best, best_with_computers = [
                await db.profiles.best_deals(person, guild, company, 3) for company in Company
            ]
            richest = await db.profiles.best_deals(person, guild, Company.PEOPLE, 1, "points")
            meetings = await db.profiles.meetings(person, guild, 99)
            each = [await db.profiles.meeting(person, guild, met.person) for met in meetings]
            assert await db.profiles.meeting(person, guild, person) is None
            assert each == meetings
            nets = [seat.net for _, seat in rated]
            counted = [seat.counted for _, seat in rated]
            saw = [seat for deal, seat in rated if _has_seen(seat) and not deal.sealed]
            assert figures.tally.deals == len(rated)
            assert figures.tally.net == sum(counted)
            assert figures.tally.squares == sum(points**2 for points in counted)
            assert (figures.tally.seen, figures.tally.maal) == (len(saw), sum(seat.points for seat in saw))
            assert figures.tally.wins == sum(seat.winner for _, seat in rated)
            assert figures.tally.dublees == by_dublees(rated)
            matches = {(deal.row.table_id, deal.row.match_no) for deal, _ in rated if deal.row.match_no}
            assert figures.matches == len(matches)
            against = [deal for deal in as_person if not deal.rated and not deal.row.stopped]
            computers = [deal.seat_of(person) for deal in against]
            points = [seat.net for seat in computers]
            counted_computers = [seat.counted for seat in computers]
            told_computers = [(deal, deal.seat_of(person)) for deal in against if not deal.sealed]
            assert figures.with_computers.maal == sum(
                seat.points for _, seat in told_computers if _has_seen(seat)
            )
            assert figures.with_computers.dublees == by_dublees(told_computers)
            assert figures.with_computers.deals == len(computers)
            assert figures.with_computers.net == sum(counted_computers)
            assert figures.others == len(as_person) - len(rated) - len(computers)
            assert form_with_computers == tuple(points[-5:])
            assert course_with_computers == plain_course(counted_computers, 7)
            assert [deal.net for deal in best_with_computers] == sorted(
                (net for deal, net in zip(against, points, strict=True) if net > 0 and not deal.sealed),
                reverse=True,
            )[:3]
            assert figures.since == min((deal.row.ended_at for deal, _ in rated), default=None)
            assert form == tuple(nets[-5:])
            assert course == plain_course(counted, 7)
            told = [(deal, seat) for deal, seat in rated if not deal.sealed]
            ordered = sorted(told, key=lambda pair: (-pair[1].net, pair[0].number))
            assert best == tuple(
                BestDeal(
                    deal.row.table_id,
                    deal.row.deal_no,
                    deal.row.ended_at,
                    deal.row.seats,
                    seat.net,
                    seat.points,
                )
                for deal, seat in ordered[:3]
                if seat.net > 0
            )
            most = max(told, key=lambda pair: (pair[1].points, -pair[0].number))
            assert [(deal.points, deal.deal_no) for deal in richest] == [
                (most[1].points, most[0].row.deal_no)
            ]
            others = Counter(seat.person for deal, mine in rated for seat in deal.seats if seat is not mine)
            assert [(met.person, met.deals) for met in meetings] == sorted(
                others.items(), key=lambda pair: (-pair[1], pair[0])
            )
            for met in meetings:
                both = [(mine, deal.seat_of(met.person)) for deal, mine in rated if deal.seat_of(met.person)]
                assert met.ahead == sum(mine.place < theirs.place for mine, theirs in both)
                assert met.behind == sum(mine.place > theirs.place for mine, theirs in both)
                assert met.net == sum(mine.net for mine, _ in both)

        await store.read(look)


def plain_course(nets: list[int], most: int) -> tuple[int, ...]:
    """Return the running sums from zero, thinned to at most `most` steps and always with the last."""
    sums = [sum(nets[:count]) for count in range(len(nets) + 1)]
    every = -(-len(nets) // most) or 1
    return (0, *reversed(sums[:0:-every]))


async def test_sums_that_grew_are_those_of_all_deals(store: Store, finished: list[Finished]):
    async def write(db: WriteTransaction) -> None:
        assert await db.stats.add_sums_anew() == 0
        await db.stats._execute(update(meeting).values(net=meeting.c.net + 1))
        assert await db.stats.add_sums_anew() > 0
        assert await db.stats.add_sums_anew() == 0

    await store.write(write)


async def test_a_forgotten_person_is_in_no_sum(store: Store, finished: list[Finished]):
    async def write(db: WriteTransaction) -> None:
        before = await db.profiles.meetings(PEOPLE[1], None, 99)
        assert await db.privacy.forget(PEOPLE[0], NOON, "Player {number}")
        assert (await db.profiles.figures(PEOPLE[0], None)).tally.deals == 0
        after = await db.profiles.meetings(PEOPLE[1], None, 99)
        assert [met for met in before if met.person != PEOPLE[0]] == after
        assert await db.stats.add_sums_anew() == 0

    await store.write(write)


LARGE = (
    "board_table",
    "daily_try",
    "deal",
    "event",
    "game_table",
    "meeting",
    "played",
    "played_seat",
    "result",
    "seat",
    "tally",
    "computer_tally",
)
"""The tables that grow with the number of deals."""


@pytest.mark.file
async def test_no_look_reads_through_all_deals(store: Store, table: TableRow, path: Path):
    """Check the plans of the statements, because a small test file is fast in any case."""
    asked: dict[str, Any] = {}

    @listens_for(store._database.readers.engine, "before_cursor_execute")
    def note(_connection, _cursor, statement, parameters, _context, _many):
        asked[statement] = parameters

    async def read(db: ReadTransaction) -> None:
        for sight in (Sight(RAM, GUILD, frozenset(CHANNELS)), Sight(RAM, None)):
            for search in searches():
                await db.history.page(sight, search, 1, 8)
            await db.history.find(sight, table.id, 1)
            await db.history.may_see(sight, table.id, 1)
            await db.profiles.figures(RAM, sight.guild_id)
            for company in Company:
                await db.profiles.form(RAM, sight.guild_id, company, 5)
                await db.profiles.course(RAM, sight.guild_id, company, 5)
                await db.profiles.best_deals(RAM, sight.guild_id, company, 5)
                await db.profiles.best_deals(RAM, sight.guild_id, company, 5, "points")
            await db.boards.days_finished(RAM, sight.guild_id, "2026-01-01")
            await db.boards.days_finished_by([RAM], GUILD, "2026-01-01")
            await db.profiles.meetings(RAM, sight.guild_id, 5)
            await db.profiles.meeting(RAM, sight.guild_id, RAM)
        for company in Company:
            await db.stats.listed(GUILD, "all", company)
        await db.stats.career(RAM)
        await db.stats.ratings(GUILD)
        await db.stats.achievements(RAM)
        await db.estimates.listed(GUILD, Span.ALL)
        await db.tables.in_guild(GUILD)
        await db.tables.in_channel(CHANNELS[0])
        await db.tables.open_of_person(RAM)
        await db.tables.latest_played(CHANNELS[0])
        await db.season_pages.marks()

    await store.read(read)
    assert len(asked) > 40
    with closing(sqlite3.connect(path)) as file:
        slow = [
            (step, statement)
            for statement, parameters in asked.items()
            for (*_, step) in file.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
            if reads_all(step)
        ]
    assert slow == []


def reads_all(step: str) -> bool:
    """Return True if a step of a plan scans a whole table, or all deals of a server."""
    how, table, *_ = step.split()
    of_a_server = table == "played" and step.endswith("(guild_id=?)")
    is_open = "ix_game_table_open" in step or "ix_game_table_guild" in step
    return (how == "SCAN" and table in LARGE and not is_open) or of_a_server


@pytest.mark.file
async def test_entering_a_deal_costs_no_more_statements_after_many(store: Store, finished: list[Finished]):
    asked: list[str] = []

    @listens_for(store._database.writer.engine, "before_cursor_execute")
    def note(_connection, _cursor, statement, _parameters, _context, _many):
        asked.append(statement)

    last = finished[-1].row

    async def write(db: WriteTransaction) -> None:
        table = await db.tables.get(last.table_id)
        await db.deals.start(replace(first_deal(table), deal_no=last.deal_no + 1))
        asked.clear()
        await db.stats.enter(replace(last, deal_no=last.deal_no + 1), finished[-1].seats)

    await store.write(write)
    assert len(asked) <= 16
