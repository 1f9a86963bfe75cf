"""The states from which panels are built: the emptiest, the smallest and the largest."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from bot.app import TipluBot
from bot.history.past_deals import Asked, Checked, PastDeal, ShownDeals, check_deal, past_deal
from bot.history.replays import Replay
from bot.league.season import SeasonView
from bot.learning.practice import Lesson, Practice
from bot.people import NamedPerson
from bot.services import wire
from bot.settings import Settings
from bot.table.core.snapshot import ShownHand, Snapshot
from bot.table.hosting import Actor
from data.preferences import Pace, TableOptions, Terms
from data.repositories.deal_search import Sight
from data.repositories.people import Names, PersonRow
from data.season_rows import PodTimeRow, SeasonEventRow, SeasonProjection, SeasonRow
from data.store import Store
from data.values import TableRow
from league.events import DivisionSet, PenaltyAdded, SeasonClosed, Withdrawn
from league.formats import FORMATS
from league.matches.times import Proposal
from marriage.rules import PRESETS, preset
from marriage.strategy.players import GreedyPlayer
from tests.bot.conftest import SetClock
from tests.bot.windows import move
from tests.league.seasons import Diary

NAMES = ("*" * 32, "क्षत्रिय" * 4, "كبير" * 8, "👨‍👩‍👧" * 4, "_x_ `y` ||z|| <@1> @everyone ~")
"""Names of 32 characters: Markdown, Devanagari, right-to-left, multi-character emojis, mentions."""
GUILD, CHANNEL = 900, 901


@dataclass
class World:
    """Everything from which panels are made."""

    tables: list[Snapshot] = field(default_factory=list)
    hands: list[tuple[Snapshot, ShownHand]] = field(default_factory=list)
    past: PastDeal | None = None
    replay: Replay | None = None
    checked: Checked | None = None
    pages: list[ShownDeals] = field(default_factory=list)
    lessons: list[tuple[Lesson, ShownHand]] = field(default_factory=list)
    ended_lesson: Lesson | None = None
    seasons: list[SeasonView] = field(default_factory=lambda: list(seasons()))

    @property
    def begun(self) -> list[Snapshot]:
        """The tables at which a deal was dealt."""
        return [table for table in self.tables if table.public is not None]


async def build(path: Path) -> World:
    """Build the world with a bot that keeps its games at `path` meanwhile."""
    store = await Store.open(path)
    try:
        async with TipluBot(wire(Settings(_env_file=None, discord_token="none"), store, SetClock())) as bot:
            return await _build(bot)
    finally:
        await store.close()


async def _build(bot: TipluBot) -> World:
    """Build a table from opening to end with looks in between, a practice deal, and seasons of every size."""
    world = World()
    await bot.services.store.write(lambda db: db.guilds.keep(GUILD))
    table_id = await bot.services.lobby.open(GUILD, CHANNEL, NamedPerson(1, NAMES[0]), 1)
    await _look(bot, world, table_id)
    for number, name in enumerate(NAMES[1:], 2):
        await bot.services.lobby.join(table_id, NamedPerson(number, name), number)
    await bot.services.lobby.posted(table_id, CHANNEL, 902)
    await _look(bot, world, table_id)
    host = Actor(NamedPerson(1, NAMES[0]))
    await bot.services.hosting.set_terms(
        table_id,
        host,
        lambda _: Terms(rules=preset("kathmandu", better_after=1), deals=2, pace=Pace.SLOW),
        99,
    )
    await bot.services.play.start(table_id, 1, 100)
    await _play(bot, world, table_id)
    for number in range(1, 6):
        await bot.services.play.next_deal(table_id, number, 200 + number)
    await bot.services.endings.ask(table_id, 2, 300)
    await _look(bot, world, table_id)
    await bot.services.leaving.leave(table_id, 3, 301)
    await bot.services.pauses.lost(table_id)
    await _look(bot, world, table_id)
    await bot.services.pauses.shown(table_id)
    await _play(bot, world, table_id)
    await bot.services.play.finish_table(table_id, 1)
    await _look(bot, world, table_id)
    sight = Sight(1, GUILD, frozenset({CHANNEL}))
    world.past = await past_deal(bot.services.store, sight, table_id, 1)
    world.replay = await bot.services.replays.load(table_id, 1, sight)
    world.checked = await check_deal(bot.services.store, sight, table_id, 1)
    world.pages = [
        await bot.services.deal_search.page(sight, asked, 0)
        for asked in (Asked(), Asked(own=False), Asked(preset="pagat", since="week", with_id=2, table_id=99))
    ]
    await _practise(bot, world)
    return world


async def _look(bot: TipluBot, world: World, table_id: int) -> None:
    snapshot = await bot.services.tables.snapshot(table_id)
    world.tables.append(snapshot)
    if snapshot.public is None:
        return
    for mine in snapshot.private:
        hand = await bot.services.pictures.hand(mine, snapshot.holders[mine.viewer or 0])
        world.hands += [(snapshot, hand), (snapshot, replace(hand, pictures=()))]


async def _play(bot: TipluBot, world: World, table_id: int) -> None:
    player, phases = GreedyPlayer(count_outs=False), set()
    while True:
        snapshot = await bot.services.tables.snapshot(table_id)
        assert snapshot.public is not None
        if snapshot.public.phase not in phases:
            await _look(bot, world, table_id)
        phases.add(snapshot.public.phase)
        if snapshot.table.status != "playing":
            return
        waiting = [seat for seat, seat_view in enumerate(snapshot.public.seats) if not seat_view.answered]
        seat = waiting[0] if snapshot.public.phase.name == "WINDOW" else snapshot.public.turn
        person = snapshot.seats[seat].person_id
        assert person is not None
        await move(bot.services, table_id, person, player.choose)


async def _practise(bot: TipluBot, world: World) -> None:
    person = NamedPerson(77, NAMES[1])
    practice = Practice(bot.services.store, bot.services.clock)
    lesson = await practice.begin(person)
    while not lesson.is_over:
        hand = await bot.services.pictures.hand(lesson.view, lesson.holder)
        world.lessons += [(lesson, hand), (lesson, replace(hand, pictures=()))]
        wanted = lesson.advised
        lesson, _ = await practice.act(person, lesson.revision, lambda _, wanted=wanted: wanted)
    world.ended_lesson = lesson


# Seasons


def seasons() -> Iterator[SeasonView]:
    """Return seasons of every format: before anyone has joined, of one pod, and of 200 players."""
    for format_ in FORMATS:
        yield season(Diary(format_, players=0))
        yield season(_closed(Diary(format_, players=0)), closed=True)
        small = Diary(format_, players=4)
        if format_ != "ladder":
            small.draw()
            yield season(small, pods=True)
            for pod in list(small.season.pods):
                small.play(pod)
            yield season(small, pods=True)
    large = Diary("divisions", players=200)
    for player in range(1, 201):
        large.note(DivisionSet(player, 1 + (player - 1) // 5))
    large.round()
    for player in range(1, 60):
        large.note(PenaltyAdded(player, player, 1, -500, 1))
    large.note(Withdrawn(7))
    yield season(large, pods=True, acts=True)
    yield season(_closed(large), closed=True, pods=True, acts=True)


def _closed(diary: Diary) -> Diary:
    diary.note(SeasonClosed("ab" * 32))
    return diary


def season(diary: Diary, *, closed: bool = False, pods: bool = False, acts: bool = False) -> SeasonView:
    """Return the season with the strangest names; with `pods`, its tables exist and times are proposed."""
    row = SeasonRow(
        *(1, GUILD, CHANNEL, NAMES[0], 1, None, PRESETS["pagat"], Pace.NONE, b"x" * 32, 0, 0, None, 0),
        closed_at=1 if closed else None,
    )
    told = diary.season
    people = {member: PersonRow(member, Names(NAMES[member % len(NAMES)]), 1, 0) for member in told.members}
    rows = tuple(
        SeasonEventRow(entry.id, 1, None, entry.at, "r" * 200, True, None, entry.event)
        for entry in diary.entries
        if isinstance(entry.event, PenaltyAdded | Withdrawn)
    )
    options = TableOptions(league=True)
    table = TableRow(
        *(2**40, 2**62, 2**62, 2**62, 1, "lobby", 1, PRESETS["pagat"], 1, 0, 0, 0, None), options=options
    )
    return SeasonView(
        row=row,
        told=SeasonProjection(season=told, acts=rows if acts else ()),
        now=1,
        people=people,
        tables=dict.fromkeys(told.pods, table) if pods else {},
        times={pod: PodTimeRow(1, pod, Proposal(2_000_000_000_000, 1, (1,))) for pod in told.pods}
        if pods
        else {},
        posts={},
    )
