"""The parts of a command: a request validated by pydantic, its answer, and the answer's two output formats.

Requests are untrusted: strict JSON of a limited size, and every error is a sentence. Several requests share the fields for
cards, groups of cards, and the rules. Tables for people are aligned plain text, with columns as wide as their content.
"""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, BinaryIO, ClassVar, Final, Generic, NoReturn, TypeVar, cast
from unicodedata import category, east_asian_width

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from marriage.cards import MAN, MASTER, PACKS, UNKNOWN, Card, Cards
from marriage.rules import PRESETS, Rules

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
    """Return an error as text for people, on one line of limited length."""
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


_LONGEST_LIST = 160


def _card(value: Any) -> Card:
    card = Card.parse(value[:20]) if isinstance(value, str) else UNKNOWN
    if card == UNKNOWN:
        raise ValueError("a card is written as text, rank then suit, such as 10C")
    return card


def _cards(value: Any) -> Cards:
    """Read cards from a text separated by spaces, or from a list of such texts."""
    words = value.split() if isinstance(value, str) else value
    if isinstance(words, list | tuple):
        given = cast("list[Any]", words)
        if len(given) > _LONGEST_LIST:
            raise ValueError(f"there are never more than {_LONGEST_LIST} cards")
        return tuple(map(_card, given))
    raise ValueError("cards are written as text, such as '10C JC QC', or as a list of such texts")


OneCard = Annotated[Card, BeforeValidator(_card)]
CardList = Annotated[Cards, BeforeValidator(_cards)]
GroupList = Annotated[tuple[CardList, ...], Field(max_length=7)]


class Request(BaseModel):
    """The request of a command. Unknown keys are refused, so that a misspelt one is noticed."""

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="forbid")


class WithRules(Request):
    """A request under the rules of a preset, with some options changed."""

    preset: str = "pagat"
    options: dict[str, Any] = Field(default_factory=dict)

    def rules(self) -> Rules:
        """Return the requested rules; raises ValueError with a sentence."""
        if self.preset not in PRESETS:
            raise ValueError(f"there is no preset {self.preset[:40]!r}; there are {', '.join(PRESETS)}")
        try:
            return PRESETS[self.preset].with_options(**self.options)
        except ValidationError as error:
            raise ValueError(f"options: {sentence(error)}") from None


def require_deck(held: Counter[Card], tiplu: Card | None, rules: Rules) -> None:
    """Raise ValueError if the cards and the tiplu need more copies than the packs of these rules have."""
    if tiplu is not None and not tiplu.is_pack:
        raise ValueError(f"the tiplu is a card of the packs, never {tiplu}")
    for card, count in (held + Counter(() if tiplu is None else (tiplu,))).items():
        most = {MAN: rules.man_cards, MASTER: int(rules.master_card != "off")}.get(card, PACKS)
        if count > most:
            under = ", the tiplu itself included" if card == tiplu else ""
            raise ValueError(f"{card}: {count} of it{under}, but these rules have {most}")


def add_rules(parser: ArgumentParser) -> None:
    """Add the arguments that choose the rules."""
    parser.add_argument(
        "--preset", metavar="P", help=f"the rules: {', '.join(PRESETS)}; pagat where nothing is said"
    )
    parser.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="one option of the rules that differs from the preset, such as alter=yes; may be repeated",
    )


def rules_keys(arguments: Namespace) -> dict[str, Any]:
    """Return the chosen rules as the keys of a request."""
    options = dict(map(_option, arguments.option))
    keys: dict[str, Any] = {} if arguments.preset is None else {"preset": arguments.preset}
    return keys | ({"options": options} if options else {})


def _option(text: str) -> tuple[str, str | int | bool]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"an option is written NAME=VALUE, not {text!r}")
    return name, option_value(value)


def option_value(text: str) -> str | int | bool:
    """Parse the value of an option: yes or no, a number, or a word."""
    known = {"yes": True, "true": True, "no": False, "false": False}
    if text in known:
        return known[text]
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else text


def whole_number(name: str, text: str) -> int:
    """Parse the whole number given for an argument of this name; raises ValueError for any other text."""
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    raise ValueError(f"--{name} takes a number, not {text!r}")


def width(text: str) -> int:
    """Return the number of terminal columns that a text takes. Combining characters take none."""
    return sum(
        0 if category(char) in ("Mn", "Me", "Cf") else 2 if east_asian_width(char) in "WF" else 1
        for char in text
    )


def table(rows: Sequence[Sequence[object]], right: frozenset[int] = frozenset()) -> str:
    """Format the rows as lines with aligned columns.

    The columns in `right` are right-aligned; the last column needs no padding.
    """
    texts = [[printable(str(cell)) for cell in row] for row in rows]
    widths = [max(map(width, column)) for column in zip(*texts, strict=True)]
    lines = (
        "  ".join(_padded(cell, size, right=index in right) for index, (cell, size) in enumerate(cells))
        for cells in (list(zip(row, widths, strict=True)) for row in texts)
    )
    return "\n".join(line.rstrip() for line in lines)


def _padded(text: str, size: int, *, right: bool) -> str:
    blank = " " * (size - width(text))
    return blank + text if right else text + blank


Asked = TypeVar("Asked", bound=Request)
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class CliCommand(Generic[Asked, Found]):
    """One command: from its arguments, or a line of JSON, to its answer."""

    name: str
    help: str
    description: str
    request: type[Asked]
    add_arguments: Callable[[ArgumentParser], None]
    """Adds the command's own arguments, in addition to `--json` and `--jsonl`."""
    read: Callable[[Namespace], dict[str, Any]]
    """Converts the arguments to the keys of a request; raises ValueError with a sentence."""
    run: Callable[[Asked], Found]
    """Answers a request; raises ValueError with a sentence for a contradictory one."""
    to_json: Callable[[Found], dict[str, Any]]
    to_text: Callable[[Found], str]
    failed: Callable[[Found], str | None] = lambda _: None
    """Why the answer is negative, for the exit status 1; None for every other answer."""

    def answer(self, raw: dict[str, Any]) -> Found:
        """Answer a request as read from JSON; raises ValueError (pydantic's is one)."""
        return self.run(self.request.model_validate(raw))
