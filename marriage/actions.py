"""What a seat may ask for."""

from dataclasses import dataclass
from typing import Literal

from marriage.cards import Card, Cards


@dataclass(frozen=True, slots=True)
class ExposeTunnelas:
    """Lay the tunnelas of these faces open, in the window after the deal."""

    faces: Cards
    action: Literal["expose"] = "expose"


@dataclass(frozen=True, slots=True)
class DeclineTunnelas:
    """Expose nothing (more) in the window after the deal."""

    action: Literal["decline"] = "decline"


@dataclass(frozen=True, slots=True)
class DrawStock:
    """Draw the top card of the stock."""

    action: Literal["draw"] = "draw"


@dataclass(frozen=True, slots=True)
class TakeDiscard:
    """Take the top card of the pile."""

    action: Literal["take"] = "take"


@dataclass(frozen=True, slots=True)
class Show:
    """Lay three primary groups face up; an exposed tunnela may be one of them."""

    groups: tuple[Cards, ...]
    action: Literal["show"] = "show"


@dataclass(frozen=True, slots=True)
class ShowDublees:
    """Lay seven dublees face up, named by their faces."""

    faces: Cards
    action: Literal["show_dublees"] = "show_dublees"


@dataclass(frozen=True, slots=True)
class CutTiplu:
    """Cut the tiplu at a place of the stock, 0 for its top card; None lets the deal's own stream choose."""

    place: int | None = None
    action: Literal["cut"] = "cut"


@dataclass(frozen=True, slots=True)
class Discard:
    """End the turn with this card face up on the pile."""

    card: Card
    action: Literal["discard"] = "discard"


@dataclass(frozen=True, slots=True)
class Finish:
    """End the deal: the cards that are not laid, in valid groups, and one closing discard.

    Exposed tunnelas that are not among the laid groups count as groups by themselves and are not named again.
    """

    groups: tuple[Cards, ...]
    discard: Card
    action: Literal["finish"] = "finish"


@dataclass(frozen=True, slots=True)
class FinishDublees:
    """End the deal by the eighth dublee, named by its face, and one closing discard."""

    face: Card
    discard: Card
    action: Literal["finish_dublees"] = "finish_dublees"


Action = (
    ExposeTunnelas
    | DeclineTunnelas
    | DrawStock
    | TakeDiscard
    | Show
    | ShowDublees
    | CutTiplu
    | Discard
    | Finish
    | FinishDublees
)
