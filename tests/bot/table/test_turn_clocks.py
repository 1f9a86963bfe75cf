"""The clocks of a table: people come, leave and delay in every order, and time jumps."""

from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest

from bot.errors import StaleRevisionError, UserError
from bot.outages import Outages
from bot.people import NamedPerson
from bot.table.core.table import COMPUTER, TURN, WINDOW, turn_ms
from data.outbox_keys import HandKey
from data.preferences import Pace
from data.transaction import WriteTransaction
from marriage.errors import IllegalActionError
from marriage.state import Phase
from marriage.strategy.players import RandomPlayer
from tests.bot.clocks import connect
from tests.bot.house import CHANNEL, GUILD, PEOPLE, House
from tests.e2e.dealt import dull

MINUTE = 60_000


async def act(house: House, random: Random, revision: int) -> None:
    """Let someone do, or try to do, one thing."""
    person = random.choice(PEOPLE)
    what = random.choices(
        (
            "move",
            "look",
            "stall",
            "leave",
            "ask",
            "refuse",
            "agree",
            "pause",
            "next",
            "rematch",
            "close",
            "wait",
        ),
        (30, 6, 6, 1, 2, 3, 2, 1, 6, 6, 0.3, 8),
    )[0]
    services = {
        "leave": house.leaving.leave,
        "ask": house.endings.ask,
        "next": house.play.next_deal,
        "rematch": house.play.rematch,
        "close": house.play.finish_table,
    }
    match what:
        case "move":
            await house.play.move(1, person, RandomPlayer(random).choose, None, next(house.ids))
        case "look":
            await house.presence.back(1, person)
        case "stall":
            await stall(house, random)
        case "agree":
            await house.endings.agree(1, person, revision, next(house.ids))
        case "refuse":
            await house.endings.refuse(1, person, revision, next(house.ids))
        case "pause":
            await house.pauses.lost(1)
        case "wait":
            await house.pass_time(random.choice((500, 10_000, 20_000, 50_000, 100_000)))
        case _:
            await services[what](1, person, next(house.ids))


async def stall(house: House, random: Random) -> None:
    """Let the player to move run out of time, or leave, and return before the computer plays for them."""
    state = await house.state()
    _, seats, rows = await house.look()
    person = seats[state.turn].person_id
    if state.phase in (Phase.WINDOW, Phase.OVER) or person is None:
        return
    turn = next((row for row in rows if row.kind == TURN), None)
    if turn is not None and random.random() < 1 / 2:
        await house.leaving.leave(1, person, next(house.ids))
    elif turn is not None:
        await house.pass_time(turn.due_at - house.clock.at)
    await house.check()
    await house.presence.back(1, person)


@pytest.mark.parametrize("seed", range(6))
async def test_whatever_people_do_a_table_waits_for_somebody_and_ends(house: House, seed: int):
    random = Random(seed)
    pace = random.choice((Pace.FAST, Pace.NORMAL, Pace.SLOW))
    people, computers, deals = random.choice((2, 3)), random.choice((0, 1)), random.choice((0, 1, 2))
    await house.seat_people(pace, people, computers, deals=deals)
    await house.check()
    for _ in range(60):
        table, _, _ = await house.look()
        with suppress(
            UserError, IllegalActionError, StaleRevisionError, IndexError
        ):  # refused: nothing has changed
            await act(house, random, table.revision)
        await house.check()
    # Everyone leaves for good, and the table ends by itself.
    await house.pass_time(8 * 24 * 60 * MINUTE)
    table, _, rows = await house.look()
    assert (table.status, rows) == ("closed", [])


@pytest.mark.parametrize("pace", list(Pace))
async def test_nobody_holds_up_a_table_by_coming_back_again_and_again(
    house: House, pace: Pace, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("bot.table.flow.seating.start", dull())
    random = Random(pace.value)
    await house.seat_people(pace, people=2, computers=0)
    [window] = (await house.look())[2]
    await house.pass_time(window.due_at - house.clock.at)
    await house.check()
    for turn in range(6):
        before = await house.state()
        for _ in range(2):
            assert (await house.state()).version == before.version
            await house.pass_time(1)
            await stall(house, random)
            await house.check()
            house = replace(house)  # as after a restart
        assert [len(ends) for ends in house.clocks.values()] == [2] * (turn + 1) + [1]
        state, (_, seats, _) = await house.state(), await house.look()
        assert (state.turn, state.phase) == (1 - before.turn, Phase.DRAW)
        assert all(seat.present for seat in seats)


@pytest.mark.parametrize("pace", list(Pace))
async def test_nobody_is_away_before_their_time_and_everybody_is_after_it(house: House, pace: Pace):
    await house.seat_people(pace, people=2, computers=0)
    await house.pass_time(24 * 60 * MINUTE if pace is Pace.DAILY else 5 * MINUTE)  # the window
    for _ in range(3):
        state = await house.state()
        if state.phase is Phase.WINDOW:
            break
        _, seats, rows = await house.look()
        if not seats[state.turn].present:
            break
        [turn] = [row for row in rows if row.kind == TURN]
        left = turn.due_at - house.clock.at
        assert 0 < left <= turn_ms(pace)
        await house.pass_time(left - 1)
        assert not (await house.look())[1][state.turn].away
        await house.pass_time(1)
        assert (await house.look())[1][state.turn].away


async def test_a_deadline_that_was_credited_does_not_fire_at_its_old_time(house: House):
    await house.seat_people(Pace.FAST, people=2, computers=0)
    await house.pass_time(30_001)
    _, _, rows = await house.look()
    [turn] = [row for row in rows if row.kind == TURN]
    now = house.clock.at = turn.due_at
    await house.store.write(lambda db: db.deadlines.credit(now - 60_000, now, now + 30_000))
    before = await house.look()
    with pytest.raises(StaleRevisionError):
        await house.presence.time_out(1, turn.revision)
    await house.deadlines.act(turn)
    assert await house.look() == before
    await house.check()


@pytest.mark.parametrize("status", ["lobby", "window", "turn", "between", "paused"])
async def test_leaving_works_in_every_status_and_sets_free(house: House, status: str):
    await house.lobby.open(GUILD, CHANNEL, NamedPerson(11, "A"), next(house.ids))
    await house.lobby.join(1, NamedPerson(12, "B"), next(house.ids))
    if status != "lobby":
        await house.play.start(1, 11, next(house.ids))
    if status in {"turn", "between", "paused"}:
        await house.pass_time(100_000)
    if status == "between":
        await house.endings.ask(1, 11, next(house.ids))
        await house.endings.ask(1, 12, next(house.ids))
    if status == "paused":
        await house.pauses.lost(1)
    await house.leaving.leave(1, 11, next(house.ids))
    assert await house.store.read(lambda db: db.tables.open_of_person(11)) == []
    await house.lobby.open(GUILD, CHANNEL + 1, NamedPerson(11, "A"), next(house.ids))
    with pytest.raises(UserError):
        await house.leaving.leave(1, 11, next(house.ids))
    await house.leaving.leave(1, 12, next(house.ids))
    assert (await house.look())[0].status == "closed"
    await house.check()


async def test_time_without_a_connection_is_given_back(house: House):
    await house.seat_people(Pace.FAST, people=2, computers=0)
    await house.pass_time(100_000)
    outages = Outages(house.store, house.clock)
    before = {row.kind: row.due_at for row in (await house.look())[2]}
    outages.began(0)
    house.clock.at += 5_000
    outages.began(0)  # still trying
    house.clock.at += 600_000
    assert outages.concerns(0)
    await outages.ended(0)
    assert not outages.concerns(0)
    after = {row.kind: row.due_at for row in (await house.look())[2]}
    least = house.clock.at + 30_000
    assert after == {
        kind: due if kind == COMPUTER else max(due + 605_000, least) for kind, due in before.items()
    }
    outages.began(0)
    house.clock.at += 10_000
    await outages.ended(0)
    await outages.ended(1)  # of a shard that was never disconnected
    assert {row.kind: row.due_at for row in (await house.look())[2]} == after
    await house.pass_time(0)  # the computer moves
    await house.check()


@pytest.mark.parametrize("is_connected", [False, True])
async def test_a_turn_that_begins_while_the_clocks_stand_still_lasts_as_long_as_any_other(
    house: House, monkeypatch: pytest.MonkeyPatch, *, is_connected: bool
):
    """Someone moves by direct message before the shard of their table is connected, or before the time is credited."""
    monkeypatch.setattr("bot.table.flow.seating.start", dull())
    await house.seat_people(Pace.NORMAL, people=2, computers=0)
    [window] = (await house.look())[2]
    await house.pass_time(window.due_at - house.clock.at)
    outages, random = house.services.outages, Random(1)

    async def move(*_: object) -> None:
        turn = (await house.state()).turn
        while (await house.state()).turn == turn:
            await house.play.move(1, PEOPLE[turn], RandomPlayer(random).choose, None, next(house.ids))

    async def left() -> int:
        return next(row.due_at for row in (await house.look())[2] if row.kind == TURN) - house.clock.at

    outages.began(0)
    house.clock.at += 10 * MINUTE
    if is_connected:
        outages.on_loss(move)
    else:
        await move()
        assert await left() == turn_ms(Pace.NORMAL)
        house.clock.at += 10 * MINUTE
        assert await house.deadlines.soonest([]) == []  # though the time is over, no one is taken for away
    await outages.ended(0)
    assert await left() == turn_ms(Pace.NORMAL)
    await house.pass_time(turn_ms(Pace.NORMAL) - 1)
    assert not any(seat.away for seat in (await house.look())[1])
    await house.check()


async def test_a_start_gives_back_the_time_since_the_last_sign_of_life(house: House):
    await house.seat_people(Pace.FAST, people=2, computers=0)
    await house.pass_time(100_000)
    outages = Outages(house.store, house.clock)
    await connect(outages)  # the very first start
    await house.store.write(lambda db: db.key_values.alive(house.clock.at))
    house.clock.at += 3_600_000
    await connect(outages)
    rows = [row for row in (await house.look())[2] if row.kind != COMPUTER]
    assert rows
    assert all(row.due_at >= house.clock.at + 10_000 for row in rows)
    await house.pass_time(0)
    await house.check()


async def test_who_comes_back_to_a_move_has_their_direct_message_brought_up_to_date(house: House):
    """Its edits do not show what happened during the absence, and the answer to the press may be lost."""
    await house.seat_people(Pace.FAST, people=2, computers=0)
    for kind in (WINDOW, TURN):
        due = {row.kind: row.due_at for row in (await house.look())[2]}[kind]
        await house.pass_time(due - house.clock.at)
    table, seats, _ = await house.look()
    seat = next(row for row in seats if row.away)

    async def write(db: WriteTransaction):
        for row in await db.outbox.due(house.clock.at, 1_000):
            await db.outbox.done([(row, row.revision)], house.clock.at)

    await house.store.write(write)
    assert seat.person_id is not None
    await house.presence.back(1, seat.person_id)
    rows = await house.store.read(lambda db: db.outbox.due(house.clock.at + 600_000, 1_000))
    assert HandKey(table.id, seat.seat) in [row.key for row in rows]
