"""A move costs far less than one Discord call besides the press's answer, pictures and hands included."""

from collections.abc import Callable

import pytest

from playground.person import Person
from playground.shown import Shown
from tests.cases import cases
from tests.e2e.costs import at_rest, kinds, moves, paid
from tests.e2e.players import HAND, START, act, is_asked, is_over, open_table, panel_in_dm
from tests.e2e.running import MovableClock

NAMES = ("asha", "bikram", "chandra", "eklavya")
THINKING_S = 3
USUAL = {
    "table_edit_gap_ms": 5_000,
    "followed_edit_s": 10,
    "mid_turn_edit_s": 8,
    "answer_edits_m": 13,
    "seen_hand_s": 120,
    "watching_edit_ms": 5_000,
}
MOST_CALLS = 0.6
"""The most counted calls per move."""
MOST_EDITS = 2.5
"""The most edits by the token of a press, per move; they do not count."""
ROUNDS = 4
TO_THE_END = 60


class Evening:
    """Four people at a table who think about each move, and a bot with its usual waits."""

    def __init__(self, discord, bot, clock: MovableClock, people: list[Person]) -> None:
        self.discord, self.bot, self.clock, self.people = discord, bot, clock, people
        self._before = len(discord.recorder.entries)

    async def thinks(self) -> None:
        self.bot.later(self.clock, THINKING_S)
        await at_rest(self.bot, self.clock)

    async def plays(self, person: Person, panel: Shown) -> Shown:
        """Do all that is asked of a person now."""
        while is_asked(panel):
            panel = (await act(person, panel)).panel
            await self.thinks()
        return panel

    async def plays_on(self, panel_of: Callable[[Person], Shown | None], turns: int) -> None:
        """Let people in turn play `turns` times from the panel that they look at, or until the deal ends."""

        def asked() -> tuple[Person, Shown] | None:
            looked = [(person, panel_of(person)) for person in self.people]
            return next((pair for pair in looked if is_asked(pair[1]) or is_over(pair[1])), None)

        for _ in range(turns):
            pair = await self.people[0].wait_for(asked)
            assert pair is not None
            if is_over(pair[1]):
                return
            await self.plays(*pair)

    async def costs(self) -> tuple[int, int]:
        """Return the calls and the moves since the deal began, and print them by kind for a failing test."""
        calls, made = paid(self.discord, self._before), await moves(self.bot)
        edits = sum(
            entry.n > self._before and entry.method == "PATCH" and "/webhooks/" in entry.path
            for entry in self.discord.recorder.entries
        )
        print(kinds(calls), f"{len(calls)} calls and {edits} edits by token for {made} moves")
        assert edits <= MOST_EDITS * made
        return len(calls), made


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


@pytest.mark.parametrize("rounds", cases((ROUNDS, TO_THE_END), [ROUNDS]))
async def test_a_deal_of_four_played_by_direct_message(evening, rounds):
    await evening.plays_on(panel_in_dm, rounds * len(NAMES))
    calls, made = await evening.costs()
    assert made > 4 * len(NAMES)
    assert calls <= MOST_CALLS * made


async def test_hands_played_at_the_table_cost_no_more(evening):
    for _ in range(ROUNDS):
        for person in evening.people:
            table = person.find("Marriage · Table 1")
            await evening.plays(person, (await person.press(HAND, message=table)).message)
    calls, made = await evening.costs()
    assert made > 4 * len(NAMES)
    assert calls <= MOST_CALLS * made


async def test_hands_that_stay_open_at_the_table_cost_no_more(evening):
    table = evening.people[0].find("Marriage · Table 1")
    panels = {
        person.user.name: (await person.press(HAND, message=table)).message for person in evening.people
    }
    await evening.plays_on(lambda person: person.look(panels[person.user.name]), ROUNDS * len(NAMES))
    calls, made = await evening.costs()
    assert made > 4 * len(NAMES)
    assert calls <= MOST_CALLS * made
