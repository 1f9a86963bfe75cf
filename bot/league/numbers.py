"""The numbers of a season: each by its name, as people type it and as it is shown."""

from types import NoneType
from typing import Any, Final

from pydantic import ValidationError

from bot.errors import Sorry
from league.settings import SeasonSettings

FIXED: Final = {"format"}
_YES_NO: Final = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
NAMES: Final = tuple(name for name in SeasonSettings.model_fields if name not in FIXED)


def described(name: str) -> str:
    """What a number is."""
    return SeasonSettings.model_fields[name].description or name


def shown_value(settings: SeasonSettings, name: str) -> str:
    """A number as people write it."""
    value: Any = getattr(settings, name)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "; ".join(" ".join(map(str, one)) if isinstance(one, tuple) else str(one) for one in value)
    return "–" if isinstance(value, NoneType) else str(value)


def changed(settings: SeasonSettings, name: str, typed: str) -> SeasonSettings:
    """These settings with one number as it was typed; raises Sorry for what does not go."""
    if name not in NAMES:
        raise Sorry("league.no_setting", setting=name[:40])
    try:
        return settings.with_options(**{name: _read(getattr(settings, name), typed.strip().casefold())})
    except (ValidationError, ValueError):
        raise Sorry("league.bad_setting", setting=name, what=described(name)) from None


def _read(now: Any, typed: str) -> Any:
    if isinstance(now, bool):
        return _YES_NO.get(typed, typed)
    if isinstance(now, tuple):
        lists = [
            tuple(int(one) for one in part.replace(",", " ").split())
            for part in typed.split(";")
            if part.strip()
        ]
        return (
            tuple(lists) if now and isinstance(now[0], tuple) else tuple(one for own in lists for one in own)
        )
    return None if typed in {"–", "-", ""} else int(typed)
