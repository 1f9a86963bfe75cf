"""Folding events into a state. What was decided is never judged again here.

Masked events fold as well: a card that was `UNKNOWN` in a hand turns into the face it shows when it is seen.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from marriage.cards import UNKNOWN, Card, Cards, sort_cards, without
from marriage.events import (
    ClaimFailed,
    Dealt,
    Discarded,
    Dismissed,
    Drew,
    Event,
    Finished,
    FinishedDublees,
    Reshuffled,
    Settled,
    Showed,
    ShowedDublees,
    TipluCut,
    TipluSeen,
    TipluTurned,
    Took,
    TunnelasDeclined,
    TunnelasExposed,
    WindowClosed,
)
from marriage.state import Phase, Seat, ShowKind, State


def replay(events: Iterable[Event]) -> State:
    """The state that a deal's events lead to; raises ValueError when the first one is not the deal."""
    state: State | None = None
    for event in events:
        state = apply(state, event)
    if state is None:
        raise ValueError("a deal has at least one event")
    return state


def apply(state: State | None, event: Event) -> State:
    """The state after `event`; `state` is None before the deal. Raises ValueError for a log that makes no sense."""
    if isinstance(event, Dealt):
        return _dealt(event)
    if state is None:
        raise ValueError("the first event of a deal is Dealt")
    return replace(_next(state, event), version=state.version + 1)


def _dealt(event: Dealt) -> State:
    window = event.rules.tunnela_window == "before_first_draw"
    state = State(
        rules=event.rules,
        dealer=event.dealer,
        seats=tuple(Seat(cards=sort_cards(hand)) for hand in event.hands),
        stock=event.stock,
        pile=(event.up_card,),
        phase=Phase.WINDOW if window else Phase.DRAW,
        turn=event.dealer,
        key=event.key,
        version=1,
        better=event.better,
        carry=event.carry,
    )
    return replace(state, turn=state.next_seat(event.dealer))


def _next(state: State, event: Event) -> State:  # noqa: C901 - one plain case an event
    match event:
        case TunnelasExposed():
            return _exposed(state, event)
        case TunnelasDeclined():
            return _with_seat(state, event.seat, answered=True)
        case WindowClosed():
            return replace(state, phase=Phase.DRAW)
        case Drew():
            return _received(replace(state, stock=state.stock[1:]), event.seat, event.card)
        case Took():
            return _received(replace(state, pile=state.pile[:-1], taken=event.card), event.seat, event.card)
        case Showed():
            return _showed(state, event.seat, ShowKind.GROUPS, event.groups)
        case ShowedDublees():
            return _showed(state, event.seat, ShowKind.DUBLEES, event.pairs)
        case TipluCut():
            cut = _cut(state, event.place, event.card)
            return _after_cut(_with_seat(cut, event.seat, seen=True))
        case TipluTurned():
            return _cut(state, event.place, event.card)
        case TipluSeen():
            return _with_seat(replace(state, tiplu=_known(event.card, state.tiplu)), event.seat, seen=True)
        case Discarded():
            return _discarded(state, event)
        case Reshuffled():
            return replace(state, stock=event.stock, pile=state.pile[-1:], reshuffles=state.reshuffles + 1)
        case Finished():
            return _finished(state, event.seat, event.groups, event.discard)
        case FinishedDublees():
            return _finished(state, event.seat, (event.pair,), event.discard)
        case ClaimFailed():
            return _passed(_with_seat(state, event.seat, out=True))
        case Dismissed():
            return replace(state, taken=None, drawn=None, shown_now=False)
        case Settled():
            return _settled(state, event)
        case Dealt():
            raise ValueError("a deal is dealt once")


def _with_seat(state: State, seat: int, **changes: Any) -> State:
    seats = list(state.seats)
    seats[seat] = replace(seats[seat], **changes)
    return replace(state, seats=tuple(seats))


def _reveal(cards: Cards, shown: Iterable[Card]) -> Cards:
    """The same hand, where unknown cards have turned out to be those of `shown` that it did not name."""
    missing = Counter(shown) - Counter(cards)
    if not missing:
        return cards
    known = without(cards, [UNKNOWN] * missing.total())
    return sort_cards([*known, *missing.elements()])


def _known(card: Card, before: Card | None) -> Card:
    """The tiplu as far as it is known: a masked event does not make a known face unknown."""
    return before if card == UNKNOWN and before is not None else card


def _exposed(state: State, event: TunnelasExposed) -> State:
    seat = state.seats[event.seat]
    open_cards = [face for face in event.faces for _ in range(3)]
    return _with_seat(
        state,
        event.seat,
        cards=_reveal(seat.cards, [*open_cards, *(seat.exposed * 3)]),
        exposed=seat.exposed + event.faces,
        answered=True,
    )


def _received(state: State, seat: int, card: Card) -> State:
    cards = sort_cards([*state.seats[seat].cards, card])
    return replace(_with_seat(state, seat, cards=cards, answered=True), drawn=card, phase=Phase.PLAY)


def _showed(state: State, seat: int, kind: ShowKind, laid: tuple[Cards, ...]) -> State:
    before = state.seats[seat]
    shown = replace(before, laid=laid, shown=kind, seen=state.rules.open_tiplu)
    cards = _reveal(before.cards, shown.locked().elements())
    state = _with_seat(state, seat, laid=laid, shown=kind, seen=shown.seen, cards=cards)
    cuts_now = state.tiplu is None and state.rules.same_turn_finish
    return replace(state, shown_now=True, phase=Phase.CUT if cuts_now else Phase.PLAY)


def _cut(state: State, place: int, card: Card) -> State:
    stock = state.stock[:place] + state.stock[place + 1 :]
    return replace(state, stock=stock, tiplu=_known(card, state.tiplu))


def _after_cut(state: State) -> State:
    """The turn goes on, or passes where the tiplu is cut only with the discard."""
    if state.rules.same_turn_finish:
        return replace(state, phase=Phase.PLAY)
    return _passed(state)


def _passed(state: State) -> State:
    return replace(
        state,
        phase=Phase.DRAW,
        turn=state.next_live(state.turn),
        taken=None,
        drawn=None,
        shown_now=False,
    )


def _discarded(state: State, event: Discarded) -> State:
    before, card = state.seats[event.seat], event.card
    cards = without(_reveal(before.cards, [*before.locked().elements(), card]), [card])
    state = _with_seat(state, event.seat, cards=cards, threw=before.threw or event.threw)
    state = replace(state, pile=(*state.pile, card), drawn=None)
    cuts_now = state.tiplu is None and state.shown_now
    return replace(state, phase=Phase.CUT) if cuts_now else _passed(state)


def _finished(state: State, seat: int, groups: tuple[Cards, ...], discard: Card) -> State:
    before = state.seats[seat]
    used = [card for group in groups for card in group if card not in before.exposed]
    cards = without(_reveal(before.cards, [*before.locked().elements(), *used, discard]), [discard])
    return _with_seat(
        replace(state, pile=(*state.pile, discard), drawn=None), seat, cards=cards, finish=groups
    )


def _settled(state: State, event: Settled) -> State:
    seats = tuple(replace(seat, cards=hand) for seat, hand in zip(state.seats, event.hands, strict=True))
    return replace(
        state,
        seats=seats,
        stock=event.stock,
        tiplu=event.tiplu,
        phase=Phase.OVER,
        taken=None,
        drawn=None,
        shown_now=False,
        sheet=event.sheet,
    )
