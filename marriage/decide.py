"""The rules of play: turn an action into its events, or refuse it and name the broken rule."""

from collections.abc import Sequence

from marriage.actions import (
    Action,
    CutTiplu,
    DeclineTunnelas,
    Discard,
    DrawStock,
    ExposeTunnelas,
    Finish,
    FinishDublees,
    Show,
    ShowDublees,
    TakeDiscard,
)
from marriage.apply import apply
from marriage.cards import Cards, sort_cards
from marriage.errors import IllegalActionError, Refusal
from marriage.events import (
    ClaimFailed,
    Dealt,
    Event,
    Finished,
    FinishedDublees,
    Showed,
    ShowedDublees,
    TipluCut,
    TipluSeen,
    TipluTurned,
    TunnelasDeclined,
    TunnelasExposed,
    WindowClosed,
    drew,
    took,
)
from marriage.moves import discard, end_turn, ended, refill_to_cut, require
from marriage.rules import SEATS_MAX, SEATS_MIN, Rules
from marriage.shuffle import DealSeed, deal_cards
from marriage.state import Phase, State
from marriage.view import own_view


def start(
    rules: Rules,
    players: int,
    dealer: int,
    key: DealSeed,
    *,
    better: bool = False,
    carry: Sequence[int] = (),
    board: bool = False,
) -> list[Event]:
    """Deal the cards: the first events of a deal with `players` seats.

    `better`: whether the deal counts `better_factor`-fold.
    `carry`: who still owes the penalty of a foul in an earlier deal, listed once for each foul. Numbers from `players` on
    are people without a seat in this deal; their lines of the score sheet follow those of the seats.
    `board`: whether this is a duplicate deal, with a stock for each seat and a fixed tiplu (see `marriage.duplicate_board`).

    Raises ValueError unless there are 2 to 5 seats, the dealer is one of them, and all numbers in `carry` are at least 0.
    """
    if not SEATS_MIN <= players <= SEATS_MAX or not 0 <= dealer < players:
        raise ValueError(f"a deal has {SEATS_MIN} to {SEATS_MAX} seats and a dealer among them")
    if min(carry, default=0) < 0:
        raise ValueError("a player who owes a foul has a number of at least 0")
    hands, up_card, stock = deal_cards(key.deck(rules), rules.playing_order(players, dealer))
    dealt = Dealt(
        rules=rules,
        dealer=dealer,
        hands=hands,
        up_card=up_card,
        stock=stock,
        key=key,
        better=better,
        carry=tuple(carry),
        board=board,
    )
    if not rules.open_tiplu:
        return [dealt]
    place = pack_place(stock, 0 if board else key.cut(len(stock)))
    return [dealt, TipluTurned(place=place, card=stock[place])]


def decide(state: State, seat: int, action: Action) -> list[Event]:
    """Return the events that `action` by `seat` causes; raises IllegalActionError, whose code names the broken rule."""
    if not 0 <= seat < len(state.seats):
        raise IllegalActionError(Refusal.NO_SUCH_SEAT, seat=seat)
    try:
        require(own_view(state, seat), action)
    except IllegalActionError as refusal:
        if is_false_claim(refusal, state.rules):
            return claim_failed(state, seat, action, refusal.code)
        raise
    return _decide(state, seat, action)


def _decide(state: State, seat: int, action: Action) -> list[Event]:  # noqa: C901 - one plain case an action
    match action:  # the most frequent actions first, since the cases are tried in turn
        case Discard():
            return discard(state, seat, action.card)
        case DrawStock():
            return draw(state, seat)
        case TakeDiscard():
            return take(state, seat)
        case ExposeTunnelas():
            return expose(state, seat, action.faces)
        case DeclineTunnelas():
            return decline(state, seat)
        case Show():
            return show(state, seat, action.groups)
        case ShowDublees():
            return show_dublees(state, seat, action.faces)
        case CutTiplu():
            return cut(state, seat, action.place)
        case Finish():
            return finish(state, seat, action)
        case FinishDublees():
            return finish_dublees(state, seat, action)


def draw(state: State, seat: int) -> list[Event]:
    """Return the events of drawing the top card of the stock."""
    return [drew(seat, state.stock[0])]


def take(state: State, seat: int) -> list[Event]:
    """Return the events of taking the top card of the pile."""
    return [took(seat, state.pile[-1])]


def finish(state: State, seat: int, action: Finish) -> list[Event]:
    """Return the events of a finish by groups."""
    groups = tuple(map(sort_cards, action.groups))
    return ended(state, Finished(seat=seat, groups=groups, discard=action.discard))


def finish_dublees(state: State, seat: int, action: FinishDublees) -> list[Event]:
    """Return the events of a finish by an eighth dublee."""
    pair = (action.face, action.face)
    return ended(state, FinishedDublees(seat=seat, pair=pair, discard=action.discard))


def expose(state: State, seat: int, faces: Cards) -> list[Event]:
    """Return the events of exposing the tunnelas of these faces."""
    return _answered(state, TunnelasExposed(seat=seat, faces=faces))


def decline(state: State, seat: int) -> list[Event]:
    """Return the events of exposing nothing."""
    return _answered(state, TunnelasDeclined(seat=seat))


def _answered(state: State, answer: Event) -> list[Event]:
    after = apply(state, answer)
    done = state.phase is Phase.WINDOW and all(seat.answered for seat in after.seats)
    return [answer, WindowClosed()] if done else [answer]


def show(state: State, seat: int, groups: tuple[Cards, ...]) -> list[Event]:
    """Return the events of showing three primary groups."""
    return _after_show(state, Showed(seat=seat, groups=tuple(map(sort_cards, groups))))


def show_dublees(state: State, seat: int, faces: Cards) -> list[Event]:
    """Return the events of showing seven dublees."""
    laid = tuple((face, face) for face in sort_cards(faces))
    return _after_show(state, ShowedDublees(seat=seat, pairs=laid))


def cut(state: State, seat: int, place: int | None) -> list[Event]:
    """Return the events of cutting the tiplu at a place in the stock.

    None stands for a random place. Raises IllegalActionError.
    """
    places = state.aside[:1] if state.stocks else state.stock  # in a duplicate deal the tiplu is fixed
    chosen = place is not None
    if place is None:
        place = state.key.cut(len(places))
    elif not 0 <= place < len(places):
        raise IllegalActionError(Refusal.NO_SUCH_PLACE, places=len(places))
    place = pack_place(places, place)
    events: list[Event] = [TipluCut(seat=seat, place=place, card=places[place], chosen=chosen)]
    return events if state.rules.same_turn_finish else end_turn(state, events)


def pack_place(stock: Cards, place: int) -> int:
    """Return the first place from `place` on, wrapping around, that has a pack card.

    Man and master cards cannot be the tiplu.
    """
    places = [*range(place, len(stock)), *range(place)]
    return next(index for index in places if stock[index].is_pack)


def _after_show(state: State, showed: Showed | ShowedDublees) -> list[Event]:
    if state.tiplu is None:
        refill = not state.stocks and not any(card.is_pack for card in state.stock)
        return [showed, *refill_to_cut(apply(state, showed))] if refill else [showed]
    looks = state.rules.same_turn_finish and not state.rules.open_tiplu
    return [showed, TipluSeen(seat=showed.seat, card=state.tiplu)] if looks else [showed]


FALSE_CLAIMS = frozenset(
    {
        Refusal.NOT_THREE_GROUPS,
        Refusal.NOT_PRIMARY,
        Refusal.NOT_SEVEN_DUBLEES,
        Refusal.NOT_A_GROUP,
        Refusal.CARDS_LEFT_OVER,
        Refusal.NO_EIGHTH_DUBLEE,
    }
)
"""Refusals of shows and finishes made at the right time with cards of the hand. All other refusals are never fouls."""


def is_false_claim(refusal: IllegalActionError, rules: Rules) -> bool:
    """Return whether the refused action is a foul under these rules."""
    return rules.false_claim == "foul" and refusal.code in FALSE_CLAIMS


def claim_failed(state: State, seat: int, action: Action, reason: Refusal) -> list[Event]:
    """Return the events of a false claim: the hand is dead and skipped for the rest of the deal.

    With `dead_hand="pays"` the last live hand plays on alone, so that a foul is no way out of a deal.
    Otherwise the deal is dismissed when only one live hand is left.
    """
    return end_turn(state, [ClaimFailed(seat=seat, claim=action, reason=reason)])
