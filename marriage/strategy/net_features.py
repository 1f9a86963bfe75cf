"""The input of the nets of `ExpertPlayer` for a decision before a show, from the view alone.

`training/features.h` tells the same of a game of the simulator, number by number in the same order. The rules have groups
of three, and no man or master card.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

from marriage.bits import ONE
from marriage.cards import CARDS, FACES, Card, Cards
from marriage.legal import legal_discards
from marriage.maal import jhiplu, poplu
from marriage.scoring.point_tables import TABLES
from marriage.sheet import What
from marriage.solver import Hand, pairs
from marriage.solver.hand import finish_question, holes, less, more, show_question, within
from marriage.solver.question import Question
from marriage.solver.suits import outs_to_show, show_holes
from marriage.state import ShowKind
from marriage.strategy.discards import neighbours
from marriage.view import View

DISCARD_FEATURES: Final = 56
TAKE_FEATURES: Final = 40
"""The numbers of features; the last ones are unused."""
IS_BASE: Final = 48
"""The index of the feature that is 1 for the discard of greedy+outs."""
_RANKS: Final = 13
_MANY_PAIRS: Final = 5
"""With this many pairs, discards that leave the show one card farther away are options too."""
_EDGES: Final = {0: 1.0, 12: 1.0, 1: 0.5, 11: 0.5}
"""How near a rank is to the end of its suit."""
_BESIDE: Final = {-2: 0.6, -1: 1.0, 1: 1.0, 2: 0.6}
"""The steps to the ranks next to a card, and how much they count."""

Features = list[float]


@dataclass
class Situation:
    """The data of a view, prepared once for all options."""

    view: View

    def __post_init__(self) -> None:
        view = self.view
        viewer = view.viewer
        if viewer is None:
            raise ValueError("a spectator decides nothing")
        cards = view.own.cards or ()
        self.hand = Hand.of(view)
        self.left = self.hand.left(view.rules)[:FACES]
        self.unseen = max(1, sum(self.left))
        self.held = _copies(self.hand.concealed)
        self.all = _copies(cards)
        self.pairs = len(pairs(cards, view.rules))
        self.show = show_question(self.hand, view.rules)
        self.show_distance = show_holes(self.show)
        self.finish = finish_question(self.hand, view.rules)
        self.finish_distance = holes(self.finish)
        others = [seat.shown for place, seat in enumerate(view.seats) if place != viewer]
        self.by_groups = others.count(ShowKind.GROUPS)
        self.by_dublees = others.count(ShowKind.DUBLEES)
        self.follower = view.next_seat(viewer)
        self.next_seat = view.seats[self.follower]

    @cached_property
    def thrown(self) -> list[int]:
        """The number of cards of each face on the pile that the next player threw."""
        return _copies([card for card, thrower in self._thrown() if thrower == self.follower])

    @cached_property
    def passed(self) -> list[int]:
        """The number of cards of each face directly under a card that the next player threw."""
        pile = self._thrown()
        throwers = [thrower for _, thrower in pile[1:]]
        under = zip(pile, throwers, strict=False)
        return _copies([card for (card, _), thrower in under if thrower == self.follower])

    def _thrown(self) -> list[tuple[Card, int | None]]:
        """Return the pile, each card with the seat that threw it."""
        turned_up = [None] * (len(self.view.pile) - len(self.view.throwers))
        return list(zip(self.view.pile, (*turned_up, *self.view.throwers), strict=True))

    def outs(self, asked: Question, distance: int) -> list[tuple[int, int]]:
        """Return the faces that bring a show `distance` cards away nearer, with their copies."""
        return list(outs_to_show(asked, self.left, distance - 1)) if distance else []

    def share(self, outs: Sequence[tuple[int, int]]) -> float:
        """Return the outs' share of the unseen cards."""
        return sum(copies for _, copies in outs) / self.unseen

    def share_after(self, asked: Question, distance: int, outs: Sequence[tuple[int, int]]) -> float:
        """Return the share that brings the show nearer again after one of these outs, summed over them."""
        return (
            sum(
                copies * self.share(self.outs(asked._replace(hand=asked.hand + ONE[face]), distance - 1))
                for face, copies in outs
            )
            / self.unseen
        )

    def pairing(self, thrown: Card | None = None) -> float:
        """Return the share of the unseen cards that pair a single card, after a discard."""
        return (
            sum(self.left[face] for face, copies in enumerate(self.held) if copies - (face == thrown) == 1)
            / self.unseen
        )

    def maal(self, held: Sequence[int], card: Card) -> float:
        """Return the maal that these cards lose without this one, on average over the possible tiplus."""
        return sum(
            self.left[tiplu] / self.unseen * (_worth(held, tiplu) - _worth(held, tiplu, card))
            for tiplu in (card, poplu(card), jhiplu(card))
        )

    def wild(self, card: Card) -> float:
        """Return the probability that a card is wild."""
        faces = (poplu(card), jhiplu(card), *range(card.rank, FACES, _RANKS))
        return sum(self.left[face] for face in faces) / self.unseen

    def near(self, card: Card) -> int:
        """Return the number of cards in hand that can be in a group with this one."""
        return sum(other in neighbours(card) for other in self.hand.concealed)


def _copies(cards: Sequence[Card]) -> list[int]:
    counts = [0] * FACES
    for card in cards:
        counts[card] += 1
    return counts


def _worth(held: Sequence[int], tiplu: Card, gone: Card | None = None) -> int:
    below, above = jhiplu(tiplu), poplu(tiplu)
    return _points(
        held[below] - (gone == below), held[tiplu] - (gone == tiplu), held[above] - (gone == above)
    )


@cache
def _points(jhiplus: int, tiplus: int, poplus: int) -> int:
    """Return the points of these maal cards, grouped into the best number of marriages."""
    worth = TABLES["pagat"].worth
    return max(
        worth(What.MARRIAGE, marriages)
        + worth(What.TIPLU, tiplus - marriages)
        + worth(What.JHIPLU, jhiplus - marriages)
        + worth(What.POPLU, poplus - marriages)
        for marriages in range(min(jhiplus, tiplus, poplus) + 1)
    )


@cache
def _beside(card: Card) -> tuple[tuple[Card, float], ...]:
    """Return the faces at most two ranks away in the suit, with their weights.

    The ace is low, and also next to the king.
    """
    first = card - card.rank
    return tuple(
        (CARDS[first + (card.rank + step) % _RANKS], weight)
        for step, weight in _BESIDE.items()
        if 0 <= card.rank + step <= _RANKS
    )


@cache
def _of_rank(card: Card) -> Cards:
    """Return the same rank in the other suits."""
    return tuple(CARDS[face] for face in range(card.rank, FACES, _RANKS) if face != card)


@cache
def _runs(card: Card) -> tuple[tuple[Card, Card], ...]:
    """Return the two other cards of each run of three with this card."""
    first = card - card.rank
    found: list[tuple[Card, Card]] = []
    for place in (card.rank, _RANKS) if card.rank == 0 else (card.rank,):
        for low in range(max(0, place - 2), min(place, _RANKS - 2) + 1):
            one, other = (CARDS[first + at % _RANKS] for at in range(low, low + 3) if at != place)
            found.append((one, other))
    return tuple(found)


def discard_options(situation: Situation, base: Card) -> Cards:
    """Return the discards to evaluate: `base` first, then all that leave the show as near.

    With five pairs it includes those that leave it one card farther away.
    """
    wilds = situation.hand.wilds
    distances = {
        card: show_holes(less(situation.show, card, wilds)) for card in legal_discards(situation.view)
    }
    most = min(distances.values()) + (situation.pairs >= _MANY_PAIRS)
    return (base, *(card for card, distance in distances.items() if card != base and distance <= most))


def discard_features(situation: Situation, card: Card, *, is_base: bool) -> Features:
    """Return the features of one discard; `is_base` is whether greedy+outs makes it."""
    it, wilds = situation, situation.hand.wilds
    asked = less(it.show, card, wilds)
    show = show_holes(asked)
    further = not within(less(it.finish, card, wilds), it.finish_distance)
    outs = it.outs(asked, show)
    share = it.share(outs)
    after = it.share_after(asked, show, outs) if show >= 2 else 0.0
    lost_pairs = it.all[card] == 2
    left_pairs = it.pairs - lost_pairs
    pairing, maal, wild = it.pairing(card), it.maal(it.all, card), it.wild(card)
    return _padded(
        [
            *_stages(show),
            *(10 * share if stage else 0.0 for stage in _stages(show)[1:]),
            *(100 * after if stage else 0.0 for stage in _stages(show)[2:]),
            show - it.show_distance,
            it.finish_distance / 5,
            further,
            show <= 1 and further,
            max(0, left_pairs - 3),
            left_pairs == 5,
            left_pairs >= 6,
            10 * pairing if left_pairs >= 5 else 0.0,
            10 * pairing,
            -lost_pairs,
            maal,
            maal if it.by_groups else 0.0,
            10 * wild,
            10 * wild if it.by_groups else 0.0,
            *_wishes(it, card),
            _EDGES.get(card.rank, 0.0),
            it.left[card] / 3,
            it.near(card) / 5,
            *_left_beside(it.held, card),
            it.held[card] == 2,
            it.by_groups,
            it.by_dublees,
            len(it.view.pile) / 20,
            len(it.view.own.exposed),
            is_base,
            it.view.taken is not None,
            1 / (0.02 + share) if show else 0.0,
        ],
        DISCARD_FEATURES,
    )


def take_features(situation: Situation) -> Features:
    """Return the features of taking the top of the pile instead of drawing."""
    it, wilds = situation, situation.hand.wilds
    top, show = it.view.pile[-1], it.show_distance
    taken = more(it.show, top, wilds)
    then = show_holes(taken)
    nearer, copies = then < show, it.held[top]
    sooner = it.finish_distance > 0 and within(more(it.finish, top, wilds), it.finish_distance - 1)
    share, best = it.share(it.outs(it.show, show)), _best_share(it, taken, then)
    with_top = [count + (face == top) for face, count in enumerate(it.all)]
    maal = it.maal(with_top, top)
    return _padded(
        [
            1.0,
            *_stages(show),
            nearer,
            *(nearer and stage for stage in _stages(show)[1:]),
            10 * share,
            10 * share if nearer else 0.0,
            10 * share if show == 1 else 0.0,
            10 * best,
            10 * best if nearer and then == 1 else 0.0,
            10 * best if nearer and then >= 2 else 0.0,
            0.0 if nearer else 10 * (best - share),
            10 * (best - share) if not nearer and show == 1 else 0.0,
            sooner,
            not nearer and sooner,
            it.finish_distance / 5,
            max(0, it.pairs - 3),
            it.pairs >= 5,
            it.pairs >= 6,
            copies == 1,
            copies == 1 and it.pairs >= 5,
            copies == 1 and it.pairs >= 6,
            copies == 2,
            10 * it.pairing(),
            maal,
            maal if it.by_groups else 0.0,
            10 * it.wild(top),
            it.by_groups,
            it.by_dublees,
            len(it.view.pile) / 20,
            it.near(top) / 5,
            it.left[top] / 3,
            0.0,
            it.next_seat.shown is ShowKind.GROUPS,
            show == 0 and sooner,
        ],
        TAKE_FEATURES,
    )


def _padded(values: Sequence[float], size: int) -> Features:
    return [*map(float, values), *[0.0] * (size - len(values))]


def _stages(distance: int) -> tuple[bool, bool, bool, bool]:
    return (distance == 0, distance == 1, distance == 2, distance >= 3)


def _best_share(it: Situation, taken: Question, distance: int) -> float:
    """Return the best share of outs after taking the top and throwing another card.

    `distance` is the distance to a show after taking.
    """
    top, wilds = it.view.pile[-1], it.hand.wilds
    rests = [less(taken, card, wilds) for card in sorted(set(it.hand.concealed)) if card != top]
    near = [rest for rest in rests if show_holes(rest) <= distance]
    if not distance:
        return float(bool(near))
    return max((it.share(it.outs(rest, distance)) for rest in near), default=0.0)


def _wishes(it: Situation, card: Card) -> Features:
    """Return the next player's known uses for a card, which differ after a show."""
    seen = it.next_seat.shown is ShowKind.GROUPS
    share = it.next_seat.concealed_count / it.unseen
    expected = [copies * share for copies in it.left]
    ranked = [expected[other] for other in _of_rank(card)]
    one, two, three = ranked
    runs = sum(expected[first] * expected[second] for first, second in _runs(card))
    copies = it.left[card]
    twins = share * share * copies * (copies - 1) / 2
    singles = sum(ranked) + sum(expected[other] for other, _ in _beside(card))
    uses = (5 * runs, 5 * twins, 5 * (one * two + one * three + two * three), singles)
    return [
        seen,
        it.next_seat.shown is ShowKind.DUBLEES,
        *(value for use in uses for value in ((0.0, use) if seen else (use, 0.0))),
        it.thrown[card] > 0,
        it.passed[card] > 0,
        sum(weight * it.thrown[other] for other, weight in _beside(card)) / 3,
        sum(weight * it.passed[other] for other, weight in _beside(card)) / 3,
        float(sum(it.thrown[other] + it.passed[other] for other in _of_rank(card))) if seen else 0.0,
    ]


def _left_beside(held: Sequence[int], card: Card) -> tuple[int, float]:
    """Return how many faces in hand have the card's rank, and how many are at most two ranks away in suit."""
    of_rank = sum(held[other] > 0 for other in _of_rank(card))
    in_suit = sum(held[other] > 0 for other, _ in _beside(card))
    if card.rank == 0:
        in_suit += (held[card + 12] > 0) + (held[card + 11] > 0)
    return of_rank, in_suit / 3
