"""Checksums of rows that are written once: a byte that a disk has changed is noticed when the row is read."""

from typing import Any
from zlib import crc32

from sqlalchemy import Select, Table, Text, select

from data.dialect import octets
from data.schema.columns import Json


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
            octets(column).label(column.name) if isinstance(column.type, Text | Json) else column
            for column in table.columns
        )
    )
