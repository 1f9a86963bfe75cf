"""Column types, each with its Python value on the left and the stored value on the right, and checksums of rows.

Checksums are for rows that are written once: a byte that a disk has changed is noticed when the row is read.
"""

# ruff: noqa: ARG002, FBT001 -- the signatures are SQLAlchemy's

from typing import Any
from zlib import crc32

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError
from sqlalchemy import Boolean, Dialect, Integer, Select, Table, TypeDecorator, select
from sqlalchemy import Text as _Text
from sqlalchemy.types import TypeEngine

from data.dialect import Text, octets
from data.errors import UnreadableValueError


class Flag(TypeDecorator[bool]):
    """bool <-> bool, or 0 or 1 where the database has no such type."""

    impl = Integer
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """The type of the column."""
        return dialect.type_descriptor(Boolean() if dialect.supports_native_boolean else Integer())

    def process_bind_param(self, value: bool | None, dialect: Dialect) -> int | None:
        """To the database."""
        return None if value is None else bool(value) if dialect.supports_native_boolean else int(value)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> bool | None:
        """From the database."""
        return None if value is None else bool(value)


class Json(TypeDecorator[Any]):
    """A value of a type known to pydantic <-> its JSON text. Errors never quote the text, which may be secret."""

    impl = _Text
    cache_ok = True

    def __init__(self, adapter: TypeAdapter[Any], what: str) -> None:
        super().__init__()
        self.adapter = adapter
        self.what = what

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """The type of the column."""
        return dialect.type_descriptor(Text)

    def process_bind_param(self, value: Any | None, dialect: Dialect) -> str | None:
        """To the database; raises UnreadableValueError if reading would not give the same value."""
        return None if value is None else self.dump(value)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> Any | None:
        """From the database; raises UnreadableValueError."""
        return None if value is None else self.load(value)

    def dump(self, value: Any) -> str:
        """The text of a value; raises UnreadableValueError if reading would not give the same value."""
        try:
            return self.adapter.dump_json(value, warnings="error").decode()
        except PydanticSerializationError:
            raise UnreadableValueError(f"{self.what} holds a value that could not be read back") from None

    def load(self, text: str | bytes) -> Any:
        """The value of a text; raises UnreadableValueError."""
        try:
            return self.adapter.validate_json(text)
        except ValidationError:
            raise UnreadableValueError(f"the store holds {self.what} that this version can't read") from None


def checksum(*values: int | str | bytes | None) -> int:
    """The CRC-32 of a row's values as they lie in the file, in the order of its columns."""
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
    """Rows of a table with texts as the bytes that they are: a damaged one may be no text any more."""
    return select(
        *(
            octets(column).label(column.name) if isinstance(column.type, _Text | Json) else column
            for column in table.columns
        )
    )
