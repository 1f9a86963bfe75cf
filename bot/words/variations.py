"""Rules as people type them: a preset, and differences from it as `option=value`."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final, get_args

from pydantic import ValidationError

from bot.words.numbers import read_number
from marriage.rules import PRESETS, Rules, Scored

_BOOLEANS: Final = {"yes": True, "true": True, "no": False, "false": False}
_POINTS: Final = "points."
_LONGEST_ECHO: Final = 40
_PROPERTIES: Final[dict[str, Any]] = Rules.model_json_schema()["properties"]

OPTIONS: Final = tuple(name for name in _PROPERTIES if name != "custom_points")
"""Every option that can be typed by its name, besides the points of one kind."""


@dataclass(frozen=True, slots=True)
class Fault:
    """An error in typed rules: a message key and its values."""

    key: str
    values: Mapping[str, Any]


class InvalidRulesError(Exception):
    """Raised for invalid rules; `faults` has every reason."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        super().__init__("these are no rules")
        self.faults = tuple(faults)


def written(name: str, value: Any) -> str:
    """An option as it is typed.

    >>> written("alter", True), written("custom_points", (("tiplu", (3, 8)),))
    ('alter=yes', 'points.tiplu=3/8')
    """
    if name == "custom_points":
        return " ".join(f"{_POINTS}{kind}={'/'.join(map(str, row))}" for kind, row in value)
    if isinstance(value, bool):
        value = "yes" if value else "no"
    return f"{name}={value}"


def read_rules(preset: str, typed: str) -> Rules:
    """The rules of a preset with typed options; raises InvalidRulesError.

    Options are separated by commas, blanks or lines. An option that is given twice must have the same value.
    """
    base = PRESETS.get(preset)
    if base is None:
        raise InvalidRulesError(
            [Fault("rulesform.no_preset", {"name": _echo(preset), "presets": ", ".join(PRESETS)})]
        )
    faults: list[Fault] = []
    options: dict[str, Any] = {}
    said: dict[str, str] = {}
    for part in _parts(typed):
        name, equals, text = part.partition("=")
        name = name.lower()
        fault = (
            _fault_of_name(part, name)
            if equals and text
            else Fault("rulesform.no_pair", {"text": _echo(part)})
        )
        if fault is None and said.setdefault(name, text) != text:
            fault = Fault(
                "rulesform.twice", {"name": name, "first": _echo(said[name]), "second": _echo(text)}
            )
        if fault is not None:
            faults.append(fault)
        elif name.startswith(_POINTS):
            options.setdefault("custom_points", {})[name.removeprefix(_POINTS)] = _row(text)
        else:
            options[name] = _value(name, text)
    return _validated(base, options, said, faults)


def _validated(base: Rules, options: dict[str, Any], said: Mapping[str, str], faults: list[Fault]) -> Rules:
    rules = base
    try:
        rules = base.with_options(**options)
    except ValidationError as error:
        explained = [_explained(fault["loc"], said) for fault in error.errors()]
        faults += [fault for place, fault in enumerate(explained) if fault not in explained[:place]]
    if faults:
        raise InvalidRulesError(faults)
    return rules


def _parts(typed: str) -> list[str]:
    return [part for part in re.split(r"[\s,;]+", re.sub(r"\s*=\s*", "=", typed)) if part]


def _fault_of_name(part: str, name: str) -> Fault | None:
    kind = name.removeprefix(_POINTS)
    if name in OPTIONS:
        return None
    if name.startswith(_POINTS) and kind in get_args(Scored):
        return None
    points = [_POINTS + kind for kind in get_args(Scored)]
    near = get_close_matches(name[:_LONGEST_ECHO], [*OPTIONS, *points], n=1)
    if near:
        return Fault("rulesform.did_you_mean", {"name": _echo(part.partition("=")[0]), "near": near[0]})
    return Fault("rulesform.no_option", {"name": _echo(part.partition("=")[0])})


def _value(name: str, text: str) -> Any:
    """The value in the option's type; text that does not fit stays text, for pydantic to refuse."""
    kind = _PROPERTIES[name].get("type")
    if kind == "boolean":
        return _BOOLEANS.get(text.lower(), text)
    return _number(text) if kind == "integer" else text.lower()


def _row(text: str) -> tuple[Any, ...]:
    return tuple(_number(part) for part in text.split("/")[:9])


def _number(text: str) -> Any:
    """The number, or else the text, for pydantic to refuse."""
    number = read_number(text, 4)
    return text if number is None else number


def _explained(place: tuple[int | str, ...], said: Mapping[str, str]) -> Fault:
    """Explain one of pydantic's errors by what the option accepts."""
    if not place:
        return Fault("rulesform.needs_foul", {})  # no other options depend on each other
    name = str(place[0])
    if name == "custom_points":
        typed = ", ".join(f"{key}={text}" for key, text in said.items() if key.startswith(_POINTS))
        return Fault("rulesform.points", {"given": _echo(typed)})
    given = _echo(said.get(name, ""))
    schema = _PROPERTIES[name]
    if "enum" in schema:
        return Fault("rulesform.one_of", {"name": name, "values": ", ".join(schema["enum"]), "given": given})
    if schema.get("type") == "boolean":
        return Fault("rulesform.yes_no", {"name": name, "given": given})
    ends = {"name": name, "least": schema["minimum"], "most": schema["maximum"], "given": given}
    return Fault("rulesform.range", ends)


def _echo(text: str) -> str:
    """Typed text, shortened and made harmless, to repeat in a message."""
    shown = "".join(sign if sign.isalnum() or sign in "=/_.- " else "·" for sign in text[:_LONGEST_ECHO])
    return shown + "…" if len(text) > _LONGEST_ECHO else shown
