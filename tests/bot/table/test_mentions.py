"""Who is notified of their turn, when, and how often, decided by rows without Discord."""

from collections.abc import Callable

import pytest

from bot.people import NamedPerson
from bot.services import wire
from bot.table.core.change import TableTransaction
from bot.table.core.table import MENTION, TURN, WINDOW
from data.ids import ChannelId, MessageId
from data.outbox_keys import EndedMentionKey, OutboxKey, TurnMentionByDmKey, TurnMentionKey
from data.preferences import Pace
from data.transaction import WriteTransaction
from marriage.actions import Action, Discard, DrawStock
from marriage.legal import legal_actions
from marriage.view import View
from tests.bot.house import CHANNEL, GUILD, PEOPLE, House

pytestmark = pytest.mark.usefixtures("dull")

SECOND = 1_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
POSTED = 77


async def begin(house: House, pace: Pace = Pace.NORMAL, people: int = 2, computers: int = 0) -> None:
    """Deal, and let the window close: it is the first player's turn, and no one has been active yet."""
    await house.seat_people(pace, people, computers)
    if (window := (await waits(house)).get(WINDOW)) is not None:  # a person alone gets no window
        await house.pass_time(window)
    await requested(house)


async def waits(house: House) -> dict[str, int]:
    """Return what the table waits for, and the remaining time of each wait."""
    return {row.kind: row.due_at - house.clock.at for row in (await house.look())[2]}


async def mover(house: House) -> int:
    return PEOPLE[(await house.state()).turn]


def active(house: House, person: int) -> None:
    house.tables.activity.note(1, person)


async def move(house: House, choose: Callable[[View], Action]) -> None:
    """Have the person in turn press a button."""
    person = await mover(house)
    active(house, person)
    await house.play.move(1, person, choose, None, next(house.ids))


def draw(_: View) -> Action:
    return DrawStock()


def throw(view: View) -> Action:
    return next(action for action in legal_actions(view) if isinstance(action, Discard))


async def requested(house: House) -> list[OutboxKey]:
    """Return the mentions due to be posted or deleted, and mark each as done."""
    kinds = (TurnMentionKey, TurnMentionByDmKey, EndedMentionKey)

    async def write(db: WriteTransaction):
        rows = [row for row in await db.outbox.due(house.clock.at, 1_000) if isinstance(row.key, kinds)]
        if rows:
            await db.outbox.done([(row, row.revision) for row in rows], house.clock.at)
        return rows

    rows = await house.store.write(write)
    return [row.key for row in rows]


async def posted(house: House) -> None:
    """Store the requested mention as posted in the channel."""

    async def amend(tx: TableTransaction) -> None:
        tx.update(mention_id=MessageId(POSTED), mention_channel_id=ChannelId(CHANNEL))

    await house.tables.amend(1, amend)


async def ask_to_be_told(house: House, **settings: bool) -> None:
    """Change the settings of the person in turn."""
    person = await mover(house)
    await house.services.personal.change(NamedPerson(person, "P"), **settings)


async def test_a_person_who_was_not_active_is_mentioned_after_a_moment(house: House):
    await begin(house)
    await house.pass_time(9 * SECOND)
    assert await requested(house) == []
    await house.pass_time(SECOND)
    [key] = await requested(house)
    assert isinstance(key, TurnMentionKey)
    assert PEOPLE[key.number] == await mover(house)


@pytest.mark.parametrize("ago", [0, 5, 12, 19])
async def test_a_person_who_was_active_just_before_is_mentioned_when_they_have_been_silent(
    house: House, ago: int
):
    await begin(house)
    await move(house, draw)
    active(house, PEOPLE[1 - (await house.state()).turn])
    await house.pass_time(ago * SECOND)
    await move(house, throw)
    due = max(10, 20 - ago) * SECOND
    assert (await waits(house))[MENTION] == due
    await house.pass_time(due - 1)
    assert await requested(house) == []
    await house.pass_time(1)
    assert len(await requested(house)) == 1


async def test_who_presses_anything_meanwhile_is_left_in_peace(house: House):
    await begin(house)
    await house.pass_time(5 * SECOND)
    active(house, await mover(house))
    await house.pass_time(19 * SECOND)
    assert await requested(house) == []
    await house.pass_time(SECOND)
    assert len(await requested(house)) == 1


async def test_nobody_is_mentioned_twice_in_a_turn(house: House):
    await begin(house)
    await house.pass_time(10 * SECOND)
    [first] = await requested(house)
    await posted(house)
    await move(house, draw)
    assert await requested(house) == [EndedMentionKey(1, CHANNEL, POSTED)]
    assert MENTION not in await waits(house)
    await house.pass_time(89 * SECOND)
    assert await requested(house) == []
    await move(house, throw)
    await house.pass_time(10 * SECOND)
    [second] = await requested(house)
    assert second != first


async def test_who_has_drawn_and_goes_away_is_mentioned_at_half_time(house: House):
    await begin(house)
    await move(house, draw)
    assert (await waits(house))[MENTION] == 45 * SECOND
    await house.pass_time(45 * SECOND)
    assert len(await requested(house)) == 1


async def test_a_mention_goes_when_a_computer_steps_in_and_does_not_come_back_with_the_person(house: House):
    await begin(house)
    person = await mover(house)
    await house.pass_time(10 * SECOND)
    assert len(await requested(house)) == 1
    await posted(house)

    async def command(tx: TableTransaction) -> None:
        tx.remind(TURN, 0, tx.asked_since())

    await house.tables.change(1, command)
    [row] = [row for row in (await house.look())[2] if row.kind == TURN]
    await house.presence.time_out(1, row.revision)
    assert await requested(house) == [EndedMentionKey(1, CHANNEL, POSTED)]
    await house.presence.back(1, person)
    kinds = await waits(house)
    assert TURN in kinds
    assert MENTION not in kinds


@pytest.mark.parametrize("way", ["leave", "dismiss", "pause"])
async def test_a_mention_goes_with_the_turn(house: House, way: str):
    await begin(house)
    person = await mover(house)
    await house.pass_time(10 * SECOND)
    await requested(house)
    await posted(house)
    match way:
        case "leave":
            await house.leaving.leave(1, person, next(house.ids))
        case "dismiss":
            await house.endings.by_staff(1, GUILD, NamedPerson(99, "Staff"), "", next(house.ids))
        case _:  # a paused table keeps its mention, and gets no second one when it resumes
            await house.pauses.lost(1)
            await house.pauses.shown(1)
            assert await requested(house) == []
            assert MENTION not in await waits(house)
            await move(house, draw)
    assert await requested(house) == [EndedMentionKey(1, CHANNEL, POSTED)]
    table, _, _ = await house.look()
    assert (table.mention_id, table.mention_channel_id) == (None, None)


@pytest.mark.parametrize(("pace", "silent", "due"), [
    (Pace.DAILY, 0, 20 * SECOND),
    (Pace.DAILY, 60, 10 * SECOND),
    (Pace.DAILY, 121, 0),
    (Pace.NONE, 121, 0),
    (Pace.SLOW, 121, 10 * SECOND),
    (Pace.FAST, 0, 20 * SECOND),
])  # fmt: skip
async def test_at_slow_tables_a_person_who_left_long_ago_is_mentioned_at_once(
    house: House, pace: Pace, silent: int, due: int
):
    await begin(house, pace)
    await move(house, draw)
    active(house, PEOPLE[1 - (await house.state()).turn])
    house.clock.at += silent * SECOND
    await move(house, throw)
    assert (await waits(house))[MENTION] == due


async def test_somebody_alone_with_computers_has_no_clock_and_time_to_think(house: House):
    await begin(house, people=1, computers=1)
    while TURN not in await waits(house):
        await house.pass_time(1)  # a computer's pause may end at any moment
    kinds = await waits(house)
    assert kinds[TURN] == 48 * HOUR
    assert kinds[MENTION] == MINUTE
    assert (await house.tables.snapshot(1)).pace is Pace.NONE


async def test_the_clock_runs_as_soon_as_somebody_sits_down(house: House):
    await begin(house, people=1, computers=1)
    while TURN not in await waits(house):
        await house.pass_time(SECOND)
    await house.changing.sit_down(1, NamedPerson(PEOPLE[1], "P1"), next(house.ids))
    assert (await waits(house))[TURN] == 90 * SECOND
    await house.changing.sit_out(1, PEOPLE[1], next(house.ids))
    assert (await house.tables.snapshot(1)).pace is Pace.NORMAL
    await house.leaving.leave(1, PEOPLE[1], next(house.ids))
    assert (await waits(house))[TURN] == 48 * HOUR, "the clock stops for the person who is alone again"


async def test_who_wants_no_mention_gets_none(house: House):
    await begin(house)
    await ask_to_be_told(house, turn_ping=False)
    await house.pass_time(89 * SECOND)
    assert await requested(house) == []


async def test_who_wants_it_by_direct_message_gets_it_there_while_they_accept_any(house: House):
    await begin(house)
    await ask_to_be_told(house, turn_ping_by_dm=True)
    await house.pass_time(10 * SECOND)
    assert [type(key) for key in await requested(house)] == [TurnMentionByDmKey]
    await move(house, draw)
    await move(house, throw)
    await ask_to_be_told(house, turn_ping_by_dm=True)

    person = await mover(house)
    await house.store.write(lambda db: db.people.set_dms(person, open_=False))
    await house.pass_time(10 * SECOND)
    assert [type(key) for key in await requested(house)] == [TurnMentionKey]


async def test_after_a_restart_nobody_counts_as_active_and_one_mention_is_posted(house: House):
    await begin(house)
    active(house, await mover(house))
    house.services = wire(house.services.settings, house.store, house.clock)
    house.deadlines = house.services.deadlines
    await house.pass_time(30 * SECOND)
    assert len(await requested(house)) == 1
