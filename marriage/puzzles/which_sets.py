"""The puzzle "Which three sets do you show?": find the show that leaves the best rest, whichever card the tiplu is."""

from collections.abc import Iterator
from itertools import chain, combinations_with_replacement
from statistics import fmean
from typing import Final, NamedTuple

from marriage.cards import CARDS, FACES, PACKS, Card, Cards, contains, without
from marriage.moves import must_show
from marriage.puzzles.puzzle import Puzzle, PuzzleKind, PuzzleOption
from marriage.rules import PRIMARY_GROUPS, SHOW_DUBLEES, Rules
from marriage.scoring.hand_points import laid_marriages, points_of, score_hand
from marriage.solver import Hand, distance, pairs
from marriage.strategy.showable_sets import showable_sets
from marriage.view import View

_MOST_SETS: Final = 14
"""The most sets in a puzzle. More can be combined in too many ways for a person to compare."""
_OFFERED: Final = 5
_MARGIN: Final = 0.15
"""How many cards nearer to a finish the best show must leave the hand, on average over the tiplus."""


class _Show(NamedTuple):
    """One way to show, and what it leaves under every possible tiplu."""

    sets: tuple[Cards, ...]
    missing: tuple[int, ...]
    """The cards still needed for a finish, by tiplu."""
    points: tuple[int, ...]
    """The points for laid marriages beyond those for marriages in hand, by tiplu."""

    def never_worse(self, other: "_Show") -> bool:
        """Return whether this show is at least as good as the other under every tiplu."""
        nearer = all(mine <= theirs for mine, theirs in zip(self.missing, other.missing, strict=True))
        return nearer and all(mine >= theirs for mine, theirs in zip(self.points, other.points, strict=True))


def which_sets(view: View) -> Puzzle | None:
    """Return the puzzle of the viewer's show, with 22 cards in hand.

    None if no show is clearly the best, or the tiplu is open.
    """
    if view.own.shown is not None or must_show(view) or view.tiplu is not None:
        return None
    if len(pairs(view.own.cards or (), view.rules)) >= SHOW_DUBLEES:
        return None
    ways = tuple(_ways(view))
    if len(ways) < 2:
        return None
    tiplus = _tiplus(view)
    shows = sorted((_worked_out(view, sets, tiplus) for sets in ways), key=lambda show: _mean(show, tiplus))
    best, *others = shows
    if not all(best.never_worse(other) and _margin(best, other, tiplus) >= _MARGIN for other in others):
        return None
    offered = sorted(shows[:_OFFERED], key=lambda show: show.sets)
    options = tuple(_option(show, tiplus, view.rules) for show in offered)
    return Puzzle(PuzzleKind.SETS, options, offered.index(best))


def _ways(view: View) -> Iterator[tuple[Cards, ...]]:
    """Yield the ways to show. Of those that leave the same cards and lay the same runs, only the first is listed."""
    exposed = tuple((face,) * PACKS for face in view.own.exposed[:PRIMARY_GROUPS])
    in_hand = [group for group in showable_sets(view) if group not in exposed]
    if len(in_hand) > _MOST_SETS:
        return
    known = set[tuple[object, ...]]()
    for laid in combinations_with_replacement(in_hand, PRIMARY_GROUPS - len(exposed)):
        cards = tuple(chain.from_iterable(laid))
        if not contains(view.hand, cards):
            continue
        runs = tuple(sorted(laid)) if view.rules.laid_marriage else ()
        alike = (without(view.hand, cards), runs)
        if alike not in known:
            known.add(alike)
            yield (*exposed, *laid)


def _tiplus(view: View) -> dict[Card, int]:
    """Return every face that may be the tiplu, with the number of copies that the viewer cannot see."""
    left = Hand.of(view).left(view.rules)
    return {card: left[card] for card in CARDS[:FACES] if left[card]}


def _worked_out(view: View, sets: tuple[Cards, ...], tiplus: dict[Card, int]) -> _Show:
    hand = Hand.of(view)
    shown = (group for group in sets if group not in tuple((face,) * PACKS for face in hand.exposed))
    rest = hand._replace(
        concealed=without(hand.concealed, chain.from_iterable(shown)), laid=sets, exposed=hand.exposed
    )
    return _Show(
        sets,
        tuple(distance(rest._replace(tiplu=tiplu), view.rules) for tiplu in tiplus),
        tuple(_laid_points(view, sets, tiplu) for tiplu in tiplus),
    )


def _laid_points(view: View, sets: tuple[Cards, ...], tiplu: Card) -> int:
    """Return how much more the hand is worth because marriages were laid, if the rules reward that."""
    laid = laid_marriages(sets, tiplu) if view.rules.laid_marriage else 0
    if not laid:
        return 0
    cards, exposed = view.own.cards or (), view.own.exposed
    with_laid, without_laid = (
        points_of(score_hand(cards, exposed, count, tiplu, view.rules)) for count in (laid, 0)
    )
    return with_laid - without_laid


def _mean(show: _Show, tiplus: dict[Card, int]) -> float:
    return fmean(show.missing, tiplus.values())


def _margin(best: _Show, other: _Show, tiplus: dict[Card, int]) -> float:
    return _mean(other, tiplus) - _mean(best, tiplus)


def _option(show: _Show, tiplus: dict[Card, int], rules: Rules) -> PuzzleOption:
    return PuzzleOption(
        sets=show.sets,
        missing=_mean(show, tiplus),
        points=fmean(show.points, tiplus.values()) if rules.laid_marriage else None,
        at_once=fmean((not missing for missing in show.missing), tiplus.values()),
    )
