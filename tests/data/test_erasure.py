"""After a person is forgotten, neither their name nor their id is in the file or its log."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest
from sqlalchemy import text as sql

from data.ids import ChannelId, MessageId
from data.names import clean_name, name_to_type
from data.outbox_keys import RetiredHandKey, SeasonAmendmentKey, season_key
from data.privacy.personal_data import Called
from data.repositories.people import Nickname
from data.season_posts import EndPost
from data.season_rows import DraftRow, SeasonRow
from data.sqlite.opening import prepare
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from data.values import DailyTryRow, ResultRow, SeatRow, TableRow
from league.events import Event, NumbersChanged, RulingNoted, SeasonOpened, SignedUp
from league.members import Banned, MemberSet, MembersWritten, TeamFormed
from league.results import Player
from league.settings import SeasonSettings, default_settings
from league.statistics.par import pars
from marriage.rules import preset
from marriage.sheet import Status
from tests.data.conftest import CHANNEL, first_deal
from tests.data.next_schema import migrations
from tests.data.test_opening import ask
from tests.held import held

pytestmark = pytest.mark.file

GUILD, ELSEWHERE = 676_000_000_000_000_001, 676_000_000_000_000_002
BHARAT, GITA, OTHER = 675_857_204_661_714_944, 675_857_204_661_714_955, 675_857_204_661_714_966
DM = ChannelId(677_123_456_789_012_345)
"""The channel of Bharatendu's direct messages. With the bot's token it tells who reads there."""
NAME, FORMER, NICKNAME = "Bharatendu", "भरतेन्दु", "Dr Harishchandra"
RULES = preset("kathmandu")


def traces(path: Path) -> set[str]:
    """Return the names and id forms under which a person is found in the bytes of the file or its log."""
    marks = {
        "name": NAME.encode(),
        "former name": FORMER.encode(),
        "nickname": NICKNAME.encode(),
        "id in words": str(BHARAT).encode(),
        "id as a number": BHARAT.to_bytes(8, "big"),
        "id as a key": varint(BHARAT),
        "channel in words": str(DM).encode(),
        "channel as a number": DM.to_bytes(8, "big"),
    }
    log = path.with_name(path.name + "-wal")
    content = path.read_bytes() + (log.read_bytes() if log.exists() else b"")
    return {what for what, mark in marks.items() if mark.lower() in content.lower()}


def varint(number: int) -> bytes:
    """Return a row key as SQLite writes it: nine bytes above 56 bits."""
    digits = [number & 255]
    rest = number >> 8
    for _ in range(8):
        digits.append((rest & 127) | 128)
        rest >>= 7
    return bytes(reversed(digits))


async def fill(store: Store) -> None:
    """Let Bharatendu play, keep a home game, join a league, and be written about by others.

    Their name changes in between.
    """

    async def write(db: WriteTransaction) -> None:
        await db.guilds.keep(GUILD)
        for name in (FORMER, NAME):
            await db.people.keep(BHARAT, name, 1_000)
        await db.people.keep(GITA, "Gita", 1_000)
        await db.people.set_direct_channel(BHARAT, DM)
        table = await db.tables.create(GUILD, CHANNEL, BHARAT, RULES, 1_000)
        theirs = SeatRow(table.id, 0, BHARAT, FORMER, dm_channel_id=DM, dm_message_id=MessageId(7))
        await db.tables.set_seats(table.id, [theirs, SeatRow(table.id, 1, GITA, "Gita")])
        await db.limits.add_limit(BHARAT, "table", table.id, 9_000)
        await db.deals.start(first_deal(table))
        await db.deals.add_results(
            table.id,
            1,
            [
                ResultRow(table.id, 1, seat, person, name, Status.SEEN, 0, 0, 0, winner=not seat)
                for seat, (person, name) in enumerate([(BHARAT, FORMER), (GITA, "Gita")])
            ],
        )
        await db.staff_log.add(GUILD, table.id, GITA, "kick", NAME, 2_000)
        await db.staff_log.add(GUILD, table.id, GITA, "end", f"{NAME.lower()} was rude to <@{BHARAT}>", 2_000)
        await db.staff_log.add(GUILD, None, BHARAT, "setup", "pace slow", 2_000)
        day = await db.boards.open_set(GUILD, RULES, 2, 1_000, day="2026-11-22", closes_at=9_000)
        await db.boards.add_attempt(DailyTryRow(day.id, BHARAT, table.id, NAME))
        session = await db.score_sessions.open(GUILD, CHANNEL, (FORMER, "Gita"), RULES, [BHARAT], 1_000)
        await db.score_sessions.set_draft(session.id, f'{{"winner": "{FORMER}"}}')
        await _league(db)

    await store.write(write)


DESCRIBED = default_settings("pods").with_options(description=f"Founded by {NAME}")
WRITTEN: list[Event] = [
    SeasonOpened("Autumn", DESCRIBED, pars(RULES)),
    NumbersChanged(default_settings("pods"), DESCRIBED),
    NumbersChanged(DESCRIBED, default_settings("pods")),
    RulingNoted(f"{NAME} has to be on time"),
    MembersWritten(f"{NAME} brings tea", ()),
    TeamFormed(1, f"{FORMER} and friends", 2),
]
"""One event for each text that people write in a league, with a name in it."""


async def _league(db) -> None:
    season, player, staff = await open_season(db)
    for event in WRITTEN:
        await db.seasons.add_event(season.id, event, 2_000, actor=staff)
    await db.seasons.add_event(season.id, SignedUp(player), 2, actor=player)
    noted = RulingNoted(f"{NAME} has to be on time")
    await db.seasons.add_event(season.id, noted, 3_000, actor=staff, reason=f"{FORMER} came late", staff=True)


async def open_season(db: WriteTransaction) -> tuple[SeasonRow, Player, Player]:
    """Let Gita open a season; returns it with the numbers of Bharatendu and Gita."""
    fields = {"guild_id": GUILD, "channel_id": CHANNEL, "name": "Autumn", "number": 1, "former": None}
    times = {"starts_at": 0, "acted_until": 0, "due_at": None, "created_at": 0, "closed_at": None}
    season = await db.seasons.create(**fields, rules=RULES, pace="none", seed=b"x" * 32, **times)
    player, staff = await db.seasons.keep_player(BHARAT), await db.seasons.keep_player(GITA)
    opened = SeasonOpened("Autumn", default_settings("pods"), pars(RULES))
    await db.seasons.add_event(season.id, opened, 1, actor=staff)
    return season, player, staff


NOT_WRITTEN = {
    *[("SeasonOpened", "name"), ("SeasonOpened", "commitment"), ("SeasonClosed", "seed")],
    *[("SeasonReopened", "commitment"), ("NumbersChanged", "pace"), ("NumbersChanged", "former_pace")],
}
"""The texts of events in which nobody is named. A league keeps its name (docs/privacy.md)."""


def test_every_text_that_people_write_in_a_league_is_looked_for():
    """A new event with a text has to be scrubbed as well."""
    texts = {
        (kind.__name__, field.name)
        for kind in get_args(Event)
        for field in fields(kind)
        if field.type in (str, "str", SeasonSettings)
    }
    written = {
        (type(event).__name__, field.name)
        for event in WRITTEN
        for field in fields(event)
        if NAME in repr(getattr(event, field.name)) or FORMER in repr(getattr(event, field.name))
    }
    assert texts - NOT_WRITTEN == written
    words = {name for name, field in SeasonSettings.model_fields.items() if field.annotation is str}
    assert words - {"timezone"} == {"description"}


async def test_no_byte_of_the_file_or_its_log_tells_of_somebody_forgotten(store: Store, path: Path):
    await fill(store)
    assert await asyncio.to_thread(traces, path) == {
        "name",
        "former name",
        "id in words",
        "id as a number",
        "channel as a number",
    }
    assert await store.write(lambda db: db.privacy.forget(BHARAT, 5_000, "Player {number}"))
    assert await store.forget_the_past()
    assert await asyncio.to_thread(traces, path) == set()

    async def read(db: ReadTransaction):
        kicked, ended, _ = reversed(await db.staff_log.latest(GUILD, 9))
        session = await db.score_sessions.get(1)
        told = await db.seasons.projection(1)
        return kicked, ended, session, told

    kicked, ended, session, told = await store.read(read)
    assert session is not None
    name, gita = session.names
    assert (name.partition(" ")[0], gita, session.draft) == ("Player", "Gita", None)
    assert (kicked.reason, ended.reason) == (name, f"{name} was rude to {name}")
    assert [(act.reason, act.body) for act in told.acts] == [
        (f"{name} came late", RulingNoted(f"{name} has to be on time"))
    ]


async def meet(db: WriteTransaction) -> TableRow:
    """Store the server, Bharatendu and Gita, and return a table that Gita alone has."""
    await db.guilds.keep(GUILD)
    await db.people.keep(BHARAT, NAME, 1_000)
    await db.people.keep(GITA, "Gita", 1_000)
    table = await db.tables.create(GUILD, CHANNEL, GITA, RULES, 1_000)
    await db.tables.set_seats(table.id, [SeatRow(table.id, 0, GITA, "Gita")])
    return table


async def left_after(
    store: Store, path: Path, write: Callable[[WriteTransaction], Awaitable[None]]
) -> set[str]:
    """Return the traces that are left when Bharatendu is forgotten after this."""
    await store.write(write)
    assert await store.write(lambda db: db.privacy.forget(BHARAT, 5_000, "Player {number}"))
    assert await store.forget_the_past()
    return await asyncio.to_thread(traces, path)


async def test_a_nickname_is_forgotten_and_gone_from_what_others_wrote_in_its_server(
    store: Store, path: Path
):
    async def write(db: WriteTransaction) -> None:
        await meet(db)
        await db.people.keep(BHARAT, NAME, 1_000, Nickname(GUILD, NICKNAME))
        await db.staff_log.add(GUILD, None, GITA, "close", f"warned {NICKNAME} twice", 2_000)

    assert await left_after(store, path, write) == set()
    (act,) = await store.read(lambda db: db.staff_log.latest(GUILD, 9))
    assert act.reason.startswith("warned Player")


@pytest.mark.parametrize(("server", "is_left"), [(GUILD, True), (ELSEWHERE, False)])
async def test_a_name_stays_only_in_the_server_where_it_is_the_nickname_of_another(
    store: Store, server: int, is_left: bool
):
    async def write(db: WriteTransaction) -> None:
        await meet(db)
        await db.people.keep(OTHER, "Hari", 1_000, Nickname(server, NAME))
        for person in (BHARAT, OTHER):
            await db.staff_log.add(GUILD, None, person, "setup", "pace slow", 2_000)
        await db.staff_log.add(GUILD, None, GITA, "close", f"warned {NAME} twice", 3_000)
        await db.privacy.forget(BHARAT, 5_000, "Player {number}")

    await store.write(write)
    act, *_ = await store.read(lambda db: db.staff_log.latest(GUILD, 9))
    assert (NAME in act.reason) is is_left


async def test_the_staff_s_reasons_are_found_where_the_staff_sent_somebody_away(store: Store, path: Path):
    """They have no seat there any more; only the log knows that they were at the table."""

    async def write(db: WriteTransaction) -> None:
        table = await meet(db)
        await db.staff_log.add(GUILD, table.id, GITA, "kick", "", 2_000, BHARAT)
        await db.staff_log.add(GUILD, table.id, GITA, "end", f"{NAME} was rude", 2_000)

    assert await left_after(store, path, write) == set()
    ended, kicked = await store.read(lambda db: db.staff_log.latest(GUILD, 9))
    assert ended.reason.startswith("Player")
    assert kicked.target_id is not None
    assert kicked.target_id < 0


async def test_an_invitation_that_the_staff_took_back_leaves_nothing(store: Store, path: Path):
    async def write(db: WriteTransaction) -> None:
        table = await meet(db)
        await db.guests.set_standing(table.id, BHARAT, "invited")
        await db.staff_log.add(GUILD, table.id, GITA, "invite", "", 2_000, BHARAT)
        await db.guests.set_standing(table.id, BHARAT, None)
        await db.staff_log.add(GUILD, table.id, GITA, "forget", "", 2_000, BHARAT)
        await db.staff_log.add(GUILD, table.id, GITA, "end", f"without {NAME}", 2_000)

    assert await left_after(store, path, write) == set()


async def test_the_log_names_nobody_whom_the_bot_does_not_know(store: Store):
    async def write(db: WriteTransaction) -> None:
        table = await meet(db)
        await db.staff_log.add(GUILD, table.id, GITA, "forget", "", 2_000, OTHER)
        assert [act.target_id for act in await db.staff_log.latest(GUILD, 9)] == [None]

    await store.write(write)


async def test_the_server_of_a_table_that_somebody_opened_for_others_is_searched(store: Store, path: Path):
    async def write(db: WriteTransaction) -> None:
        await meet(db)
        table = await db.tables.create(GUILD, CHANNEL, BHARAT, RULES, 1_000)
        await db.tables.update(table, host_id=GITA)
        await db.staff_log.add(GUILD, table.id, GITA, "end", f"{NAME} left", 2_000)

    assert await left_after(store, path, write) == set()


async def test_a_hand_that_was_put_away_leaves_no_channel(store: Store, path: Path):
    """While a player has their seat, such a request is kept for a day; that of an unfinished one outlives no erasure."""

    async def write(db: WriteTransaction) -> None:
        table = await meet(db)
        await db.people.set_direct_channel(BHARAT, DM)
        theirs = SeatRow(table.id, 0, BHARAT, NAME, dm_channel_id=DM, dm_message_id=MessageId(8))
        await db.tables.set_seats(table.id, [theirs])
        await db.outbox.ask(RetiredHandKey(table.id, DM, MessageId(7)), 2_000)
        (row,) = await db.outbox.due(3_000, 9)
        await db.outbox.done([(row, row.revision)], 3_000)
        await db.outbox.ask(RetiredHandKey(table.id, DM, MessageId(8)), 2_000)

    assert await left_after(store, path, write) == {"channel in words"}

    async def end(db: WriteTransaction) -> None:
        [row] = [row for row in await db.outbox.due(9_000, 9) if isinstance(row.key, RetiredHandKey)]
        assert row.key.message_id == 8
        await db.outbox.done([(row, row.revision)], 9_000)

    await store.write(end)
    assert await store.forget_the_past()
    assert await asyncio.to_thread(traces, path) == set()


async def test_a_mention_by_direct_message_that_was_never_withdrawn_leaves_no_channel(
    store: Store, path: Path
):
    """Such as that of a damaged table."""

    async def write(db: WriteTransaction) -> None:
        table = await meet(db)
        await db.people.set_direct_channel(BHARAT, DM)
        await db.tables.set_seats(table.id, [SeatRow(table.id, 0, BHARAT, NAME)])
        await db.tables.update(table, mention_id=MessageId(7), mention_channel_id=DM)

    assert await left_after(store, path, write) == set()


@pytest.mark.parametrize("is_draft", [False, True])
async def test_the_league_of_somebody_who_is_only_ruled_about_is_searched(
    store: Store, path: Path, is_draft: bool
):
    async def write(db: WriteTransaction) -> None:
        await meet(db)
        season, player, staff = await open_season(db)
        reason = f"{NAME} cheated"
        if is_draft:
            await db.seasons.set_draft(DraftRow(0, season.id, staff, 1_000, reason, None, Banned(player)))
        else:
            await db.seasons.add_event(
                season.id, Banned(player), 3_000, actor=staff, reason=reason, staff=True
            )

    assert await left_after(store, path, write) == set()


@pytest.mark.parametrize(
    ("draft", "is_kept"),
    [
        (f'{{"winner": "0", "seen": ["0"], "maal": "{NAME}: 5"}}', False),
        (f'{{"winner": "0", "seen": ["0"], "maal": "{NAME}: 5', False),  # damaged by the disk
        ('{"winner": "0", "seen": ["0"], "maal": "Gita: 5"}', True),
    ],
)
async def test_a_refused_entry_of_a_home_game_goes_if_it_has_a_name_that_the_game_lacks(
    store: Store, path: Path, draft: str, is_kept: bool
):
    async def write(db: WriteTransaction) -> None:
        table = await meet(db)
        await db.tables.set_seats(table.id, [SeatRow(table.id, 0, BHARAT, NAME)])
        session = await db.score_sessions.open(GUILD, CHANNEL, ("B", "Gita"), RULES, [GITA], 1_000)
        await db.score_sessions.set_draft(session.id, draft)

    assert await left_after(store, path, write) == set()
    session = await store.read(lambda db: db.score_sessions.get(1))
    assert session is not None
    assert (session.draft == draft) is is_kept


async def test_a_home_game_has_some_names_without_their_separators(store: Store):
    async def write(db: WriteTransaction) -> None:
        await meet(db)
        await db.people.keep(BHARAT, "Bharat: Gita=Ram", 2_000)
        session = await db.score_sessions.open(
            GUILD, CHANNEL, ("bharat Gita Ram", "Gita"), RULES, [BHARAT], 1_000
        )
        await db.privacy.forget(BHARAT, 5_000, "Player {number}")
        changed = await db.score_sessions.get(session.id)
        assert changed is not None
        assert changed.names[0].startswith("Player")

    await store.write(write)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Bharat  Lal", "Bharat Lal"),
        ("Bharat\u3164", "Bharat"),
        ("Bharat <3", "Bharat ‹3"),
        ("Bharat: the cat", "Bharat: the cat"),
        ("Bharat Bahadur Khadka Chhetri", "Bharat Bahadur Khadka Ch"),
        ("Bharate\u0301", "Bharaté"),
    ],
)
async def test_somebody_who_never_sat_at_a_table_is_found_as_the_bot_shows_them(
    store: Store, name: str, shown: str
):
    """Only seats and results store a name as it is shown; a scorekeeper has neither."""

    async def write(db: WriteTransaction):
        await meet(db)
        await db.people.keep(BHARAT, name, 2_000)
        names = (name_to_type(name), "Gita")
        session = await db.score_sessions.open(GUILD, CHANNEL, names, RULES, [BHARAT], 1_000)
        await db.staff_log.add(GUILD, None, GITA, "close", f"warned {shown} twice", 2_000)
        await db.privacy.forget(BHARAT, 5_000, "Player {number}")
        return await db.score_sessions.get(session.id), await db.staff_log.latest(GUILD, 1)

    changed, (act,) = await store.write(write)
    assert changed is not None
    by = changed.names[0]
    assert (by.partition(" ")[0], act.reason) == ("Player", f"warned {by} twice")


async def test_a_namesake_keeps_the_name_as_it_is_shown(store: Store):
    name = "Bharat Bahadur Khadka Chhetri"

    async def write(db: WriteTransaction) -> None:
        await meet(db)
        for person in (BHARAT, OTHER):
            await db.people.keep(person, name, 2_000)
            await db.staff_log.add(GUILD, None, person, "setup", "pace slow", 3_000)
        await db.staff_log.add(GUILD, None, GITA, "close", clean_name(name, ""), 4_000)
        await db.privacy.forget(BHARAT, 5_000, "Player {number}")
        (act,) = await db.staff_log.latest(GUILD, 1)
        assert act.reason == clean_name(name, "")

    await store.write(write)


async def test_the_messages_of_a_league_are_edited_for_somebody_whom_the_staff_added(store: Store):
    """They may play a whole season and never do anything in the league themselves."""

    async def write(db: WriteTransaction) -> None:
        await meet(db)
        season, player, staff = await open_season(db)
        await db.seasons.add_event(season.id, MemberSet(player, "confirmed"), 2, actor=staff, staff=True)
        shown = season_key(season.id, EndPost())
        await db.seasons.keep_post(shown)
        await db.seasons.post_shown(shown, CHANNEL, MessageId(77))
        assert await db.privacy.naming(BHARAT, [], await db.privacy.seasons_of(BHARAT)) == [
            SeasonAmendmentKey(season.id, CHANNEL, MessageId(77), EndPost())
        ]

    await store.write(write)


async def test_no_id_is_left_as_a_boundary_between_pages(store: Store, path: Path):
    """Forget a page's worth of people: one of them is the boundary to the next page."""
    people = range(BHARAT - 100, BHARAT + 100)

    async def write(db: WriteTransaction) -> None:
        for person in people:
            await db.people.keep(person, f"Member {person}", 1_000)
            await db.people.set_direct_channel(person, CHANNEL)

    await store.write(write)

    def found() -> set[int]:
        content = path.read_bytes()
        return {
            person for person in people if person.to_bytes(8, "big") in content or varint(person) in content
        }

    forgotten = range(BHARAT - 30, BHARAT + 30)
    for person in forgotten:
        await store.write(lambda db, person=person: db.privacy.forget(person, 5_000, "Player {number}"))
    assert await store.forget_the_past()
    assert await asyncio.to_thread(found) == set(people) - set(forgotten)


async def test_what_was_kept_in_mind_of_a_season_goes_too(store: Store):
    await fill(store)
    assert FORMER in (await store.read(lambda db: db.seasons.projection(1))).acts[0].reason
    await store.write(lambda db: db.privacy.forget(BHARAT, 5_000, "Player {number}"))
    await store.forget_the_past()
    assert FORMER not in (await store.read(lambda db: db.seasons.projection(1))).acts[0].reason


async def test_a_log_that_is_in_use_is_emptied_later(store: Store, path: Path):
    await fill(store)
    await store.write(lambda db: db.tables._execute(sql("PRAGMA busy_timeout=1")))

    async with held(store.read) as ask:
        await ask(lambda db: db.people.get(GITA))  # from here on the reader looks at the file as it is now
        await store.write(lambda db: db.privacy.forget(BHARAT, 5_000, "Player {number}"))
        assert not await store.forget_the_past()
    assert await asyncio.to_thread(traces, path) != set()
    assert await store.empty_log()
    assert await asyncio.to_thread(traces, path) == set()


async def test_names_are_left_where_they_mean_somebody_else_as_well(store: Store):
    """Another Bharatendu is known in the same server; in another server this person never had that name."""
    await fill(store)

    async def write(db: WriteTransaction):
        await db.guilds.keep(ELSEWHERE)
        await db.people.keep(OTHER, NAME.upper(), 1_000)
        await db.score_sessions.open(ELSEWHERE, CHANNEL + 1, (NAME, "Gita"), RULES, [OTHER], 1_000)
        await db.privacy.forget(BHARAT, 5_000, "Player {number}")
        assert (await db.staff_log.latest(GUILD, 9))[-1].reason.startswith("Player")
        return await db.score_sessions.get(2)

    there = await store.write(write)
    assert there is not None
    assert there.names == (NAME, "Gita")


async def test_a_namesake_of_the_same_server_keeps_the_name_and_nothing_else(store: Store, path: Path):
    """Their shared name may mean either; an id or a name that only one of them has had cannot."""

    await fill(store)

    async def write(db: WriteTransaction) -> None:
        await db.people.keep(OTHER, NAME, 1_000)
        await db.staff_log.add(GUILD, None, OTHER, "setup", "pace slow", 3_000)

    assert await left_after(store, path, write) == {"name"}
    acts = await store.read(lambda db: db.staff_log.latest(GUILD, 9))
    assert NAME in {act.reason for act in acts}


@pytest.mark.parametrize("namesake", ["Šárka", "ŠÁRKA", "šárka"])
async def test_a_namesake_keeps_the_name_whatever_letters_it_has(store: Store, namesake: str):
    """Databases know small and capital letters of ASCII only."""

    async def write(db: WriteTransaction):
        await db.guilds.keep(GUILD)
        for person, name in ((BHARAT, "Šárka"), (OTHER, namesake)):
            await db.people.keep(person, name, 1_000)
            await db.staff_log.add(GUILD, None, person, "setup", "pace slow", 3_000)
        session = await db.score_sessions.open(GUILD, CHANNEL, ("Šárka", "Gita"), RULES, [OTHER], 1_000)
        await db.privacy.forget(BHARAT, 5_000, "Player {number}")
        return await db.score_sessions.get(session.id)

    there = await store.write(write)
    assert there is not None
    assert there.names == ("Šárka", "Gita")


@pytest.mark.parametrize(
    ("text", "scrubbed"),
    [
        ("Asha", "Player 5"),
        ("ASHA, again", "Player 5, again"),
        ("Ashal is somebody else, and so is Natasha", "Ashal is somebody else, and so is Natasha"),
        ("<@7> and <@!7> and 7, not 77", "Player 5 and Player 5 and Player 5, not 77"),
        ("आशा और आशालता", "Player 5 और आशालता"),
        ("A. S. is short, a as well", "Player 5. S. is short, a as well"),
        ("Asha (old)", "Player 5"),
        ("", ""),
    ],
)
def test_whole_words_are_scrubbed_and_nothing_else(text: str, scrubbed: str):
    assert Called(7, ["Asha", "Asha (old)", "आशा", "A", " "], "Player 5").scrubbed(text) == scrubbed


@pytest.mark.parametrize(
    ("text", "scrubbed"),
    [
        ("_Ram_, __ram__, ram_", "_P_, __P__, P_"),
        ("Ramle is typed in Latin letters, Ramले is not", "Ramle is typed in Latin letters, Pले is not"),
        ("रामले सीतालाई र रामहरूको", "Pले Pलाई र Pहरूको"),
        ("राम। रामजी!", "P। Pजी!"),
        ("रामायण, सीताराम, रामा, राम्रो", "रामायण, सीताराम, रामा, राम्रो"),
        ("昨日田中さんが", "昨日Pさんが"),
        ("Ramさん", "Pさん"),
        ("アンさん、アンケート", "Pさん、アンケート"),
        ("민수는 민수, 김민수", "P는 P, 김민수"),
        ("王 and 国王", "P and 国王"),
    ],
)
def test_names_are_found_with_what_their_script_attaches_to_them(text: str, scrubbed: str):
    names = ["Ram", "राम", "सीता", "田中", "アン", "민수", "王"]
    assert Called(7, names, "P").scrubbed(text) == scrubbed


async def test_what_an_older_program_left_in_free_pages_goes_with_the_upgrade(tmp_path: Path):
    path = tmp_path / "tiplu.db"
    prepare(path)
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA secure_delete=OFF")
        file.execute("INSERT INTO person VALUES (?, ?, 1, 0, '{}', 0)", (BHARAT, NAME))
        file.commit()
        file.execute("DELETE FROM person")
        file.commit()
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert "name" in await asyncio.to_thread(traces, path)
    prepare(path, migrations(tmp_path))
    assert await asyncio.to_thread(traces, path) == set()
    assert ask(path, "SELECT count(*) FROM person") == [(0,)]
