"""Slow players: the clock, the computer that steps in, and the way back."""

import time
from dataclasses import replace

import pytest

from data.preferences import Pace
from marriage.apply import replay
from marriage.invariants import check_waiting
from tests.e2e.pacing import timed
from tests.e2e.players import (
    DRAW,
    HAND,
    REFRESH,
    SHOW,
    button_in_dm,
    is_in_window,
    next_panel,
    panel_in_dm,
    play_by_buttons,
    press_in_dm,
    text_in_dm,
)
from tests.e2e.running import MovableClock
from tests.waiting import until

SHOWING = "2S 3S 4S 6H 7H 8H 10D JD QD 5C 8C KC AS KH 4D 9D 2C JS 6S 9S 7S"
OTHER = "2H 4H KS QS 10S AH AC AD KC 4S 10C 3C 6C 9H JH QD JC 8D 5D 7D 3D"


@pytest.fixture
async def playing(discord, start_bot, dull):
    """A fast table at which Bikram is to draw and Asha waits."""
    at = await timed(discord, start_bot, Pace.FAST, "asha", "bikram")
    await at.through_window()
    await at.shows("**Bikram** draws next")
    await next_panel(at.people[1])
    return at


async def until_away(at, name):
    at.later(31)
    await at.shows(f"Away: **{name}**")


async def test_a_turn_has_a_deadline_that_everybody_sees(playing):
    at = playing
    due = (await at.due())["turn"]
    assert f"Time for this move ends <t:{due // 1000}:R>" in at.people[0].look(at.table).text
    assert f"<t:{due // 1000}:R>" in (await next_panel(at.people[1])).text
    await at.people[0].wait_for(lambda: panel_in_dm(at.people[0]) and "<t:" not in text_in_dm(at.people[0]))
    assert 0 < due - at.clock.now() <= 30_000


async def test_at_the_deadline_the_computer_plays_the_whole_turn(playing):
    at, (asha, bikram) = playing, playing.people
    await until_away(at, "Bikram")
    await at.shows("**Asha** draws next")
    assert (await at.event_names())[-2:] in (["drew", "discarded"], ["took", "discarded"])
    assert (await at.facts()).seats[1].away
    await bikram.wait_for(lambda: "You are away" in text_in_dm(bikram))
    # and from now on immediately, as soon as it is the absent player's turn
    await play_by_buttons(asha, 2)
    await at.waits_for_a_person()
    check_waiting(replay((await at.facts()).events))


async def test_a_card_drawn_is_played_on_by_the_computer(playing):
    at, (_, bikram) = playing, playing.people
    await press_in_dm(bikram, DRAW)
    await until_away(at, "Bikram")
    await at.shows("**Asha** draws next")
    assert (await at.event_names())[-2:] == ["drew", "discarded"]


async def test_a_cut_is_made_by_the_computer(discord, start_bot, arrange):
    arrange(OTHER, SHOWING, up="KD", stock="QC 2D")
    at = await timed(discord, start_bot, Pace.FAST, "asha", "bikram")
    await at.through_window()
    _, bikram = at.people
    await bikram.press(DRAW, message=await next_panel(bikram))
    await press_in_dm(bikram, SHOW)
    await at.shows("cuts the tiplu")
    await until_away(at, "Bikram")
    await at.shows("**Asha** draws next")
    assert (await at.event_names())[-2:] == ["tiplu_cut", "discarded"]


async def test_the_window_scales_with_the_pace_and_the_silent_expose_nothing(discord, start_bot, arrange):
    arrange("5H 5H 5H", "2S 4S 6S", up="KD")
    at = await timed(discord, start_bot, Pace.SLOW, "asha", "bikram", tunnela_window_s=20)
    asha, _ = at.people
    assert 40_000 < (await at.due())["window"] - at.clock.now() <= 60_000
    await asha.wait_for(lambda: (panel := panel_in_dm(asha)) and is_in_window(panel))
    at.later(61)
    await at.shows("**Bikram** draws next")
    after = await at.facts()
    assert [seat.away for seat in after.seats] == [False, False]
    assert "exposed" not in asha.look(at.table).text
    assert "declined" in await at.event_names()
    assert "turn" in await at.due()


async def test_my_hand_gives_the_seat_back(playing):
    at, (asha, bikram) = playing, playing.people
    await until_away(at, "Bikram")
    await at.shows("**Asha** draws next")
    panel = (await bikram.press(HAND, message=at.table)).message
    assert "Welcome back" in panel.text
    await at.shows("Away:", absent=True)
    await play_by_buttons(asha, 2)
    await at.shows("**Bikram** draws next")
    assert 16_000 < (await at.due())["turn"] - at.clock.now() <= 30_000
    assert (await next_panel(bikram)).button(DRAW)


async def test_any_press_or_typed_command_gives_the_seat_back(playing):
    at, (asha, bikram) = playing, playing.people
    for way in ("refresh", "typed"):
        await until_away(at, "Bikram")
        await at.shows("**Asha** draws next")
        if way == "refresh":
            panel = await bikram.wait_for(lambda: button_in_dm(bikram, REFRESH) and panel_in_dm(bikram))
            answer = await bikram.press(REFRESH, message=panel)
        else:
            answer = await bikram.slash("marriage draw")
        assert "Welcome back" in answer.message.text or "not your turn" in answer.message.text
        await at.shows("Away:", absent=True)
        await play_by_buttons(asha, 2)
        await at.shows("**Bikram** draws next")


async def test_a_move_pressed_while_the_computer_thinks_is_the_players_own(discord, start_bot, dull):
    at = await timed(discord, start_bot, Pace.FAST, "asha", "bikram", computer_pause_ms=60_000)
    await at.through_window()
    _, bikram = at.people
    panel = await next_panel(bikram)
    at.later(31)
    await at.shows("Away: **Bikram**")
    answer = await bikram.press(DRAW, message=panel)
    assert "I did nothing" not in answer.message.text
    assert "you drew" in answer.message.text
    assert (await at.event_names())[-1] == "drew"
    after = await at.facts()
    assert not after.seats[1].away
    assert "computer" not in await at.due()


async def test_no_timer_fires_for_a_past_turn(playing):
    at, (asha, bikram) = playing, playing.people
    old = next(row for row in (await at.facts()).deadlines if row.kind == "turn")
    at.later(25)
    await press_in_dm(bikram, DRAW)
    before = await at.facts()
    at.later(10)
    await at.bot.bot.services.deadlines.act(old)  # the old row, as if it had been read just before the move
    assert await at.facts() == before
    await play_by_buttons(bikram, 1)
    await at.shows("**Asha** draws next")
    assert not any(seat.away for seat in (await at.facts()).seats)
    assert (await next_panel(asha)).button(DRAW)


async def test_an_outage_costs_nobody_a_turn(discord, start_bot, dull):
    at = await timed(discord, start_bot, Pace.FAST, "asha", "bikram")
    await at.through_window()
    await at.shows("**Bikram** draws next")
    at.later(14)
    left = (await at.due())["turn"] - at.clock.now()
    await at.bot.stop()
    clock: MovableClock = at.clock
    clock.forward(3600)
    bot = await start_bot(clock=clock)
    again = replace(at, bot=bot)
    assert (await again.due())["turn"] - clock.now() >= max(left - 3_000, 25_000)
    again.later(10)
    assert not any(seat.away for seat in (await again.facts()).seats)
    again.later(31)
    await again.shows("Away: **Bikram**")


async def test_after_an_outage_nobody_waits_for_a_computer(discord, start_bot, dull):
    at = await timed(discord, start_bot, Pace.FAST, "asha", "bikram", computer_pause_ms=60_000)
    await at.through_window()
    await until_away(at, "Bikram")
    assert "computer" in await at.due()
    await at.bot.stop()
    at.clock.forward(3600)
    again = replace(at, bot=await start_bot(clock=at.clock, computer_pause_ms=60_000))
    await again.shows("**Asha** draws next")


async def test_without_a_clock_no_clock_is_shown_but_no_table_hangs(discord, start_bot, dull):
    at = await timed(discord, start_bot, Pace.NONE, "asha", "bikram")
    await at.through_window()
    shown = await at.shows("**Bikram** draws next")
    assert "Time for this move" not in shown.text
    at.later(47 * 3600)
    assert not any(seat.away for seat in (await at.facts()).seats)
    at.later(3601)
    await at.shows("**Asha** draws next")


async def test_nothing_comes_due_while_nobody_can_press(playing):
    at, (asha, _) = playing, playing.people
    at.bot.bot.services.outages.began(0)
    at.later(3600)
    await asha.slash("marriage hand")
    assert not any(seat.away for seat in (await at.facts()).seats)
    at.discord.gateway.drop()  # the bot reconnects
    await until(lambda: not at.bot.bot.services.outages.concerns(0))
    due = await at.due()
    assert due["turn"] - at.clock.now() >= 20_000
    assert not any(seat.away for seat in (await at.facts()).seats)
    at.later(40)
    await at.shows("Away: **Bikram**")


async def test_who_comes_back_to_one_move_again_and_again_holds_nobody_up(discord, start_bot, dull):
    at = await timed(discord, start_bot, Pace.FAST, "asha", "bikram", computer_pause_ms=60_000)
    await at.through_window()
    asha, bikram = at.people
    await until_away(at, "Bikram")
    panel = (await bikram.press(HAND, message=at.table)).message
    assert "Welcome back" in panel.text
    assert panel.button(DRAW)
    assert 16_000 < (await at.due())["turn"] - at.clock.now() <= 30_000
    await bikram.slash("marriage leave")
    assert "turn" not in await at.due()
    panel = (await bikram.press(HAND, message=at.table)).message
    assert "the computer made it for you" in panel.text
    assert not panel.button(DRAW)
    assert (await at.event_names())[-2:] in (["drew", "discarded"], ["took", "discarded"])
    await at.shows("Left:", absent=True)
    # The player makes the next move again, with the full time.
    await play_by_buttons(asha, 2)
    await at.shows("**Bikram** draws next")
    assert 16_000 < (await at.due())["turn"] - at.clock.now() <= 30_000
    # A player who acts instead of looking is never too late.
    for way in (HAND, DRAW):
        await until_away(at, "Bikram")
        await bikram.press(way, message=at.table if way == HAND else await next_panel(bikram))
    assert (await at.event_names())[-1] == "drew"
    assert "computer" not in await at.due()


async def test_a_process_that_stood_still_takes_nobodys_turn(discord, start_bot, dull, monkeypatch):
    """As one that is stopped, or whose machine is overloaded: no one could press anything."""
    monkeypatch.setattr("bot.upkeep.HEARTBEAT_S", 0.1)
    monkeypatch.setattr("bot.outages.OUTAGE_MS", 1_000)
    at = await timed(discord, start_bot, Pace.FAST, "asha", "bikram")
    await at.through_window()
    await at.shows("**Bikram** draws next")
    outages = at.bot.bot.services.outages
    at.clock.forward(((await at.due())["turn"] - at.clock.now()) / 1_000 - 1)
    monkeypatch.setattr(outages, "_monotonic", lambda: time.monotonic() + 2)
    at.later(0)
    assert not outages.served.held
    await until(lambda: outages.served.is_all)
    assert not any(seat.away for seat in (await at.facts()).seats)
    assert (await at.due())["turn"] - at.clock.now() >= 25_000
