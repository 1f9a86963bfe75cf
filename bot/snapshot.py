"""A table as it stood at one revision: what panels and pictures are made from. It holds views, never a state."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.names import shown_name
from data.values import DealRow, SeatRow, TableRow
from marriage.state import State
from marriage.view import View, view


@dataclass(frozen=True, slots=True, repr=False)
class Snapshot:
    """One table at one revision."""

    table: TableRow
    seats: tuple[SeatRow, ...]
    deal: DealRow | None
    """The deal in play, or the last one; None before the first."""
    public: View | None
    """The deal as a spectator sees it."""
    private: tuple[View, ...]
    """The deal as each seat sees it."""
    totals: tuple[int, ...]
    """The running total of each seat."""
    commitment: str
    """The commitment to the deal in play, or, between deals, to the next one."""
    last_moves: tuple[str, ...] = ()
    """The latest public events in words, the oldest first."""
    window_closes_at: int | None = None
    """When the tunnela window closes, in milliseconds since 1970."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names by seat, as plain text: for pictures and alt texts."""
        return tuple(seat.name for seat in self.seats)

    @property
    def shown_names(self) -> tuple[str, ...]:
        """The names by seat as they go into a message."""
        return tuple(shown_name(seat.name) for seat in self.seats)

    def seat_of(self, person_id: int) -> int | None:
        """The seat of that person; None for a spectator."""
        for seat in self.seats:
            if seat.person_id == person_id:
                return seat.seat
        return None


def views(state: State | None, seats: Sequence[SeatRow]) -> tuple[View | None, tuple[View, ...]]:
    """The spectator's view and each seat's; nothing before the first deal."""
    if state is None:
        return None, ()
    return view(state, None), tuple(view(state, seat.seat) for seat in seats)
