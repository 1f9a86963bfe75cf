"""Puzzles: moments of real deals with one best answer, which the solver proves from what the seat knew.

docs/puzzles.md says what is proved for each kind of puzzle, and what is not.
"""

from marriage.puzzles.finding import (
    Found,
    deal_between_computers,
    puzzles_in,
    puzzles_of,
    search_computers,
    search_deal,
    view_of,
)
from marriage.puzzles.puzzle import PUZZLE, Puzzle, PuzzleKind, PuzzleOption, Waiting

__all__ = [
    "PUZZLE",
    "Found",
    "Puzzle",
    "PuzzleKind",
    "PuzzleOption",
    "Waiting",
    "deal_between_computers",
    "puzzles_in",
    "puzzles_of",
    "search_computers",
    "search_deal",
    "view_of",
]
