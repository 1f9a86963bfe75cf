"""Copying everything between two databases of any kind: in one snapshot and one transaction, compared."""

from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Column, MetaData, Table, delete, func, insert, literal, select, tuple_

from data.dialect import Json, Text
from data.errors import StoreError
from data.files import real
from data.schema import TABLES
from data.schema.core import meta
from data.session import Call, Lease
from data.sqlite.integrity import NOTE
from data.store import Place, opened

if TYPE_CHECKING:
    from data.store import Database

BATCH: Final = 2_000
_OWN: Final = {NOTE}
"""A file's entries about itself, which are not copied."""


class TransferRefused(StoreError):  # noqa: N818 - a name is a sentence here
    """Nothing was copied; the text says why."""


class PlaceUnusable(StoreError):  # noqa: N818 - a name is a sentence here
    """Nothing was copied, because one of the two can't be opened."""

    def __init__(self, place: Place, why: StoreError) -> None:
        super().__init__(f"{place}: {why}")
        self.place = place
        self.why = why


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of a table: the number of rows, and a digest of them all."""

    rows: int
    digest: str


async def transfer(source: Place, target: Place) -> dict[str, Contents]:
    """Copy everything, and return what each table holds now. No bot may use either of the two.

    Raises TransferRefused for a target that is not empty, or in which something else would have arrived; nothing is changed
    then. Raises PlaceUnusable if one of the two can't be opened.
    """
    if _real(source) == _real(target):
        raise TransferRefused(f"the source and the target are the same: {source}")
    if isinstance(source, Path) and not source.exists():
        raise TransferRefused(f"there is no {source}")
    async with AsyncExitStack() as stack:
        given, taking = [await _closed_by(stack, place) for place in (source, target)]
        async with taking.writing() as writing:
            for table in TABLES.sorted_tables:
                await _refuse_rows(writing, table)
            async with (
                given.reading() as reading
            ):  # not for longer: a server ends a snapshot that stands idle
                copied = {
                    table.name: await _copy(reading, writing, _plain(table)) for table in TABLES.sorted_tables
                }
                last_ids = await given.last_ids(reading)
            for table in TABLES.sorted_tables:
                if await _contents(_rows(writing, _plain(table))) != copied[table.name]:
                    raise TransferRefused(f"{table.name} has not arrived as it was")
            await taking.go_on_from(writing, last_ids)
    return copied


def _real(place: Place) -> Place:
    return real(place) if isinstance(place, Path) else place


async def _closed_by(stack: AsyncExitStack, place: Place) -> "Database":
    try:
        database = await opened(place)
    except StoreError as error:
        raise PlaceUnusable(place, error) from error
    stack.push_async_callback(database.close)
    return database


async def _refuse_rows(lease: Lease, table: Table) -> None:
    if table is meta:  # a new database has entries about itself
        return
    found = await lease.execute(Call(select(func.count()).select_from(table)))
    if found.scalar():
        raise TransferRefused(f"the target is not empty: there are rows in {table.name}")


def _plain(table: Table) -> Table:
    """Return the table with its values as stored: JSON is not parsed and rewritten."""
    columns = (
        Column(
            column.name,
            Text if isinstance(column.type, Json) else column.type,
            primary_key=column.primary_key,
            autoincrement=False,
        )
        for column in table.columns
    )
    return Table(table.name, MetaData(), *columns)


async def _copy(reading: Lease, writing: Lease, table: Table) -> Contents:
    if table.name == meta.name:
        await writing.execute(Call(delete(table).where(table.c.key.not_in(_OWN))))

    async def copied() -> AsyncGenerator[Sequence[Any], None]:
        async for rows in _rows(reading, table):
            named = [dict(zip(table.columns.keys(), row, strict=True)) for row in rows]
            await writing.execute(Call(insert(table), named))
            yield rows

    return await _contents(copied())


async def _rows(lease: Lease, table: Table) -> AsyncGenerator[Sequence[Any], None]:
    """Yield all rows in key order, some at a time."""
    key = list(table.primary_key.columns)
    question = select(table).order_by(*key).limit(BATCH)
    if table.name == meta.name:
        question = question.where(table.c.key.not_in(_OWN))
    after = question
    while True:
        found = await lease.execute(Call(after))
        rows = found.all()
        if not rows:
            return
        yield rows
        last = [getattr(rows[-1], column.name) for column in key]
        after = question.where(tuple_(*key) > tuple_(*_bound(last, key)))


def _bound(values: Iterable[Any], key: Iterable[Column[Any]]) -> list[Any]:
    return [literal(value, column.type) for value, column in zip(values, key, strict=True)]


async def _contents(batches: AsyncGenerator[Sequence[Any], None]) -> Contents:
    count, digest = 0, sha256()
    async for rows in batches:
        for row in rows:
            count += 1
            digest.update(repr(tuple(row)).encode())
    return Contents(count, digest.hexdigest())
