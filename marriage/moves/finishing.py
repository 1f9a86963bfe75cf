"""Finishing a deal: by groups or by an eighth dublee, with one closing discard."""

from marriage.actions import Finish, FinishDublees
from marriage.cards import sort_cards
from marriage.events import Event, Finished, FinishedDublees
from marriage.moves.ending import ended
from marriage.state import State


def finish(state: State, seat: int, action: Finish) -> list[Event]:
    """The events of a finish by groups."""
    groups = tuple(map(sort_cards, action.groups))
    return ended(state, Finished(seat=seat, groups=groups, discard=action.discard))


def finish_dublees(state: State, seat: int, action: FinishDublees) -> list[Event]:
    """The events of a finish by an eighth dublee."""
    pair = (action.face, action.face)
    return ended(state, FinishedDublees(seat=seat, pair=pair, discard=action.discard))
