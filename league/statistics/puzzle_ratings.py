"""Ratings of puzzles: each first answer is a game between a person and a puzzle, so both have a strength.

The model is that of `league.statistics.ratings`, with openskill's own beta: there is little luck in an answer. People read
both on the same scale, on which a newcomer has 1500.
"""

from dataclasses import dataclass
from typing import Final

from openskill.models import BradleyTerryPart

from league.statistics.ratings import MU, SIGMA, shown
from marriage.puzzles import Kind, Puzzle

_MODEL: Final = BradleyTerryPart(beta=25 / 6, tau=0.0)
_PUZZLE_SIGMA: Final = SIGMA / 2
"""A new puzzle is estimated from its figures, so less is unknown of it than of a new person."""
_LEAST_SIGMA: Final = 1.0
"""Ratings go on moving after many answers: people learn, and other people come."""
_PROVISIONAL: Final = 15
_SPAN: Final = 12.0
"""From the easiest to the hardest estimate of a new puzzle: 480 points of the scale that people read."""


@dataclass(frozen=True, slots=True)
class Strength:
    """What is known of a person who answers puzzles, or of a puzzle."""

    mu: float = MU
    sigma: float = SIGMA
    answers: int = 0

    @property
    def shown(self) -> int:
        """The rating that people read."""
        return shown(self.mu)

    @property
    def provisional(self) -> bool:
        """Whether there were too few answers for a certain rating; shown with a question mark."""
        return self.answers < _PROVISIONAL


NEWCOMER: Final = Strength()


@dataclass(frozen=True, slots=True)
class PuzzleFigures:
    """A person's puzzles in figures."""

    strength: Strength
    correct: int
    """How many of the answers were right."""


def after_answer(person: Strength, puzzle: Strength, *, right: bool) -> tuple[Strength, Strength]:
    """The new strengths of the person and of the puzzle. A right answer is a win of the person."""
    teams = [[_MODEL.create_rating([side.mu, side.sigma])] for side in (person, puzzle)]
    ranks = [1.0, 2.0] if right else [2.0, 1.0]
    [[first], [second]] = _MODEL.rate(teams, ranks=ranks)
    return _moved(person, first.mu, first.sigma), _moved(puzzle, second.mu, second.sigma)


def _moved(before: Strength, mu: float, sigma: float) -> Strength:
    return Strength(mu, max(_LEAST_SIGMA, sigma), before.answers + 1)


def first_strength(puzzle: Puzzle) -> Strength:
    """The strength of a puzzle that nobody has answered, estimated from its kind and its margin."""
    return Strength(MU + _SPAN * (_hardness(puzzle) - 0.5), _PUZZLE_SIGMA)


def _hardness(puzzle: Puzzle) -> float:
    """From 0, which everybody sees, to 1."""
    best = puzzle.answer
    others = [option for option in puzzle.options if option is not best]
    match puzzle.kind:
        case Kind.CARD:
            rivals = [option.outs or 0 for option in others if option.missing == best.missing]
            close = max(rivals) / max(1, best.outs or 0)
            return close * len(rivals) / len(others)
        case Kind.SETS:
            margin = min(option.missing for option in others) - best.missing
            return max(0.2, 0.8 - margin / 2)
        case Kind.FINISH:
            return 0.4 if best.card is None else 0.7
