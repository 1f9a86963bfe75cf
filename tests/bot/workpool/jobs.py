"""Work for the tests of the pool; the other process imports it from here."""

import os
import time
from collections.abc import Generator
from pathlib import Path


def double(number: int) -> int:
    return 2 * number


def note(path: Path, line: str) -> str:
    with path.open("a") as file:
        file.write(line)
    return line


def wait_for(path: Path) -> str:
    """Block the process until the file exists."""
    while not path.exists():
        time.sleep(0.001)
    return path.read_text()


def hold(path: Path) -> None:
    """Block the process forever; the file shows that it has begun."""
    path.touch()
    while True:
        time.sleep(0.001)


def steps_until(gate: Path, log: Path, name: str) -> Generator[None, None, str]:
    """Write each step to a file, and end once the gate is open."""
    while not gate.exists():
        note(log, name)
        time.sleep(0.001)
        yield
    return name


def fail(words: str) -> None:
    raise ValueError(words)


def answer_with_a_function() -> object:
    return lambda: None


def talk() -> int:
    print("loudly")
    return 1


def die() -> None:
    os._exit(1)


def die_after(path: Path) -> None:
    """End the process without an answer, and record it in the file."""
    path.touch()
    os._exit(1)


def die_once(path: Path) -> int:
    """End the process without an answer, but only the first time."""
    if path.exists():
        return os.getpid()
    path.touch()
    os._exit(1)


def process_id() -> int:
    return os.getpid()


class UnreadableError(Exception):
    """An error that can be pickled, but not read again."""

    def __init__(self, one: str, two: str) -> None:
        super().__init__(one + two)


def fail_unreadably() -> None:
    raise UnreadableError("one", "two")
