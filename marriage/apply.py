"""Fold events into a state. The rules are not checked again, because `decide` has checked them."""

from bisect import bisect
from collections import Counter
from collections.abc import Iterable
from typing import Any

from marriage.bits import COPY
from marriage.cards import UNKNOWN, Card, Cards, sort_cards, without
from marriage.duplicate_board import share_out
from marriage.events import (
    ClaimFailed,
    Dealt,
    Discarded,
    Dismissed,
    Drew,
    Event,
    Finished,
    FinishedDublees,
    FoulLifted,
    FoulRuled,
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
from marriage.state import (
    CUT,
    DRAW,
    DUBLEES,
    GROUPS,
    OVER,
    PLAY,
    SEATS,
    STATES,
    WINDOW,
    Seat,
    ShowKind,
    State,
)


def replay(events: Iterable[Event]) -> State:
    """Return the state after all these events; raises ValueError unless the first event, and only that, is Dealt."""
    state: State | None = None
    for event in events:
        state = apply(state, event)
    if state is None:
        raise ValueError("a deal has at least one event")
    return state


def apply(state: State | None, event: Event) -> State:
    """Return the state after `event`; `state` is None before the deal. Raises ValueError for an impossible event."""
    if state is None:
        if not isinstance(event, Dealt):
            raise ValueError("the first event of a deal is Dealt")
        return _dealt(event)
    after = STATES.draft(state)
    after.version = state.version + 1
    _fold(state, after, event)
    return STATES.done(after)


def _dealt(event: Dealt) -> State:
    rules, players = event.rules, len(event.hands)
    order = rules.playing_order(players, event.dealer)
    stock, stocks, aside = event.stock, (), ()
    if event.board:
        shared = share_out(event.stock, order)
        stock, aside = shared.stocks[order[0]], (shared.tiplu, *shared.out)
        stocks = _with_stock(shared.stocks, order[0], ())
    return State(
        rules=rules,
        dealer=event.dealer,
        seats=tuple(Seat(cards=sort_cards(hand)) for hand in event.hands),
        stock=stock,
        pile=(event.up_card,),
        phase=WINDOW if rules.tunnela_window == "before_first_draw" else DRAW,
        turn=order[0],
        key=event.key,
        version=1,
        better=event.better,
        carry=event.carry,
        stocks=stocks,
        aside=aside,
    )


def _with_stock(stocks: tuple[Cards, ...], seat: int, stock: Cards) -> tuple[Cards, ...]:
    return (*stocks[:seat], stock, *stocks[seat + 1 :])


# In the functions below `state` is the state before the event, and `after` is a draft of the state after it.


def _fold(state: State, after: Any, event: Event) -> None:  # noqa: C901 - one plain case an event
    match event:  # the most frequent events first, since the cases are tried in turn
        case Discarded():
            _discarded(state, after, event)
        case Drew():
            after.stock = state.stock[1:]
            _receive(state, after, event.seat, event.card)
        case Took():
            after.pile, after.taken = state.pile[:-1], event.card
            after.throwers = state.throwers[:-1]
            _receive(state, after, event.seat, event.card)
        case TunnelasExposed():
            _expose(state, after, event)
        case TunnelasDeclined():
            after.seats = _seats(state, event.seat, answered=True)
        case WindowClosed():
            after.phase = DRAW
        case Showed():
            _show(state, after, event.seat, GROUPS, event.groups)
        case ShowedDublees():
            _show(state, after, event.seat, DUBLEES, event.pairs)
        case TipluCut():
            _cut(state, after, event.place, event.card)
            after.seats = _seats(state, event.seat, seen=True)
            after.phase = PLAY
            if not state.rules.same_turn_finish:  # the cut then follows the discard and ends the turn
                _pass_turn(state, after)
        case TipluTurned():
            _cut(state, after, event.place, event.card)
        case TipluSeen():
            after.tiplu = _known(event.card, state.tiplu)
            after.seats = _seats(state, event.seat, seen=True)
        case Reshuffled():
            after.stock, after.pile = event.stock, state.pile[-1:]
            after.throwers = state.throwers[-1:]
            after.reshuffles = state.reshuffles + 1
        case Finished():
            used = tuple(card for group in event.groups for card in group)
            _finish(state, after, event.seat, event.groups, used, event.discard)
        case FinishedDublees():
            used = () if event.pair[0] in state.seats[event.seat].exposed else event.pair
            _finish(state, after, event.seat, (event.pair,), used, event.discard)
        case ClaimFailed():
            after.seats = _seats(state, event.seat, out=True)
            _pass_turn(state, after)
        case FoulRuled():
            after.seats = _seats(state, event.seat, ruled=event.why)
        case FoulLifted():
            after.seats = _seats(state, event.seat, ruled=None)
        case Dismissed():
            _end_turn(after)
        case Settled():
            _settle(state, after, event)
        case Dealt():
            raise ValueError("a deal is dealt once")


def _seats(state: State, seat: int, **changes: Any) -> tuple[Seat, ...]:
    """Return the seats, with these fields of one seat changed."""
    return _with_seat(state.seats, seat, SEATS.changed(state.seats[seat], **changes))


def _with_seat(seats: tuple[Seat, ...], place: int, seat: Seat) -> tuple[Seat, ...]:
    changed = list(seats)
    changed[place] = seat
    return tuple(changed)


def _reveal(cards: Cards, shown: Iterable[Card]) -> Cards:
    """Return the hand with its unknown cards replaced by the cards of `shown` that it lacks."""
    missing = Counter(shown) - Counter(cards)
    if not missing:
        return cards
    known = without(cards, [UNKNOWN] * missing.total())
    return sort_cards([*known, *missing.elements()])


def _known(card: Card, before: Card | None) -> Card:
    """Return the tiplu as far as it is known: a masked event does not hide a known face again."""
    return before if card == UNKNOWN and before is not None else card


def _expose(state: State, after: Any, event: TunnelasExposed) -> None:
    seat = state.seats[event.seat]
    open_cards = [face for face in event.faces for _ in range(3)]
    after.seats = _seats(
        state,
        event.seat,
        cards=_reveal(seat.cards, [*open_cards, *(seat.exposed * 3)]),
        exposed=seat.exposed + event.faces,
        answered=True,
    )


def _receive(state: State, after: Any, seat: int, card: Card) -> None:
    before = state.seats[seat]
    receiver = SEATS.draft(before)
    receiver.cards = _inserted(before.cards, card)
    if before.laid or before.exposed:
        receiver.in_hand = _inserted(before.concealed(), card)
    receiver.bits = before.packed() + COPY[card]
    receiver.answered = True
    after.seats = _with_seat(state.seats, seat, SEATS.done(receiver))
    after.drawn = card
    after.phase = PLAY


def _inserted(cards: Cards, card: Card) -> Cards:
    place = bisect(cards, card)
    return cards[:place] + (card,) + cards[place:]  # noqa: RUF005 - twice as fast as unpacking


def _taken_out(cards: Cards, card: Card) -> Cards:
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def _show(state: State, after: Any, seat: int, kind: ShowKind, laid: tuple[Cards, ...]) -> None:
    before = state.seats[seat]
    cards = _reveal(before.cards, SEATS.changed(before, laid=laid).locked().elements())
    after.seats = _seats(state, seat, laid=laid, shown=kind, seen=state.rules.open_tiplu, cards=cards)
    after.shown_now = True
    after.phase = CUT if state.tiplu is None and state.rules.same_turn_finish else PLAY


def _cut(state: State, after: Any, place: int, card: Card) -> None:
    if state.stocks:
        after.aside = state.aside[1:]
    else:
        after.stock = state.stock[:place] + state.stock[place + 1 :]
    after.tiplu = card


def _pass_turn(state: State, after: Any) -> None:
    after.phase = DRAW
    after.turn = state.next_live(state.turn)
    if state.stocks:
        stocks = _with_stock(state.stocks, state.turn, after.stock)
        after.stock = stocks[after.turn]
        after.stocks = _with_stock(stocks, after.turn, ())
    _end_turn(after)


def _end_turn(after: Any) -> None:
    after.taken = after.drawn = None
    after.shown_now = False


def _discarded(state: State, after: Any, event: Discarded) -> None:
    before, card = state.seats[event.seat], event.card
    thrower = SEATS.draft(before)
    concealed = before.concealed()
    if card not in concealed:
        thrower.cards = _taken_out(_reveal(before.cards, [*before.locked().elements(), card]), card)
    else:
        thrower.cards = _taken_out(before.cards, card)
        if concealed is not before.cards:
            thrower.in_hand = _taken_out(concealed, card)
        thrower.bits = before.packed() - COPY[card]
    if event.threw:
        thrower.threw = True
    after.seats = _with_seat(state.seats, event.seat, SEATS.done(thrower))
    after.pile = state.pile + (card,)  # noqa: RUF005 - three times as fast as unpacking
    after.throwers = state.throwers + (event.seat,)  # noqa: RUF005
    if state.cut_by_discard:
        after.phase, after.drawn = CUT, None
    else:
        _pass_turn(state, after)


def _finish(
    state: State, after: Any, seat: int, groups: tuple[Cards, ...], used: Cards, discard: Card
) -> None:
    before = state.seats[seat]
    cards = without(_reveal(before.cards, [*before.locked().elements(), *used, discard]), [discard])
    after.seats = _seats(state, seat, cards=cards, finish=groups)
    after.pile = (*state.pile, discard)
    after.throwers = (*state.throwers, seat)
    after.drawn = None


def _settle(state: State, after: Any, event: Settled) -> None:
    hands = zip(state.seats, event.hands, strict=True)
    after.seats = tuple(SEATS.changed(seat, cards=hand) for seat, hand in hands)
    after.stock, after.tiplu, after.sheet = event.stock, event.tiplu, event.sheet
    after.phase = OVER
    _end_turn(after)
