"""Alt texts of the pictures, made from the same views, with at most a thousand characters."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from marriage.cards import Card, Cards, sort_cards
from marriage.maal import alter, jhiplu, poplu
from marriage.sheet import Ending, Sheet, SheetLine
from marriage.state import Phase, ShowKind
from marriage.view import SeatView, View
from render.drawing.deck import ace_high, finish_of, open_groups, tunnelas
from render.drawing.text import clean, shortened
from render.hand_layout import BY_SUIT, CardOrder, Heap, HeapKind, Layout, lay_out
from render.picture import Ended, Example, Known
from render.words import RANKS, say, signed, suit_name

LONGEST: Final = 1000
FEWEST_IN_A_SET: Final = 3
_LONGEST_NAME: Final = 24
_LAST_DISCARDS: Final = 4


def hand_alt(view: View, order: CardOrder = BY_SUIT) -> str:
    """Describe the viewer's cards in their order, the drawn card, the open sets, and the tiplu if known."""
    return sentences(_hand_parts(view, order))


def _hand_parts(view: View, order: CardOrder) -> list[str]:
    own = view.own
    concealed = own.concealed or ()
    layout = lay_out(view, order)
    parts = [say("alt.hand", cards=_cards_count(len(concealed)), heaps=_heaps(layout, concealed))]
    if layout.sets:
        key = "word.dublees" if len(layout.sets[0]) < FEWEST_IN_A_SET else "word.sets"
        parts.append(f"{say(key)} {', '.join(map(_group, map(ace_high, layout.sets)))}")
    if view.drawn in concealed and view.drawn is not None:
        key = "alt.taken" if view.taken == view.drawn else "alt.drawn"
        parts.append(say(key, card=card_name(view.drawn)))
    return [*parts, *_open_parts(own), *_tiplu_parts(view)]


def seat_alt(view: View, names: Sequence[str], order: CardOrder = BY_SUIT) -> str:
    """Describe the viewer's hand as in `hand_alt`, then the table as in `strip_alt`."""
    called = seat_names(names)
    turn = _turn_part(view, called)
    return sentences([*_hand_parts(view, order), turn, *_seats_parts(view, called)])


def strip_alt(view: View, names: Sequence[str]) -> str:
    """Describe the table as the viewer sees it: whose turn it is, the last discards, and the other seats.

    It is the same before and after the viewer has drawn, as the picture is.
    """
    is_asked = view.turn == view.viewer and view.phase in (Phase.DRAW, Phase.PLAY)
    called = seat_names(names)
    turn = say("word.your_turn") if is_asked else _turn_part(view, called)
    return sentences([turn, *_seats_parts(view, called)])


def _seats_parts(view: View, called: Sequence[str]) -> list[str]:
    """Describe the stock, the last discards, and the seats of the others."""
    named = [say("word.you") if seat == view.viewer else name for seat, name in enumerate(called)]
    parts = [say("alt.stock_only", stock=view.stock_count) if not view.pile else _discards_part(view, named)]
    for seat, held in enumerate(view.seats):
        if seat != view.viewer:
            net = [] if view.sheet is None else [signed(view.sheet.lines[seat].net)]
            parts.append(_joined(f"{called[seat]}: {_standing(held)}", [*net, *_open_parts(held)]))
    return parts


def table_alt(view: View, names: Sequence[str]) -> str:
    """Describe the table as all players may know it; the tiplu's face only if the view contains it."""
    called = seat_names(names)
    parts = [_phase_part(view, called)]
    parts.append(say(f"alt.{view.rules.direction}", name=called[view.dealer]))
    parts.append(_discards_part(view, called) if view.throwers else _stock_part(view))
    parts += _tiplu_parts(view) or [say("alt.cut" if view.tiplu_cut else "alt.not_cut")]
    for name, seat in zip(called, view.seats, strict=True):
        parts.append(_joined(f"{name}: {_standing(seat)}", _open_parts(seat)))
    return sentences(parts)


def open_hands_alt(view: View, names: Sequence[str]) -> str:
    """Describe the cards of each hand in the view."""
    hands = zip(seat_names(names), view.seats, strict=True)
    return sentences(
        f"{name}: {by_suit(seat.concealed)}" for name, seat in hands if seat.concealed is not None
    )


def sheet_alt(view: Ended, names: Sequence[str], totals: Sequence[int] | None = None) -> str:
    """Describe the result of a deal: the winner and their finish, each seat's points, payment and gain, and any totals.

    Raises ValueError before the end.
    """
    if view.sheet is None:
        raise ValueError("the deal is not over: there is no sheet")
    called = seat_names(names)
    sets = ", ".join(map(_group, finish_of(view)))
    ending = _ending_part(view.sheet, called)
    parts = [f"{ending}: {sets}" if sets else ending, *_tiplu_parts(view)]
    if view.dublee_game:
        parts.append(say("word.dublee_game"))
    for seat, (name, line) in enumerate(zip(called, view.sheet.lines, strict=True)):
        said = _line_part(name, line, winner=seat == view.sheet.winner)
        parts.append(say("alt.with_total", line=said, total=signed(totals[seat])) if totals else said)
    return sentences(parts)


def lesson_alt(examples: Sequence[Example], known: Known) -> str:
    """Describe example cards: each caption with its groups, and what the tiplu makes of them."""
    parts = [f"{clean(example.caption)}: {', '.join(map(_group, example.groups))}" for example in examples]
    return sentences([*parts, *_tiplu_parts(known)])


def _heaps(layout: Layout, concealed: Cards) -> str:
    """Name the heaps and their cards. If all heaps are suits, list the cards by suit, with the drawn one."""
    kinds = {heap.kind for heap in layout.heaps}
    if kinds <= {HeapKind.SUIT}:
        return by_suit(concealed)
    apart = [say("alt.apart", cards=by_suit((layout.drawn,)))] if layout.drawn is not None else []
    return "; ".join([*map(_heap, layout.heaps), *apart])


def _heap(heap: Heap) -> str:
    match heap.kind:
        case HeapKind.SUIT:
            return by_suit(heap.cards)
        case HeapKind.RANK if heap.cards[0].is_pack:
            suits = " ".join(map(suit_name, heap.cards))
            return say("alt.of_rank", rank=_rank(heap.cards[0]), suits=suits)
        case HeapKind.RANK:
            return by_suit(heap.cards)
        case HeapKind.REST:
            return f"{say(f'heap.{heap.kind}')}: {by_suit(heap.cards)}"
        case HeapKind.ORDERED:
            return _group(heap.cards)
        case _:
            return f"{say(f'heap.{heap.kind}')} {_group(heap.cards)}"


def by_suit(cards: Iterable[Card]) -> str:
    """Return cards grouped by suit: "Spades 2 3 4 K; Hearts 9; Man 2", a special card with its number."""
    return "; ".join(
        _listed(suit, list(members)) for suit, members in groupby(sort_cards(cards), key=suit_name)
    )


def _listed(suit: str, cards: Sequence[Card]) -> str:
    return f"{suit} {' '.join(map(_rank, cards)) if cards[0].is_pack else len(cards)}"


def card_name(card: Card) -> str:
    """Return one card in words: "10 of Clubs"."""
    return say("alt.card_name", rank=_rank(card), suit=suit_name(card)) if card.is_pack else suit_name(card)


def seat_names(names: Sequence[str]) -> list[str]:
    """Return the players' names, cleaned and shortened. The seat's number replaces an empty name."""
    return [short(clean(name)) or say("word.seat", number=number) for number, name in enumerate(names, 1)]


def short(name: str, longest: int = _LONGEST_NAME) -> str:
    """Return a cleaned name, cut with an ellipsis if it is longer than `longest` characters."""
    return name if len(name) <= longest else shortened(name, longest - 1) + "…"


def _rank(card: Card) -> str:
    return RANKS[card.rank]


def _cards_count(count: int) -> str:
    return say("alt.card") if count == 1 else say("alt.cards", count=count)


def _standing(seat: SeatView) -> str:
    """Say how many cards a seat has, and whether it has shown."""
    parts = [_cards_count(seat.count)]
    parts += [] if seat.shown is None else [say(f"alt.shown_{seat.shown}")]
    parts += [say(key) for key, there in (("alt.seen", seat.seen), ("alt.out", seat.out)) if there]
    return ", ".join(parts)


def _open_parts(seat: SeatView) -> list[str]:
    groups, exposed = open_groups(seat), tunnelas(seat)
    if seat.shown is ShowKind.DUBLEES:
        shown = f"{say('word.pairs')} {', '.join(_group(pair[:1]) for pair in groups)}"
    else:
        shown = f"{say('word.shown')} {', '.join(map(_group, groups))}"
    tunnela = f"{say('word.tunnela')} {', '.join(map(_group, exposed))}"
    return [part for part, there in ((shown, groups), (tunnela, exposed)) if there]


def _group(cards: Cards) -> str:
    """Format a laid group in its own order: a single suit is named once, mixed suits card by card."""
    return " ".join(_listed(suit, list(members)) for suit, members in groupby(cards, key=suit_name))


def _tiplu_parts(view: Known) -> list[str]:
    tiplu = view.tiplu
    if tiplu is None:
        return []
    return [
        say(
            "alt.tiplu_alter" if view.rules.alter else "alt.tiplu",
            tiplu=card_name(tiplu),
            poplu=card_name(poplu(tiplu)),
            jhiplu=card_name(jhiplu(tiplu)),
            alter=card_name(alter(tiplu)),
            rank=_rank(tiplu),
        )
    ]


def _phase_part(view: View, called: Sequence[str]) -> str:
    name = called[view.turn]
    match view.phase:
        case Phase.WINDOW:
            return say("alt.window", name=name)
        case Phase.DRAW:
            return say("alt.draw", name=name)
        case Phase.PLAY:
            return say("alt.play", name=name)
        case Phase.CUT:
            return say("alt.turn_cut", name=name)
        case Phase.OVER:
            return say("alt.over")


def _turn_part(view: View, called: Sequence[str]) -> str:
    """Say whose turn it is, from the viewer's perspective."""
    if view.turn != view.viewer or view.phase in (Phase.WINDOW, Phase.OVER):
        return _phase_part(view, called)
    return say(f"alt.your_{view.phase}")


def _discards_part(view: View, named: Sequence[str]) -> str:
    """Describe the stock, and the last discards with their throwers, the top one first."""
    last = [
        card_name(card) if seat is None else say("alt.thrown", card=card_name(card), name=named[seat])
        for card, seat in view.discards[: -_LAST_DISCARDS - 1 : -1]
    ]
    return say("alt.discards", stock=view.stock_count, pile=len(view.pile), cards=", ".join(last))


def _stock_part(view: View) -> str:
    if not view.pile:
        return say("alt.stock_only", stock=view.stock_count)
    return say("alt.stock", stock=view.stock_count, pile=len(view.pile), card=card_name(view.pile[-1]))


def _ending_part(sheet: Sheet, called: Sequence[str]) -> str:
    if sheet.ending is Ending.DISMISSED or sheet.winner is None:
        return say("alt.dismissed")
    how = "dublees" if sheet.ending is Ending.DUBLEES else "groups"
    key = f"alt.{how}_times" if sheet.factor > 1 else f"alt.{how}"
    return say(key, name=called[sheet.winner], factor=sheet.factor)


def _line_part(name: str, line: SheetLine, *, winner: bool) -> str:
    items = ", ".join(f"{say(f'item.{item.what}')} {item.points}" for item in line.items)
    return say(
        "alt.line_foul" if line.foul else "alt.line",
        name=name,
        standing=say("word.winner" if winner else f"status.{line.status}").lower(),
        points=say("alt.points_of" if items else "alt.points", points=line.points, items=items),
        maal=signed(line.maal),
        payment=signed(line.payment),
        foul=signed(line.foul),
        net=signed(line.net),
    )


def _joined(head: str, parts: Sequence[str]) -> str:
    return "; ".join((head, *parts))


def sentences(parts: Iterable[str]) -> str:
    """Join the parts as sentences, cut to Discord's limit for alt texts."""
    text = " ".join(say("alt.sentence", words=part) for part in parts)
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"
