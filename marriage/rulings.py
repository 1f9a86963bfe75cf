"""Fouls that people rule: what no engine can see, such as telling somebody one's cards. The hand lives; the price is due."""

from marriage.errors import IllegalAction, Refusal
from marriage.events import Event, FoulLifted, FoulReason, FoulRuled
from marriage.state import OVER, State


def rule_foul(state: State, seat: int, why: FoulReason, by: int | None) -> list[Event]:
    """Rule a foul against a seat; `by` is the seat that does, None for somebody without one.

    It costs what the rules say, once a seat and deal, and the hand plays on: so it can be taken back until the deal is
    over. Raises IllegalAction.
    """
    _require_open(state, seat)
    if state.rules.foul == "off":
        raise IllegalAction(Refusal.NO_FOULS)
    if state.seats[seat].ruled is not None:
        raise IllegalAction(Refusal.ALREADY_RULED)
    return [FoulRuled(seat=seat, why=why, by=by)]


def lift_foul(state: State, seat: int) -> list[Event]:
    """Take a ruled foul back; raises IllegalAction."""
    _require_open(state, seat)
    if state.seats[seat].ruled is None:
        raise IllegalAction(Refusal.NOT_RULED)
    return [FoulLifted(seat=seat)]


def _require_open(state: State, seat: int) -> None:
    if state.phase is OVER:
        raise IllegalAction(Refusal.DEAL_OVER)
    if not 0 <= seat < len(state.seats):
        raise IllegalAction(Refusal.NO_SUCH_SEAT, seat=seat)
