"""The layout of a hand: by suit, by rank or by sets, after the player's own groups.

The picture, the alt text and the panel with its select menus all follow this layout. It is made from the
viewer's own `View`, so nothing in it is wild before the viewer has seen the tiplu.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import groupby
from typing import Final, Literal

from marriage.cards import Card, Cards, sort_cards, without
from marriage.groups import GroupKind, group_kind, in_order, is_primary, wilds_for
from marriage.rules import PRIMARY_GROUPS
from marriage.solver import Hand, arrange, find_dublees, find_show, pairs
from marriage.state import Phase
from marriage.strategy.discards import Aim, aim
from marriage.view import View

Grouping = Literal["suit", "rank", "best"]
_SPECIALS: Final = 4
_ACE: Final = 0
_ABOVE_ACE: Final = frozenset((1, 2))
_BELOW_ACE: Final = frozenset((11, 12))
_FEWEST: Final = 2


class HeapKind(StrEnum):
    """The kinds of heaps. Each member's text is also its key in the message catalogues."""

    SUIT = "suit"
    RANK = "rank"
    OWN = "own"
    """A group made by the player."""
    ORDERED = "ordered"
    """Cards in the player's own order."""
    TUNNELA = "tunnela"
    SEQUENCE = "sequence"
    TRIAL = "trial"
    DIRTY_SEQUENCE = "dirty_sequence"
    DIRTY_TRIAL = "dirty_trial"
    DIRTY_TUNNELA = "dirty_tunnela"
    WILDS = "wilds"
    DUBLEE = "dublee"
    PARTIAL = "partial"
    """Cards of a set that is not complete."""
    REST = "rest"
    """All other cards."""


COMPLETE: Final = frozenset(HeapKind) - {
    HeapKind.SUIT, HeapKind.RANK, HeapKind.OWN, HeapKind.ORDERED, HeapKind.PARTIAL, HeapKind.REST,
}  # fmt: skip
"""Heaps that are complete sets."""


@dataclass(frozen=True, slots=True)
class CardOrder:
    """How a player wants their cards arranged."""

    grouping: Grouping = "suit"
    pinned: tuple[Cards, ...] = ()
    """The player's own groups, which stay together under every grouping."""
    plain: bool = False
    """Whether to hide the sets in the hand, because the question is to find them."""
    own: tuple[Cards, ...] = ()
    """The other cards in the player's order, heap by heap, instead of the grouping; new cards come last."""


BY_SUIT: Final = CardOrder()
PLAIN: Final = CardOrder(plain=True)


@dataclass(frozen=True, slots=True)
class Heap:
    """Cards that lie together."""

    kind: HeapKind
    cards: Cards


@dataclass(frozen=True, slots=True)
class Layout:
    """A laid-out hand: every card in it is in one heap, or is the drawn card."""

    heaps: tuple[Heap, ...]
    drawn: Card | None
    """The drawn card, if it is apart from the heaps."""
    sets: tuple[Cards, ...]
    """The sets that the player could show, or the pure sets that they have so far."""

    @property
    def cards(self) -> Cards:
        """All cards in the order of the layout."""
        laid = tuple(card for heap in self.heaps for card in heap.cards)
        return laid if self.drawn is None else (*laid, self.drawn)

    def number_of(self, heap: Heap) -> int:
        """Return the number of this heap among the sets, from 1; 0 if it is not a set."""
        wanted = sort_cards(heap.cards)
        return next((number for number, cards in enumerate(self.sets, 1) if cards == wanted), 0)


@lru_cache(maxsize=64)
def lay_out(view: View, order: CardOrder = BY_SUIT) -> Layout:
    """Return the viewer's cards in hand, laid out; raises ValueError for a spectator's view."""
    concealed = view.own.concealed or ()
    own = still_held(order.pinned, concealed)
    rest = without(concealed, [card for group in own for card in group])
    apart = view.drawn if view.drawn is not None and view.drawn in rest else None
    sets = () if order.plain else _sets(view)
    pinned = tuple(Heap(HeapKind.OWN, group) for group in own)
    if ordered := still_held(order.own, rest, fewest=1):
        fresh = without(rest, [card for heap in ordered for card in heap])
        apart = view.drawn if view.drawn is not None and view.drawn in fresh else None
        late = fresh if apart is None else without(fresh, [apart])
        heaps = tuple(Heap(HeapKind.ORDERED, heap) for heap in (*ordered, late) if heap)
        return Layout((*pinned, *heaps), apart, sets)
    if order.grouping == "best":
        heaps = _best(view, rest)
        if apart is not None:
            heaps, apart = _set_apart(heaps, apart)
        return Layout((*pinned, *heaps), apart, sets)
    others = rest if apart is None else without(rest, [apart])
    heaps = _by_suit(others) if order.grouping == "suit" else _by_rank(others)
    return Layout((*pinned, *heaps), apart, sets)


def still_held(groups: Iterable[Cards], concealed: Cards, fewest: int = _FEWEST) -> tuple[Cards, ...]:
    """Return these groups without the cards that have left the hand. Fewer than `fewest` cards are no longer a group."""
    left = Counter(concealed)
    kept: list[Cards] = []
    for group in groups:
        cards: list[Card] = []
        for card in group:
            if left[card]:
                left[card] -= 1
                cards.append(card)
        if len(cards) < fewest:
            left.update(cards)
        else:
            kept.append(tuple(cards))
    return tuple(kept)


class LayoutStep(StrEnum):
    """Where a card moves in a hand."""

    FIRST = "first"
    LEFT = "left"
    RIGHT = "right"
    LAST = "last"


def moved(layout: Layout, place: int, to: LayoutStep | int) -> tuple[tuple[Heap, ...], int]:
    """Return the heaps after the card at a place has moved, and its new place.

    It moves a step within its heap, or over the edge to the next heap; or to an end; or in front of the card at another
    place. The drawn card joins the heaps only when it moves itself.
    """
    heaps = [list(heap.cards) for heap in layout.heaps]
    kinds = [heap.kind for heap in layout.heaps]
    if place == sum(map(len, heaps)) and layout.drawn is not None:
        heaps.append([layout.drawn])
        kinds.append(HeapKind.REST)
    spots = [(number, index) for number, heap in enumerate(heaps) for index in range(len(heap))]
    number, index = spots[place]
    card = heaps[number].pop(index)
    match to:
        case LayoutStep.FIRST:
            number, index = 0, 0
        case LayoutStep.LAST:
            number, index = len(heaps) - 1, len(heaps[-1])
        case LayoutStep.LEFT if index:
            index -= 1
        case LayoutStep.LEFT if number:
            number, index = number - 1, len(heaps[number - 1])
        case LayoutStep.RIGHT if index < len(heaps[number]):
            index += 1
        case LayoutStep.RIGHT if number + 1 < len(heaps):
            number, index = number + 1, 0
        case int():
            before_number, before_index = spots[to]
            index = before_index - (before_number == number and before_index > index)
            number = before_number
        case _:
            pass
    heaps[number].insert(index, card)
    new_place = sum(len(heap) for heap in heaps[:number]) + index
    laid = zip(kinds, heaps, strict=True)
    return tuple(Heap(kind, tuple(heap)) for kind, heap in laid if heap), new_place


def suits_of(cards: Cards) -> tuple[Cards, ...]:
    """Return the cards of each suit in the order of a hand by suit, special cards last."""
    return tuple(heap.cards for heap in _by_suit(cards))


def _by_suit(cards: Cards) -> tuple[Heap, ...]:
    suits = _heaps(HeapKind.SUIT, cards, lambda card: card.suit if card.is_pack else _SPECIALS)
    return tuple(replace(heap, cards=_aces_placed(heap.cards)) for heap in suits)


def _aces_placed(cards: Cards) -> Cards:
    """Return a suit with each ace next to the cards of its run: before two and three, or after the king."""
    ranks = {card.rank for card in cards if card.is_pack}
    aces = [card for card in cards if card.is_pack and card.rank == _ACE]
    low, high = len(ranks & _ABOVE_ACE), len(ranks & _BELOW_ACE)
    raised = aces[1:] if low == high == len(_BELOW_ACE) else aces if high > low else []
    return (*without(cards, raised), *raised)


def _by_rank(cards: Cards) -> tuple[Heap, ...]:
    def rank(card: Card) -> int:
        return card.rank if card.is_pack else int(card)

    return _heaps(HeapKind.RANK, sorted(cards, key=lambda card: (rank(card), card)), rank)


def _heaps(kind: HeapKind, cards: Iterable[Card], key: Callable[[Card], int]) -> tuple[Heap, ...]:
    return tuple(Heap(kind, tuple(members)) for _, members in groupby(cards, key=key))


def _sets(view: View) -> tuple[Cards, ...]:
    """Return the sets that the viewer could show, sorted: three groups, seven dublees, or pure groups."""
    own, rules = view.own, view.rules
    concealed = own.concealed or ()
    if own.shown is not None or view.phase is Phase.OVER:
        return ()
    found = find_show(concealed, own.exposed, rules)
    if found is not None:
        return found[len(own.exposed[:PRIMARY_GROUPS]) :]
    if rules.dublees_allowed(len(view.seats)) and find_dublees(own.cards or (), rules) is not None:
        return tuple((face, face) for face in pairs(concealed, rules))
    groups = arrange(Hand.of(view), rules).groups
    return tuple(sort_cards(group) for group in groups if is_primary(group, rules))


def _best(view: View, cards: Cards) -> tuple[Heap, ...]:
    """Return the sets among these cards, then the incomplete ones, then the other cards."""
    if not view.own.shown and aim(view) is Aim.DUBLEES:
        return _dublees(view, cards)
    wilds = wilds_for(view.tiplu if view.own.seen else None, view.rules)
    laid = arrange(Hand.of(view)._replace(concealed=cards), view.rules)
    groups = [Heap(_kind(group, wilds, view), in_order(group, wilds)) for group in laid.groups]
    partial = [Heap(HeapKind.PARTIAL, group) for group in laid.partial]
    return (*groups, *partial, *_others(laid.rest))


def _kind(group: Cards, wilds: frozenset[Card], view: View) -> HeapKind:
    if len(group) == _FEWEST:
        return HeapKind.DUBLEE
    kind = group_kind(group, wilds, view.rules)
    return HeapKind.PARTIAL if kind is None else _KINDS[kind]


_KINDS: Final = {kind: HeapKind(kind.value) for kind in GroupKind}


def _dublees(view: View, cards: Cards) -> tuple[Heap, ...]:
    faces = pairs(cards, view.rules)
    heaps = tuple(Heap(HeapKind.DUBLEE, (face, face)) for face in faces)
    return (*heaps, *_others(without(cards, [face for face in faces for _ in range(2)])))


def _others(cards: Cards) -> tuple[Heap, ...]:
    return (Heap(HeapKind.REST, cards),) if cards else ()


def _set_apart(heaps: tuple[Heap, ...], drawn: Card) -> tuple[tuple[Heap, ...], Card | None]:
    """Take the drawn card out of the heaps, unless it belongs to a set."""
    last = heaps[-1]
    if last.kind is not HeapKind.REST or drawn not in last.cards:
        return heaps, None
    return (*heaps[:-1], *_others(without(last.cards, [drawn]))), drawn
