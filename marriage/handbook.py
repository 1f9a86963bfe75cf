"""Generates the tables of `docs/rules.md` from the rules: `python -m marriage.handbook docs/rules.md`.

A generated part stands between `<!-- NAME -->` and `<!-- end -->`. The rest of the file is written by hand.
"""

import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from marriage.cards import RANKS
from marriage.rules import PRESETS, Rules
from marriage.scoring.point_tables import TABLES
from marriage.sheet import What

_PART: Final = re.compile(r"(<!-- (?P<name>[a-z]+) -->\n).*?(<!-- end -->)", re.DOTALL)
_SHORT: Final[dict[Any, str]] = {True: "yes", False: "no"}


def options() -> str:
    """Return the table of options: what each does, its possible values, and its value in each preset."""
    header = ["option", "what it does", "values", *PRESETS]
    schema = Rules.model_json_schema()["properties"]
    rows = [
        [
            f"`{name}`",
            field.description or "",
            _values(schema[name]),
            *(_said(getattr(rules, name)) for rules in PRESETS.values()),
        ]
        for name, field in Rules.model_fields.items()
    ]
    return _table(header, rows)


def points() -> str:
    """Return the four point tables: the total values of one, two and three of a kind."""
    kinds = list(dict.fromkeys(what for table in TABLES.values() for what in table.rows))
    rows = [[_kind(what), *(_row(table.rows.get(what)) for table in TABLES.values())] for what in kinds]
    return _table(["of one kind: 1 / 2 / 3", *(f"`{name}`" for name in TABLES)], rows)


def maal() -> str:
    """Return the table of the poplu and the jhiplu for each rank of the tiplu."""
    count = len(RANKS)
    rows = [
        ["jhiplu", *(RANKS[index - 1] for index in range(count))],
        ["poplu", *(RANKS[(index + 1) % count] for index in range(count))],
    ]
    return _table(["tiplu", *RANKS], rows)


PARTS: Final = {"options": options, "points": points, "maal": maal}


def written(text: str) -> str:
    """Return the text with all generated parts replaced; raises KeyError for a part of an unknown name."""
    return _PART.sub(lambda found: f"{found[1]}{PARTS[found['name']]()}\n{found[3]}", text)


def _values(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if schema.get("type") == "integer":
        return f"{schema['minimum']} to {schema['maximum']}"
    return "yes, no" if schema.get("type") == "boolean" else "rows"


def _said(value: object) -> str:
    if isinstance(value, bool):
        return _SHORT[value]
    return "–" if value == () else str(value)


def _kind(what: What) -> str:
    return what.value.replace("_", " ")


def _row(values: Sequence[int] | None) -> str:
    return "–" if values is None else " / ".join(map(str, values))


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(written(path.read_text(encoding="utf-8")), encoding="utf-8")
