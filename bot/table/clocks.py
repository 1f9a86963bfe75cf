"""The clocks of a deal: set anew by every change of it, as rows, so that they survive a restart."""

from bot.settings import Settings
from bot.table.pace import PAUSED_MS, abandoned_ms, turn_ms, warning_ms, window_ms
from bot.table.repository import ABANDONED, COMPUTER, PAUSED, TURN, WARN, WINDOW, Sitting
from marriage.state import Phase, State


class Clocks:
    """Winds up what a table waits for. All of it happens within the sitting that changes the table."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    async def wind(self, sitting: Sitting) -> None:
        """Let the deal in play wait for whoever is asked now: a person has their full time, a computer its pause.

        A table that cannot be shown stays paused through whatever is played by direct message.
        """
        state = sitting.state
        if state is None or state.phase is Phase.OVER or not await _is_paused(sitting):
            await self._wind(sitting, None)
            return
        since = await sitting.asked_since() if state.phase is Phase.WINDOW else None
        await sitting.remind(PAUSED, PAUSED_MS, since)

    async def rewind(self, sitting: Sitting, seat: int) -> None:
        """Another one plays this seat from now on: wind again if the deal waits for it. Nobody else gains time."""
        if seat in sitting.asked() and not await _is_paused(sitting):
            await self.wind_same(sitting)

    async def wind_same(self, sitting: Sitting) -> None:
        """Wind again for the very question that was asked before: the buttons that answer it stay good.

        A table that was paused goes on by this.
        """
        await self._wind(sitting, await sitting.asked_since())

    async def _wind(self, sitting: Sitting, since: int | None) -> None:
        state = sitting.state
        if state is None:
            raise ValueError("only a deal has clocks")
        in_window = state.phase is Phase.WINDOW
        await sitting.stop(TURN, WARN, COMPUTER, PAUSED, *([] if in_window else [WINDOW]))
        await self._retract_notice(sitting)
        if in_window:
            await self._wind_window(sitting, state, since)
            return
        if state.phase is Phase.OVER:
            return
        if sitting.seats[state.turn].by_computer:
            await sitting.remind(COMPUTER, self._settings.computer_pause_ms, since)
        elif not sitting.table.options.alone:
            pace = sitting.table.options.pace
            await sitting.remind(TURN, turn_ms(pace), since)
            await sitting.remind(WARN, warning_ms(pace), since)

    async def _wind_window(self, sitting: Sitting, state: State, since: int | None) -> None:
        """The window is one for all: whoever answers does not prolong it."""
        if await sitting.deadline(WINDOW) is None and not sitting.table.options.alone:
            usual = self._settings.tunnela_window_s * 1000
            await sitting.remind(WINDOW, window_ms(sitting.table.options.pace, usual), since)
        if any(
            seat.by_computer and not held.answered
            for seat, held in zip(sitting.seats, state.seats, strict=True)
        ):
            await sitting.remind(COMPUTER, self._settings.computer_pause_ms)

    async def watch(self, sitting: Sitting) -> None:
        """Begin to count when nobody is present any more; stop as soon as somebody is, or keeps a place on the bench."""
        if sitting.bench or any(seat.present for seat in sitting.seats):
            await sitting.stop(ABANDONED)
        elif await sitting.deadline(ABANDONED) is None:
            await sitting.remind(ABANDONED, abandoned_ms(sitting.table.options.pace))

    async def _retract_notice(self, sitting: Sitting) -> None:
        if sitting.table.notice_id is not None:
            await sitting.publish_notice(None)


async def _is_paused(sitting: Sitting) -> bool:
    return await sitting.deadline(PAUSED) is not None
