"""How much one person may ask of the bot, so that somebody who hammers a button slows down nobody else."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from league.ids import PersonId

BURST_S: Final = 2.0
"""Somebody who has been quiet may press at once what is otherwise their share of so many seconds."""


class FairShare:
    """A token bucket for each person. It is kept as one moment: when the bucket will be full again.

    Only people whose bucket isn't full are remembered, so there are never more than pressed within the last seconds.
    """

    def __init__(self, presses_per_second: float, monotonic: Callable[[], float]) -> None:
        self._interval = 1 / presses_per_second
        self._monotonic = monotonic
        self._full_at: OrderedDict[int, float] = OrderedDict()
        """By person, least recently active first."""

    def admits(self, person_id: PersonId) -> bool:
        """Whether this person may have what they ask for just now; asking for more than that costs them nothing."""
        now = self._monotonic()
        self._forget_full(now)
        full_at = max(now, self._full_at.get(person_id, now)) + self._interval
        if full_at - now > BURST_S + self._interval / 2:  # rounding takes no press away
            return False
        self._full_at[person_id] = full_at
        self._full_at.move_to_end(person_id)
        return True

    def _forget_full(self, now: float) -> None:
        while self._full_at and next(iter(self._full_at.values())) <= now:
            self._full_at.popitem(last=False)
