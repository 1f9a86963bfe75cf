"""A puzzle: a question about one seat's view of a deal, its options with their figures, and the best option."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from pydantic import TypeAdapter

from marriage.cards import Card, Cards


class PuzzleKind(StrEnum):
    """The kinds of questions. Each member's text is also its key in the message catalogues."""

    CARD = "card"
    """Which card do you throw?"""
    SETS = "sets"
    """Which three sets do you show?"""
    FINISH = "finish"
    """Do you finish now, and with which card?"""


@dataclass(frozen=True, slots=True)
class PuzzleOption:
    """One possible answer, and the figures that speak for or against it."""

    card: Card | None = None
    """The card to throw; None for an option that throws none."""
    sets: tuple[Cards, ...] = ()
    """The sets to show, or the sets of the finish; empty if the option makes none."""
    missing: float = 0
    """The cards that the hand still needs afterwards. For a show, this is the mean over every possible tiplu."""
    outs: int | None = None
    """The number of unseen cards that bring the hand nearer; None if they were not counted."""
    points: float | None = None
    """FINISH: the maal of the hand. SETS: the mean points for laid marriages, if the rules have them."""
    at_once: float | None = None
    """SETS: the chance to finish in the same turn."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """The value of playing on instead of finishing, in points of the viewer's result."""

    gain: float
    """The most that one more turn gains on average if no other player finishes."""
    cost: int
    """What the viewer loses if another player finishes first."""

    @property
    def break_even(self) -> float:
        """The probability of another player's finish, from 0 to 1, above which waiting loses on average."""
        return self.gain / (self.gain + self.cost)


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A question with one best answer. The view that it is about is stored separately."""

    kind: PuzzleKind
    options: tuple[PuzzleOption, ...]
    """The options in an order that gives nothing away: by card, or by sets. "Not now" comes last."""
    best: int
    """The index of the best option."""
    waiting: Waiting | None = None
    """FINISH, if the best answer is to finish: why waiting is worse."""

    @property
    def answer(self) -> PuzzleOption:
        """The best option."""
        return self.options[self.best]

    @property
    def goes_on(self) -> bool:
        """Whether the best answer to "finish now?" is to play on."""
        return self.kind is PuzzleKind.FINISH and self.answer.card is None


PUZZLE: Final = TypeAdapter(Puzzle)
"""Reads and writes puzzles as JSON."""
