"""Finishing a deal: by groups or by an eighth dublee, with one closing discard."""

from marriage.actions import Finish, FinishDublees
from marriage.cards import sort_cards, without
from marriage.errors import IllegalActionError, Refusal
from marriage.events import Event, Finished, FinishedDublees
from marriage.groups import is_group, wilds_for
from marriage.moves.ending import ended
from marriage.moves.pickup import eighth_pairs, free_beside
from marriage.moves.showing import require_held
from marriage.moves.turns import require_discard, require_turn
from marriage.state import Phase, Seat, ShowKind, State


def finish(state: State, seat: int, action: Finish) -> list[Event]:
    """The events of a finish by groups; raises IllegalActionError."""
    winner = _winner(state, seat, ShowKind.GROUPS)
    groups = tuple(map(sort_cards, action.groups))
    require_held(winner, groups)
    left = without(winner.concealed(), [card for group in groups for card in group])
    if len(left) != 1:
        raise IllegalActionError(Refusal.CARDS_LEFT_OVER, cards=left)
    wilds = wilds_for(state.tiplu, state.rules)
    for group in groups:
        if not is_group(group, wilds, state.rules):
            raise IllegalActionError(Refusal.NOT_A_GROUP, group=group)
    if left[0] != action.discard:
        raise IllegalActionError(Refusal.NOT_HELD, card=action.discard)
    require_discard(state, seat, action.discard, winner.concealed())
    return ended(state, Finished(seat=seat, groups=groups, discard=action.discard))


def finish_dublees(state: State, seat: int, action: FinishDublees) -> list[Event]:
    """The events of a finish by an eighth dublee; raises IllegalActionError."""
    winner = _winner(state, seat, ShowKind.DUBLEES)
    face = action.face
    if face not in eighth_pairs(winner.cards, winner.laid, state.rules):
        raise IllegalActionError(Refusal.NO_EIGHTH_DUBLEE, face=face)
    if state.taken is not None and not state.shown_now and face != state.taken:
        raise IllegalActionError(Refusal.MUST_FINISH, card=state.taken)
    pool = free_beside(face, winner.concealed(), winner.exposed)
    require_discard(state, seat, action.discard, pool)
    return ended(state, FinishedDublees(seat=seat, pair=(face, face), discard=action.discard))


def _winner(state: State, seat: int, kind: ShowKind) -> Seat:
    """The seat, if it may finish in this way now; raises IllegalActionError."""
    require_turn(state, seat, Phase.PLAY)
    winner = state.seats[seat]
    if winner.shown is None:
        raise IllegalActionError(Refusal.SHOW_FIRST)
    if winner.shown is not kind:
        dublees = winner.shown is ShowKind.DUBLEES
        raise IllegalActionError(Refusal.SHOWED_DUBLEES if dublees else Refusal.SHOWED_GROUPS)
    if state.shown_now and not state.rules.same_turn_finish:
        raise IllegalActionError(Refusal.FINISH_NEXT_TURN)
    return winner
