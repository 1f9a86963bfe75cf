"""Fouls ruled by people, for offences that the engine cannot see, such as revealing one's cards to others.

A ruled foul costs its penalty, but the hand plays on.
"""

from marriage.errors import IllegalActionError, Refusal
from marriage.events import Event, FoulLifted, FoulReason, FoulRuled
from marriage.state import OVER, State


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
