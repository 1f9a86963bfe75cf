"""One move costs Discord at most one call beside the answer to the press, pictures and hands included."""

import pytest

from playground.person import Person
from playground.shown import Shown
from tests.e2e.costs import at_rest, kinds, moves, paid
from tests.e2e.players import HAND, START, act, is_asked, is_over, open_table, panel_in_dm
from tests.e2e.running import MovableClock

NAMES = ("asha", "bikram", "chandra", "eklavya")
THINKING_S = 3
USUAL = {"table_edit_gap_ms": 1_500, "mid_turn_edit_s": 8, "answer_edits_m": 13, "seen_hand_s": 120}
ROUNDS = 6
TO_THE_END = 60


class Evening:
    """Four people at a table who think about every move for a while, and a bot that waits as it usually does."""

    def __init__(self, discord, bot, clock: MovableClock, people: list[Person]) -> None:
        self.discord, self.bot, self.clock, self.people = discord, bot, clock, people
        self._before = len(discord.recorder.entries)

    async def thinks(self) -> None:
        self.bot.later(self.clock, THINKING_S)
        await at_rest(self.bot, self.clock)

    async def plays(self, person: Person, panel: Shown) -> Shown:
        """All that a person is asked for just now."""
        while is_asked(panel):
            panel = (await act(person, panel)).panel
            await self.thinks()
        return panel

    async def costs(self) -> tuple[int, int]:
        """What was called and what was moved since the deal began; said by kind where the test fails."""
        calls = paid(self.discord, self._before)
        print(kinds(calls))
        return len(calls), await moves(self.bot)


@pytest.fixture
async def evening(discord, start_bot):
    clock = MovableClock()
    bot = await start_bot(clock=clock, **USUAL)
    people = [discord.person(name) for name in NAMES]
    table = await open_table(*people)
    evening = Evening(discord, bot, clock, people)
    await people[0].press(START, message=table)
    await evening.thinks()
    return evening


async def test_a_deal_of_four_played_by_direct_message(evening):
    for _ in range(TO_THE_END):
        for person in evening.people:
            await evening.plays(person, panel_in_dm(person))
        if all(is_over(panel_in_dm(person)) for person in evening.people):
            break
    calls, made = await evening.costs()
    assert made > 4 * len(NAMES)
    assert calls <= made


async def test_hands_played_at_the_table_cost_no_more(evening):
    for _ in range(ROUNDS):
        for person in evening.people:
            table = person.find("Marriage · Table 1")
            panel = (await person.press(HAND, message=table)).message
            await evening.plays(person, panel)
    calls, made = await evening.costs()
    assert made > 4 * len(NAMES)
    assert calls <= made
