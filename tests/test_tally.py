"""A tally keeps every entry that was written whole."""

from dataclasses import dataclass, field
from pathlib import Path

from tests.tally import Tally


@dataclass
class Done:
    """One thing that was done."""

    number: int
    broken: list[str] = field(default_factory=list[str])

    @property
    def what(self) -> str:
        return str(self.number)


def numbers(path: Path) -> list[int]:
    return [entry.number for entry in Tally(path, Done).entries]


def test_a_line_that_was_written_only_in_part_is_dropped(tmp_path: Path):
    path = tmp_path / "tally.jsonl"
    Tally(path, Done).add(Done(1))
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:-5])
    assert numbers(path) == [1]
    assert path.read_bytes() == whole
    path.write_bytes(whole[:-5])
    assert numbers(path) == []
    assert path.read_bytes() == b""


def test_a_whole_line_without_its_end_is_kept(tmp_path: Path):
    path = tmp_path / "tally.jsonl"
    for number in (1, 2):
        Tally(path, Done).add(Done(number))
    path.write_bytes(path.read_bytes().rstrip())
    Tally(path, Done).add(Done(3))
    assert numbers(path) == [1, 2, 3]
