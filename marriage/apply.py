"""Folding events into a state. What was decided is never judged again here.

Masked events fold as well: a card that was `UNKNOWN` in a hand turns into the face it shows when it is seen.
"""

from collections import Counter
from collections.abc import Iterable
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
from marriage.state import Phase, Seat, ShowKind, State, changed_seat, changed_state


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
    return changed_state(state, version=state.version + 1, **_changes(state, event))


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
    return changed_state(state, turn=state.next_seat(event.dealer))


Changes = dict[str, Any]
"""The fields of a state that an event changes, and what they are then."""


def _changes(state: State, event: Event) -> Changes:  # noqa: C901 - one plain case an event
    match event:  # the commonest first: the cases are tried one after the other
        case Discarded():
            return _discarded(state, event)
        case Drew():
            return {"stock": state.stock[1:], **_received(state, event.seat, event.card)}
        case Took():
            received = _received(state, event.seat, event.card)
            return {"pile": state.pile[:-1], "taken": event.card, **received}
        case TunnelasExposed():
            return _exposed(state, event)
        case TunnelasDeclined():
            return {"seats": _seats(state, event.seat, answered=True)}
        case WindowClosed():
            return {"phase": Phase.DRAW}
        case Showed():
            return _showed(state, event.seat, ShowKind.GROUPS, event.groups)
        case ShowedDublees():
            return _showed(state, event.seat, ShowKind.DUBLEES, event.pairs)
        case TipluCut():
            seen = {"seats": _seats(state, event.seat, seen=True)}
            return seen | _cut(state, event.place, event.card) | _after_cut(state)
        case TipluTurned():
            return _cut(state, event.place, event.card)
        case TipluSeen():
            return {
                "tiplu": _known(event.card, state.tiplu),
                "seats": _seats(state, event.seat, seen=True),
            }
        case Reshuffled():
            return {"stock": event.stock, "pile": state.pile[-1:], "reshuffles": state.reshuffles + 1}
        case Finished():
            return _finished(state, event.seat, event.groups, event.discard)
        case FinishedDublees():
            return _finished(state, event.seat, (event.pair,), event.discard)
        case ClaimFailed():
            return {"seats": _seats(state, event.seat, out=True), **_passed(state)}
        case Dismissed():
            return dict(_TURN_OVER)
        case Settled():
            return _settled(state, event)
        case Dealt():
            raise ValueError("a deal is dealt once")


_TURN_OVER: Changes = {"taken": None, "drawn": None, "shown_now": False}


def _seats(state: State, seat: int, **changes: Any) -> tuple[Seat, ...]:
    """The seats, one of them changed."""
    seats = list(state.seats)
    seats[seat] = changed_seat(seats[seat], **changes)
    return tuple(seats)


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


def _exposed(state: State, event: TunnelasExposed) -> Changes:
    seat = state.seats[event.seat]
    open_cards = [face for face in event.faces for _ in range(3)]
    seats = _seats(
        state,
        event.seat,
        cards=_reveal(seat.cards, [*open_cards, *(seat.exposed * 3)]),
        exposed=seat.exposed + event.faces,
        answered=True,
    )
    return {"seats": seats}


def _received(state: State, seat: int, card: Card) -> Changes:
    cards = sort_cards((*state.seats[seat].cards, card))
    return {"seats": _seats(state, seat, cards=cards, answered=True), "drawn": card, "phase": Phase.PLAY}


def _showed(state: State, seat: int, kind: ShowKind, laid: tuple[Cards, ...]) -> Changes:
    before = state.seats[seat]
    shown = changed_seat(before, laid=laid, shown=kind, seen=state.rules.open_tiplu)
    cards = _reveal(before.cards, shown.locked().elements())
    seats = _seats(state, seat, laid=laid, shown=kind, seen=shown.seen, cards=cards)
    cuts_now = state.tiplu is None and state.rules.same_turn_finish
    return {"seats": seats, "shown_now": True, "phase": Phase.CUT if cuts_now else Phase.PLAY}


def _cut(state: State, place: int, card: Card) -> Changes:
    stock = state.stock[:place] + state.stock[place + 1 :]
    return {"stock": stock, "tiplu": _known(card, state.tiplu)}


def _after_cut(state: State) -> Changes:
    """The turn goes on, or passes where the tiplu is cut only with the discard."""
    return {"phase": Phase.PLAY} if state.rules.same_turn_finish else _passed(state)


def _passed(state: State) -> Changes:
    return {"phase": Phase.DRAW, "turn": state.next_live(state.turn), **_TURN_OVER}


def _discarded(state: State, event: Discarded) -> Changes:
    before, card = state.seats[event.seat], event.card
    held = before.cards
    if card not in before.concealed():
        held = _reveal(held, [*before.locked().elements(), card])
    cards = without(held, [card])
    seats = _seats(state, event.seat, cards=cards, threw=before.threw or event.threw)
    onward = {"phase": Phase.CUT, "drawn": None} if state.cut_by_discard else _passed(state)
    return {"seats": seats, "pile": (*state.pile, card), **onward}


def _finished(state: State, seat: int, groups: tuple[Cards, ...], discard: Card) -> Changes:
    before = state.seats[seat]
    used = [card for group in groups for card in group if card not in before.exposed]
    cards = without(_reveal(before.cards, [*before.locked().elements(), *used, discard]), [discard])
    seats = _seats(state, seat, cards=cards, finish=groups)
    return {"seats": seats, "pile": (*state.pile, discard), "drawn": None}


def _settled(state: State, event: Settled) -> Changes:
    hands = zip(state.seats, event.hands, strict=True)
    return {
        "seats": tuple(changed_seat(seat, cards=hand) for seat, hand in hands),
        "stock": event.stock,
        "tiplu": event.tiplu,
        "phase": Phase.OVER,
        "sheet": event.sheet,
        **_TURN_OVER,
    }
