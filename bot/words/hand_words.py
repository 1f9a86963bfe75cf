"""A hand in words, line by line in the order of its layout: for people who cannot or do not want to see a picture."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from bot.words.texts import Texts
from marriage.cards import MAN, MASTER, RANKS, Card, Cards
from marriage.maal import role
from marriage.state import ShowKind
from marriage.strategy.discards import Aim
from marriage.strategy.progress import Missing
from marriage.view import SeatView, View
from render.drawing.card_groups import ace_high, open_groups, tunnelas
from render.hand_layout import Heap, HeapKind, Layout

_SPECIALS = {MAN: "man", MASTER: "master"}
_SUITS = ("spades", "hearts", "diamonds", "clubs")
_SET = 3


def hand_words(layout: Layout, view: View, texts: Texts) -> str:
    """Describe every card of the viewer: their heaps, the new card, what they could show, and their open cards."""
    return "\n".join(_lines(layout, view, texts)) or texts("words.none")


def _lines(layout: Layout, view: View, texts: Texts) -> Iterator[str]:
    for kind, heaps in groupby(layout.heaps, key=lambda heap: heap.kind):
        if kind is HeapKind.ORDERED:
            laid = _groups((heap.cards for heap in heaps), view, texts)
            yield texts("words.line", what=texts("heap.ordered"), cards=laid)
        else:
            yield from (_heap(heap, view, texts) for heap in heaps)
    if layout.drawn is not None:
        key = "words.taken" if view.taken == layout.drawn else "words.drawn"
        yield texts("words.line", what=texts(key), cards=_listed((layout.drawn,), view, texts))
    if layout.sets:
        key = "words.sets" if len(layout.sets[0]) >= _SET else "words.dublees"
        yield texts("words.line", what=texts(key), cards=_groups(map(ace_high, layout.sets), view, texts))
    yield from _open(view.own, view, texts)


def _heap(heap: Heap, view: View, texts: Texts) -> str:
    first = heap.cards[0]
    match heap.kind:
        case HeapKind.SUIT if first.is_pack:
            what = texts(f"suit.{_SUITS[first.suit]}")
            return texts("words.line", what=what, cards=_ranks(heap.cards, view, texts))
        case HeapKind.RANK if first.is_pack:
            suits = ", ".join(
                _noted(texts(f"suit.{_SUITS[card.suit]}"), card, view, texts) for card in heap.cards
            )
            return texts("words.line", what=RANKS[first.rank], cards=suits)
        case HeapKind.SUIT | HeapKind.RANK:
            return texts("words.line", what=texts("heap.rest"), cards=_listed(heap.cards, view, texts))
        case _:
            return texts(
                "words.line", what=texts(f"heap.{heap.kind}"), cards=_listed(heap.cards, view, texts)
            )


def _open(seat_view: SeatView, view: View, texts: Texts) -> Iterator[str]:
    groups, exposed = open_groups(seat_view), tunnelas(seat_view)
    if groups:
        pairs = seat_view.shown is ShowKind.DUBLEES
        what = texts("words.shown_dublees" if pairs else "words.shown")
        yield texts("words.line", what=what, cards=_groups(groups, view, texts))
    if exposed:
        yield texts("words.line", what=texts("heap.tunnela"), cards=_groups(exposed, view, texts))


def _groups(groups: Iterable[Cards], view: View, texts: Texts) -> str:
    return " · ".join(_listed(group, view, texts) for group in groups)


def _listed(cards: Cards, view: View, texts: Texts) -> str:
    """The cards in order, naming a suit once for consecutive cards."""
    return "; ".join(_one_suit(tuple(members), view, texts) for _, members in groupby(cards, key=_suit))


def _one_suit(cards: Cards, view: View, texts: Texts) -> str:
    first = cards[0]
    if not first.is_pack:
        return ", ".join(texts(f"role.{_SPECIALS[card]}") for card in cards)
    return texts("words.of_suit", suit=texts(f"suit.{_SUITS[first.suit]}"), cards=_ranks(cards, view, texts))


def _ranks(cards: Cards, view: View, texts: Texts) -> str:
    return ", ".join(_noted(RANKS[card.rank], card, view, texts) for card in cards)


def _noted(words: str, card: Card, view: View, texts: Texts) -> str:
    """The words with the card's points, if the viewer knows the tiplu."""
    known = None if view.tiplu is None else role(card, view.tiplu, view.rules)
    return words if known is None else texts("words.noted", card=words, role=texts(f"role.{known}"))


def _suit(card: Card) -> int:
    return card.suit if card.is_pack else int(card)


def missing_words(missing: Missing, texts: Texts) -> str:
    """Say how many cards a hand still needs, or that it lacks none."""
    if missing.cards:
        return texts(f"hand.short_{missing.aim}", count=missing.cards)
    return texts("hand.can_finish" if missing.aim is Aim.FINISH else "hand.can_show")
