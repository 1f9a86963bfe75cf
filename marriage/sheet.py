"""The score sheet of a deal: plain values, card by card, that add up to the result."""

from dataclasses import dataclass
from enum import StrEnum

from marriage.cards import Cards


class Ending(StrEnum):
    """How a deal ended."""

    GROUPS = "groups"
    """Somebody finished with seven groups."""
    DUBLEES = "dublees"
    """Somebody finished with eight dublees."""
    DISMISSED = "dismissed"
    """Nobody could finish: nobody scores and nobody pays."""


class Status(StrEnum):
    """A seat's standing at the end of a deal."""

    SEEN = "seen"
    """It has shown, and so has seen the tiplu."""
    UNSEEN = "unseen"
    """It has not shown."""
    FOUL = "foul"
    """A dead hand."""
    PAUSE = "pause"
    """It sat out: no cards, not counted among the players."""


class What(StrEnum):
    """What an item of the score is for. Each member's text is also its key in the message catalogues."""

    TIPLU = "tiplu"
    POPLU = "poplu"
    JHIPLU = "jhiplu"
    ALTER = "alter"
    MAN = "man"
    MIXED = "mixed"
    """Cards of different kinds that are worth the same, counted together."""
    MASTER = "master"
    MARRIAGE = "marriage"
    LAID_MARRIAGE = "laid_marriage"
    TUNNELA = "tunnela"
    """Exposed tunnelas of ordinary cards."""
    JOKER_TUNNELA = "joker_tunnela"
    """Exposed tunnelas of ordinary jokers."""
    MAAL_TUNNELA = "maal_tunnela"
    """Exposed tunnelas of poplu or jhiplu."""
    ALTER_TUNNELA = "alter_tunnela"
    MAN_TUNNELA = "man_tunnela"
    UNSEEN = "unseen"
    """What became of an unseen seat's maal: void, murdered, paid back or kidnapped."""
    KIDNAPPED = "kidnapped"
    """Maal that came to the winner from unseen seats."""
    COUNTED = "counted"
    """Points given as a number, without cards."""


@dataclass(frozen=True, slots=True)
class Item:
    """One line of a seat's points: these cards are worth this much together."""

    what: What
    cards: Cards
    points: int


@dataclass(frozen=True, slots=True)
class Line:
    """One seat's line of the sheet. `net` is what the seat gains, in points; the nets of a sheet sum to zero."""

    status: Status
    items: tuple[Item, ...]
    """They add up to `points`."""
    points: int
    """S: the counted points after the treatment of unseen seats."""
    maal: int
    """n·S − T: the difference with every other seat, settled."""
    payment: int
    """Paid to the winner by a loser (negative), received by the winner (positive): 3 or 10 each, bonus included."""
    foul: int
    """Penalties paid (negative) and received (positive)."""
    net: int


@dataclass(frozen=True, slots=True)
class Sheet:
    """The result of one deal: a line for every seat."""

    ending: Ending
    winner: int | None
    lines: tuple[Line, ...]
    total: int
    """T: the sum of the points of all seats."""
    factor: int = 1
    """How many times the deal counted: maal and payment are multiplied already."""
    owing: tuple[int, ...] = ()
    """Seats that owe a foul to the winner of the next deal (foul `next`), once for each time."""
