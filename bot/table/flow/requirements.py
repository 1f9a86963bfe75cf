"""What has to hold before a deal may start."""

from bot.errors import StaleRevisionError, UserError
from bot.table.core.transaction import TableTransaction
from bot.table.core.waits import BETWEEN
from league.ids import PersonId
from marriage.rules import SEATS_MIN


def require_may_deal(tx: TableTransaction, person_id: PersonId, status: str) -> int:
    """The seat of a person who may start a deal of a table in this status; raises UserError."""
    seat = tx.seat_of(person_id)
    require_status(tx, status)
    return seat


def require_status(tx: TableTransaction, status: str) -> None:
    """Refuse what does not fit what the table is doing; raises UserError."""
    if tx.table.status == "closed":
        raise UserError("sorry.table_closed")
    if tx.table.status != status:
        raise UserError("sorry.deal_is_on" if tx.table.status == "playing" else "error.stale")


def require_current(tx: TableTransaction, revision: int | None) -> None:
    """Refuse a button shown before the latest deal was over; raises StaleRevisionError. None is a typed command."""
    waits = tx.deadline(BETWEEN)
    if revision is not None and (waits is None or revision < waits.revision):
        raise StaleRevisionError


def require_enough(tx: TableTransaction) -> None:
    """Refuse to deal to too few players; raises UserError."""
    if len(tx.seats) < SEATS_MIN:
        raise UserError("sorry.too_few", seats=SEATS_MIN)
