"""The tunnela window: after the deal a seat may expose three identical cards for points."""

from collections import Counter

from marriage.apply import apply
from marriage.cards import PACKS, Cards
from marriage.errors import IllegalActionError, Refusal
from marriage.events import Event, TunnelasDeclined, TunnelasExposed, WindowClosed
from marriage.state import Phase, State


def expose(state: State, seat: int, faces: Cards) -> list[Event]:
    """The events of exposing the tunnelas of these faces; raises IllegalActionError."""
    _require_window(state, seat)
    counts = Counter(state.seats[seat].cards)
    if not faces or len(set(faces)) < len(faces) or any(counts[face] < PACKS for face in faces):
        raise IllegalActionError(Refusal.NO_TUNNELA, faces=faces)
    return _answered(state, TunnelasExposed(seat=seat, faces=faces))


def decline(state: State, seat: int) -> list[Event]:
    """The events of exposing nothing; raises IllegalActionError."""
    _require_window(state, seat)
    return _answered(state, TunnelasDeclined(seat=seat))


def _require_window(state: State, seat: int) -> None:
    open_for_all = state.phase is Phase.WINDOW
    if state.rules.tunnela_window == "before_first_draw" and not open_for_all:
        raise IllegalActionError(Refusal.WINDOW_CLOSED)
    if state.seats[seat].answered:
        raise IllegalActionError(Refusal.ALREADY_ANSWERED if open_for_all else Refusal.WINDOW_CLOSED)


def _answered(state: State, answer: Event) -> list[Event]:
    after = apply(state, answer)
    done = state.phase is Phase.WINDOW and all(seat.answered for seat in after.seats)
    return [answer, WindowClosed()] if done else [answer]
