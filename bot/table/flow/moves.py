"""The moves within a deal, as plain functions: each notes in a `TableChange` what follows from one act.

The tunnela window stays open for a fixed time, independent of hands and actions, so its length reveals nothing. People
answer it by exposing a tunnela; a player never declares that they have none. When the time is over, computers expose what
they hold, and so do people who chose that in their settings. Nothing is recorded for the others before that, so no message
is edited for them. A person alone with computers gets the window only with a tunnela in hand, unless their settings
decide, and their answer ends it. No time ends it while the table is paused: then it closes once all people have answered, and
they can also expose nothing, whatever they hold. If each seat may wait until its own first draw, there is no window: then the settings
expose at the first chance.

A player who draws ahead finds the card from the stock already drawn when their turn comes. It is drawn in the same change
as the move before. The decision uses only public knowledge: if it depended on the hand, a card that is not drawn at once
would reveal something to the others.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from bot.errors import StaleRevisionError, UserError
from bot.table.core.change import TableChange
from bot.table.core.table import PAUSED, plays_alone
from bot.table.flow.clocks import Clocks
from bot.table.flow.computers import Played, answer
from data.preferences import AutoDraw
from marriage.actions import Action, DeclineTunnelas
from marriage.cards import Cards
from marriage.decide import decide
from marriage.events import Event, FoulLifted, FoulRuled, TunnelasDeclined, TunnelasExposed, WindowClosed
from marriage.legal import is_barred_in_public, tunnelas
from marriage.state import Phase, State
from marriage.view import view

IN_MID_TURN = {"drew", "took", "exposed", "declined"}
"""Events that change nothing for the other players: they wait for the discard, or for the end of the window."""


def require_state(change: TableChange) -> State:
    """Return the deal in play, or the latest one; raises UserError before the first."""
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
    """Raise StaleRevisionError for a button made for an earlier question. None stands for a typed command."""
    if revision is not None and not change.asked_since() <= revision <= change.table.revision:
        raise StaleRevisionError


def all_seats(change: TableChange) -> list[int]:
    """Return all seats."""
    return [row.seat for row in change.seats]


def come_back(change: TableChange, clocks: Clocks, seat: int) -> None:
    """Return the seat to its person, who was away."""
    change.set_seat(replace(change.seats[seat], left=False, away=False))
    clocks.watch(change)


def act(change: TableChange, seat: int, action: Action) -> None:
    """Record an action of this seat; raises IllegalActionError for a broken rule, UserError for an unnecessary answer."""
    require_asked(change, action)
    state = require_deal(change)
    answers = state.phase is Phase.WINDOW
    change.record((answer_events if answers else decide)(state, seat, action), actor=seat)


def record_played(change: TableChange, played: Played) -> None:
    """Record the moves of computers."""
    for seat, events in played:
        change.record(events, actor=seat)


def publish_deal(
    change: TableChange, shown: Sequence[int], by: int | None, *, mid_turn_ms: int, followed_ms: int
) -> None:
    """Show the deal after a change: the table, and the hands of the seats `shown`.

    The hand of the seat in turn is shown too, unless that seat has just moved itself (`by`). The table's
    message may wait for `followed_ms` while the deal continues, and for `mid_turn_ms` after acts that change
    nothing for the other players.
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


def window_is_open(change: TableChange) -> bool:
    """Return whether the deal in play waits for the end of its window."""
    return change.state is not None and change.state.phase is Phase.WINDOW


def require_asked(change: TableChange, action: Action) -> None:
    """Raise UserError for a player's "expose nothing" when it is not asked: where the time ends the window."""
    if not isinstance(action, DeclineTunnelas) or change.state is None:
        return
    is_paused = change.deadline(PAUSED) is not None
    if window_is_open(change) and not is_paused and not plays_alone(change.table, change.seats):
        raise UserError("sorry.window_closes")
    if change.state.rules.tunnela_window == "own_first_draw":
        raise UserError("sorry.window_not_asked")


def answer_events(state: State, seat: int, action: Action) -> list[Event]:
    """Return the events of an answer, without the window's timed end; raises IllegalActionError."""
    return [event for event in decide(state, seat, action) if not isinstance(event, WindowClosed)]


def holding_tunnelas(state: State) -> Iterator[tuple[int, Cards]]:
    """Yield the seats that may still expose tunnelas until their own first draw, each with its tunnelas."""
    if state.rules.tunnela_window != "own_first_draw" or state.phase in (Phase.WINDOW, Phase.OVER):
        return
    for seat, held in enumerate(state.seats):
        if not held.answered and (faces := tunnelas(view(state, seat))):
            yield seat, faces


def has_nothing_to_decide(change: TableChange, state: State, decided: Collection[int]) -> bool:
    """Return whether the window is open for a lone person who has nothing to decide in it.

    `decided` are the seats of people who always, or never, expose their tunnelas. Onlookers learn from it whether
    the others were dealt one (docs/reliability.md); no person plays against them.
    """
    if not (window_is_open(change) and plays_alone(change.table, change.seats)):
        return False
    return all(
        row.by_computer
        or row.seat in decided
        or state.seats[row.seat].answered
        or not tunnelas(view(state, row.seat))
        for row in change.seats
    )


def close_window(change: TableChange, state: State, exposing: Collection[int]) -> list[int]:
    """Close the window. Computers and the seats in `exposing` expose what they hold, all others nothing.

    Returns the seats that had not answered.
    """
    silent = [seat for seat, held in enumerate(state.seats) if not held.answered]
    for seat in silent:
        action = answer(change.seats[seat], view(state, seat), exposes=seat in exposing)
        change.record(answer_events(state, seat, action), actor=seat)
    change.record([WindowClosed()], actor=None)
    return silent


_BESIDE_THE_TURN = (FoulRuled, FoulLifted, TunnelasExposed, TunnelasDeclined)
"""Events after which the seat in turn still has to draw as before."""


def seat_to_draw(change: TableChange) -> int | None:
    """Return the seat whose turn begins with this change, if its person is present; else None.

    A seat that may expose a tunnela until its own first draw always draws for itself, with any cards.
    """
    state = change.state
    if state is None or state.phase is not Phase.DRAW or not any(map(_passes_turn, change.recorded)):
        return None
    row, held = change.seats[state.turn], state.seats[state.turn]
    return state.turn if row.person_id is not None and row.present and held.answered else None


def draws_ahead(state: State, wish: AutoDraw) -> bool:
    """Return whether the person in turn, who has this wish, wants the card from the stock now."""
    match wish:
        case "off":
            return False
        case "barred":
            return is_barred_in_public(view(state, None), state.turn)
        case "always":
            return True


def _passes_turn(event: Event) -> bool:
    return not isinstance(event, _BESIDE_THE_TURN)
