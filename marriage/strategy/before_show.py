"""The worth of an unseen hand in points: how soon it shows, how near a finish it then is, and how much maal it holds.

The weights were fitted to the points that discards lost in rollouts; docs/players.md describes how.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from marriage.bits import ONE
from marriage.cards import CARDS, FACES, Card, Cards, without
from marriage.maal import alter, jhiplu, poplu, scoring_faces, wild_faces
from marriage.rules import Rules
from marriage.scoring.hand_points import points_of, score_hand
from marriage.solver import Hand
from marriage.solver.hand import finish_question, holes, less, show_question
from marriage.solver.question import Question
from marriage.solver.suits import outs_to_show, show_holes, splits
from marriage.state import DUBLEES
from marriage.view import View

_STILL: Final = (0.05, 0.4, 0.7)
"""How likely a face that makes a discard wild remains the tiplu.

In order: for the latest discard of a player who has seen, the one before, and the third latest. A view does
not show when the player saw. A player who saw long ago threw all three afterwards.
"""


def tiplu_chances(view: View, left: Sequence[int]) -> list[float]:
    """Return how likely each face of the packs is the tiplu, as weights; `left` are the unseen copies of each face."""
    if view.tiplu is not None:
        return [float(card == view.tiplu) for card in CARDS[:FACES]]
    chances = [float(copies) for copies in left[:FACES]]
    for card, still, by_dublees in _thrown_by_those_who_know(view):
        for tiplu in CARDS[:FACES]:
            kept = scoring_faces(tiplu, view.rules) if by_dublees else wild_faces(tiplu)
            if card in kept:
                chances[tiplu] *= still
    return chances


def _thrown_by_those_who_know(view: View) -> Iterator[tuple[Card, float, bool]]:
    """Yield the latest discards of the players who have seen.

    Each has the card, the likelihood that such a face is the tiplu, and whether the player shows dublees.
    """
    for seat, held in enumerate(view.seats):
        if not held.seen or seat == view.viewer:
            continue
        thrown = [card for card, thrower in reversed(view.discards) if thrower == seat]
        first = (
            0 if view.rules.same_turn_finish else 1
        )  # otherwise the first card after a show is thrown before seeing
        for card, still in zip(thrown, _STILL[first:], strict=False):
            yield card, still, held.shown is DUBLEES


_FARTHEST: Final = 3
"""The weights are the same for hands farther away."""


@dataclass(frozen=True, slots=True)
class ShowWeights:
    """The points for each feature of an unseen hand."""

    outs: tuple[float, ...] = (0.0, 2.2, 1.0, 0.6)
    """The points for each 10 % of the unseen cards that bring the show nearer, by cards missing: 0, 1, 2, 3 or more."""
    outs_after: tuple[float, ...] = (0.0, 0.0, 1.0, 0.6)
    """The points for each 10 % of the unseen cards that bring the show nearer again after such an out, on average."""
    finish: tuple[float, ...] = (-1.2, -1.2, -0.85, -0.5)
    """The points for each card missing for a finish with nothing wild."""
    maal: float = 1.0
    """The weight of a point that the maal pays. Each other player pays it, and it is an average over the tiplus."""


WEIGHTS: Final = ShowWeights()


def discard_values(view: View, cards: Cards, weights: ShowWeights = WEIGHTS) -> dict[Card, float] | None:
    """Return the worth of the hand without each card; only cards whose loss leaves the show as near as possible.

    The values are comparable with each other. None if the rules tie the suits together, so that nothing is
    known.
    """
    hand, rules = Hand.of(view), view.rules
    asked = show_question(hand, rules)
    if not splits(asked):
        return None
    missing = {card: show_holes(less(asked, card, hand.wilds)) for card in cards}
    least = min(missing.values())
    tied = [card for card in cards if missing[card] == least]
    left = hand.left(rules)
    finish = finish_question(hand, rules)._replace(plus=False)
    lost = maal_lost(view, tied, left)
    payers = (view.players - 1) * view.factor
    stage = min(least, _FARTHEST)
    values: dict[Card, float] = {}
    for card in tied:
        far = holes(less(finish, card, hand.wilds))
        values[card] = weights.finish[stage] * far - weights.maal * payers * lost[card]
        if least:
            values[card] += _nearness(less(asked, card, hand.wilds), left, least, weights)
    return values


def _nearness(asked: Question, left: Sequence[int], missing: int, weights: ShowWeights) -> float:
    """Return the points for how soon the hand may show."""
    unseen = sum(left)
    stage = min(missing, _FARTHEST)
    outs = list(outs_to_show(asked, left, missing - 1))
    share = 10 * sum(copies for _, copies in outs) / unseen
    if not weights.outs_after[stage] or not outs:
        return weights.outs[stage] * share
    after = sum(
        copies
        * sum(more for _, more in outs_to_show(asked._replace(hand=asked.hand + ONE[out]), left, missing - 2))
        for out, copies in outs
    )
    return weights.outs[stage] * share + weights.outs_after[stage] * 10 * after / unseen / sum(
        copies for _, copies in outs
    )


def maal_lost(view: View, cards: Sequence[Card], left: Sequence[int]) -> dict[Card, float]:
    """Return the points of maal that the hand loses with each card, on average over the possible tiplus."""
    rules, seat = view.rules, view.own
    held = seat.cards or ()
    chances = tiplu_chances(view, left)
    total = sum(chances)

    @cache
    def worth(tiplu: Card, gone: Card | None) -> int:
        kept = held if gone is None else without(held, [gone])
        return points_of(score_hand(kept, seat.exposed, 0, tiplu, rules))

    return {
        card: sum(
            chances[tiplu] * (worth(tiplu, None) - worth(tiplu, card))
            for tiplu in _near(card, rules)
            if chances[tiplu]
        )
        / total
        for card in cards
    }


def _near(card: Card, rules: Rules) -> Cards:
    """Return the tiplus under which a pack card is maal. For any other card these are all tiplus."""
    if not card.is_pack:
        return CARDS[:FACES]
    suit = (jhiplu(card), card, poplu(card))
    return (*suit, alter(card)) if rules.alter else suit
