"""Rows of puzzles. Times are UTC milliseconds, days are dates of UTC such as `2026-11-22`."""

from dataclasses import dataclass

from league.ids import PersonId, TableId
from league.statistics.puzzle_ratings import PuzzleFigures, Strength
from marriage.puzzles import Puzzle, PuzzleKind


@dataclass(frozen=True, slots=True)
class NewPuzzle:
    """A puzzle that was found, before it has a number."""

    source: str
    """The moment that it shows, so that the same moment is stored once."""
    seat: int
    position: str
    """What the seat knew, as `marriage.notation` writes it."""
    puzzle: Puzzle
    person_id: PersonId | None = None
    """The person at the seat, who allows puzzles of their deals; None for a computer."""


@dataclass(frozen=True, slots=True)
class PuzzleRow:
    """A puzzle of the stock, or of a day."""

    id: int
    seat: int
    position: str
    puzzle: Puzzle
    mu: float
    sigma: float
    answers: int
    correct: int
    day: str | None
    """The day whose puzzle it is or was."""

    @property
    def strength(self) -> Strength:
        """How hard it is, as far as the answers tell."""
        return Strength(self.mu, self.sigma, self.answers)


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """A person's first answer to a puzzle; later ones are not stored."""

    puzzle_id: int
    person_id: PersonId
    choice: int
    """The index of the option."""
    correct: bool
    gained: int
    """The change of the person's rating, on the scale that people read."""
    at: int
    day: str | None
    """The day, if it was that day's puzzle and answered on the day."""
    shared: bool = False
    """Whether the person has shown the result to others."""


@dataclass(frozen=True, slots=True)
class PuzzlePlayerRow:
    """A person who answers puzzles."""

    person_id: PersonId
    mu: float
    sigma: float
    answers: int
    correct: int
    offered: int | None
    """The puzzle that they were asked last, until they answer it."""

    @property
    def strength(self) -> Strength:
        """How good they are at puzzles."""
        return Strength(self.mu, self.sigma, self.answers)

    @property
    def figures(self) -> PuzzleFigures | None:
        """What their profile tells; None before the first answer."""
        return PuzzleFigures(self.strength, self.correct) if self.answers else None


@dataclass(frozen=True, slots=True)
class AllowedDeal:
    """A finished deal in which somebody sat who allows puzzles of their deals."""

    number: int
    """The number of the deal among all finished ones."""
    table_id: TableId
    deal_no: int
    seat: int
    person_id: PersonId


Shelf = tuple[PuzzleKind, bool]
"""A part of the stock: the kind of its puzzles, and whether going on is the answer to "finish now?"."""
