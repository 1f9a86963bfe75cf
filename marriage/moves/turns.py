"""The end of a turn and of a deal: the discard, what follows when the stock or the live hands run out, and the score sheet.

People can also rule a foul, for an offence that the engine cannot see, such as revealing one's cards to others. It costs its
penalty, but the hand plays on.
"""

from marriage.apply import apply
from marriage.cards import Card
from marriage.errors import IllegalActionError, Refusal
from marriage.events import (
    Dismissed,
    Event,
    Finished,
    FinishedDublees,
    FoulLifted,
    FoulReason,
    FoulRuled,
    Reshuffled,
    Settled,
    TipluSeen,
    discarded,
)
from marriage.maal import wild_faces
from marriage.scoring.result import FinalSeat, dismissed_sheet, sheet_of
from marriage.sheet import Ending, Sheet, Status
from marriage.state import OVER, Seat, ShowKind, State


def discard(state: State, seat: int, card: Card) -> list[Event]:
    """Return the events of a discard."""
    thrower = state.seats[seat]
    events: list[Event] = [discarded(seat, card, _throws(state, seat, card))]
    if state.cut_by_discard:
        return events
    if state.shown_now and not thrower.seen and state.tiplu is not None:
        events.append(TipluSeen(seat=seat, card=state.tiplu))
    # A discard uses up neither stock nor a live hand, so the deal cannot end here. In a duplicate deal it can, since the
    # next seat draws from another stock.
    return events if state.stock and not state.stocks else end_turn(state, events)


def _throws(state: State, seat: int, card: Card) -> bool:
    """Return whether this discard is a throw foul: a wild pack card, thrown after seeing to a seat that has seen."""
    if not state.rules.throw_foul or state.tiplu is None or not state.seats[seat].seen:
        return False
    following = state.next_live(seat)
    receives = following != seat and state.seats[following].seen
    return receives and card.is_pack and card in wild_faces(state.tiplu)


def end_turn(state: State, events: list[Event]) -> list[Event]:
    """Append a reshuffle or a dismissal to the events of a turn if the stock or the live hands have run out."""
    after = state
    for event in events:
        after = apply(after, event)
    rules = after.rules
    if sum(not seat.out for seat in after.seats) < (1 if rules.dead_hand == "pays" else 2):
        return [*events, *dismissed(after)]
    if after.stock:
        return events
    if not rules.may_reshuffle(after.reshuffles) or len(after.pile) <= 1:
        return [*events, *dismissed(after)]
    return [*events, _reshuffle(after)]


def refill_to_cut(state: State) -> list[Event]:
    """Return the events after a first show when no card in the stock can be the tiplu.

    The discards become a new stock if the rules allow that; otherwise the deal is dismissed.
    """
    may = state.rules.may_reshuffle(state.reshuffles) and any(card.is_pack for card in state.pile[:-1])
    return [_reshuffle(state)] if may else dismissed(state)


def _reshuffle(state: State) -> Reshuffled:
    """Shuffle all discards except the top one under the rest of the stock."""
    order = state.key.reshuffle(state.reshuffles + 1, state.pile[:-1])
    return Reshuffled(stock=(*state.stock, *order))


def ended(state: State, finished: Finished | FinishedDublees) -> list[Event]:
    """Return the finish, followed by its settlement."""
    after = apply(state, finished)
    if after.tiplu is None:
        raise RuntimeError("a finish implies a show, and so a tiplu")
    sheet = sheet_of(
        _final_seats(after),
        after.tiplu,
        finished.seat,
        Ending.GROUPS if isinstance(finished, Finished) else Ending.DUBLEES,
        after.rules,
        better=after.better,
        carry=after.carry,
        thrown=_thrown(after),
    )
    return [finished, _settled(after, sheet)]


def dismissed(state: State) -> list[Event]:
    """Return the events that end a deal without a winner."""
    sheet = dismissed_sheet(_final_seats(state), state.rules, carry=state.carry, thrown=_thrown(state))
    return [Dismissed(), _settled(state, sheet)]


def _final_seats(state: State) -> list[FinalSeat]:
    """Return the seats of the deal, followed by people without a seat who still owe a foul."""
    absent = max(state.carry, default=-1) + 1 - len(state.seats)
    return [*map(_final_seat, state.seats), *(FinalSeat(status=Status.PAUSE) for _ in range(absent))]


def _final_seat(seat: Seat) -> FinalSeat:
    return FinalSeat(
        cards=seat.cards,
        exposed=seat.exposed,
        laid=seat.laid if seat.shown is ShowKind.GROUPS else (),
        status=_status(seat),
        dublees=seat.shown is ShowKind.DUBLEES,
    )


def _status(seat: Seat) -> Status:
    if seat.out:
        return Status.FOUL
    return Status.UNSEEN if seat.shown is None else Status.SEEN


def _thrown(state: State) -> tuple[int, ...]:
    """Return the seats with a throw foul or a ruled foul."""
    return tuple(index for index, seat in enumerate(state.seats) if seat.threw or seat.ruled is not None)


def _settled(state: State, sheet: Sheet) -> Settled:
    return Settled(
        hands=tuple(seat.cards for seat in state.seats), stock=state.stock, tiplu=state.tiplu, sheet=sheet
    )


def rule_foul(state: State, seat: int, why: FoulReason, by: int | None) -> list[Event]:
    """Return the events of ruling a foul against a seat; raises IllegalActionError.

    `by` is the seat that rules it, or None for a person without a seat. There is one penalty per seat and
    deal. The hand plays on, so `lift_foul` can withdraw the foul until the deal is over.
    """
    _require_open(state, seat)
    if state.rules.foul == "off":
        raise IllegalActionError(Refusal.NO_FOULS)
    if state.seats[seat].ruled is not None:
        raise IllegalActionError(Refusal.ALREADY_RULED)
    return [FoulRuled(seat=seat, why=why, by=by)]


def lift_foul(state: State, seat: int) -> list[Event]:
    """Return the events of withdrawing a ruled foul; raises IllegalActionError."""
    _require_open(state, seat)
    if state.seats[seat].ruled is None:
        raise IllegalActionError(Refusal.NOT_RULED)
    return [FoulLifted(seat=seat)]


def _require_open(state: State, seat: int) -> None:
    if state.phase is OVER:
        raise IllegalActionError(Refusal.DEAL_OVER)
    if not 0 <= seat < len(state.seats):
        raise IllegalActionError(Refusal.NO_SUCH_SEAT, seat=seat)
