"""No SQL is built from text; values are passed as parameters."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import data

RUNS_SQL = {"text", "execute", "executemany", "executescript", "exec_driver_sql", "literal_column"}


def formatted(node: ast.expr) -> bool:
    """Return True if an argument is text built in place: f"...", "..." % x, "..." + x, "...".format(x)."""
    match node:
        case ast.JoinedStr() | ast.BinOp():
            return True
        case ast.Call(func=ast.Attribute(attr="format" | "join" | "replace")):
            return True
    return False


def offences(source: str) -> Iterator[int]:
    """Return the lines that run such a text as SQL."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[first, *_]):
                if name in RUNS_SQL and formatted(first):
                    yield node.lineno


def test_the_store_formats_no_sql():
    files = sorted(Path(data.__file__).parent.rglob("*.py"))
    assert len(files) > 10
    assert {file.name: found for file in files if (found := list(offences(file.read_text())))} == {}


@pytest.mark.parametrize(
    "source", ['text(f"a {b}")', 'c.execute("a %s" % b)', 'op.execute("a {}".format(b))']
)
def test_formatted_sql_would_be_found(source: str):
    assert list(offences(source)) == [1]
