"""A league over the wire: the form that opens it, its messages, its tables, its results."""

import pytest

from bot.table.computers import PLAYERS
from data.preferences import Level
from marriage.decide import decide
from marriage.state import Phase
from marriage.view import view
from tests.bot.league.house import start_anyhow
from tests.e2e.players import READY, say
from tests.e2e.running import MovableClock
from tests.marriage.dealing import actor

JOIN, IN, NEXT = say("league.join"), say("league.i_am_in"), say("league.my_next")
NAMES = ("asha", "bikram", "chandra", "deepa")
DAY = 24 * 3600
choose = PLAYERS[Level.STEADY].choose


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr("bot.table.play.start", start_anyhow)


async def open_league(staff, numbers: str = "1, 2, 3", **settings: object):
    """A league of pods by the form, its message, and numbers that let new accounts in."""
    await staff.slash("league create")
    answer = await staff.submit(
        {"name": "Autumn", "numbers": numbers, "rotations": ["4 deals at four seats, 3 at three"]}
    )
    assert "Autumn is open" in answer.message.text
    for name, value in ({"account_days": 0, "server_days": 0} | settings).items():
        await staff.slash("league settings", setting=name, value=str(value))
    return await staff.sees("Sign up until")


async def play_out(bot) -> None:
    """The match of the only table is played to its end by its services."""
    while True:
        async with bot.desk.lock(1), bot.desk.sitting(1) as sitting:
            while sitting.state is not None and sitting.state.phase is not Phase.OVER:
                seat = actor(sitting.state)
                await sitting.record(
                    decide(sitting.state, seat, choose(view(sitting.state, seat))), actor=seat
                )
            await bot.play.follow(sitting, [])
        if (await bot.desk.snapshot(1)).match.row.is_over:
            return
        for number, seat in enumerate(sitting.seats):
            await bot.play.next_deal(1, seat.person_id, 10**6 + sitting.table.revision * 10 + number)


async def test_a_league_of_one_round(discord, start_bot, clock):
    asha, _, chandra, deepa = people = [discord.person(name) for name in NAMES]
    bot = await start_bot(clock=clock)
    signup = await open_league(asha, confirm_hours=24)
    for person in people:
        answer = await person.press(JOIN, message=signup)
        assert answer.message.ephemeral
        assert "signed up" in answer.message.text
    assert "already" in (await asha.press(JOIN, message=signup)).message.text
    await asha.sees("Signed up: 4")

    bot.later(clock, 2 * DAY + 60)
    checkin = await asha.sees("Autumn starts")
    assert await deepa.wait_for(lambda: any("Are you in?" in one.text for one in deepa.dm()))
    for person in people:
        await person.press(IN, message=checkin)
    bot.later(clock, DAY)
    drawn = await asha.sees("Play your match until")
    told = (await chandra.press(NEXT, message=drawn)).message
    assert told.ephemeral
    assert "you play against" in told.text
    table = await asha.sees("A league's match")
    stranger = discord.person("ekta")
    assert "private" in (await stranger.press(say("button.join"), message=table)).message.text.lower()
    for person in people:
        await person.press(say("button.join"), message=table)
    for person in people:
        await person.press(READY, message=table)
    await asha.wait_for(lambda: "Deal **1** of **4**" in asha.look(table).text)
    await play_out(bot.bot)
    bot.later(clock, 0)
    over = await asha.sees("Autumn is over")
    assert "The winner is" in over.text
    table = (await chandra.slash("league standings")).message
    assert table.ephemeral
    assert "4 deals" in table.text
    assert "▶" in table.text
