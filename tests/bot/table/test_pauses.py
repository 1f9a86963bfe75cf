"""A match whose table cannot be shown is paused, also between two deals."""

import pytest

from bot.errors import StaleRevisionError, UserError
from bot.people import NamedPerson
from bot.table.core.table import BETWEEN, PAUSED, PAUSED_MS, READY
from bot.table.hosting import Actor
from bot.table.play import READY_MS
from data.preferences import Terms
from league.times import HOUR, MINUTE
from marriage.rules import PRESETS
from tests.bot.house import GUILD, House


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


async def test_a_table_whose_match_is_over_is_not_paused(house: House, between: int):
    for person in (11, 12):
        await house.play.next_deal(1, person, next(house.ids), between)
    await finish_deal(house)
    await house.pauses.server_gone(GUILD)
    assert await kinds(house) == {BETWEEN}
