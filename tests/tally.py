"""The counts of long runs, one line of a file per entry, so that a run continues where another ended."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from pydantic import TypeAdapter, ValidationError


class Counted(Protocol):
    """A dataclass with the results of one thing that was done."""

    __dataclass_fields__: Any

    @property
    def what(self) -> str:
        """What was done."""
        ...

    @property
    def broken(self) -> Sequence[object]:
        """The promises that were not kept."""
        ...


E = TypeVar("E", bound=Counted)


class Tally(Generic[E]):
    """All entries, including those of earlier runs."""

    def __init__(self, path: Path, kind: type[E]) -> None:
        self._path = path
        self._adapter = TypeAdapter(kind)
        path.parent.mkdir(parents=True, exist_ok=True)
        self._repair()
        lines = path.read_bytes().splitlines() if path.exists() else []
        self.entries: list[E] = [self._adapter.validate_json(line) for line in lines]

    def _repair(self) -> None:
        """End the last line: a run that was killed may have written only a part of it, which is dropped."""
        written = self._path.read_bytes() if self._path.exists() else b""
        if not written or written.endswith(b"\n"):
            return
        whole, _, last = written.rpartition(b"\n")
        try:
            self._adapter.validate_json(last)
        except ValidationError:
            os.truncate(self._path, len(whole) + 1 if whole else 0)
        else:
            with self._path.open("ab") as file:
                file.write(b"\n")

    def add(self, entry: E) -> None:
        """Add an entry, to the file too."""
        self.entries.append(entry)
        with self._path.open("ab") as file:
            file.write(self._adapter.dump_json(entry) + b"\n")

    def sum(self, name: str) -> int:
        """Return the sum of a count over all entries."""
        return sum(getattr(entry, name) for entry in self.entries)

    @property
    def broken(self) -> list[str]:
        """All promises that were not kept."""
        return [f"{entry.what}: {fault}" for entry in self.entries for fault in entry.broken]
