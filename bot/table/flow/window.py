"""The tunnela window: which players it asks, and how it closes.

It stays open for a fixed time, independent of hands and actions, so its length reveals nothing. People answer
it by exposing a tunnela; nobody declares that they have none. When the time is over, computers expose what
they hold, and so do people who chose that in their settings. Nothing is recorded for the others before that,
so no message is edited for them.

A person alone with computers gets the window only with a tunnela in hand, unless their settings decide, and
their answer ends it. If each seat may wait until its own first draw, there is no window: then the settings
expose at the first chance.
"""

from collections.abc import Collection, Iterator

from bot.errors import UserError
from bot.table.core.change import TableChange
from bot.table.core.table import plays_alone
from bot.table.flow.computers import answer
from marriage.actions import Action, DeclineTunnelas
from marriage.cards import Cards
from marriage.decide import decide
from marriage.events import Event, WindowClosed
from marriage.legal import tunnelas
from marriage.state import Phase, State
from marriage.view import view


def is_open(change: TableChange) -> bool:
    """Whether the deal in play waits for the end of its window."""
    return change.state is not None and change.state.phase is Phase.WINDOW


def require_answer(change: TableChange, action: Action) -> None:
    """Refuse a player's "expose nothing" when it is not asked; raises UserError."""
    if not isinstance(action, DeclineTunnelas) or change.state is None:
        return
    if is_open(change) and not plays_alone(change.table, change.seats):
        raise UserError("sorry.window_closes")
    if change.state.rules.tunnela_window == "own_first_draw":
        raise UserError("sorry.window_not_asked")


def answered(state: State, seat: int, action: Action) -> list[Event]:
    """The events of an answer, without the end of the window, which time decides; raises IllegalActionError."""
    return [event for event in decide(state, seat, action) if not isinstance(event, WindowClosed)]


def waiting(state: State) -> Iterator[tuple[int, Cards]]:
    """The seats that may still expose tunnelas until their own first draw, each with those that it holds."""
    if state.rules.tunnela_window != "own_first_draw" or state.phase in (Phase.WINDOW, Phase.OVER):
        return
    for seat, held in enumerate(state.seats):
        if not held.answered and (faces := tunnelas(view(state, seat))):
            yield seat, faces


def has_nothing_to_decide(change: TableChange, state: State, decided: Collection[int]) -> bool:
    """Whether the window is open for one person alone who has nothing to decide in it.

    `decided` are the seats of people who always, or never, expose their tunnelas.
    """
    if not (is_open(change) and plays_alone(change.table, change.seats)):
        return False
    return all(
        row.by_computer
        or row.seat in decided
        or state.seats[row.seat].answered
        or not tunnelas(view(state, row.seat))
        for row in change.seats
    )


def close(change: TableChange, state: State, exposing: Collection[int]) -> list[int]:
    """Close the window. Computers and the seats in `exposing` expose what they hold, all others nothing.

    Returns the seats that had not answered.
    """
    silent = [seat for seat, held in enumerate(state.seats) if not held.answered]
    for seat in silent:
        action = answer(change.seats[seat], view(state, seat), exposes=seat in exposing)
        change.record(answered(state, seat, action), actor=seat)
    change.record([WindowClosed()], actor=None)
    return silent
