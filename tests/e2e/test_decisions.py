"""Every press of a whole deal is a decision: the game makes a forced move itself, or says why not."""

from typing import NamedTuple

import pytest

from bot.words.texts import texts
from marriage.legal import is_barred_in_public, legal_actions
from playground.person import Person
from playground.shown import Shown
from tests.e2e.players import (
    CUT,
    DRAW,
    PATIENCE,
    START,
    act,
    is_asked,
    is_in_window,
    is_over,
    open_settings,
    open_table,
    panel_in_dm,
)
from tests.e2e.running import Running

say = texts()
WITHOUT_A_CHOICE = {
    CUT: "the select beside it names the place; the button leaves the place to chance",
    DRAW: "unless people choose otherwise, they draw themselves; and a card that came by itself because of what only its player "
    "knows would tell the others",
}
"""The presses that remain although only one kind of move is legal, and why."""


class Press(NamedTuple):
    """A press of a move."""

    label: str
    is_forced: bool
    """Whether no other move was legal."""
    is_barred: bool
    """Whether everyone at the table knew that the pile could not be taken."""


async def move(bot: Running, person: Person, panel: Shown) -> Press:
    """Make a sensible move from this panel."""
    snapshot = await bot.bot.services.tables.snapshot(1)
    seat = snapshot.seat_of(person.id)
    assert seat is not None
    assert snapshot.public is not None
    is_forced = len(legal_actions(snapshot.private[seat])) == 1
    is_barred = is_barred_in_public(snapshot.public, seat)
    return Press((await act(person, panel)).what, is_forced, is_barred)


async def presses(bot: Running, people: list[Person]) -> list[Press]:
    """Play a deal to its end, and return every press."""
    pressed: list[Press] = []
    while True:
        person, panel = await people[0].wait_for(lambda: asked(people), timeout=PATIENCE)
        if is_over(panel):
            return pressed
        pressed.append(await move(bot, person, panel))


def asked(people: list[Person]) -> tuple[Person, Shown] | None:
    """Return a person who is asked for a move, or sees that the deal is over, with their hand."""
    for person in people:
        panel = panel_in_dm(person)
        if panel is not None and (is_over(panel) or (is_asked(panel) and not is_in_window(panel))):
            return person, panel
    return None


@pytest.mark.parametrize("auto_draw", ["off", "barred", "always"])
async def test_a_press_without_a_choice_is_only_one_that_people_want(discord, bot, auto_draw):
    people = [discord.person(name) for name in ("asha", "bikram", "chandra")]
    for person in people if auto_draw != "off" else ():
        settings = await open_settings(person, "playing")
        await person.choose(say("settings.draw"), [auto_draw], message=settings)
    table = await open_table(*people)
    await people[0].press(START, message=table)
    pressed = await presses(bot, people)
    assert len(pressed) >= 20
    assert {press.label for press in pressed if press.is_forced} <= set(WITHOUT_A_CHOICE)
    drawn = [press for press in pressed if press.label == DRAW]
    if auto_draw == "always":
        assert not drawn
    if auto_draw == "barred":
        assert not any(press.is_barred for press in drawn)
