"""The shows by groups that a player can choose from: every legal one, set by set, and the best of them."""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from marriage.bits import contains, pack
from marriage.cards import CARDS, MASTER, PACKS, Card, Cards, face, sort_cards
from marriage.groups import LONGEST_RUN, is_primary
from marriage.moves import must_show
from marriage.rules import PRIMARY_GROUPS
from marriage.scoring.hand_points import laid_marriages, points_of, score_hand
from marriage.solver import Hand, distances_after
from marriage.view import View

_SIZE: Final = 3
_SUITS: Final = 4
_RANKS: Final = 13
_PLACES: Final = 14
"""The places of one suit in a run: the ace has one at either end."""
_MOST_SETS: Final = 60
"""The number of sets to consider for the best show. If there are more, only the smallest are used."""
_KEPT: Final = 64
"""The size of the cache for the best show."""


_RUNS: Final = tuple(
    tuple(face(suit, place % _RANKS) for place in range(start, start + size))
    for suit in range(_SUITS)
    for start in range(_PLACES)
    for size in range(_SIZE + 1, min(LONGEST_RUN, _PLACES - start) + 1)
)
_TRIALS: Final = tuple(tuple(face(suit, rank) for suit in range(_SUITS)) for rank in range(_RANKS))
_WHOLES: Final = (*_RUNS, *_TRIALS)
"""The runs and trials of four or more cards."""


class _Part(NamedTuple):
    """A set, and what laying it removes from the hand."""

    cards: Cards
    mask: int
    """The packed cards of the packs that leave the hand; none for an exposed tunnela."""
    masters: int
    size: int
    """The number of cards that leave the hand."""


class _Left(NamedTuple):
    """What can still be laid after some sets."""

    hand: int
    masters: int
    size: int
    exposed: Cards
    wanted: int
    """How many sets are still to be laid."""
    must: Card | None
    """The face that one of them has to contain, because it was taken from the pile for the show."""

    def without(self, part: _Part) -> "_Left | None":
        """Return what is left after this set; None if it cannot be laid any more."""
        if not part.size:
            if part.cards[0] not in self.exposed:
                return None
            rest = tuple(card for card in self.exposed if card != part.cards[0])
            return self._replace(exposed=rest, wanted=self.wanted - 1)
        if not contains(self.hand, part.mask) or part.masters > self.masters:
            return None
        return self._replace(
            hand=self.hand - part.mask,
            masters=self.masters - part.masters,
            size=self.size - part.size,
            wanted=self.wanted - 1,
            must=None if self.must in part.cards else self.must,
        )


def showable_sets(view: View) -> tuple[Cards, ...]:
    """Return every primary set the viewer could lay, each once: exposed tunnelas, then smaller sets first.

    Raises ValueError for a spectator's view.
    """
    seat = view.own
    held = view.hand
    groups = sorted({*_threes(held), *_longer(held)}, key=lambda group: (len(group), group))
    in_hand = (group for group in groups if is_primary(group, view.rules))
    return (*((card,) * PACKS for card in seat.exposed), *in_hand)


def sets_to_add(view: View, chosen: Sequence[Cards]) -> tuple[Cards, ...]:
    """Return the sets that can complete the `chosen` ones to a legal show; empty if none can.

    A set that the hand holds twice can be chosen twice.
    """
    parts = _parts(view)
    left = _left(view, parts, chosen)
    if left is None or not left.wanted:
        return ()
    threes = [
        part for part in parts if part.size in (0, _SIZE)
    ]  # every longer set contains one of three cards
    return tuple(
        part.cards
        for part in parts
        if (after := left.without(part)) is not None and _can_complete(after, threes)
    )


def every_show(view: View) -> Iterator[tuple[Cards, ...]]:
    """Yield every show by groups that the viewer's cards allow, each listed once."""
    parts = _parts(view)
    left = _left(view, parts, ())
    return iter(()) if left is None else _completions(left, parts, 0)


def may_show(view: View, groups: Sequence[Cards]) -> bool:
    """Return whether exactly these sets are a show that the rules allow now."""
    left = _left(view, _parts(view), groups)
    return left is not None and _is_show(left)


def best_show(view: View, chosen: Sequence[Cards] = ()) -> tuple[Cards, ...] | None:
    """Return the most valuable show that contains the `chosen` sets; None if there is none.

    With an open tiplu, the points that the rules pay come first, and then the distance to a finish. While the
    tiplu is hidden, the distance comes first and the points second, both averaged over every possible tiplu.
    All shows are compared, except in a hand with more than 60 sets: there only those of the smallest sets
    are, and of many equal ones the likeliest. Of many shows, only the distances of the most promising are
    computed (`distances_after`).

    It can be slow, so the latest answers are cached: the player often confirms the show that a panel names.
    """
    return _best_show(view, tuple(chosen))


@lru_cache(maxsize=_KEPT)
def _best_show(view: View, chosen: tuple[Cards, ...]) -> tuple[Cards, ...] | None:
    parts = _parts(view)
    left = _left(view, parts, chosen)
    if left is None:
        return None
    shows = [
        (*chosen, *added) for added in _completions(left, parts[: max(_MOST_SETS, len(view.own.exposed))], 0)
    ]
    if len(shows) < 2:
        return shows[0] if shows else None
    paid = {groups: points for points, groups in _with_points(view, shows)}
    if view.tiplu is not None:
        shows = [groups for groups in shows if paid[groups] == max(paid.values())]
    from_hand = {groups: _from_hand(view, groups) for groups in shows}
    distances = distances_after(Hand.of(view), view.rules, set(from_hand.values()))
    near = [groups for groups in shows if from_hand[groups] in distances]
    return min(near, key=lambda groups: (distances[from_hand[groups]], -paid[groups], len(from_hand[groups])))


def _parts(view: View) -> list[_Part]:
    exposed = {(card,) * PACKS for card in view.own.exposed}
    return [
        _Part(cards, 0, 0, 0)
        if cards in exposed
        else _Part(cards, pack(cards), cards.count(MASTER), len(cards))
        for cards in showable_sets(view)
    ]


def _left(view: View, parts: Sequence[_Part], chosen: Sequence[Cards]) -> _Left | None:
    """Return what can still be laid after the chosen sets; None if they do not go together or cannot be shown."""
    if view.own.shown is not None:
        return None
    known = {part.cards: part for part in parts}
    held = view.hand
    must = view.taken if must_show(view) else None
    left: _Left | None = _Left(
        pack(held), held.count(MASTER), len(held), view.own.exposed, PRIMARY_GROUPS, must
    )
    for group in chosen:
        part = known.get(sort_cards(group))
        if part is None or left is None or not left.wanted:
            return None
        left = left.without(part)
    return left


def _is_show(left: _Left) -> bool:
    """Return whether the sets laid so far are a whole show that leaves a card to discard."""
    return not left.wanted and left.must is None and left.size > 0


def _can_complete(left: _Left, parts: Sequence[_Part]) -> bool:
    return next(_completions(left, parts, 0), None) is not None


def _completions(left: _Left, parts: Sequence[_Part], start: int) -> Iterator[tuple[Cards, ...]]:
    """Yield all ways to complete a show with the sets from index `start` on."""
    if not left.wanted:
        if _is_show(left):
            yield ()
        return
    for index in range(start, len(parts)):
        after = left.without(parts[index])
        if after is not None:
            for rest in _completions(after, parts, index):
                yield (parts[index].cards, *rest)


def _from_hand(view: View, groups: Sequence[Cards]) -> Cards:
    exposed = {(card,) * PACKS for card in view.own.exposed}
    return sort_cards(card for group in groups if group not in exposed for card in group)


def _with_points(view: View, shows: Sequence[tuple[Cards, ...]]) -> Iterator[tuple[int, tuple[Cards, ...]]]:
    """Yield the points of the viewer's hand after each show: exact for an open tiplu, else summed over all possible ones."""
    if not view.rules.laid_marriage:  # without that option, the laid sets change no points
        yield from ((0, groups) for groups in shows)
        return
    left = Hand.of(view).left(view.rules)
    unseen = [(card, copies) for card, copies in zip(CARDS, left, strict=False) if card.is_pack and copies]
    tiplus = unseen if view.tiplu is None else [(view.tiplu, 1)]

    @cache
    def points(tiplu: Card, laid: int) -> int:
        return points_of(score_hand(view.own.cards or (), view.own.exposed, laid, tiplu, view.rules))

    for groups in shows:
        yield (
            sum(copies * points(tiplu, laid_marriages(groups, tiplu)) for tiplu, copies in tiplus),
            groups,
        )


def _threes(cards: Cards) -> set[Cards]:
    """Return any three cards of one suit and any three of one rank, the master card included.

    No other three are a primary set.
    """
    master = [card for card in cards if card == MASTER]
    found: set[Cards] = set()
    for suit in range(_SUITS):
        suited = [card for card in cards if card.is_pack and card.suit == suit]
        found |= set(combinations(suited + master, _SIZE))
    for rank in range(_RANKS):
        same = [card for card in cards if card.is_pack and card.rank == rank]
        found |= set(combinations(same + master, _SIZE))
    return {sort_cards(group) for group in found}


def _longer(cards: Cards) -> set[Cards]:
    """Return the runs and trials of four or more cards; the caller checks whether the rules allow them.

    The master card may replace any one card, even one that the hand holds.
    """
    held, found = set(cards), set[Cards]()
    for whole in _WHOLES:
        missing = [card for card in whole if card not in held]
        if not missing:
            found.add(sort_cards(whole))
        if MASTER in held and len(missing) < 2:
            found |= {
                sort_cards([*(card for card in whole if card != replaced), MASTER])
                for replaced in (missing or whole)
            }
    return found
