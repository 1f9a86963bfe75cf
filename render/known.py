"""What a picture of cards or of a score sheet has to know of a deal: less than a `View`, which knows it too."""

from dataclasses import dataclass
from typing import Protocol

from marriage.cards import Card, Cards
from marriage.rules import Rules
from marriage.sheet import Sheet


class Known(Protocol):
    """Enough to badge cards."""

    @property
    def tiplu(self) -> Card | None:
        """The tiplu, where it may be known."""
        ...

    @property
    def rules(self) -> Rules:
        """The rules of the deal."""
        ...


class Ended(Known, Protocol):
    """Enough for a score sheet."""

    @property
    def sheet(self) -> Sheet | None:
        """The result, once there is one."""
        ...

    @property
    def finish(self) -> tuple[Cards, ...]:
        """The groups or pairs of the winner, where they are known."""
        ...

    @property
    def dublee_game(self) -> bool:
        """Whether the deal is announced as a dublee game."""
        ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a deal that was not played here, or just some cards beside a tiplu."""

    tiplu: Card | None
    rules: Rules
    sheet: Sheet | None = None
    finish: tuple[Cards, ...] = ()
    dublee_game: bool = False


@dataclass(frozen=True, slots=True)
class Example:
    """A few groups of cards, and what they are an example of."""

    caption: str
    groups: tuple[Cards, ...]
