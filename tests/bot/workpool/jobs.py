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
    """Hold the process up until there is such a file."""
    while not path.exists():
        time.sleep(0.001)
    return path.read_text()


def hold(path: Path) -> None:
    """Hold the process up for good; the file says that it has begun."""
    path.touch()
    while True:
        time.sleep(0.001)


def steps_until(gate: Path, log: Path, name: str) -> Generator[None, None, str]:
    """Write down every step, and end once the gate is open."""
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
    """End the process without an answer; the file says so."""
    path.touch()
    os._exit(1)


def die_once(path: Path) -> int:
    """End the process without an answer, but only where none has ended before."""
    if path.exists():
        return os.getpid()
    path.touch()
    os._exit(1)


def process_id() -> int:
    return os.getpid()
