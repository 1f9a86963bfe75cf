"""The rows of forgetting as plain values."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LimitRow:
    """A limit of a person, without the person."""

    about: int
    """The table, the set of boards or the season that the limit is about."""
    until: int | None
    """When it ends; None while the table or the season is open."""
