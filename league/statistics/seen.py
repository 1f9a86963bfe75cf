"""How often players see the tiplu: the share of deals in which they have shown."""

from dataclasses import dataclass
from typing import Final

from league.points import nearest

ENOUGH: Final = 30
"""A share of fewer deals says too little to be shown."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Of how many finished deals a player has shown in how many."""

    deals: int
    seen: int

    @property
    def percent(self) -> int | None:
        """The share in whole percent; None for fewer deals than `ENOUGH`."""
        return nearest(100 * self.seen, self.deals) if self.deals >= ENOUGH else None
