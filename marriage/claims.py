"""A false claim, where it is a foul: a wrong show or finish kills the hand."""

from marriage.actions import Action
from marriage.errors import IllegalAction, Refusal
from marriage.events import ClaimFailed, Event
from marriage.rules import Rules
from marriage.state import State
from marriage.turns import end_turn

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
"""Said at the right time, of cards one holds, and wrong. All else that is wrong with a claim is merely refused."""


def is_false_claim(refusal: IllegalAction, rules: Rules) -> bool:
    """Whether what was refused is a foul at this table."""
    return rules.false_claim == "foul" and refusal.code in FALSE_CLAIMS


def claim_failed(state: State, seat: int, action: Action, reason: Refusal) -> list[Event]:
    """The hand dies and is passed over from now on.

    The last live hand plays on by itself, so that nobody escapes from a deal by a foul (`dead_hand: pays`); else one
    live hand alone dismisses the deal.
    """
    return end_turn(state, [ClaimFailed(seat=seat, claim=action, reason=reason)])
