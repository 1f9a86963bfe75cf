"""The facts about a deal that pictures of cards and score sheets need. `View` and `Outcome` provide them."""

from dataclasses import dataclass
from typing import Protocol

from marriage.cards import Card, Cards
from marriage.rules import Rules
from marriage.sheet import Sheet
from marriage.state import Phase
from marriage.view import SeatView, View


class Known(Protocol):
    """The facts needed for the badges of cards."""

    @property
    def tiplu(self) -> Card | None:
        """The tiplu, if the viewer may know it."""
        ...

    @property
    def rules(self) -> Rules:
        """The rules of the deal."""
        ...


class Ended(Known, Protocol):
    """The facts needed for a score sheet."""

    @property
    def sheet(self) -> Sheet | None:
        """The result, once there is one."""
        ...

    @property
    def finish(self) -> tuple[Cards, ...]:
        """Return the groups or pairs of the winner, if they are known."""
        ...

    @property
    def seats(self) -> tuple[SeatView, ...]:
        """Return the seats with their cards if they are known; else nothing."""
        ...

    @property
    def dublee_game(self) -> bool:
        """Whether the deal is announced as a dublee game."""
        ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a deal with real cards, or just a tiplu and rules for example cards."""

    tiplu: Card | None
    rules: Rules
    sheet: Sheet | None = None
    finish: tuple[Cards, ...] = ()
    dublee_game: bool = False
    seats: tuple[SeatView, ...] = ()


@dataclass(frozen=True, slots=True)
class Example:
    """Some groups of cards with a caption."""

    caption: str
    groups: tuple[Cards, ...]


def lit_seat(view: View) -> int | None:
    """The highlighted seat: the seat in turn, or the winner at the end; None in the tunnela window."""
    if view.phase is Phase.OVER:
        return None if view.sheet is None else view.sheet.winner
    return None if view.phase is Phase.WINDOW else view.turn
