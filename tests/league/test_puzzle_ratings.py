"""Ratings of puzzles: a right answer gains what the puzzle loses, and new puzzles' estimates are ordered."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.statistics.puzzle_ratings import NEWCOMER, Strength, after_answer, first_strength
from league.statistics.ratings import MU, SIGMA
from marriage.cards import Card
from marriage.puzzles import Puzzle, PuzzleKind, PuzzleOption

STRENGTHS = st.builds(Strength, st.floats(0, 50), st.floats(1, SIGMA), st.integers(0, 500))


@given(STRENGTHS, STRENGTHS)
def test_a_right_answer_raises_the_person_and_lowers_the_puzzle(person: Strength, puzzle: Strength):
    better, easier = after_answer(person, puzzle, right=True)
    worse, harder = after_answer(person, puzzle, right=False)
    assert worse.mu < person.mu < better.mu
    assert easier.mu < puzzle.mu < harder.mu
    assert better.answers == worse.answers == person.answers + 1
    assert 1 <= better.sigma <= person.sigma


def test_a_hard_puzzle_is_worth_more_than_an_easy_one():
    easy, hard = Strength(MU - 6, 4), Strength(MU + 6, 4)
    gained = [after_answer(NEWCOMER, puzzle, right=True)[0].mu for puzzle in (easy, hard)]
    assert gained[0] < gained[1]


def test_somebody_who_answers_at_random_falls_and_somebody_who_knows_rises():
    puzzle = Strength(MU, 2, 100)
    guesser = knower = NEWCOMER
    for number in range(40):
        guesser, _ = after_answer(guesser, puzzle, right=number % 5 == 0)
        knower, _ = after_answer(knower, puzzle, right=number % 5 != 0)
    assert guesser.shown < 1500 - 100
    assert knower.shown > 1500 + 100
    assert not guesser.provisional
    assert NEWCOMER.provisional


def card_puzzle(*outs: int) -> Puzzle:
    options = tuple(
        PuzzleOption(card=Card(number), missing=1, outs=count) for number, count in enumerate(outs)
    )
    return Puzzle(PuzzleKind.CARD, options, max(range(len(outs)), key=lambda number: outs[number]))


@pytest.mark.parametrize(
    ("puzzle", "hardness"),
    [
        (card_puzzle(20, 4), 0.2),
        (card_puzzle(20, 15, 5), 0.75),
        (card_puzzle(0, 0), 0),
        (card_puzzle(1, 1), 1),
        (Puzzle(PuzzleKind.CARD, tuple(PuzzleOption(card=Card(n), missing=1) for n in (1, 2)), 0), 0),
        (
            Puzzle(
                PuzzleKind.CARD,
                (
                    PuzzleOption(card=Card(1), missing=1, outs=8),
                    PuzzleOption(card=Card(2), missing=1, outs=4),
                    PuzzleOption(card=Card(3), missing=2, outs=8),
                ),
                0,
            ),
            0.25,
        ),
        (Puzzle(PuzzleKind.SETS, (PuzzleOption(missing=1.0), PuzzleOption(missing=1.5)), 0), 0.55),
        (Puzzle(PuzzleKind.SETS, (PuzzleOption(missing=1.0), PuzzleOption(missing=4.0)), 0), 0.2),
        (Puzzle(PuzzleKind.FINISH, (PuzzleOption(card=Card(1)), PuzzleOption(missing=1)), 0), 0.7),
        (Puzzle(PuzzleKind.FINISH, (PuzzleOption(card=Card(1), missing=1), PuzzleOption(missing=1)), 1), 0.4),
    ],
)
def test_figures_make_a_new_puzzle_as_hard_as_they_say(puzzle: Puzzle, hardness: float):
    found = first_strength(puzzle)
    assert found.mu == pytest.approx(MU + 12 * (hardness - 0.5))
    assert (found.sigma, found.answers) == (SIGMA / 2, 0)


@pytest.mark.parametrize(
    ("easier", "harder"),
    [
        (card_puzzle(20, 4), card_puzzle(20, 15)),
        (
            Puzzle(PuzzleKind.SETS, (PuzzleOption(missing=1.0), PuzzleOption(missing=2.5)), 0),
            Puzzle(PuzzleKind.SETS, (PuzzleOption(missing=1.0), PuzzleOption(missing=1.2)), 0),
        ),
        (
            Puzzle(PuzzleKind.FINISH, (PuzzleOption(card=Card(1), missing=1), PuzzleOption(missing=1)), 1),
            Puzzle(PuzzleKind.FINISH, (PuzzleOption(card=Card(1)), PuzzleOption(missing=1)), 0),
        ),
    ],
)
def test_a_smaller_margin_makes_a_new_puzzle_harder(easier: Puzzle, harder: Puzzle):
    assert first_strength(easier).mu < first_strength(harder).mu
    assert first_strength(easier) == replace(first_strength(harder), mu=first_strength(easier).mu)
