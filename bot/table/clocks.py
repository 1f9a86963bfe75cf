"""The clocks of a deal: set anew by every change of it, as rows, so that they survive a restart."""

from bot.settings import Settings
from bot.table.pace import PAUSED_MS, abandoned_ms, turn_ms, warning_ms, window_ms
from bot.table.transaction import ABANDONED, COMPUTER, PAUSED, TURN, WARN, WINDOW, TableTransaction
from marriage.state import Phase, State


class Clocks:
    """Winds up what a table waits for. All of it happens within the transaction that changes the table."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    async def wind(self, tx: TableTransaction) -> None:
        """Let the deal in play wait for whoever is asked now: a person has their full time, a computer its pause.

        A table that cannot be shown stays paused through whatever is played by direct message.
        """
        state = tx.state
        if state is None or state.phase is Phase.OVER or not await _is_paused(tx):
            await self._wind(tx, None)
            return
        since = await tx.asked_since() if state.phase is Phase.WINDOW else None
        await tx.remind(PAUSED, PAUSED_MS, since)

    async def rewind(self, tx: TableTransaction, seat: int) -> None:
        """Another one plays this seat from now on: wind again if the deal waits for it. Nobody else gains time."""
        if seat in tx.asked() and not await _is_paused(tx):
            await self.wind_same(tx)

    async def wind_same(self, tx: TableTransaction) -> None:
        """Wind again for the very question that was asked before: the buttons that answer it stay good.

        A table that was paused goes on by this.
        """
        await self._wind(tx, await tx.asked_since())

    async def _wind(self, tx: TableTransaction, since: int | None) -> None:
        state = tx.state
        if state is None:
            raise ValueError("only a deal has clocks")
        in_window = state.phase is Phase.WINDOW
        await tx.stop(TURN, WARN, COMPUTER, PAUSED, *([] if in_window else [WINDOW]))
        await self._retract_notice(tx)
        if in_window:
            await self._wind_window(tx, state, since)
            return
        if state.phase is Phase.OVER:
            return
        if tx.seats[state.turn].by_computer:
            await tx.remind(COMPUTER, self._settings.computer_pause_ms, since)
        elif tx.table.kind.has_clocks:
            pace = tx.table.options.pace
            await tx.remind(TURN, turn_ms(pace), since)
            await tx.remind(WARN, warning_ms(pace), since)

    async def _wind_window(self, tx: TableTransaction, state: State, since: int | None) -> None:
        """The window is one for all: whoever answers does not prolong it."""
        if await tx.deadline(WINDOW) is None and tx.table.kind.has_clocks:
            usual = self._settings.tunnela_window_s * 1000
            await tx.remind(WINDOW, window_ms(tx.table.options.pace, usual), since)
        if any(
            seat.by_computer and not held.answered for seat, held in zip(tx.seats, state.seats, strict=True)
        ):
            await tx.remind(COMPUTER, self._settings.computer_pause_ms)

    async def watch(self, tx: TableTransaction) -> None:
        """Begin to count when nobody is present any more; stop as soon as somebody is, or keeps a place on the bench."""
        if tx.bench or any(seat.present for seat in tx.seats):
            await tx.stop(ABANDONED)
        elif await tx.deadline(ABANDONED) is None:
            await tx.remind(ABANDONED, abandoned_ms(tx.table.options.pace))

    async def _retract_notice(self, tx: TableTransaction) -> None:
        if tx.table.notice_id is not None:
            await tx.publish_notice(None)


async def _is_paused(tx: TableTransaction) -> bool:
    return await tx.deadline(PAUSED) is not None
