"""A person's export is one file, which fits into a message however much there is, with the limits that are kept under a digest."""

import json
from io import BytesIO
from zipfile import ZipFile

import pytest

from bot.history import exports
from bot.history.exports import Files, personal_files
from bot.workpool.pool import WorkKind, WorkPool
from data.store import Store
from data.transaction import WriteTransaction
from data.values import TableRow
from tests.bot.conftest import RAM, SITA
from tests.bot.house import House


async def test_a_long_export_is_packed(store: Store, table: TableRow, monkeypatch: pytest.MonkeyPatch):
    pool = WorkPool()

    async def files_of(person_id: int) -> Files:
        return await pool.run(WorkKind.EXPORT, person_id, personal_files, store.place, person_id, ())

    assert await files_of(99) == {}
    ((name, plain),) = (await files_of(RAM)).items()
    assert name == "tiplu.json"
    assert json.loads(plain)["seat"][0]["table_id"] == table.id
    monkeypatch.setattr(exports, "MOST_PLAIN", len(plain))
    assert (await files_of(RAM)).keys() == {"tiplu.json"}
    monkeypatch.setattr(exports, "MOST_PLAIN", len(plain) - 1)
    ((name, packed),) = (await files_of(RAM)).items()
    assert name == "tiplu.zip"
    with ZipFile(BytesIO(packed)) as archive:
        assert archive.namelist() == ["tiplu.json"]
        assert archive.read("tiplu.json") == plain
    await pool.close()


async def test_it_has_the_limits_of_the_person_and_of_nobody_else(store: Store, table: TableRow):
    async def write(db: WriteTransaction) -> None:
        await db.limits.add_limit(RAM, "table", table.id, 9_000)
        await db.limits.add_limit(SITA, "table", table.id, 8_000)

    await store.write(write)
    pool = WorkPool()
    files = await pool.run(WorkKind.EXPORT, RAM, personal_files, store.place, RAM, ())
    await pool.close()
    assert json.loads(files["tiplu.json"])["person_limit"] == [
        {"kind": "table", "about": table.id, "until": 9_000}
    ]


async def test_it_has_the_requests_to_be_forgotten_that_are_kept_outside_the_database(store: Store):
    house, pool = House(store), WorkPool()
    await house.store.write(lambda db: db.people.keep(RAM, "Ram", house.clock.now()))
    assert await house.services.forgetting.forget(RAM)
    requests = await house.services.forgetting.requests_of(RAM)
    assert await house.services.forgetting.requests_of(SITA) == []
    files = await pool.run(WorkKind.EXPORT, RAM, personal_files, store.place, RAM, requests)
    await pool.close()
    (request,) = json.loads(files["tiplu.json"])["forgotten"]
    assert request == {"at": house.clock.now(), "mark": requests[0].mark}
