"""The score sheet of a deal: the items, points and payments of each seat, as plain values."""

from dataclasses import dataclass
from enum import StrEnum

from marriage.cards import Cards


class Ending(StrEnum):
    """The ways in which a deal ends."""

    GROUPS = "groups"
    """A player finished with seven groups."""
    DUBLEES = "dublees"
    """A player finished with eight dublees."""
    DISMISSED = "dismissed"
    """The deal ended without a finish: no one scores and no one pays."""


class Status(StrEnum):
    """The status of a seat at the end of a deal."""

    SEEN = "seen"
    """The seat has shown, and so has seen the tiplu."""
    UNSEEN = "unseen"
    """The seat has not shown."""
    FOUL = "foul"
    """The seat's hand is dead."""
    PAUSE = "pause"
    """The seat sat out: it had no cards and does not count as a player."""


class What(StrEnum):
    """The kinds of items on a score sheet. Each member's text is also its key in the message catalogues."""

    TIPLU = "tiplu"
    POPLU = "poplu"
    JHIPLU = "jhiplu"
    ALTER = "alter"
    MAN = "man"
    MIXED = "mixed"
    """Cards of different kinds but equal worth, counted together (`mixed_pairs`)."""
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
    """The points that an unseen seat loses by `unseen_maal`."""
    KIDNAPPED = "kidnapped"
    """The points that the winner gets from unseen seats by `unseen_maal`."""
    COUNTED = "counted"
    """Points counted at a real table, given as a number without cards."""


@dataclass(frozen=True, slots=True)
class SheetItem:
    """One item of a seat's points: some cards, and what they are worth together."""

    what: What
    cards: Cards
    points: int


@dataclass(frozen=True, slots=True)
class SheetLine:
    """The line of one seat. All numbers are points; the nets of a sheet sum to zero."""

    status: Status
    items: tuple[SheetItem, ...]
    """The items, which add up to `points`."""
    points: int
    """The counted points S, after `unseen_maal` is applied."""
    maal: int
    """n·S − T for n players and the total T: the sum of the differences from every other seat."""
    payment: int
    """The payment to the winner, bonus included: negative for a loser, positive for the winner."""
    foul: int
    """The penalties for fouls: negative if paid, positive if received."""
    net: int
    """What the seat gains: maal, payment and foul together."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The result of one deal, with a line for each seat."""

    ending: Ending
    winner: int | None
    lines: tuple[SheetLine, ...]
    total: int
    """The total T of the points of all seats."""
    factor: int = 1
    """The factor by which the deal counts; maal and payments are already multiplied."""
    owing: tuple[int, ...] = ()
    """The seats that owe a foul to the winner of the next deal (`foul="next"`), listed once for each foul."""
