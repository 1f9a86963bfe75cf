"""A person's export is one file, which fits into a message however much there is."""

import json
from io import BytesIO
from zipfile import ZipFile

import pytest

from bot.history import exports
from bot.history.exports import Files, personal_files
from bot.workpool.pool import WorkKind, WorkPool
from data.store import Store
from data.values import TableRow
from tests.bot.conftest import RAM


async def test_a_long_export_is_packed(store: Store, table: TableRow, monkeypatch: pytest.MonkeyPatch):
    pool = WorkPool()

    async def files_of(person_id: int) -> Files:
        return await pool.run(WorkKind.EXPORT, person_id, personal_files, store.place, person_id)

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
