"""The settings of a season: its format and its numbers."""

from typing import Annotated, Any, Final, Self

from pydantic import Field, PlainSerializer, PlainValidator, model_validator

from league.formats import DEFAULT_FORMAT, FORMATS, Format, format_named
from league.numbers import SeasonNumbers


def _format(value: object) -> Format:
    return value if isinstance(value, Format) else format_named(value)


def _name(chosen: Format) -> str:
    return chosen.name


_ATTENDANCE: Final = {
    "miss_from_mean": True,
    "least_matches": 50,
    "free_absences": 0,
    "absence_points": -1500,
    "no_show_points": -2000,
    "dispute_hours": 96,
}
"""How a new season counts players who miss rounds, so that missing never pays (`benchmarks/attendance.py`).

These values differ from the defaults of the fields: a season opened earlier has stored none of them.
"""


CHANGED_LATER: Final = frozenset(
    {
        "description",
        "role",
        "account_days",
        "server_days",
        "reliability",
        "reliability_after",
        "approval",
        "most_players",
        "late_entry",
        "timezone",
        "draw_hour",
        "play_hours",
        "rounds",
        "round_days",
        "checkin_hours",
        "reminder_hours",
        "tables",
        "pod_size",
        "no_fives",
        "swiss_weight",
        "public_page",
        "answer_hours",
        "no_show_minutes",
        "missing",
        "report_hours",
        "dispute_hours",
        "extra_hours",
        "rest_weeks",
        "hiatus_seasons",
        "cut_to",
        "final_matches",
    }
)
"""The numbers that can be changed once a season has begun, because they change no past match."""


class SeasonSettings(SeasonNumbers):
    """The choices of one season; they are fixed when it opens."""

    format: Annotated[Format, PlainValidator(_format), PlainSerializer(_name)] = Field(
        DEFAULT_FORMAT, description="Open ladder, pods, Swiss pods or divisions; stored as its name."
    )

    @model_validator(mode="after")
    def _suited(self) -> Self:
        if self.duplicate and not self.format.allows_duplicate:
            raise ValueError("duplicate goes with pods and divisions: everyone plays the same boards")
        if self.team_size and (not self.format.has_draw or self.format.plays_to_the_end):
            raise ValueError("teams go with pods, Swiss pods and divisions: their members are drawn apart")
        return self

    def checks_in(self, number: int) -> bool:
        """Return whether players confirm before this round that they will play; for round 1, their sign-up."""
        return self.format.checks_in(self, number)

    def open_to_late(self, rounds_drawn: int) -> bool:
        """Return whether people may still join after so many rounds."""
        return self.format.open_to_late(self, rounds_drawn)

    def finalists(self, players: int) -> int:
        """Return with how many of these remaining players the finals begin: 16, 8 or 4; 0 for no finals."""
        return self.format.finalists(self, players)

    def differing(self, other: "SeasonSettings") -> tuple[str, ...]:
        """Return the names of the numbers in which these settings differ from others."""
        return tuple(
            name for name in SeasonNumbers.model_fields if getattr(self, name) != getattr(other, name)
        )

    def with_options(self, **options: Any) -> "SeasonSettings":
        """Return these settings with some options changed and validated; raises pydantic's ValidationError."""
        return SeasonSettings.model_validate(self.model_dump() | options)


def default_settings(format_name: str) -> SeasonSettings:
    """Return the default settings of a format; raises KeyError for an unknown name."""
    return SeasonSettings.model_validate(
        {**_ATTENDANCE, **FORMATS[format_name].defaults, "format": format_name}
    )
