"""The types of columns, checksums of rows, and all that databases say differently. The other modules of the store ask for what they mean.

SQLite and PostgreSQL spell an upsert alike; where they differ, each function here has both spellings.

Checksums are for rows that are written once: a byte that a disk has changed is noticed when the row is read.
"""

# ruff: noqa: ARG002, FBT001 -- the signatures are SQLAlchemy's

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Final
from zlib import crc32

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError
from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ColumnElement,
    Dialect,
    Double,
    Index,
    Integer,
    LargeBinary,
    Select,
    Table,
    TextClause,
    TypeDecorator,
    func,
    literal,
    literal_column,
    select,
)
from sqlalchemy import Text as _Text
from sqlalchemy.dialects.postgresql import TEXT, Insert
from sqlalchemy.dialects.postgresql import insert as _insert
from sqlalchemy.dialects.sqlite import REAL
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeEngine

from data.errors import UnreadableValueError

Big: TypeEngine[int] = BigInteger().with_variant(Integer(), "sqlite")
"""A 64-bit integer, the type of all integer columns.

STRICT tables only allow INTEGER, which has 64 bits in SQLite.
"""
Real: TypeEngine[float] = Double[float]().with_variant(REAL(), "sqlite")
"""A double that round-trips exactly. STRICT tables call it REAL."""
Text = _Text().with_variant(TEXT(collation="C"), "postgresql")
"""A text, ordered and compared by its bytes as in SQLite, whatever the database's own collation."""

STRICT: dict[str, Any] = {"sqlite_strict": True}
"""For tables whose columns hold only values of their own type, as PostgreSQL's always do."""
COUNTED: dict[str, Any] = STRICT | {"sqlite_autoincrement": True}
"""For ids that are never reused, not even after the row is deleted."""
OF_PERSON: dict[str, Any] = STRICT | {"sqlite_with_rowid": False}
"""For tables whose key is a person's id alone.

With row numbers, SQLite may keep the number of a deleted row as the boundary between two pages.
"""


def partial_index(
    name: str, *columns: Column[Any], where: ColumnElement[bool] | TextClause, unique: bool = False
) -> Index:
    """Return an index of only the rows for which the condition holds."""
    return Index(name, *columns, unique=unique, sqlite_where=where, postgresql_where=where)


def is_json(column: str) -> CheckConstraint:
    """Return the constraint that a column holds JSON."""
    return _checked_by_sqlite(f"json_valid({column})")


def is_flag(column: str) -> CheckConstraint:
    """Return the constraint that a column holds a `Flag`; PostgreSQL has a type for that."""
    return _checked_by_sqlite(f"{column} IN (0, 1)")


def _checked_by_sqlite(condition: str) -> CheckConstraint:
    constraint = CheckConstraint(condition)
    constraint.ddl_if(dialect="sqlite")
    return constraint


def _function(
    name: str, kind: TypeEngine[Any], *, sqlite: str, postgresql: str
) -> Callable[..., ColumnElement[Any]]:
    """Return a function spelled for each database; `{0}` and `{1}` are its arguments."""
    parts: dict[str, Any] = {"inherit_cache": True, "name": name, "type": kind}
    function = type(name, (FunctionElement,), parts)
    for dialect, words in (("sqlite", sqlite), ("postgresql", postgresql)):

        @compiles(function, dialect)
        def _(element: Any, compiler: Any, words: str = words, **how: Any) -> str:
            return words.format(*(compiler.process(argument, **how) for argument in element.clauses))

    return function


_OfTwo = Callable[[ColumnElement[int], ColumnElement[int] | int], ColumnElement[int]]
_json_field = _function(
    "json_field", _Text(), sqlite="json_extract({0}, '$.{1}')", postgresql="(({0})::json ->> '{1}')"
)
_json_flag = _function(
    "json_flag",
    Boolean(),
    sqlite="json_extract({0}, '$.{1}')",
    postgresql="(({0})::json ->> '{1}')::boolean",
)
_has_number = _function(
    "has_number",
    Boolean(),
    sqlite="(instr({0}, {1}) AND {0} GLOB '*[^0-9]' || {1} || '[^0-9]*')",
    postgresql="(strpos({0}, {1}) > 0 AND {0} ~ ('[^0-9]' || {1} || '[^0-9]'))",
)
"""The first condition costs little, and few rows meet it."""
greater: _OfTwo = _function("greater", Big, sqlite="max({0}, {1})", postgresql="greatest({0}, {1})")
"""The greater of two numbers of the same row."""
lesser: _OfTwo = _function("lesser", Big, sqlite="min({0}, {1})", postgresql="least({0}, {1})")
"""The lesser of two numbers of the same row."""
total: Callable[[ColumnElement[int]], ColumnElement[int]] = _function(
    "total", Big, sqlite="sum({0})", postgresql="sum({0})::bigint"
)
"""The sum of whole numbers, which is a whole number."""
octets: Callable[[Column[Any]], ColumnElement[bytes]] = _function(
    "octets", LargeBinary(), sqlite="CAST({0} AS BLOB)", postgresql="convert_to({0}, 'UTF8')"
)
"""The bytes of a text as they are stored."""
listed: Callable[[ColumnElement[int]], ColumnElement[str]] = _function(
    "listed", _Text(), sqlite="group_concat({0})", postgresql="string_agg(({0})::text, ',')"
)
"""The numbers of a group, with commas between them."""


def json_field(column: Column[Any], name: str) -> ColumnElement[Any]:
    """Return a field of the JSON object in a column, or NULL if the object lacks it."""
    return _json_field(column, literal_column(name))


def json_flag(column: Column[Any], name: str) -> ColumnElement[bool]:
    """Return a boolean field of the JSON object in a column, or NULL if the object lacks it."""
    return _json_flag(column, literal_column(name))


def has_number(column: Column[Any], number: int) -> ColumnElement[bool]:
    """Return whether the JSON object in a column has these digits as a number, a key or a word, at any depth."""
    return _has_number(column, literal(str(number)))


def unindexed(column: Column[int]) -> ColumnElement[int]:
    """Return a column's value in a form that uses no index on it, because another index finds far fewer rows."""
    return column + 0


def insert_or_keep(table: Table, values: Mapping[str, Any] | None = None) -> Insert:
    """Insert a row; change nothing if its key already exists.

    Without values, return the statement that does so for the rows it is executed with.
    """
    statement = _insert(table) if values is None else _insert(table).values(dict(values))
    return statement.on_conflict_do_nothing()


def upsert(
    table: Table,
    key: Mapping[str, Any],
    values: Mapping[str, Any],
    *,
    on_conflict: Mapping[str, Any] | None = None,
    unless: ColumnElement[bool] | None = None,
    among: TextClause | None = None,
) -> Insert:
    """Insert the row of this key, or update the existing one with these values.

    An existing row gets the values of `on_conflict` instead, if given. A row for which `unless` holds is not
    changed. `among` is the condition of the partial index in which the key is unique.
    """
    return (
        _insert(table)
        .values({**key, **values})
        .on_conflict_do_update(
            index_elements=[table.c[name] for name in key],
            index_where=among,
            set_=dict(values if on_conflict is None else on_conflict),
            where=None if unless is None else ~unless,
        )
    )


def upsert_all(
    table: Table,
    key: Sequence[Column[Any]],
    on_conflict: Callable[[Any], Mapping[str, Any]],
    *,
    among: TextClause | None = None,
) -> Insert:
    """Return the statement that inserts each row it is executed with, or updates the row with its key.

    `on_conflict` returns the new values, given the columns of the row to be inserted. `among` is as in
    `upsert`.
    """
    statement = _insert(table)
    return statement.on_conflict_do_update(
        index_elements=key, index_where=among, set_=dict(on_conflict(statement.excluded))
    )


@cache
def upsert_many(table: Table) -> Insert:
    """Return the statement that inserts each row it is executed with, or updates the row of its primary key."""
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
    """Add rows to those with the same primary key by summing their other columns.

    Columns in `least` and `most` keep the least or greatest value instead, ignoring NULL.
    """
    statement = _insert(table).from_select(table.columns.keys(), rows)
    kept, fresh = table.columns, statement.excluded
    values: dict[str, ColumnElement[Any]] = {}
    for name in (column.name for column in table.columns if not column.primary_key):
        known = func.coalesce(kept[name], fresh[name]), func.coalesce(fresh[name], kept[name])
        pick = lesser if name in least else greater
        values[name] = pick(*known) if name in {*least, *most} else kept[name] + fresh[name]
    return statement.on_conflict_do_update(index_elements=list(table.primary_key.columns), set_=values)


class Flag(TypeDecorator[bool]):
    """bool <-> bool, or 0 or 1 if the database has no boolean type."""

    impl = Integer
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Return the type of the column."""
        return dialect.type_descriptor(Boolean() if dialect.supports_native_boolean else Integer())

    def process_bind_param(self, value: bool | None, dialect: Dialect) -> int | None:
        """Convert to the database's value."""
        return None if value is None else bool(value) if dialect.supports_native_boolean else int(value)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> bool | None:
        """Convert from the database's value."""
        return None if value is None else bool(value)


class Json(TypeDecorator[Any]):
    """A value of a type known to pydantic <-> its JSON text.

    Errors never quote the text, which may be secret.
    """

    impl = _Text
    cache_ok = True

    def __init__(self, adapter: TypeAdapter[Any], what: str) -> None:
        super().__init__()
        self.adapter = adapter
        self.what = what

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Return the type of the column."""
        return dialect.type_descriptor(Text)

    def process_bind_param(self, value: Any | None, dialect: Dialect) -> str | None:
        """Convert to the database's value; raises UnreadableValueError if it would not read back the same."""
        return None if value is None else self.dump(value)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> Any | None:
        """Convert from the database's value; raises UnreadableValueError."""
        return None if value is None else self.load(value)

    def dump(self, value: Any) -> str:
        """Return the text of a value; raises UnreadableValueError if it would not read back the same."""
        try:
            return self.adapter.dump_json(value, warnings="error").decode()
        except PydanticSerializationError:
            raise UnreadableValueError(f"{self.what} holds a value that could not be read back") from None

    def load(self, text: str | bytes) -> Any:
        """Return the value of a text; raises UnreadableValueError."""
        try:
            return self.adapter.validate_json(text)
        except ValidationError:
            raise UnreadableValueError(f"the store holds {self.what} that this version can't read") from None


_MOST_SHARED: Final = 500
"""The most values that one column type keeps for reuse."""


class SharedJson(Json):
    """The same, but equal texts become one object, for values that never change and that many rows have."""

    cache_ok = True

    def __init__(self, adapter: TypeAdapter[Any], what: str) -> None:
        super().__init__(adapter, what)
        self._loaded = lru_cache(_MOST_SHARED)(super().load)

    def load(self, text: str | bytes) -> Any:
        """Return the value of a text; raises UnreadableValueError."""
        return self._loaded(text)


def checksum(*values: int | str | bytes | None) -> int:
    """Return the CRC-32 of a row's values as stored, in column order."""
    return crc32(b"\x1f".join(map(_as_bytes, values)))


def _as_bytes(value: int | str | bytes | None) -> bytes:
    match value:
        case bytes():
            return value
        case bool():
            return b"%d" % value
        case _:
            return str(value).encode()


def as_stored(table: Table) -> Select[Any]:
    """Select rows of a table with texts as their bytes: a damaged text may no longer be valid."""
    return select(
        *(
            octets(column).label(column.name) if isinstance(column.type, _Text | Json) else column
            for column in table.columns
        )
    )
