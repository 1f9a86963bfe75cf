"""The actions that a seat can take. `decide` checks them against the rules."""

from dataclasses import dataclass
from typing import Literal

from marriage.cards import Card, Cards


@dataclass(frozen=True, slots=True)
class ExposeTunnelas:
    """Expose the tunnelas of these faces during the window after the deal."""

    faces: Cards
    action: Literal["expose"] = "expose"


@dataclass(frozen=True, slots=True)
class DeclineTunnelas:
    """Expose no tunnelas, or no more, during the window after the deal."""

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
    """Lay three primary groups face up. An exposed tunnela may be one of them."""

    groups: tuple[Cards, ...]
    action: Literal["show"] = "show"


@dataclass(frozen=True, slots=True)
class ShowDublees:
    """Lay seven dublees face up; `faces` names each pair by its face."""

    faces: Cards
    action: Literal["show_dublees"] = "show_dublees"


@dataclass(frozen=True, slots=True)
class CutTiplu:
    """Cut the tiplu at a place in the stock, 0 for its top card; None leaves the place to the deal's random stream."""

    place: int | None = None
    action: Literal["cut"] = "cut"


@dataclass(frozen=True, slots=True)
class Discard:
    """End the turn by discarding this card face up on the pile."""

    card: Card
    action: Literal["discard"] = "discard"


@dataclass(frozen=True, slots=True)
class Finish:
    """End the deal: arrange the cards in hand in valid groups, with one closing discard.

    Exposed tunnelas outside the laid groups count as groups and are not named again.
    """

    groups: tuple[Cards, ...]
    discard: Card
    action: Literal["finish"] = "finish"


@dataclass(frozen=True, slots=True)
class FinishDublees:
    """End the deal with an eighth dublee, named by its face, and one closing discard."""

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
