"""The header of deals and positions: the rules, and the secret seed of the deal."""

from collections.abc import Iterator, Mapping
from typing import Final

from pydantic import ValidationError

from marriage.notation.lines import Block
from marriage.notation.values import (
    clipped,
    read_flag,
    read_number,
    read_numbers,
    write_flag,
    write_numbers,
    write_text,
)
from marriage.rules import PRESETS, Rules, nearest_preset
from marriage.shuffle import SEED_BYTES, DealSeed

_SEED_DIGITS: Final = 2 * SEED_BYTES
_ROWS: Final = "custom_points"


def rules_lines(rules: Rules) -> Iterator[str]:
    """The nearest preset, the options that differ from it, and the custom points."""
    nearest, differences = nearest_preset(rules, {_ROWS})
    yield f"preset {nearest}"
    for option, value in differences.items():
        yield f"option {option} {write_flag(value) if isinstance(value, bool) else value}"
    for kind, row in rules.custom_points:
        yield f"points {kind} {write_numbers(row)}"


def take_rules(head: Block) -> Rules:
    """Read the rules from a header; raises ValueError."""
    options = head.take("preset", _read_preset).model_dump(exclude={_ROWS})
    places: dict[object, int] = {}
    for line in head.take_all("option"):
        name, value = line.read(lambda text: _read_option(text, options))
        options[name] = value
        places[name] = line.number
    rows = head.take_all("points")
    options[_ROWS] = tuple(line.read(_read_row) for line in rows)
    if rows:
        places[_ROWS] = rows[-1].number
    try:
        return Rules.model_validate(options)
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]
        name = fault["loc"][0] if fault["loc"] else "options"
        place = places.get(name, max(places.values()))
        raise ValueError(f"line {place}: {name}: {fault['msg'].removeprefix('Value error, ')}") from None


def _read_preset(text: str) -> Rules:
    if text not in PRESETS:
        raise ValueError(f"there is no preset {clipped(text)}; there are {', '.join(PRESETS)}")
    return PRESETS[text]


def _read_option(text: str, options: Mapping[str, object]) -> tuple[str, str | int]:
    """The name and value of an option; the value has the type of the current one in `options`."""
    name, _, value = text.partition(" ")
    match options.get(name):
        case None:
            raise ValueError(f"there is no option {clipped(name)}")
        case bool():
            return name, read_flag(value.strip())
        case int():
            return name, read_number(value.strip())
        case _:
            return name, value.strip()


def _read_row(text: str) -> tuple[str, tuple[int, ...]]:
    kind, _, row = text.partition(" ")
    return kind, read_numbers(row)


def seed_lines(key: DealSeed) -> Iterator[str]:
    """The lines of a seed, with its table and deal number."""
    yield f"table {write_text(key.table)}".rstrip()
    yield f"deal {key.deal}"
    yield f"seed {key.seed.hex()}"
    for item in key.items:
        yield f"item {write_text(item)}".rstrip()


def take_seed(head: Block) -> DealSeed:
    """Read the seed from a header; raises ValueError."""
    return DealSeed(
        seed=head.take("seed", _read_seed),
        table=head.take("table", str),
        deal=head.take("deal", read_number),
        items=tuple(line.value for line in head.take_all("item")),
    )


def _read_seed(text: str) -> bytes:
    if len(text) == _SEED_DIGITS and all(digit in "0123456789abcdef" for digit in text):
        return bytes.fromhex(text)
    raise ValueError(f"a seed has {_SEED_DIGITS} hexadecimal digits")
