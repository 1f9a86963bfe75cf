"""How often players see the tiplu: the share of deals in which they show."""

from dataclasses import dataclass
from typing import Final

from league.points import nearest

ENOUGH: Final = 30
"""The fewest deals for which the share is shown."""


@dataclass(frozen=True, slots=True)
class Seen:
    """How many finished deals a player has had, and in how many of them they have shown."""

    deals: int
    seen: int

    @property
    def percent(self) -> int | None:
        """Return the share in whole percent; None for fewer deals than `ENOUGH`."""
        return nearest(100 * self.seen, self.deals) if self.deals >= ENOUGH else None
