"""The computer players at tables, by level: their names, tempers and moves. Each sees only what its seat may see."""

from collections.abc import Collection, Sequence
from typing import Final

import structlog

from data.preferences import Level
from data.values import SeatRow
from league.ids import TableId
from marriage.actions import Action, DeclineTunnelas, Discard, ExposeTunnelas, TakeDiscard
from marriage.apply import apply
from marriage.arena.ladder import AT_TABLES, TEMPERED, at_table, ratings, seated
from marriage.decide import decide
from marriage.events import Event
from marriage.legal import legal_actions, throw_fouls
from marriage.moves import refusal_of
from marriage.state import Phase, State
from marriage.strategy.players import Player, difficulty
from marriage.strategy.tempers import Temper
from marriage.view import View, view

TEMPERS: Final[dict[str, Temper]] = {
    "Bir": Temper.BOLD,
    "Dhiraj": Temper.CAREFUL,
    "Laxmi": Temper.HOARDER,
    "Durga": Temper.BOLD,
    "Shanti": Temper.CAREFUL,
    "Kuber": Temper.HOARDER,
    "Himmat": Temper.BOLD,
    "Sushil": Temper.CAREFUL,
    "Dhanraj": Temper.HOARDER,
}
"""Nepali given names that express the temper: brave, patient, wealthy. Neighbours in the list differ."""
MOUNTAINS: Final = ("Sagarmatha", "Machhapuchhre", "Annapurna", "Dhaulagiri", "Makalu")
"""Names for computers without a temper.

The deal of the day uses them, so that everyone meets the same ones; so do older tables.
"""


def free_name(
    table_id: TableId, seat: int, taken: Collection[str], with_account: Collection[str] = ()
) -> str:
    """The name of a computer for a seat, always the same for this table and seat while it is free.

    A name brings its account in the match with it. So one with an account returns only if all names have one.
    """
    names = list(TEMPERS)
    first = (table_id + seat) % len(names)
    free = [name for name in (*names[first:], *names[:first]) if name not in taken]
    return next((name for name in free if name not in with_account), free[0])


log = structlog.get_logger(__name__)

Played = list[tuple[int, list[Event]]]
"""Moves in order: the seat that moved, and the events of its move."""

NAMES: Final[dict[Level, str]] = dict(zip(Level, AT_TABLES, strict=True))
"""The name of each level's player on the ladder."""
STAND_IN: Final = Level.STEADY
"""The level that plays for people who are away or have left."""


def level_of(seat: SeatRow) -> Level:
    """Return the level of the computer at this seat: the stand-in's for people, and for levels that no longer exist."""
    known = {level.value: level for level in Level}
    return known.get(seat.computer or "", STAND_IN)


def temper_of(seat: SeatRow) -> Temper | None:
    """Return the temper of the computer at this seat; None for stand-ins, and for levels that do not evaluate their moves."""
    temper = TEMPERS.get(seat.name) if seat.person_id is None else None
    return temper if f"{NAMES[level_of(seat)]}/{temper}" in TEMPERED else None


def rating_of(level: Level) -> int:
    """Return the rating of a level."""
    return ratings()[seated(NAMES[level])].value


def player_of(seat: SeatRow) -> Player:
    """Return the computer player of this seat."""
    return at_table(NAMES[level_of(seat)], temper_of(seat))


def answer(seat: SeatRow, seen: View, *, exposes: bool = False) -> Action:
    """Return the computer's action for this seat.

    It exposes a person's tunnela, which then stays open for good, only for a person who `exposes` all of
    them. If the rules refuse a choice, this is a bug in the computer: it is logged, and another action is
    taken, so that the table can continue.
    """
    action = player_of(seat).choose(seen)
    if seat.person_id is not None and not exposes and isinstance(action, ExposeTunnelas):
        action = DeclineTunnelas()
    refusal = refusal_of(seen, action)
    if refusal is None:
        return action
    log.error(
        "computer_choice.refused",
        table=seat.table_id,
        computer=level_of(seat),
        action=action.action,
        why=refusal,
    )
    return _instead(seen)


def _instead(seen: View) -> Action:
    """Return a legal action for a computer whose choice was refused.

    It opens no tunnela and is no foul, if that can be avoided.
    """
    fouls = throw_fouls(seen)
    return min(
        legal_actions(seen),
        key=lambda action: (
            isinstance(action, ExposeTunnelas | TakeDiscard),
            isinstance(action, Discard) and action.card in fouls,
        ),
    )


def pause_ms(longest_ms: int, state: State) -> int:
    """Return the delay before a computer's move: from half of `longest_ms` to all of it, by the public difficulty."""
    return round(longest_ms * (1 + difficulty(view(state, None))) / 2)


def turns(state: State, seats: Sequence[SeatRow]) -> Played:
    """Return the moves of the computer in turn until its turn has passed; none in the tunnela window."""
    played: Played = []
    mover = state.turn
    while seats[mover].by_computer and state.turn == mover and state.phase not in (Phase.WINDOW, Phase.OVER):
        state = _choose(state, seats[mover], played)
    return played


def played_out(state: State, seats: Sequence[SeatRow]) -> Played:
    """Return the moves of all seats, each made by a computer, until the deal is over."""
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
