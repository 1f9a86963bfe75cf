"""The puzzle of the discard: "Which of these cards do you throw?".

The answer is the discard that leaves the hand nearest to its aim, with the most outs. Most hands have cards
that are equally useless. So a puzzle offers the best one, and otherwise only cards that are clearly worse.
"""

from typing import Final

from marriage.legal import finishes, shows, throw_fouls
from marriage.moves import must_finish, must_show
from marriage.puzzles.puzzle import Puzzle, PuzzleKind, PuzzleOption
from marriage.rules import SHOW_DUBLEES
from marriage.solver import pairs
from marriage.strategy.discards import Aim, DiscardOption, aim, discards
from marriage.view import View

_NEAR: Final = 2
"""The greatest distance of a puzzle's hand. Further away there are so many ways that the next card decides little."""
_OFFERED: Final = 5
_FEWEST: Final = 3
_MORE_OUTS: Final = 1.2
_MORE_CARDS: Final = 3


def which_card(view: View) -> Puzzle | None:
    """Return the puzzle of the viewer's discard, with 22 cards in hand; None if no card is clearly better."""
    if must_show(view) or must_finish(view) or shows(view) or finishes(view) or aim(view) is Aim.DUBLEES:
        return None
    ranked = discards(view)
    best = ranked[0]
    if not 1 <= best.distance <= _NEAR or best.card in throw_fouls(view) or _pairs_may_be_quicker(view, best):
        return None
    if any(_outs(option) > _outs(best) for option in ranked if option.distance == best.distance):
        return None
    worse = [option for option in ranked if _clearly_better(best, option)]
    if not any(option.distance == best.distance for option in worse):
        return None
    hardest = sorted(worse, key=lambda option: (option.distance, -_outs(option), option.card))
    offered = sorted((best, *hardest[: _OFFERED - 1]), key=lambda option: option.card)
    if len(offered) < _FEWEST:
        return None
    options = tuple(
        PuzzleOption(card=option.card, missing=option.distance, outs=option.outs) for option in offered
    )
    return Puzzle(PuzzleKind.CARD, options, offered.index(best))


def _clearly_better(best: DiscardOption, other: DiscardOption) -> bool:
    """Return whether the other discard leaves the hand further away, or with clearly fewer helpful cards."""
    if other.distance > best.distance:
        return True
    outs, fewer = _outs(best), _outs(other)
    return outs >= fewer + _MORE_CARDS and outs >= fewer * _MORE_OUTS


def _outs(option: DiscardOption) -> int:
    return option.outs or 0


def _pairs_may_be_quicker(view: View, best: DiscardOption) -> bool:
    """Return whether dublees are so near that a player could reasonably play for them instead."""
    if view.own.shown is not None or not view.rules.dublees_allowed(view.players):
        return False
    missing = SHOW_DUBLEES - len(pairs(view.own.cards or (), view.rules))
    return missing <= best.distance + 1
