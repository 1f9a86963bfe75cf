"""The components of a message that can be pressed, read as a client has them."""

from dataclasses import dataclass
from random import Random

from playground.messages import texts, walk
from playground.model import Message
from playground.payloads import Json
from tests.e2e.players import least_useful

BEST_FIRST = ("finish", "show", "dublees", "cut", "draw")
"""The buttons of moves, the most sensible first."""
CARD = "discard:"
"""The prefix of a card button's key; the card follows."""


@dataclass(frozen=True)
class Offer:
    """A button or a select that can be pressed."""

    verb: str
    table: int
    revision: int
    component: Json

    @property
    def custom_id(self) -> str:
        return self.component["custom_id"]

    @property
    def values(self) -> list[str]:
        """The values that a select offers."""
        return [option["value"] for option in self.component.get("options", [])]


@dataclass(frozen=True)
class Choice:
    """A component to press, and the values to choose in it."""

    offer: Offer
    values: tuple[str, ...] = ()


def offers(message: Message | None) -> dict[str, Offer]:
    """Return the buttons and selects of the bot's tables on a message, by verb; cards by verb and card."""
    found: dict[str, Offer] = {}
    for component in walk(message.components if message is not None else []):
        prefix, verb, table, revision, card, *_ = (*component.get("custom_id", "").split(":"), *[""] * 4)
        if prefix == "mr1" and table.isdecimal() and revision.isdecimal() and not component.get("disabled"):
            name = CARD + card if verb == "discard" else verb
            found.setdefault(name, Offer(verb, int(table), int(revision), component))
    return found


def move(offered: dict[str, Offer]) -> Choice | None:
    """Return the most sensible move on a hand's panel; None if it asks for none.

    The tunnela window is never answered: it closes by itself, and a late answer is refused.
    """
    for verb in BEST_FIRST:
        if verb in offered:
            return Choice(offered[verb])
    cards = [name.removeprefix(CARD) for name in offered if name.startswith(CARD)]
    return Choice(offered[CARD + least_useful(cards)]) if cards else None


def arrangement(offered: dict[str, Offer], chance: Random) -> Choice | None:
    """Return a step in arranging cards: open the tools or the choice, join neighbours, or split a group."""
    if unpin := offered.get("pick-unpin"):
        return Choice(unpin, (chance.choice(unpin.values),))
    if pin := offered.get("pick-pin"):
        start = chance.randrange(len(pin.values) - 1)
        return Choice(pin, tuple(pin.values[start : start + 3]))
    opens = offered.get("group") or offered.get("more")
    return Choice(opens) if opens else None


def words(message: Message) -> str:
    """Return the text of a message, from top to bottom."""
    return "\n".join(texts(message.components))
