"""People who play whole deals as people do: they look at their panel, press what it offers, and know nothing else."""

import asyncio
from collections.abc import Sequence

from bot.texts import texts
from marriage.cards import Card
from playground.person import Answer, Person
from playground.shown import Shown

PATIENCE = 30.0

say = texts()
JOIN, LEAVE, COMPUTER, START = (say(f"button.{key}") for key in ("join", "leave", "computer", "start"))
HAND, NEXT, CLOSE, RULES, REFRESH = (
    say(f"button.{key}") for key in ("hand", "next", "close", "rules", "refresh")
)
DRAW, DECLINE, CUT = (say(f"button.{key}") for key in ("draw", "decline", "cut"))
FINISH, SHOW, DUBLEES = (say(f"button.{key}") for key in ("finish", "show", "dublees"))
EXPOSE, DISCARD = say("hand.expose"), say("hand.discard")
OVER = say("hand.over")

BEST_FIRST = (FINISH, SHOW, DUBLEES, CUT, DRAW, DECLINE)


async def open_table(host: Person, *others: Person, computers: int = 0) -> Shown:
    """A table in the host's channel with these people and so many computers, not yet started."""
    table = (await host.slash("marriage play")).message
    for other in others:
        await other.press(JOIN, message=table)
    for _ in range(computers):
        await host.press(COMPUTER, message=table)
    return host.look(table)


def panel_in_dm(person: Person) -> Shown | None:
    """The hand in the person's direct messages."""
    messages = person.dm()
    return messages[-1] if messages else None


def is_asked(panel: Shown | None) -> bool:
    """Whether a panel offers a move."""
    if panel is None:
        return False
    return can_discard(panel) or any(move_of(panel, label) for label in BEST_FIRST)


def move_of(panel: Shown, label: str) -> bool:
    button = panel.button(label)
    return button is not None and not button.disabled


def can_discard(panel: Shown) -> bool:
    return panel.select(DISCARD) is not None


def is_over(panel: Shown | None) -> bool:
    return panel is not None and OVER in panel.text


async def act(person: Person, panel: Shown) -> Answer:
    """Do the most sensible thing that the panel offers."""
    if (tunnelas := panel.select(EXPOSE)) is not None:
        return await person.choose(EXPOSE, tunnelas.values, message=panel)
    for label in BEST_FIRST:
        if move_of(panel, label):
            return await person.press(label, message=panel)
    discards = panel.select(DISCARD)
    assert discards is not None, f"nothing to do in {panel!r}"
    return await person.choose(DISCARD, [least_useful(discards.values)], message=panel)


def least_useful(values: Sequence[str]) -> str:
    """The card with the fewest neighbours of its suit among the others; of those the last one."""
    cards = [Card.parse(value) for value in values]

    def neighbours(card: Card) -> int:
        near = [other for other in cards if other.suit == card.suit and 0 < abs(other.rank - card.rank) <= 2]
        return len(near)

    return min(reversed(values), key=lambda value: neighbours(Card.parse(value)))


async def play_by_buttons(person: Person, turns: int | None = None) -> list[Shown]:
    """Play from the direct message until the deal is over, or for so many presses; the panels that were answered."""
    answers: list[Shown] = []
    while turns is None or len(answers) < turns:
        await person.wait_for(
            lambda: is_asked(panel_in_dm(person)) or is_over(panel_in_dm(person)), timeout=PATIENCE
        )
        panel = panel_in_dm(person)
        assert panel is not None
        if is_over(panel):
            break
        answers.append((await act(person, panel)).message)
    return answers


async def play_together(*people: Person) -> list[list[Shown]]:
    """All of them play by buttons until the deal is over."""
    return await asyncio.gather(*map(play_by_buttons, people))
