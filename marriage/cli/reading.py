"""Read untrusted requests: strict JSON of a limited size. Every error is a sentence."""

import json
import sys
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final, NoReturn, cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

LARGEST: Final = 1 << 20
"""The size limit of a request, in bytes."""
_LONGEST_SENTENCE: Final = 400
_MOST_FAULTS: Final = 3
_LONGEST_NUMBER: Final = 20
_TOO_LARGE: Final = "the request is too large; the most is 1 MiB"


@contextmanager
def opened(name: str) -> Generator[BinaryIO, None, None]:
    """Open the file of that name, `-` for standard input; raises ValueError with a sentence if it cannot be read."""
    if name == "-":
        yield sys.stdin.buffer
        return
    try:
        file = Path(name).open("rb")  # noqa: SIM115 - closed below; only opening it may fail with a sentence
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ValueError(f"cannot read {name!r}: {reason}") from None
    with file:
        yield file


def read_request(name: str) -> dict[str, Any]:
    """Read the one request in a file."""
    with opened(name) as file:
        return parse(_read(file))


def read_text(name: str) -> str:
    """Read the text of a file."""
    with opened(name) as file:
        return _decoded(_read(file))


def _read(file: BinaryIO) -> bytes:
    try:
        return file.read(LARGEST + 1)
    except OSError as error:
        raise ValueError(f"cannot read the request: {error.strerror}") from None


def lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file. A line longer than the size limit is cut off one byte above it."""
    while line := file.readline(LARGEST + 1):
        tail = line
        while len(tail) > LARGEST and not tail.endswith(b"\n"):
            tail = file.readline(LARGEST + 1)
        yield line.rstrip(b"\r\n")


def parse(data: bytes) -> dict[str, Any]:
    """Parse a request; raises ValueError with a sentence."""
    text = _decoded(data)
    if not text.strip():
        raise ValueError("the request is empty; it must be a JSON object")
    try:
        value = json.loads(text, parse_int=_int, parse_constant=_no_constant, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise ValueError(f"the request is not JSON: {error.msg} ({where})") from None
    except RecursionError:
        raise ValueError("the request is nested too deeply") from None
    if isinstance(value, dict):
        return cast("dict[str, Any]", value)
    raise ValueError("the request must be a JSON object, such as {...}")


def _decoded(data: bytes) -> str:
    if len(data) > LARGEST:
        raise ValueError(_TOO_LARGE)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"the request is not UTF-8 text: byte {error.start} is wrong") from None


def _int(digits: str) -> int:
    if len(digits) > _LONGEST_NUMBER:
        raise ValueError("the request has a number of too many digits")
    return int(digits)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"the request is not JSON: {name} is no number")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object; raises ValueError for a duplicate key."""
    value = dict(pairs)
    if len(value) < len(pairs):
        (twice, _), *_ = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"the key {twice!r} stands twice")
    return value


def sentence(error: ValueError) -> str:
    """An error as text for people, on one line of limited length."""
    if isinstance(error, ValidationError):
        faults = error.errors(include_url=False, include_input=False)
        text = "; ".join(map(_fault, faults[:_MOST_FAULTS]))
        if len(faults) > _MOST_FAULTS:
            text += f"; and {len(faults) - _MOST_FAULTS} more"
    else:
        text = str(error)
    return _clipped(printable(text))


def printable(text: str) -> str:
    """Return the text on one line, without characters that would move a terminal's cursor."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def _clipped(text: str) -> str:
    return text if len(text) <= _LONGEST_SENTENCE else text[:_LONGEST_SENTENCE] + "…"


def _fault(fault: ErrorDetails) -> str:
    """Describe one pydantic error in a sentence that names its place in the request."""
    *parents, last = fault["loc"] or ("",)
    match fault["type"]:
        case "extra_forbidden":
            return f"{_within(parents)}there is no key {str(last)[:40]!r}"
        case "missing":
            return f"{_within(parents)}the key {last!r} is missing"
        case _:
            text = fault["msg"].removeprefix("Value error, ").replace("Input should", "must", 1)
            place = _place(fault["loc"])
            return f"{place}: {text}" if place else text


def _within(parents: list[int | str]) -> str:
    return f"{_place(tuple(parents))}: " if parents else ""


def _place(loc: tuple[int | str, ...]) -> str:
    """Format a place in a request in the usual way: `players[1].hand`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{str(part)[:40]}" for part in loc)
    return text.removeprefix(".")
