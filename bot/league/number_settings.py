"""The numbers of a season: their descriptions, parsing and display."""

import re
from decimal import Decimal
from typing import Any, Final

from pydantic import ValidationError

from bot.errors import UserError
from bot.words.names import shown_lines
from bot.words.numbers import read_id
from bot.words.texts import Texts, texts
from data.preferences import Pace
from league.numbers import LONGEST_DESCRIPTION, SeasonNumbers
from league.settings import SeasonSettings, default_settings
from league.times import timezone_named

_YES_NO: Final = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
_NONE: Final = {"–", "-", ""}
_NUMBER: Final = re.compile(r"[+−-]?\d{1,9}(\.\d{1,4})?")
_HUNDREDTHS: Final = {"swiss_weight", "cut", "bonus", "absence_points", "no_show_points", "average_plus"}
"""The numbers stored in hundredths and written with decimals, such as 2.5."""
_SCHEMA: Final[dict[str, Any]] = SeasonNumbers.model_json_schema()["properties"]
NAMES: Final = tuple(SeasonNumbers.model_fields)
DESCRIPTION: Final = "description"
ROLE: Final = "role"
CLOCK: Final = "clock"
"""The only setting that is not a number: how long a move may take at the league's tables."""


def described(name: str, texts: Texts) -> str:
    """Return the description of a number."""
    return texts(f"number.{name}")


def shown_value(settings: SeasonSettings, name: str) -> str:
    """Return a number as it is shown."""
    parts = 100 if name in _HUNDREDTHS else 1
    match getattr(settings, name):
        case str() as value if name == DESCRIPTION:
            return shown_lines(value) or "–"
        case int() as value if name == ROLE:
            return f"<@&{value}>" if value else "–"
        case bool() as value:
            return "yes" if value else "no"
        case None:
            return "–"
        case str() as value:
            return value
        case tuple():
            rows = _rows(settings, name)
            return "; ".join(" ".join(_written(number, parts) for number in row) for row in rows) or "–"
        case value:
            return _written(value, parts)


def _is_nested(settings: SeasonSettings, name: str) -> bool:
    """Return whether a setting is a list of lists."""
    value: tuple[object, ...] = getattr(settings, name)
    return bool(value) and isinstance(value[0], tuple)


def _rows(settings: SeasonSettings, name: str) -> tuple[tuple[Any, ...], ...]:
    """Return the lists of a setting; a plain list counts as one."""
    value: tuple[Any, ...] = getattr(settings, name)
    return value if _is_nested(settings, name) else (value,)


def changed(settings: SeasonSettings, name: str, typed: str) -> SeasonSettings:
    """Return these settings with one number as typed; raises UserError if it is not allowed."""
    if name not in NAMES:
        raise UserError("league.no_setting", setting=name[:40])
    try:
        said = typed.strip() if name == DESCRIPTION else typed.strip().casefold()
        return settings.with_options(**{name: _read(settings, name, said)})
    except (ValidationError, ValueError):
        raise bad_setting(settings, name) from None


def bad_setting(settings: SeasonSettings, name: str) -> UserError:
    """Return the error for a number that cannot be what was typed."""
    say = texts()
    return UserError(
        "league.bad_setting", setting=name, what=described(name, say), allowed=_allowed(settings, name, say)
    )


def read_clock(typed: str) -> Pace:
    """Return a clock as typed; raises UserError if there is no such clock."""
    try:
        return Pace(typed.strip().casefold())
    except ValueError:
        say = texts()
        allowed = ", ".join(f"`{pace}`" for pace in Pace)
        raise UserError(
            "league.bad_setting", setting=CLOCK, what=described(CLOCK, say), allowed=allowed
        ) from None


def _allowed(settings: SeasonSettings, name: str, texts: Texts) -> str:
    """Return the values allowed for a number: its bounds if it has any, else the format's default."""
    if isinstance(getattr(settings, name), bool):
        return texts("league.allowed_yes_no")
    if name == DESCRIPTION:
        return texts("league.allowed_text", most=LONGEST_DESCRIPTION)
    if name == ROLE:
        return texts("league.allowed_role")
    known = _SCHEMA[name]
    if isinstance(getattr(settings, name), str) and "enum" in known:
        return ", ".join(f"`{value}`" for value in known["enum"])
    if "minimum" not in known:
        return texts("league.allowed_like", value=shown_value(default_settings(settings.format.name), name))
    parts = 100 if name in _HUNDREDTHS else 1
    least, most = _written(known["minimum"], parts), _written(known["maximum"], parts)
    return texts("league.allowed_range", least=least, most=most)


def _read(settings: SeasonSettings, name: str, typed: str) -> Any:
    parts = 100 if name in _HUNDREDTHS else 1
    if name == DESCRIPTION:
        return "" if typed in _NONE else typed
    if name == ROLE:
        return 0 if typed in _NONE else _role(typed)
    match getattr(settings, name):
        case bool():
            return _YES_NO.get(typed, typed)
        case str():
            return typed if "enum" in _SCHEMA[name] else _timezone(typed)
        case tuple():
            lists = [_list(part, parts) for part in typed.split(";") if part.strip() not in _NONE]
            return (
                tuple(lists)
                if _is_nested(settings, name)
                else tuple(number for row in lists for number in row)
            )
        case _:
            return None if typed in _NONE else _number(typed, parts)


def _role(typed: str) -> int:
    """Return the id of a role, as typed or mentioned; raises ValueError."""
    if (role_id := read_id(typed.strip("<@&>"))) is None:
        raise ValueError(f"{typed} is no role")
    return role_id


def _timezone(typed: str) -> str:
    """Return the time zone with that name, ignoring case; raises UserError if there is none."""
    if (found := timezone_named(typed)) is None:
        raise UserError("daily.no_timezone")
    return found


def _list(typed: str, parts: int) -> tuple[int, ...]:
    return tuple(_number(word, parts) for word in typed.replace(",", " ").split())


def _number(typed: str, parts: int) -> int:
    """Parse a decimal number into parts of a unit, such as hundredths.

    Raises ValueError if it is not a whole number of parts.
    """
    if not _NUMBER.fullmatch(typed):
        raise ValueError(f"{typed} is no number")
    value = Decimal(typed.replace("−", "-")) * parts
    if value != int(value):
        raise ValueError(f"{typed} has parts of parts")
    return int(value)


def _written(value: int, parts: int) -> str:
    return f"{Decimal(value) / parts:f}"
