"""The moves within a deal, as plain functions: each notes in a `TableChange` what follows from one act."""

from collections.abc import Sequence
from dataclasses import replace

from bot.errors import StaleRevisionError, UserError
from bot.table.core.change import TableChange
from bot.table.flow import window
from bot.table.flow.clocks import Clocks
from bot.table.flow.computers import Played
from marriage.actions import Action
from marriage.decide import decide
from marriage.state import Phase, State

IN_MID_TURN = {"drew", "took", "exposed", "declined"}
"""Events that change nothing for the other players: they wait for the discard, or for the end of the window."""


def require_state(change: TableChange) -> State:
    """The deal in play, or the latest one; raises UserError before the first."""
    if change.state is None:
        raise UserError("sorry.no_deal")
    return change.state


def require_deal(change: TableChange) -> State:
    """Return the deal in play; raises UserError if there is none."""
    if change.table.status == "closed":
        raise UserError("sorry.table_closed")
    if change.table.status != "playing":
        raise UserError("sorry.no_deal")
    return require_state(change)


def require_current_button(change: TableChange, revision: int | None) -> None:
    """Refuse a button that was made for an earlier question; raises StaleRevisionError. None is a typed command."""
    if revision is not None and not change.asked_since() <= revision <= change.table.revision:
        raise StaleRevisionError


def everybody(change: TableChange) -> list[int]:
    """Return all seats."""
    return [row.seat for row in change.seats]


def come_back(change: TableChange, clocks: Clocks, seat: int) -> None:
    """Return the seat to its person, who was away."""
    change.set_seat(replace(change.seats[seat], left=False, away=False))
    clocks.watch(change)


def act(change: TableChange, seat: int, action: Action) -> None:
    """Record an action of this seat; raises IllegalActionError for a broken rule, UserError for an unnecessary answer."""
    window.require_answer(change, action)
    state = require_deal(change)
    answers = state.phase is Phase.WINDOW
    change.record((window.answered if answers else decide)(state, seat, action), actor=seat)


def enter(change: TableChange, played: Played) -> None:
    """Record the moves of computers."""
    for seat, events in played:
        change.record(events, actor=seat)


def show(
    change: TableChange, shown: Sequence[int], by: int | None, *, mid_turn_ms: int, followed_ms: int
) -> None:
    """Show the deal after a change: the table, and the hands of the seats `shown`.

    The hand of the seat in turn is shown too, unless that seat has just moved itself (`by`). The table's message may
    wait for `followed_ms` while the deal goes on, and for `mid_turn_ms` after acts that change nothing for the other
    players.
    """
    state = require_state(change)
    hands = set(shown)
    if state.phase is Phase.OVER:
        hands |= {seat.seat for seat in change.seats}
    elif state.phase is not Phase.WINDOW and change.seats[state.turn].present and state.turn != by:
        hands.add(state.turn)
    quiet = all(event.event in IN_MID_TURN for event in change.recorded)
    goes_on = state.phase not in (Phase.WINDOW, Phase.OVER) and not shown
    change.publish(sorted(hands), wait_ms=max(mid_turn_ms if quiet else 0, followed_ms if goes_on else 0))
