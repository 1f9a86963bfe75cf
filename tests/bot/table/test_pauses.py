"""A match whose table cannot be shown is paused, also between two deals."""

import pytest

from bot.errors import StaleRevisionError, UserError
from bot.people import NamedPerson
from bot.table.core.change import TableTransaction
from bot.table.core.table import BETWEEN, COMPUTER, PAUSED, PAUSED_MS, READY
from bot.table.flow.seating import stand_in
from bot.table.hosting import Actor
from bot.table.play import READY_MS
from data.outbox_keys import HandKey, ShowAnewKey
from data.preferences import Terms
from data.shards import EVERYTHING, Share
from league.times import HOUR, MINUTE
from marriage.actions import Discard, DrawStock
from marriage.legal import legal_discards
from marriage.rules import PRESETS
from marriage.state import State
from tests.bot.house import GUILD, PEOPLE, House
from tests.bot.windows import end_window, move


@pytest.fixture
async def between(house: House) -> int:
    """Let two people finish the first deal of two; returns the revision of the button to the next one."""
    host = NamedPerson(11, "A")
    await house.lobby.open(GUILD, 2, host, next(house.ids))
    await house.lobby.join(1, NamedPerson(12, "B"), next(house.ids))
    terms = Terms(rules=PRESETS["pagat"], deals=2)
    await house.services.hosting.set_terms(1, Actor(host), lambda _: terms, next(house.ids))
    await house.play.start(1, 11, next(house.ids))
    return await finish_deal(house)


async def finish_deal(house: House) -> int:
    for person in (11, 12):
        await house.endings.ask(1, person, next(house.ids))
    return (await house.look())[0].revision


async def kinds(house: House) -> set[str]:
    return {row.kind for row in (await house.look())[2]}


async def test_a_match_of_a_lost_server_waits_between_two_deals_and_goes_on(house: House, between: int):
    await house.play.next_deal(1, 11, next(house.ids), between)
    assert await kinds(house) == {BETWEEN, READY}
    await house.pauses.server_gone(GUILD)
    await house.pass_time(5 * HOUR)
    await house.check()
    assert await kinds(house) == {PAUSED}
    await house.pauses.shown(1)
    await house.check()
    due = {row.kind: row.due_at - house.clock.at for row in (await house.look())[2]}
    assert due.keys() == {BETWEEN, READY}
    assert due[BETWEEN] > 30 * MINUTE
    with pytest.raises(StaleRevisionError):
        await house.play.next_deal(1, 12, next(house.ids), between - 1)
    await house.play.next_deal(1, 12, next(house.ids), between)
    assert (await house.look())[0].deal_no == 2


@pytest.mark.parametrize("is_paused_first", [False, True])
async def test_after_a_pause_the_next_deal_begins_without_those_who_do_not_ask(
    house: House, between: int, is_paused_first: bool
):
    if is_paused_first:
        await house.pauses.lost(1)
    await house.play.next_deal(1, 11, next(house.ids), between)
    await house.pauses.lost(1)
    await house.pass_time(HOUR)
    await house.pauses.shown(1)
    assert (await house.look())[0].status == "between"
    await house.pass_time(READY_MS)
    assert (await house.look())[0].status == "playing"
    await house.check()


async def test_after_a_pause_no_deal_begins_that_nobody_has_asked_for(house: House, between: int):
    await house.pauses.lost(1)
    await house.pauses.shown(1)
    assert await kinds(house) == {BETWEEN}
    assert (await house.look())[2][0].due_at > house.clock.at + 30 * MINUTE
    for person in (11, 12):
        await house.play.next_deal(1, person, next(house.ids), between)
    assert (await house.look())[0].deal_no == 2


async def test_a_match_of_a_server_that_is_lost_for_good_ends_after_a_week(house: House, between: int):
    await house.pauses.server_gone(GUILD)
    await house.pass_time(PAUSED_MS - 1)
    assert (await house.look())[0].status == "between"
    await house.pass_time(1)
    assert (await house.look())[0].status == "closed"
    match = await house.store.read(lambda db: db.matches.latest(1))
    assert match is not None
    assert match.ended == "abandoned"


async def test_the_next_deal_of_a_paused_match_begins_only_once_all_have_asked(house: House, between: int):
    """They can ask in their direct messages."""
    await house.pauses.lost(1)
    await house.play.next_deal(1, 11, next(house.ids), between)
    await house.pass_time(HOUR)
    await house.check()
    assert (await house.look())[0].status == "between"
    await house.play.next_deal(1, 12, next(house.ids), between)
    assert (await house.look())[0].status == "playing"
    await house.check()


async def test_a_look_at_a_paused_table_brings_back_nobody_who_has_left(house: House, between: int):
    await house.leaving.leave(1, 12, next(house.ids))
    await house.pauses.lost(1)
    assert await house.presence.back(1, 11) == "presence.tries"
    assert await house.presence.back(1, 12) is None
    assert (await house.look())[1][1].left


async def test_who_has_left_a_paused_table_does_not_move_it(house: House, between: int):
    await house.leaving.leave(1, 12, next(house.ids))
    await house.pauses.lost(1)
    with pytest.raises(UserError, match="left_already"):
        await house.pauses.move(1, GUILD, 3, 12, next(house.ids))
    await house.pauses.move(1, GUILD, 3, 11, next(house.ids))
    assert (await house.look())[0].channel_id == 3


async def compare(house: House, *, listed: Share = EVERYTHING, has_bot: bool = True, sees: bool = True):
    await house.pauses.compare(lambda: listed, lambda _: has_bot, lambda *_: sees)


async def shown_anew(house: House) -> bool:
    messages = await house.store.read(lambda db: db.outbox.look(house.clock.at, 99))
    return ShowAnewKey(1) in {row.key for row in messages.due}


@pytest.mark.parametrize("is_between", [True, False])
async def test_a_server_that_was_lost_while_the_bot_was_away_pauses_its_matches(
    house: House, between: int, is_between: bool
):
    if not is_between:
        for person in (11, 12):
            await house.play.next_deal(1, person, next(house.ids), between)
    await compare(house)
    await compare(house, listed=Share(1, frozenset()), has_bot=False)
    assert PAUSED not in await kinds(house)
    await compare(house, has_bot=False)
    assert await kinds(house) == {PAUSED}
    due = (await house.look())[2]
    house.clock.at += HOUR
    await compare(house, has_bot=False, sees=False)
    assert (await house.look())[2] == due
    await house.check()


async def test_between_two_deals_a_table_that_is_not_seen_is_tried(house: House, between: int):
    """In a deal, showing its moves fails soon enough."""
    await compare(house)
    assert not await shown_anew(house)
    await compare(house, sees=False)
    assert await shown_anew(house)
    assert await kinds(house) == {BETWEEN}


async def test_in_a_deal_a_table_that_is_not_seen_is_not_tried(house: House, between: int):
    for person in (11, 12):
        await house.play.next_deal(1, person, next(house.ids), between)
    await compare(house, sees=False)
    assert not await shown_anew(house)


async def test_a_table_whose_match_is_over_is_not_paused(house: House, between: int):
    for person in (11, 12):
        await house.play.next_deal(1, person, next(house.ids), between)
    await finish_deal(house)
    await house.pauses.server_gone(GUILD)
    await compare(house, has_bot=False)
    assert await kinds(house) == {BETWEEN}


# A deal that goes on by direct message


async def in_deal(house: House, people: int, computers: int) -> None:
    """Begin a deal in which the first turn has come."""
    await house.seat_people("normal", people, computers)
    await end_window(house.services)


async def take_turn(house: House) -> State:
    """Let the person whose turn it is draw and discard; returns the deal after that."""
    person = (await house.look())[1][(await house.state()).turn].person_id
    await move(house.services, 1, person, lambda _: DrawStock())
    await move(house.services, 1, person, lambda seen: Discard(legal_discards(seen)[0]))
    await house.check()
    return await house.state()


@pytest.fixture
async def computers_turn(house: House) -> State:
    """Pause a deal of two people and a computer, and let the people play until it is the computer's turn."""
    await in_deal(house, 2, 1)
    await house.pauses.lost(1)
    state = await house.state()
    while (await house.look())[1][state.turn].person_id is not None:
        state = await take_turn(house)
    return state


async def test_the_computers_of_a_paused_table_go_on_and_no_person_loses_a_turn(
    house: House, computers_turn: State
):
    await house.pass_time(HOUR)
    state, (_, seats, _) = await house.state(), await house.look()
    assert state.turn == (computers_turn.turn + 1) % 3
    assert seats[state.turn].present
    await house.check()


async def test_a_table_that_is_paused_in_the_turn_of_a_computer_goes_on(house: House):
    await in_deal(house, 2, 1)
    while (await house.look())[1][(await house.state()).turn].person_id is not None:
        await take_turn(house)
    await house.pauses.lost(1)
    await house.check()
    await house.pass_time(HOUR)
    assert (await house.look())[1][(await house.state()).turn].present


async def test_at_a_paused_table_a_computer_plays_for_those_who_leave_in_their_turn(house: House):
    await in_deal(house, 3, 0)
    await house.pauses.lost(1)
    turn = (await house.state()).turn
    await house.leaving.leave(1, PEOPLE[turn], next(house.ids))
    await house.check()
    await house.pass_time(HOUR)
    assert (await house.state()).turn == (turn + 1) % 3


async def test_at_a_paused_table_computers_do_not_play_on_alone(house: House):
    await in_deal(house, 3, 0)

    async def command(tx: TableTransaction) -> None:
        stand_in(tx, 2, left=False)

    await house.tables.change(1, command)
    await house.pauses.lost(1)
    before = await house.state()
    for person in PEOPLE[:2]:
        await house.leaving.leave(1, person, next(house.ids))
    assert COMPUTER not in await kinds(house)
    assert await house.state() == before


async def test_at_a_paused_table_one_who_is_back_in_their_turn_has_it(house: House):
    await in_deal(house, 3, 0)
    turn = (await house.state()).turn

    async def command(tx: TableTransaction) -> None:
        stand_in(tx, turn, left=False)

    await house.tables.change(1, command)
    await house.pauses.lost(1)
    assert await kinds(house) == {PAUSED, COMPUTER}
    await house.presence.back(1, PEOPLE[turn])
    await house.check()
    await house.pass_time(HOUR)
    assert (await house.state()).turn == turn


async def test_a_paused_table_that_is_shown_again_has_its_usual_clocks(house: House, computers_turn: State):
    await house.pauses.shown(1)
    await house.check()
    assert await kinds(house) == {COMPUTER}


async def test_a_paused_table_whose_people_end_the_match_closes_at_its_usual_time(house: House, between: int):
    await house.pauses.lost(1)
    told = [await house.endings.ask(1, person, next(house.ids)) for person in (11, 12)]
    assert told == ["leaving.asked_paused", "leaving.ended_match"]
    await house.check()
    assert await kinds(house) == {BETWEEN}
    await house.pass_time(2 * HOUR)
    assert (await house.look())[0].status == "closed"


async def hands_asked_for(house: House) -> set[int]:
    """Return the seats whose hand by direct message is to show the table as it is now."""
    now = (await house.look())[0].revision
    messages = await house.store.read(lambda db: db.outbox.look(house.clock.at, 99))
    return {row.key.number for row in messages.due if isinstance(row.key, HandKey) and row.revision == now}


async def test_when_a_paused_match_is_ended_no_hand_says_any_more_that_it_is_paused(
    house: House, between: int
):
    await house.pauses.lost(1)
    assert await hands_asked_for(house) == {0, 1}
    await house.endings.ask(1, 11, next(house.ids))
    assert await hands_asked_for(house) == set()
    await house.endings.ask(1, 12, next(house.ids))
    assert await hands_asked_for(house) == {0, 1}


async def test_when_a_paused_table_is_closed_no_hand_says_any_more_that_it_is_paused(
    house: House, between: int
):
    await house.pauses.lost(1)
    await house.endings.by_staff(1, GUILD, NamedPerson(77, "Staff"), "gone", next(house.ids))
    assert (await house.look())[0].status == "closed"
    assert await hands_asked_for(house) == {0, 1}
