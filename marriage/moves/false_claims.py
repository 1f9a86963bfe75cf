"""False claims: at tables where a wrong show or finish is a foul, it kills the hand (`false_claim`)."""

from marriage.actions import Action
from marriage.errors import IllegalActionError, Refusal
from marriage.events import ClaimFailed, Event
from marriage.moves.turns import end_turn
from marriage.rules import Rules
from marriage.state import State

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
    """Whether the refused action is a foul under these rules."""
    return rules.false_claim == "foul" and refusal.code in FALSE_CLAIMS


def claim_failed(state: State, seat: int, action: Action, reason: Refusal) -> list[Event]:
    """The events of a false claim: the hand is dead and skipped for the rest of the deal.

    With `dead_hand="pays"` the last live hand plays on alone, so that a foul is no way out of a deal. Otherwise the deal
    is dismissed when one live hand is left.
    """
    return end_turn(state, [ClaimFailed(seat=seat, claim=action, reason=reason)])
