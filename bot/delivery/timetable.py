"""A queue of keys by due time."""

from heapq import heappop, heappush
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=tuple[int, ...])


class Timetable(Generic[Key]):
    """Each key is due at most once, at the earliest time that was noted for it."""

    def __init__(self) -> None:
        self._due: dict[Key, int] = {}
        self._heap: list[tuple[int, Key]] = []
        """Entries that `_due` does not confirm are out of date, and are skipped."""

    def note(self, key: Key, at: int) -> None:
        """The key is due at this time, in milliseconds since 1970, unless it is due earlier already."""
        if at < self._due.get(key, at + 1):
            self._due[key] = at
            heappush(self._heap, (at, key))

    def drop(self, key: Key) -> None:
        """The key is not due any more."""
        self._due.pop(key, None)

    @property
    def next_at(self) -> int | None:
        """Return when the next key is due; None if the queue is empty."""
        while self._heap and self._due.get(self._heap[0][1]) != self._heap[0][0]:
            heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def take(self, now: int) -> Key | None:
        """Take out the key that has been due the longest; None if none is due yet."""
        at = self.next_at
        if at is None or at > now:
            return None
        _, key = heappop(self._heap)
        del self._due[key]
        return key
