"""The clocks of a deal. Every change of the deal sets them again, as rows, so that they survive a restart."""

from bot.settings import Settings
from bot.table.core.change import TableChange, withdraw_mention
from bot.table.core.repository import Activity
from bot.table.core.table import (
    ABANDONED,
    COMPUTER,
    MENTION,
    PAUSED,
    PAUSED_MS,
    TURN,
    WINDOW,
    abandoned_ms,
    is_alone,
    mention_ms,
    plays_alone,
    present_pace,
    reminder_ms,
    turn_ms,
    window_ms,
)
from bot.table.flow.computers import pause_ms
from data.values import SeatRow
from league.ids import PersonId
from league.times import SECOND
from marriage.state import Phase, State


class Clocks:
    """Set the deadlines of a table in the change that makes the table wait."""

    def __init__(self, settings: Settings, activity: Activity) -> None:
        self._settings = settings
        self._activity = activity

    def wind(self, change: TableChange) -> None:
        """Set the clocks of the seats asked now: a person gets their full time, a computer its pause.

        A table that cannot be shown stays paused: no person's clock runs, even when people play on by direct message.
        """
        withdraw_mention(change)
        state = change.state
        if state is None or state.phase is Phase.OVER or not _is_paused(change):
            self._wind(change, None)
            return
        self.pause(change, change.asked_since() if state.phase is Phase.WINDOW else None)

    def pause(self, change: TableChange, since: int | None) -> None:
        """Pause a table that cannot be shown, for the question that it has asked since this revision."""
        change.remind(PAUSED, PAUSED_MS, since)
        self._wind_computers(change, since)

    def _wind_computers(self, change: TableChange, since: int | None) -> None:
        """Let computers go on at a paused table when it waits for no person, so that people can play by direct message.

        Nobody is asked in a window that everybody has answered: the computers close it. They do not play on alone.
        """
        change.stop(COMPUTER)
        state = change.state
        if state is None or not any(seat.present for seat in change.seats):
            return
        if not any(change.seats[seat].present for seat in change.asked()):
            change.remind(COMPUTER, pause_ms(self._settings.computer_pause_ms, state), since)

    def rewind(self, change: TableChange, seat: int) -> None:
        """Restart the clock of a seat whose player has changed, if the deal waits for it. Other clocks keep running."""
        if _is_paused(change):
            if change.goes_on:
                self._wind_computers(change, change.asked_since())
        elif seat in change.asked():
            withdraw_mention(change)
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
        change.stop(TURN, MENTION, COMPUTER, PAUSED, *([] if in_window else [WINDOW]))
        if in_window:
            self._wind_window(change, since)
            return
        if state.phase is Phase.OVER:
            return
        if change.seats[state.turn].by_computer:
            change.remind(COMPUTER, pause_ms(self._settings.computer_pause_ms, state), since)
        elif change.table.kind.has_clocks:
            change.remind(TURN, turn_ms(change.pace), since)
            self._plan_mention(change, state, since)

    def _plan_mention(self, change: TableChange, state: State, since: int | None) -> None:
        """Set the time to mention the person whose turn it is, which happens at most once in a turn."""
        row = change.seats[state.turn]
        if _goes_on(change, state):
            if MENTION in change.before.deadlines:
                change.remind(MENTION, reminder_ms(change.pace), since)
        elif not _was_mentioned(change, row, since):
            silent_ms = self._activity.silent_ms(change.table.id, row.person_id or PersonId(0))
            alone = is_alone(change.seats, change.bench)
            change.remind(MENTION, mention_ms(change.pace, silent_ms, alone=alone), since)

    def _wind_window(self, change: TableChange, since: int | None) -> None:
        """Set the clock of the window. All seats share it, and no action prolongs or shortens it.

        A person alone with computers keeps no one waiting: they have as long as for a move, and if they
        leave, a computer answers.
        """
        alone = plays_alone(change.table, change.seats)
        if change.deadline(WINDOW) is None and change.table.kind.has_clocks:
            usual = int(self._settings.tunnela_window_s * SECOND)
            change.remind(WINDOW, turn_ms(change.pace) if alone else window_ms(change.pace, usual), since)
        if alone and all(seat.by_computer for seat in change.seats):
            change.remind(COMPUTER, self._settings.computer_pause_ms, since)

    def watch(self, change: TableChange) -> None:
        """Start the clock of an abandoned table; stop it while a person is present or on the bench."""
        if change.bench or any(seat.present for seat in change.seats):
            change.stop(ABANDONED)
        elif change.deadline(ABANDONED) is None:
            change.remind(ABANDONED, abandoned_ms(change.table.options.pace))

    def keep_company(self, change: TableChange) -> None:
        """Start the turn's clock if anyone waits for it, or else stop it, after people came or left."""
        before = change.before
        pace = present_pace(before.row.options.pace, before.seats, before.bench)
        if pace != change.pace and change.deadline(TURN) is not None:
            self.wind_same(change)


def _is_paused(change: TableChange) -> bool:
    return change.deadline(PAUSED) is not None


def _goes_on(change: TableChange, state: State) -> bool:
    """Return whether the person whose turn it is already had the turn before this change."""
    before = change.before
    if before.state is None or TURN not in before.deadlines or before.row.deal_no != change.deal_no:
        return False
    return before.state.turn == state.turn


def _was_mentioned(change: TableChange, row: SeatRow, since: int | None) -> bool:
    """Return whether the person was mentioned for this turn: there is a message, or they came back."""
    stands = change.table.mention_id is not None and "mention_id" not in change.changes
    return stands or (since is not None and row.second_clock == since)
