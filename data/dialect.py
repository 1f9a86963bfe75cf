"""What databases say differently, said in one place. Today it is SQLite's way; another database changes this module.

The other modules of the store ask for what they mean: an upsert, a partial index, a field of a JSON document.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ColumnElement,
    Double,
    Index,
    Integer,
    Select,
    Table,
    Text,
    TextClause,
    func,
    type_coerce,
)
from sqlalchemy.dialects.sqlite import REAL, Insert
from sqlalchemy.dialects.sqlite import insert as _insert
from sqlalchemy.types import TypeEngine

Big: TypeEngine[int] = BigInteger().with_variant(Integer(), "sqlite")
"""A whole number of 64 bits. STRICT tables know INTEGER only, which has 64 bits in SQLite."""
Real: TypeEngine[float] = Double[float]().with_variant(REAL(), "sqlite")
"""A double that comes back to the last bit. STRICT tables call it REAL."""

STRICT: dict[str, Any] = {"sqlite_strict": True}
"""For tables whose columns hold values of their own type only."""
COUNTED: dict[str, Any] = STRICT | {"sqlite_autoincrement": True}
"""For ids that are never used again, not even after the row is gone."""


def partial_index(
    name: str, *columns: Column[Any], where: ColumnElement[bool] | TextClause, unique: bool = False
) -> Index:
    """An index of those rows alone for which the condition holds."""
    return Index(name, *columns, unique=unique, sqlite_where=where)


def is_json(column: str) -> CheckConstraint:
    """The constraint that a column holds JSON."""
    return CheckConstraint(f"json_valid({column})")


def json_field(column: Column[Any], name: str) -> ColumnElement[Any]:
    """A field of the JSON object in a column, NULL where it has none of that name."""
    return func.json_extract(type_coerce(column, Text), f"$.{name}")


def unindexed(column: Column[int]) -> ColumnElement[int]:
    """The value of a column, in words for which no index of it is used: where another index finds far fewer rows."""
    return column + 0


def greater(one: ColumnElement[int], other: ColumnElement[int] | int) -> ColumnElement[int]:
    """The greater of two numbers of the same row."""
    return func.max(one, other)


def lesser(one: ColumnElement[int], other: ColumnElement[int] | int) -> ColumnElement[int]:
    """The lesser of two numbers of the same row."""
    return func.min(one, other)


def insert_or_keep(table: Table, values: Mapping[str, Any] | None = None) -> Insert:
    """Insert a row; where its key exists already, change nothing.

    Without values it is the statement that does so with the rows it is run with.
    """
    statement = _insert(table) if values is None else _insert(table).values(dict(values))
    return statement.on_conflict_do_nothing()


def upsert(
    table: Table,
    key: Mapping[str, Any],
    values: Mapping[str, Any],
    *,
    on_conflict: Mapping[str, Any] | None = None,
    among: TextClause | None = None,
) -> Insert:
    """Insert the row of this key, or give the one that exists these values.

    An existing row gets the values of `on_conflict` instead, if those are given.
    `among` is the condition of the partial index in which the key is unique.
    """
    return (
        _insert(table)
        .values({**key, **values})
        .on_conflict_do_update(
            index_elements=[table.c[name] for name in key],
            index_where=among,
            set_=dict(values if on_conflict is None else on_conflict),
        )
    )


def upsert_all(
    table: Table,
    key: Sequence[Column[Any]],
    on_conflict: Callable[[Any], Mapping[str, Any]],
    *,
    among: TextClause | None = None,
) -> Insert:
    """The statement that inserts each of the rows it is run with, or changes the one that has its key.

    `on_conflict` says to what, given the columns of the row that was to be inserted. `among` is as in `upsert`.
    """
    statement = _insert(table)
    return statement.on_conflict_do_update(
        index_elements=key, index_where=among, set_=dict(on_conflict(statement.excluded))
    )


@cache
def upsert_many(table: Table) -> Insert:
    """The statement that inserts each of the rows it is run with, or gives the one with its primary key its values."""
    keys: Sequence[Column[Any]] = list(table.primary_key.columns)
    statement = _insert(table)
    fresh = {
        column.name: statement.excluded[column.name] for column in table.columns if not column.primary_key
    }
    if not fresh:
        return statement.on_conflict_do_nothing()
    return statement.on_conflict_do_update(index_elements=keys, set_=fresh)


def add_up(
    table: Table,
    rows: Select[*tuple[Any, ...]],
    *,
    least: Collection[str] = (),
    most: Collection[str] = (),
) -> Insert:
    """Add rows to those of the same primary key: their other columns are summed up.

    Of the columns in `least` and `most` the least or greatest value is kept, and NULL counts for no value.
    """
    statement = _insert(table).from_select(table.columns.keys(), rows)
    kept, fresh = table.columns, statement.excluded
    values: dict[str, ColumnElement[Any]] = {}
    for name in (column.name for column in table.columns if not column.primary_key):
        known = func.coalesce(kept[name], fresh[name]), func.coalesce(fresh[name], kept[name])
        pick = func.min if name in least else func.max
        values[name] = pick(*known) if name in {*least, *most} else kept[name] + fresh[name]
    return statement.on_conflict_do_update(index_elements=list(table.primary_key.columns), set_=values)
