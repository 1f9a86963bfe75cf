"""How long a table waits at each pace, in milliseconds."""

from collections.abc import Sequence
from typing import Final

from bot.table.core.table import is_alone
from data.preferences import Pace
from data.values import BenchRow, SeatRow

_SECOND: Final = 1_000
_MINUTE: Final = 60 * _SECOND
_HOUR: Final = 60 * _MINUTE

_TURN: Final = {
    Pace.NONE: 48 * _HOUR,
    Pace.FAST: 30 * _SECOND,
    Pace.NORMAL: 90 * _SECOND,
    Pace.SLOW: 5 * _MINUTE,
    Pace.DAILY: 24 * _HOUR,
}
SILENCE_MS: Final = 20 * _SECOND
"""People who have done nothing for so long may be looking elsewhere."""
_GRACE: Final = 10 * _SECOND
_LONG_GONE: Final = 2 * _MINUTE
VOTE_MS: Final = 2 * _MINUTE
"""How long the others have to agree to end a deal."""
PAUSED_MS: Final = 7 * 24 * _HOUR
"""How long a table that cannot be shown stays open."""
_ABANDONED: Final = 10 * _MINUTE
_ABANDONED_UNHURRIED: Final = 24 * _HOUR
_UNHURRIED: Final = {Pace.NONE, Pace.DAILY}


_WINDOW_DAILY: Final = 2 * _HOUR
_REMATCH: Final = 60 * _SECOND
_REMATCH_DAILY: Final = 24 * _HOUR


def has_clock(pace: Pace) -> bool:
    """Whether people see how long they have. Even without a clock a turn ends some day."""
    return pace is not Pace.NONE


def turn_ms(pace: Pace) -> int:
    """How long a person may take for a move. Without a clock: so long that they must have forgotten the table."""
    return _TURN[pace]


def present_pace(pace: Pace, seats: Sequence[SeatRow], bench: Sequence[BenchRow]) -> Pace:
    """The pace of a table with these people: somebody alone with computers keeps nobody waiting, so no clock runs."""
    return Pace.NONE if is_alone(seats, bench) else pace


def mention_ms(pace: Pace, silent_ms: int | None, *, alone: bool = False) -> int:
    """How long after the beginning of a turn its person is mentioned, if they do nothing until then.

    `silent_ms` is how long ago they were last active at the table, None if nothing is known of that. People who follow
    the game act within `_GRACE`, so they are not mentioned. Where a turn may take a day, nobody follows the game after
    some minutes: they are mentioned at once. Somebody `alone` with computers may think for a while.
    """
    if alone:
        return _MINUTE
    silent = _LONG_GONE if silent_ms is None else silent_ms
    grace = 0 if pace in _UNHURRIED and silent >= _LONG_GONE else _GRACE
    return max(grace, SILENCE_MS - silent)


def reminder_ms(pace: Pace) -> int:
    """The same for a person who has begun their turn, and then does not go on."""
    return max(turn_ms(pace) // 2, SILENCE_MS)


def window_ms(pace: Pace, usual_ms: int) -> int:
    """How long tunnelas may be exposed.

    That is `usual_ms`, three times as long where people take their time, and two hours where a move may take a day.
    """
    match pace:
        case Pace.FAST | Pace.NORMAL:
            return usual_ms
        case Pace.SLOW | Pace.NONE:
            return 3 * usual_ms
        case Pace.DAILY:
            return _WINDOW_DAILY


def abandoned_ms(pace: Pace) -> int:
    """How long a table with nobody present waits for somebody to come back."""
    return _ABANDONED_UNHURRIED if pace in _UNHURRIED else _ABANDONED


def rematch_ms(pace: Pace) -> int:
    """How long the others have to ask for a rematch too, before it starts without them."""
    return _REMATCH_DAILY if pace is Pace.DAILY else _REMATCH


def between_ms(pace: Pace, usual_ms: int) -> int:
    """How long a table waits for its next deal."""
    return max(usual_ms, 2 * turn_ms(pace)) if pace is Pace.DAILY else usual_ms
