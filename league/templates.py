"""Common leagues, ready to open: their format and numbers, and the hour of the week at which they begin."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from league.settings import SeasonSettings, default_settings
from league.times import DAY, at_hour, local

_FRIDAY: Final = 4
_WEEK: Final = 7
_EVENING: Final = {
    "confirm_hours": 1,
    "reminder_hours": (1,),
    "rest_weeks": 0,
    "report_hours": 1,
    "dispute_hours": 2,
}


@dataclass(frozen=True, slots=True)
class Template:
    """A league to open; its texts in the catalogues are `template.<name>` and `template.<name>_hint`."""

    name: str
    format: str
    numbers: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The differences from the defaults of the format."""
    weekday: int | None = None
    """The day of the first draw, 0 for Monday; None if it follows from the days of sign-up."""

    def settings(self, timezone: str) -> SeasonSettings:
        """Return its settings in that time zone."""
        return default_settings(self.format).with_options(**self.numbers, timezone=timezone)

    def starts_at(self, now: int, settings: SeasonSettings) -> int | None:
        """Return the first draw's time if opened now, at least a day later; None if sign-up decides."""
        if self.weekday is None:
            return None
        days = (self.weekday - local(now, settings.timezone).weekday()) % _WEEK
        soonest = at_hour(now, settings.timezone, settings.draw_hour, days)
        late = soonest < now + DAY
        return at_hour(now, settings.timezone, settings.draw_hour, days + _WEEK) if late else soonest


TEMPLATES: Final[Mapping[str, Template]] = {
    template.name: template
    for template in (
        Template("arena", "arena", {"draw_hour": 20}, _FRIDAY),
        Template(
            "evening",
            "swiss",
            {
                **_EVENING,
                "rounds": 4,
                "round_minutes": 45,
                "rotations": 1,
                "no_show_minutes": 5,
                "extra_hours": 0,
                "draw_hour": 20,
            },
            _FRIDAY,
        ),
        Template("pods", "pods"),
        Template("ladder", "ladder"),
        Template("divisions", "divisions", {"rounds": 7, "round_days": 8}),
    )
}
"""Every template by its name, in the order in which they are offered."""
