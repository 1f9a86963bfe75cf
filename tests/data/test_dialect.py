"""Code for one specific database is in one module; only a few others deal with the file itself."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Column, Integer, MetaData, Table, Text, create_engine, select

from data.dialect import greater, insert_or_keep, json_field, lesser, upsert, upsert_many

ROOT = Path(__file__).parents[2]
ROOMS = ("marriage", "league", "render", "data", "bot", "cogs", "playground")
OF_THE_STATEMENTS = {"data/dialect.py"}
OF_THE_FILE = "data/sqlite/"
"""The package for connections, the checks of a file, its copies and marks, and the meaning of its errors."""
TELLS = ("sqlite", "on_conflict", "json_extract", "json_valid", "PRAGMA")


def names(source: str) -> Iterator[str]:
    """Yield every name, keyword, module and string of a source, except docstrings and file names."""
    tree = ast.parse(source)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=aliases):
                yield from (part for alias in aliases for part in alias.name.split("."))
            case ast.ImportFrom(module=str(module)) if not module.startswith("data."):
                yield from module.split(".")
            case ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
                yield name
            case ast.Constant(value=str(name)) if id(node) not in docstrings and not name.endswith(
                ".sqlite3"
            ):
                yield name


def peculiar(source: str) -> set[str]:
    """Return the names in a source that only one database understands."""
    return {name for name in names(source) if name != "on_conflict" and name.startswith(TELLS)}


@pytest.mark.parametrize("room", ROOMS)
def test_one_module_speaks_the_dialect(room: str):
    sources = {
        path.relative_to(ROOT).as_posix(): path.read_text()
        for path in sorted((ROOT / room).rglob("*.py"))
        if "migrations" not in path.parts
    }
    found = {path: told for path, source in sources.items() if (told := peculiar(source))}
    elsewhere = {path for path in found if path not in OF_THE_STATEMENTS and not path.startswith(OF_THE_FILE)}
    assert {path: found[path] for path in elsewhere} == {}


@pytest.mark.parametrize(
    "source",
    [
        "from sqlalchemy.dialects.sqlite import insert",
        "import sqlite3",
        "insert(t).on_conflict_do_nothing()",
        "Index('a', b, sqlite_where=c)",
        "func.json_extract(a, b)",
        "CheckConstraint('json_valid(a)')",
    ],
)
def test_the_dialect_would_be_found_elsewhere(source: str):
    assert peculiar(source)


@pytest.fixture
def things():
    """A table with one row: 1, 5, {"a": 7}."""
    table = Table(
        "thing",
        MetaData(),
        Column("id", Integer, primary_key=True),
        Column("count", Integer),
        Column("body", Text),
    )
    engine = create_engine("sqlite://")
    table.metadata.create_all(engine)
    with engine.begin() as connection:
        connection.execute(table.insert().values(id=1, count=5, body='{"a": 7}'))
        yield table, connection
    engine.dispose()


def test_a_row_that_exists_is_kept(things):
    table, connection = things
    assert connection.execute(insert_or_keep(table, {"id": 1, "count": 9})).rowcount == 0
    assert connection.execute(insert_or_keep(table, {"id": 2, "count": 9})).rowcount == 1
    assert connection.execute(select(table.c.count)).scalars().all() == [5, 9]


def test_an_upsert_inserts_or_updates(things):
    table, connection = things
    for key in (1, 2):
        connection.execute(upsert(table, {"id": key}, {"count": 8}))
    assert connection.execute(select(table.c.count)).scalars().all() == [8, 8]


def test_an_upsert_may_do_something_else_on_conflict(things):
    table, connection = things
    again = {"count": greater(table.c.count, 3) + lesser(table.c.count, 3)}
    connection.execute(upsert(table, {"id": 1}, {"count": 0}, on_conflict=again))
    assert connection.execute(select(table.c.count)).scalars().all() == [8]


def test_many_rows_are_upserted_by_their_primary_key(things):
    table, connection = things
    rows = [{"id": number, "count": number, "body": None} for number in (1, 2)]
    connection.execute(upsert_many(table), rows)
    assert connection.execute(select(table.c.count)).scalars().all() == [1, 2]


def test_a_field_of_a_document_is_read(things):
    table, connection = things
    row = select(json_field(table.c.body, "a"), json_field(table.c.body, "b"))
    assert connection.execute(row).one() == (7, None)
