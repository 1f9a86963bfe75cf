"""Puzzles of every kind, with the most cards on the pile, before and after an answer."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import cache
from typing import Final

from bot.panels.puzzles import puzzle_panel, shared_panel
from bot.puzzles.asking import AskedPuzzle
from bot.ui.panel import Panel
from bot.words.names import Mentions
from bot.words.texts import texts
from data.preferences import PersonSettings
from data.repositories.learning import AnswerRow, PuzzleRow
from league.ids import PersonId
from league.statistics.puzzle_ratings import Strength, first_strength
from marriage.puzzles import Found, PuzzleKind, deal_between_computers, puzzles_in, view_of
from tests.bot.panels.worlds import NAMES, World

TODAY = date(2026, 11, 22)


def samples() -> Iterator[Found]:
    """Yield the largest puzzle of each kind; "finish now?" with either answer."""
    found = [
        made
        for number in (0, 3, 6)
        for events in [tuple(deal_between_computers(number))]
        for made in puzzles_in(events, range(len(events[0].hands)))
    ]
    for kind in PuzzleKind:
        for goes_on in (False, True):
            some = [made for made in found if (made.puzzle.kind, made.puzzle.goes_on) == (kind, goes_on)]
            if some:
                yield max(some, key=lambda made: (len(made.puzzle.options), made.step))


def asked_of(found: Found) -> Iterator[AskedPuzzle]:
    """Yield one puzzle in every state."""
    strength = first_strength(found.puzzle)
    row = PuzzleRow(
        2**40, found.seat, found.position, found.puzzle, strength.mu, strength.sigma, 999, 431, None
    )
    fresh = AskedPuzzle(
        row=row,
        view=view_of(found.position, found.seat),
        player=Strength(32.1, 2.0, 400),
        settings=PersonSettings(),
        answer=None,
        today=TODAY,
        today_open=True,
        streak=0,
    )
    yield fresh
    of_today = replace(fresh, row=replace(row, day=TODAY.isoformat()), streak=365)
    yield of_today
    for choice in {0, found.puzzle.best, len(found.puzzle.options) - 1}:
        answer = AnswerRow(row.id, PersonId(7), choice, choice == found.puzzle.best, -123, 5, None)
        yield replace(fresh, answer=answer)
        yield replace(of_today, answer=replace(answer, day=TODAY.isoformat()), today_open=False)


def _panels(world: World) -> Iterator[Panel]:
    """Yield the panel of every sample, with and without a picture."""
    _, like = world.hands[0]
    for asked in _every():
        yield puzzle_panel(asked, replace(like, view=asked.view), texts())
        yield puzzle_panel(asked, replace(like, view=asked.view, pictures=()), texts())


def _shared(world: World) -> Iterator[Panel]:
    """Yield the panel that shares the result, for every sample that may be shared."""
    for asked in _every():
        if asked.answer is not None and asked.answer.day is not None:
            yield shared_panel(asked, NAMES[0], Mentions(), texts())


@cache
def _every() -> tuple[AskedPuzzle, ...]:
    return tuple(asked for found in samples() for asked in asked_of(found))


PUZZLE_CASES: Final = {"puzzles.puzzle_panel": _panels, "puzzles.shared_panel": _shared}
"""Every function that makes a panel of a puzzle, with the panels to look at."""
