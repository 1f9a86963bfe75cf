"""Rulings of the staff that change the calendar of a season: an extension, a pause, its end."""

from typing import TypeAlias

from bot.errors import UserError
from bot.league.postponing import moved_rounds, put_off, show_times
from bot.league.season_transaction import SeasonTransaction
from data.season_posts import PauseNotice
from data.season_rows import SeasonRow
from league.events import DeadlineMoved, SeasonPaused, SeasonResumed
from league.season import Season
from league.times import DAY

CalendarAct: TypeAlias = DeadlineMoved | SeasonPaused | SeasonResumed
_LONGEST_EXTENSION = 60 * DAY


def extended(row: SeasonRow, season: Season, until: int | None = None) -> DeadlineMoved:
    """The end of the sign-up or of the round in play comes at another moment, or a day later; raises UserError."""
    _require_going_on(season)
    number = _in_play(season)
    former = season.rounds[number].due if number else row.starts_at
    return DeadlineMoved(number, former + DAY if until is None else until, former)


def paused(season: Season) -> SeasonPaused:
    """Nothing is drawn and no deadline passes until the season is resumed; raises UserError."""
    _require_going_on(season)
    return SeasonPaused()


def resumed(season: Season) -> SeasonResumed:
    """A paused season goes on; raises UserError."""
    if season.paused_at is None:
        raise UserError("league.not_paused")
    return SeasonResumed()


def require_act(season_tx: SeasonTransaction, event: CalendarAct, *, corrects: bool) -> None:
    """Raise UserError unless the act is possible now; one that corrects may also move a deadline nearer."""
    season_tx.require_open()
    match event:
        case DeadlineMoved(due=until, former=former):
            _require_going_on(season_tx.season)
            earliest = season_tx.now if corrects else max(former, season_tx.now)
            if not earliest < until <= season_tx.now + _LONGEST_EXTENSION:
                raise UserError("league.bad_extension", due=former)
        case SeasonPaused():
            _require_going_on(season_tx.season)
        case SeasonResumed():
            resumed(season_tx.season)


async def carry_out(season_tx: SeasonTransaction, event: CalendarAct, before: Season) -> None:
    """Do what follows from an act that is an event of the season now; `before` is the season before it."""
    match event:
        case DeadlineMoved(round=0, due=until):
            await season_tx.change(starts_at=until)
        case DeadlineMoved(round=number, due=until):
            await season_tx.add(*moved_rounds(before, number, until)[1:])
        case SeasonPaused():
            for member in season_tx.season.members.values():
                if not member.is_gone:
                    await season_tx.request_post(PauseNotice(season_tx.now, member.player))
        case SeasonResumed():
            if before.paused_at is not None:
                await put_off(season_tx, season_tx.now - before.paused_at)
    await show_times(season_tx)


def _require_going_on(season: Season) -> None:
    if not season.settings.format.has_draw:
        raise UserError("league.no_draw")
    if season.paused_at is not None:
        raise UserError("league.is_paused")


def _in_play(season: Season) -> int:
    """The first round with a match to play, else the last that is drawn, 0 for the sign-up."""
    playing = [pod.round for pod in season.pods.values() if not pod.over]
    return min(playing, default=season.drawn)
