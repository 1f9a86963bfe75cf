"""The kinds of seasons that are played with random acts, and the numbers that vary from one to the next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from league.times import DAY, HOUR, MINUTE

_ALL: Mapping[str, Sequence[Any]] = {
    "rounds": (1, 2, 3, 4),
    "signup_days": (2,),
    "confirm_hours": (0, 24),
    "round_days": (2, 7),
    "late_entry": (0, 50, 100),
    "missing": ("substitute", "substitute", "shorter", "computer"),
    "least_matches": (0,),
}
"""The possible values of the numbers of every kind."""
_FINALS = {"cut_to": (0, 0, 4)}
_EVENING = {"round_minutes": (5, 20, 30)}


@dataclass(frozen=True)
class Kind:
    """A kind of season."""

    name: str
    format: str
    numbers: Mapping[str, Sequence[Any]] = field(default_factory=dict[str, Sequence[Any]])
    """The possible values of its numbers, besides those of every kind."""
    waits: Sequence[int] = (10 * MINUTE, HOUR, 6 * HOUR, DAY, 2 * DAY)
    """How long nothing may happen once it has begun, in milliseconds."""
    outages: Sequence[float] = (0.1, 3, 10, 40)
    """For how many hours the bot may be away."""

    def drawn(self, random: Random) -> dict[str, Any]:
        """Draw the numbers of a season of this kind."""
        return {name: random.choice(values) for name, values in {**_ALL, **self.numbers}.items()}


def _in_an_evening(name: str, format_: str, **numbers: Sequence[Any]) -> Kind:
    return Kind(
        name,
        format_,
        _EVENING | numbers,
        waits=(MINUTE, 3 * MINUTE, 10 * MINUTE, 20 * MINUTE),
        outages=(0.1, 0.3, 1, 5),
    )


KINDS = (
    Kind("pods", "pods", _FINALS),
    Kind("duplicate pods", "pods", _FINALS | {"duplicate": (True,)}),
    Kind("teams", "pods", _FINALS | {"team_size": (2,)}),
    Kind("swiss", "swiss", _FINALS),
    Kind("divisions", "divisions", {"division_size": (4,), "duplicate": (False, True)}),
    _in_an_evening("pods in an evening", "pods", **_FINALS),
    _in_an_evening("swiss in an evening", "swiss", **_FINALS),
    _in_an_evening("arena", "arena", rounds=(6, 12), confirm_hours=(1,)),
    Kind("ladder", "ladder", {"rounds": (7, 30), "signup_days": (1,), "round_days": (1,)}),
)
"""A season's number says of which kind it is: so many consecutive numbers have one of each."""
