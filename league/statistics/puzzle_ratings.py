"""Ratings of puzzles: each first answer is a game between a person and a puzzle, so both have a strength.

The model is that of `league.statistics.ratings`, with openskill's own beta, because an answer involves little
luck. People see both on the same scale, on which a newcomer has 1500.
"""

from dataclasses import dataclass
from typing import Final

from openskill.models import BradleyTerryPart

from league.statistics.ratings import MU, SIGMA, shown
from marriage.puzzles import Puzzle, PuzzleKind

_MODEL: Final = BradleyTerryPart(beta=25 / 6, tau=0.0)
_PUZZLE_SIGMA: Final = SIGMA / 2
"""The initial sigma of a puzzle. Less is unknown than for a new person, because its strength is estimated from its figures."""
_LEAST_SIGMA: Final = 1.0
"""The smallest sigma. It lets ratings move after many answers, because people learn, and other people come."""
_PROVISIONAL: Final = 15
_SPAN: Final = 12.0
"""The range between the easiest and the hardest estimate of a new puzzle: 480 points of the displayed scale."""


@dataclass(frozen=True, slots=True)
class Strength:
    """The estimated strength of a person who answers puzzles, or of a puzzle."""

    mu: float = MU
    sigma: float = SIGMA
    answers: int = 0

    @property
    def shown(self) -> int:
        """The displayed rating."""
        return shown(self.mu)

    @property
    def provisional(self) -> bool:
        """Whether there were too few answers for a certain rating. It is then shown with a question mark."""
        return self.answers < _PROVISIONAL


NEWCOMER: Final = Strength()


@dataclass(frozen=True, slots=True)
class PuzzleFigures:
    """A person's puzzles in figures."""

    strength: Strength
    correct: int
    """The number of right answers."""


def after_answer(person: Strength, puzzle: Strength, *, right: bool) -> tuple[Strength, Strength]:
    """Return the new strengths of the person and of the puzzle. A right answer is a win of the person."""
    teams = [[_MODEL.create_rating([side.mu, side.sigma])] for side in (person, puzzle)]
    ranks = [1.0, 2.0] if right else [2.0, 1.0]
    [[first], [second]] = _MODEL.rate(teams, ranks=ranks)
    return _moved(person, first.mu, first.sigma), _moved(puzzle, second.mu, second.sigma)


def _moved(before: Strength, mu: float, sigma: float) -> Strength:
    return Strength(mu, max(_LEAST_SIGMA, sigma), before.answers + 1)


def first_strength(puzzle: Puzzle) -> Strength:
    """Estimate the strength of a puzzle that has no answers from its kind and its margin."""
    return Strength(MU + _SPAN * (_hardness(puzzle) - 0.5), _PUZZLE_SIGMA)


def _hardness(puzzle: Puzzle) -> float:
    """Return the hardness from 0, for a puzzle that everybody solves, to 1."""
    best = puzzle.answer
    others = [option for option in puzzle.options if option is not best]
    match puzzle.kind:
        case PuzzleKind.CARD:
            rivals = [option.outs or 0 for option in others if option.missing == best.missing]
            close = max(rivals) / max(1, best.outs or 0)
            return close * len(rivals) / len(others)
        case PuzzleKind.SETS:
            margin = min(option.missing for option in others) - best.missing
            return max(0.2, 0.8 - margin / 2)
        case PuzzleKind.FINISH:
            return 0.4 if best.card is None else 0.7
