"""The end of a deal: the final hands and their score sheet."""

from marriage.apply import apply
from marriage.events import Dismissed, Event, Finished, FinishedDublees, Settled
from marriage.scoring.result import FinalSeat, dismissed_sheet, sheet_of
from marriage.sheet import Ending, Sheet, Status
from marriage.state import Seat, ShowKind, State


def ended(state: State, finished: Finished | FinishedDublees) -> list[Event]:
    """Return the finish, followed by its settlement."""
    after = apply(state, finished)
    if after.tiplu is None:
        raise RuntimeError("a finish implies a show, and so a tiplu")
    sheet = sheet_of(
        _final_seats(after),
        after.tiplu,
        finished.seat,
        Ending.GROUPS if isinstance(finished, Finished) else Ending.DUBLEES,
        after.rules,
        better=after.better,
        carry=after.carry,
        thrown=_thrown(after),
    )
    return [finished, _settled(after, sheet)]


def dismissed(state: State) -> list[Event]:
    """Return the events that end a deal without a winner."""
    sheet = dismissed_sheet(_final_seats(state), state.rules, carry=state.carry, thrown=_thrown(state))
    return [Dismissed(), _settled(state, sheet)]


def _final_seats(state: State) -> list[FinalSeat]:
    """Return the seats of the deal, followed by people without a seat who still owe a foul."""
    absent = max(state.carry, default=-1) + 1 - len(state.seats)
    return [*map(_final_seat, state.seats), *(FinalSeat(status=Status.PAUSE) for _ in range(absent))]


def _final_seat(seat: Seat) -> FinalSeat:
    return FinalSeat(
        cards=seat.cards,
        exposed=seat.exposed,
        laid=seat.laid if seat.shown is ShowKind.GROUPS else (),
        status=_status(seat),
        dublees=seat.shown is ShowKind.DUBLEES,
    )


def _status(seat: Seat) -> Status:
    if seat.out:
        return Status.FOUL
    return Status.UNSEEN if seat.shown is None else Status.SEEN


def _thrown(state: State) -> tuple[int, ...]:
    """Return the seats with a throw foul or a ruled foul."""
    return tuple(index for index, seat in enumerate(state.seats) if seat.threw or seat.ruled is not None)


def _settled(state: State, sheet: Sheet) -> Settled:
    return Settled(
        hands=tuple(seat.cards for seat in state.seats), stock=state.stock, tiplu=state.tiplu, sheet=sheet
    )
