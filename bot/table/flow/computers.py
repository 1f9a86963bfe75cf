"""The computer players, by level. Each sees only what its seat may see."""

from collections.abc import Sequence
from typing import Final

from data.preferences import Level
from data.values import SeatRow
from marriage.actions import Action, DeclineTunnelas, ExposeTunnelas
from marriage.apply import apply
from marriage.decide import decide
from marriage.events import Event
from marriage.state import Phase, State
from marriage.strategy.beginner import BeginnerPlayer
from marriage.strategy.master import MasterPlayer
from marriage.strategy.players import GreedyPlayer, Player
from marriage.view import View, view

Played = list[tuple[int, list[Event]]]
"""Moves in order: the seat that moved, and the events of its move."""

PLAYERS: Final[dict[Level, Player]] = {
    Level.NOVICE: BeginnerPlayer(near=1, keeps_wilds=False),
    Level.EASY: BeginnerPlayer(),
    Level.CASUAL: GreedyPlayer(count_outs=False, uses_pile=False),
    Level.STEADY: GreedyPlayer(count_outs=False),
    Level.STRONG: GreedyPlayer(),
    Level.MASTER: MasterPlayer(),
}
STAND_IN: Final = Level.STEADY
"""The level that plays for people who are away or have left."""


def player_of(seat: SeatRow) -> Player:
    """The computer player of this seat. The stand-in plays for people, and for levels that no longer exist."""
    known = {level.value: level for level in Level}
    return PLAYERS[known.get(seat.computer or "", STAND_IN)]


def answer(seat: SeatRow, seen: View, *, exposes: bool = False) -> Action:
    """What the computer does for this seat now.

    It exposes a person's tunnela, which then stays open for good, only for a person who `exposes` all of them.
    """
    action = player_of(seat).choose(seen)
    silent = seat.person_id is not None and not exposes and isinstance(action, ExposeTunnelas)
    return DeclineTunnelas() if silent else action


def turns(state: State, seats: Sequence[SeatRow]) -> Played:
    """The moves of the computer in turn until its turn has passed; none in the tunnela window."""
    played: Played = []
    mover = state.turn
    while seats[mover].by_computer and state.turn == mover and state.phase not in (Phase.WINDOW, Phase.OVER):
        state = _choose(state, seats[mover], played)
    return played


def played_out(state: State, seats: Sequence[SeatRow]) -> Played:
    """The moves of all seats, each made by a computer, until the deal is over."""
    played: Played = []
    while state.phase is not Phase.OVER:
        asked = [seat for seat, held in enumerate(state.seats) if not held.answered]
        mover = asked[0] if state.phase is Phase.WINDOW else state.turn
        state = _choose(state, seats[mover], played)
    return played


def _choose(state: State, seat: SeatRow, played: Played) -> State:
    events = decide(state, seat.seat, answer(seat, view(state, seat.seat)))
    played.append((seat.seat, events))
    for event in events:
        state = apply(state, event)
    return state
