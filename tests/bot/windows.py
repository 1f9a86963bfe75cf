"""End the tunnela window at once, for tests about something else."""

from dataclasses import replace

from bot.services import Services
from bot.table.core.change import TableTransaction
from bot.table.core.table import WINDOW
from bot.table.play import Choice
from marriage.state import Phase


async def end_window(services: Services, table_id: int = 1) -> None:
    """Let the window's time end; do nothing without a window."""

    async def end(tx: TableTransaction) -> int | None:
        if (waits := tx.deadline(WINDOW)) is None:
            return None
        tx.deadlines[WINDOW] = replace(waits, due_at=tx.now)
        return waits.revision

    if (revision := await services.tables.amend(table_id, end)) is not None:
        await services.play.close_window(table_id, revision)


async def move(services: Services, table_id: int, person_id: int | None, choose: Choice) -> None:
    """Let the person move; in the window, which requires no move, let its time end instead."""
    state = (await services.tables.get(table_id)).state
    assert state is not None
    assert person_id is not None
    if state.phase is Phase.WINDOW:
        await end_window(services, table_id)
    else:
        await services.play.move(table_id, person_id, choose)
