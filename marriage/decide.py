"""The rules of play: from an action to the events that it causes, or to the refusal that names the broken rule."""

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
from marriage.errors import IllegalActionError, Refusal
from marriage.events import Dealt, Event, TipluTurned
from marriage.moves.checks import require
from marriage.moves.drawing import draw, take
from marriage.moves.false_claims import claim_failed, is_false_claim
from marriage.moves.finishing import finish, finish_dublees
from marriage.moves.showing import cut, pack_place, show, show_dublees
from marriage.moves.tunnela_window import decline, expose
from marriage.moves.turns import discard
from marriage.rules import SEATS_MAX, SEATS_MIN, Rules
from marriage.shuffle import DealSeed, deal_cards
from marriage.state import State
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
    """The events that `action` by `seat` causes; raises IllegalActionError, whose code names the broken rule."""
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
