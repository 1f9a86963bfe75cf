"""Alt text: the words for what a picture shows, from the same view, at most a thousand characters."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from marriage.cards import Card, Cards, sort_cards
from marriage.maal import alter, jhiplu, poplu
from marriage.sheet import Ending, Line, Sheet
from marriage.state import Phase, ShowKind
from marriage.view import SeatView, View
from render import words
from render.groups import ace_high, open_groups, tunnelas
from render.known import Ended, Example, Known
from render.layout import BY_SUIT, Heap, HeapKind, Layout, Order, lay_out
from render.text import clean

LONGEST: Final = 1000
FEWEST_IN_A_SET: Final = 3
_LONGEST_NAME: Final = 24


def hand_alt(view: View, order: Order = BY_SUIT) -> str:
    """The viewer's cards grouped as he likes, the drawn card, what lies open, and the tiplu if he knows it."""
    own = view.own
    concealed = own.concealed or ()
    layout = lay_out(view, order)
    parts = [f"Your hand, {_cards_count(len(concealed))}: {_heaps(layout, concealed)}"]
    if layout.sets:
        label = words.DUBLEES if len(layout.sets[0]) < FEWEST_IN_A_SET else words.SETS
        parts.append(f"{label} {', '.join(map(_group, map(ace_high, layout.sets)))}")
    if view.drawn in concealed and view.drawn is not None:
        parts.append(f"Just {'taken' if view.taken == view.drawn else 'drawn'}: {card_name(view.drawn)}")
    parts += _open_parts(own)
    parts += _tiplu_parts(view)
    return _sentences(parts)


def table_alt(view: View, names: Sequence[str]) -> str:
    """The table as everybody at it may know it: the tiplu's face only if the view knows it."""
    called = seat_names(names)
    parts = [_phase_part(view, called)]
    parts.append(f"Play goes {view.rules.direction}, {called[view.dealer]} dealt")
    pile = f"top {card_name(view.pile[-1])}" if view.pile else "empty"
    parts.append(f"Stock {view.stock_count}, pile {len(view.pile)}, {pile}")
    parts += _tiplu_parts(view) or [
        "The tiplu is cut, face down" if view.tiplu_cut else "The tiplu is not cut yet"
    ]
    for name, seat in zip(called, view.seats, strict=True):
        standing = _standing(seat)
        parts.append(_joined(f"{name}: {_cards_count(seat.count)}{standing}", _open_parts(seat)))
    return _sentences(parts)


def sheet_alt(view: Ended, names: Sequence[str]) -> str:
    """The result of a deal: who won, and each seat's points, payment and gain; raises ValueError before the end."""
    if view.sheet is None:
        raise ValueError("the deal is not over: there is no sheet")
    called = seat_names(names)
    parts = [_ending_part(view.sheet, called), *_tiplu_parts(view)]
    for seat, (name, line) in enumerate(zip(called, view.sheet.lines, strict=True)):
        parts.append(_line_part(name, line, winner=seat == view.sheet.winner))
    return _sentences(parts)


def lesson_alt(examples: Sequence[Example], known: Known) -> str:
    """Example cards: each caption with its groups, and what the tiplu makes of them."""
    parts = [f"{clean(example.caption)}: {', '.join(map(_group, example.groups))}" for example in examples]
    return _sentences([*parts, *_tiplu_parts(known)])


def _heaps(layout: Layout, concealed: Cards) -> str:
    """The heaps with their names; without own ones or sets simply all cards, the drawn one among the others."""
    kinds = {heap.kind for heap in layout.heaps}
    if kinds <= {HeapKind.SUIT}:
        return by_suit(concealed)
    apart = [f"{words.APART} {by_suit((layout.drawn,))}"] if layout.drawn is not None else []
    return "; ".join([*map(_heap, layout.heaps), *apart])


def _heap(heap: Heap) -> str:
    match heap.kind:
        case HeapKind.SUIT:
            return by_suit(heap.cards)
        case HeapKind.RANK if heap.cards[0].is_pack:
            return f"{words.RANKS[heap.cards[0].rank]} of {' '.join(map(_suit, heap.cards))}"
        case HeapKind.RANK:
            return by_suit(heap.cards)
        case HeapKind.REST:
            return f"{words.HEAPS[heap.kind]}: {by_suit(heap.cards)}"
        case _:
            return f"{words.HEAPS[heap.kind]} {_group(heap.cards)}"


def by_suit(cards: Iterable[Card]) -> str:
    """Cards grouped by suit: "Spades 2 3 4 K; Hearts 9; Man 2", a special card with its number."""
    return "; ".join(_listed(suit, list(members)) for suit, members in groupby(sort_cards(cards), key=_suit))


def _listed(suit: str, cards: Sequence[Card]) -> str:
    return f"{suit} {' '.join(map(_rank, cards)) if cards[0].is_pack else len(cards)}"


def card_name(card: Card) -> str:
    """One card in words: "10 of Clubs"."""
    return f"{_rank(card)} of {_suit(card)}" if card.is_pack else _suit(card)


def seat_names(names: Sequence[str]) -> list[str]:
    """The players' names, cleaned and not too long; the seat's number where nothing is left."""
    cleaned = (clean(name) for name in names)
    return [
        (name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1].rstrip() + "…")
        or words.SEAT.format(number=number)
        for number, name in enumerate(cleaned, 1)
    ]


def _suit(card: Card) -> str:
    return words.SUITS[card.suit] if card.is_pack else words.SPECIALS[card]


def _rank(card: Card) -> str:
    return words.RANKS[card.rank]


def _cards_count(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _standing(seat: SeatView) -> str:
    how = "" if seat.shown is None else f", shown {words.SHOW_KINDS[seat.shown]}"
    return "".join((how, ", seen" if seat.seen else "", f", {words.OUT.lower()}" if seat.out else ""))


def _open_parts(seat: SeatView) -> list[str]:
    groups, exposed = open_groups(seat), tunnelas(seat)
    if seat.shown is ShowKind.DUBLEES:
        shown = f"{words.PAIRS} {', '.join(_group(pair[:1]) for pair in groups)}"
    else:
        shown = f"{words.SHOWN} {', '.join(map(_group, groups))}"
    tunnela = f"{words.TUNNELA} {', '.join(map(_group, exposed))}"
    return [part for part, there in ((shown, groups), (tunnela, exposed)) if there]


def _group(cards: Cards) -> str:
    """A laid group in its own order: one suit is named once, mixed suits card by card."""
    return " ".join(_listed(suit, list(members)) for suit, members in groupby(cards, key=_suit))


def _tiplu_parts(view: Known) -> list[str]:
    tiplu = view.tiplu
    if tiplu is None:
        return []
    kin = f"poplu {card_name(poplu(tiplu))}, jhiplu {card_name(jhiplu(tiplu))}"
    if view.rules.alter:
        kin += f", alter {card_name(alter(tiplu))}"
    return [f"Tiplu {card_name(tiplu)}, {kin}, every other {_rank(tiplu)} a joker"]


def _phase_part(view: View, called: Sequence[str]) -> str:
    name = called[view.turn]
    match view.phase:
        case Phase.WINDOW:
            return f"{words.WINDOW}, then {name} begins"
        case Phase.DRAW:
            return f"{name} is to draw"
        case Phase.PLAY:
            return f"{name} is to discard"
        case Phase.CUT:
            return f"{name} is to cut the tiplu"
        case Phase.OVER:
            return words.OVER


def _ending_part(sheet: Sheet, called: Sequence[str]) -> str:
    if sheet.ending is Ending.DISMISSED or sheet.winner is None:
        return f"{words.DISMISSED}. {words.NOBODY}"
    how = "eight dublees" if sheet.ending is Ending.DUBLEES else "seven groups"
    times = f", counted {sheet.factor} times" if sheet.factor > 1 else ""
    return f"{called[sheet.winner]} finished with {how}{times}"


def _line_part(name: str, line: Line, *, winner: bool) -> str:
    standing = "winner" if winner else words.STATUSES[line.status].lower()
    items = ", ".join(f"{words.ITEMS[item.what]} {item.points}" for item in line.items)
    counted = f"{line.points} points" + (f" ({items})" if items else "")
    foul = f", foul {words.signed(line.foul)}" if line.foul else ""
    payment = f"payment {words.signed(line.payment)}{foul}"
    return f"{name}, {standing}: {counted}, maal {words.signed(line.maal)}, {payment}, net {words.signed(line.net)}"


def _joined(head: str, parts: Sequence[str]) -> str:
    return "; ".join((head, *parts))


def _sentences(parts: Iterable[str]) -> str:
    text = " ".join(f"{part}." for part in parts)
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"
