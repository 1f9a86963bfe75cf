"""What long runs have counted, one line in a file for each thing that they did, so that a run goes on where one ended."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from pydantic import TypeAdapter


class Counted(Protocol):
    """What came of one of these things: a dataclass."""

    __dataclass_fields__: Any

    @property
    def what(self) -> str:
        """Which it was."""
        ...

    @property
    def broken(self) -> Sequence[object]:
        """The promises that were not kept."""
        ...


E = TypeVar("E", bound=Counted)


class Tally(Generic[E]):
    """All entries, of former runs too."""

    def __init__(self, path: Path, kind: type[E]) -> None:
        self._path = path
        self._adapter = TypeAdapter(kind)
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = path.read_bytes().splitlines() if path.exists() else []
        self.entries: list[E] = [self._adapter.validate_json(line) for line in lines]

    def add(self, entry: E) -> None:
        """Note it, in the file too."""
        self.entries.append(entry)
        with self._path.open("ab") as file:
            file.write(self._adapter.dump_json(entry) + b"\n")

    def sum(self, name: str) -> int:
        """A count, of all entries."""
        return sum(getattr(entry, name) for entry in self.entries)

    @property
    def broken(self) -> list[str]:
        """All promises that were not kept."""
        return [f"{entry.what}: {fault}" for entry in self.entries for fault in entry.broken]
