"""Drawing ahead: a player who wants that finds the card from the stock already drawn when their turn comes.

It is drawn in the same change as the move before. The decision uses only public knowledge: if it depended on
the hand, a card that is not drawn at once would reveal something to the others.
"""

from bot.table.core.change import TableChange
from data.preferences import AutoDraw
from marriage.events import Event, FoulLifted, FoulRuled, TunnelasDeclined, TunnelasExposed
from marriage.legal import is_barred_in_public
from marriage.state import Phase, State
from marriage.view import view

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


def draws(state: State, wish: AutoDraw) -> bool:
    """Whether the person in turn, who wishes this, wants the card from the stock now."""
    match wish:
        case "off":
            return False
        case "barred":
            return is_barred_in_public(view(state, None), state.turn)
        case "always":
            return True


def _passes_turn(event: Event) -> bool:
    return not isinstance(event, _BESIDE_THE_TURN)
