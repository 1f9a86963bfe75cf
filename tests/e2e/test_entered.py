"""How much code one press runs: our files whose functions run, from the press until all is quiet.

`make entered` prints them. The limits here keep the paths from growing longer unnoticed.
"""

import asyncio
import sys
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType

from playground.person import Person
from playground.shown import Shown
from tests.e2e.looking import published
from tests.e2e.players import (
    DRAW,
    START,
    act,
    discards,
    is_asked,
    is_in_window,
    move_of,
    open_table,
    panel_in_dm,
    play_by_buttons,
    throw,
)
from tests.e2e.running import MovableClock
from tests.e2e.seasons import JOIN, Circle, start_league

ROOT = Path(__file__).parents[2]
OURS = tuple(f"{ROOT / room}/" for room in ("bot", "cogs", "data", "league", "marriage", "render"))


class Entered:
    """Our functions that have run."""

    def __init__(self) -> None:
        self.functions: set[CodeType] = set()

    @property
    def files(self) -> Counter[str]:
        """Their files, relative to the project, with the number of functions in each."""
        return Counter(str(Path(code.co_filename).relative_to(ROOT)) for code in self.functions)

    def note(self, frame: FrameType, event: str, _: object) -> None:
        """Record a function; Python calls this for every call and return."""
        if event == "call" and frame.f_code.co_filename.startswith(OURS):
            self.functions.add(frame.f_code)


@contextmanager
def entered(what: str) -> Generator[Entered, None, None]:
    """Count the functions that run within the block, and print them."""
    found = Entered()
    before = sys.getprofile()
    sys.setprofile(found.note)
    try:
        yield found
    finally:
        sys.setprofile(before)
    print(f"\n{what}: {len(found.files)} files, {len(found.functions)} functions")
    for file, count in sorted(found.files.items()):
        print(f"  {count:3} {file}")


async def is_to_discard(*people: Person) -> tuple[Person, Shown]:
    """Return the first of these people who has drawn, and their hand; the others wait."""

    def asked() -> tuple[Person, Shown] | None:
        panels = [(person, panel_in_dm(person)) for person in people]
        found = ((person, panel) for person, panel in panels if panel is not None and is_asked(panel))
        return next(((person, panel) for person, panel in found if not is_in_window(panel)), None)

    while True:
        person, panel = await people[0].wait_for(asked)
        if discards(panel) and not move_of(panel, DRAW):
            return person, panel
        await act(person, panel)


async def test_a_discard_goes_through_few_files(discord, bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    person, panel = await is_to_discard(asha, bikram)
    await published(bot)
    with entered("a discard") as found:
        await throw(person, panel, discards(panel)[0])
        await published(bot)
    assert len(found.files) <= 102


async def test_a_leaderboard_goes_through_few_files(discord, bot, quick):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await asyncio.gather(play_by_buttons(asha), play_by_buttons(bikram))
    await published(bot)
    with entered("/leaderboard") as found:
        await asha.slash("leaderboard")
        await published(bot)
    assert len(found.files) <= 43


async def test_a_match_of_a_pod_goes_through_few_files(discord, start_bot):
    people = [discord.person(name) for name in ("asha", "bikram", "chandra", "deepa")]
    clock = MovableClock()
    bot = await start_bot(clock=clock)
    circle = Circle(bot, clock, people)
    signup = await circle.open("Autumn", "1, 2, 3", confirm_hours=0)
    for person in people:
        await person.press(JOIN, message=signup)
    await start_league(people[0])
    await circle.rest()
    with entered("a pod's match") as found:
        await circle.play_round(1)
    assert "league/standings.py" in found.files  # the match was played to its end
    assert len(found.files) <= 142
