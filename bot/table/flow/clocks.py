"""The clocks of a deal. Every change of the deal sets them again, as rows, so that they survive a restart."""

from bot.settings import Settings
from bot.table.core.change import TableChange
from bot.table.core.company import plays_alone
from bot.table.core.pace import PAUSED_MS, abandoned_ms, turn_ms, warning_ms, window_ms
from bot.table.core.waits import ABANDONED, COMPUTER, PAUSED, TURN, WARN, WINDOW
from data.outbox_keys import TurnReminderKey
from league.times import SECOND
from marriage.state import Phase


class Clocks:
    """Sets the deadlines of a table, as part of the change that makes the table wait."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def wind(self, change: TableChange) -> None:
        """Let the deal in play wait for the seats asked now: a person has their full time, a computer its pause.

        A table that cannot be shown stays paused, even when people play on by direct message.
        """
        state = change.state
        if state is None or state.phase is Phase.OVER or not _is_paused(change):
            self._wind(change, None)
            return
        since = change.asked_since() if state.phase is Phase.WINDOW else None
        change.remind(PAUSED, PAUSED_MS, since)

    def rewind(self, change: TableChange, seat: int) -> None:
        """Somebody else plays this seat from now on: restart its clock if the deal waits for it, and no other clock."""
        if seat in change.asked() and not _is_paused(change):
            self.wind_same(change)

    def wind_same(self, change: TableChange) -> None:
        """Restart the clocks for the same question as before: the buttons that answer it stay valid.

        This resumes a paused table.
        """
        self._wind(change, change.asked_since())

    def _wind(self, change: TableChange, since: int | None) -> None:
        state = change.state
        if state is None:
            raise ValueError("only a deal has clocks")
        in_window = state.phase is Phase.WINDOW
        change.stop(TURN, WARN, COMPUTER, PAUSED, *([] if in_window else [WINDOW]))
        if change.table.notice_id is not None:
            change.request(TurnReminderKey(change.table.id, None))
        if in_window:
            self._wind_window(change, since)
            return
        if state.phase is Phase.OVER:
            return
        if change.seats[state.turn].by_computer:
            change.remind(COMPUTER, self._settings.computer_pause_ms, since)
        elif change.table.kind.has_clocks:
            pace = change.table.options.pace
            change.remind(TURN, turn_ms(pace), since)
            change.remind(WARN, warning_ms(pace), since)

    def _wind_window(self, change: TableChange, since: int | None) -> None:
        """Set the clock of the window. All seats share it, and nothing that anybody does prolongs or shortens it.

        A person alone with computers keeps nobody waiting: they have as long as for a move, and if they leave, a computer answers.
        """
        pace, alone = change.table.options.pace, plays_alone(change.table, change.seats)
        if change.deadline(WINDOW) is None and change.table.kind.has_clocks:
            usual = int(self._settings.tunnela_window_s * SECOND)
            change.remind(WINDOW, turn_ms(pace) if alone else window_ms(pace, usual), since)
        if alone and all(seat.by_computer for seat in change.seats):
            change.remind(COMPUTER, self._settings.computer_pause_ms, since)

    def watch(self, change: TableChange) -> None:
        """Start the clock of an abandoned table; stop it while somebody is present or has a place on the bench."""
        if change.bench or any(seat.present for seat in change.seats):
            change.stop(ABANDONED)
        elif change.deadline(ABANDONED) is None:
            change.remind(ABANDONED, abandoned_ms(change.table.options.pace))


def _is_paused(change: TableChange) -> bool:
    return change.deadline(PAUSED) is not None
