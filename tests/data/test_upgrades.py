"""Files of the first schema and of released versions open in this version, with all their contents.

`tests/data/upgrades/` holds small files as earlier programs left them: finished deals with their statistics,
a league, a home game, deals of the day. Each release adds its own, named by its version.
"""

import lzma
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.history.stats import recompute, recompute_if_outdated
from data.outbox_keys import ThreadAccessKey
from data.sqlite.opening import look
from data.store import Store
from data.transaction import ReadTransaction
from marriage.apply import replay
from tests.test_house import ROOT

KEPT = sorted((Path(__file__).parent / "upgrades").glob("*.xz"))
UNTAGGED = {"0.1.0"}
"""The version of the first files, which was never released under this number."""
BY_SEAT = """
INSERT INTO outbox (subject, about, kind, name, seat, revision, attempts, queued_at, not_before, done_at) VALUES
    ('table', 1, 'member', 'member:0', 0, 7, 2, 10, 20, NULL),
    ('table', 1, 'member', 'member:1', 1, 7, 0, 10, 10, NULL),
    ('table', 1, 'member', 'member:9', 9, 7, 0, 10, 10, NULL),
    ('table', 1, 'member', 'member:0', 0, 6, 0, 10, 10, 15),
    ('table', 2, 'member', 'member:0', 0, 3, 0, 10, 10, NULL),
    ('table', 2, 'access', 'access:663146611265765376', NULL, 4, 0, 10, 10, NULL)
"""
"""Requests about threads as versions before 0026 wrote them.

They add a person, a computer, a seat that is gone, the person once before, and a person who is to be looked at anyway.
"""
LASTING = (
    *(
        "guild",
        "person",
        "game_table",
        "seat",
        "game_match",
        "deal",
        "event",
        "result",
        "played",
        "played_seat",
    ),
    *(
        "league_player",
        "season",
        "season_event",
        "pod_table",
        "score_session",
        "score_entry",
        "board",
        "daily_try",
    ),
)
"""Tables that every version has, and from which no migration deletes a row."""


@pytest.fixture(params=KEPT, ids=lambda path: path.name.removesuffix(".sqlite3.xz"))
def older(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file as an earlier version has left it."""
    path = tmp_path / "tiplu.sqlite3"
    path.write_bytes(lzma.decompress(request.param.read_bytes()))
    return path


def counts(path: Path) -> dict[str, int]:
    with closing(sqlite3.connect(path)) as file:
        return {table: file.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in LASTING}


def rows(path: Path, asked: str) -> list[tuple]:
    with closing(sqlite3.connect(path)) as file:
        return file.execute(asked).fetchall()


async def test_every_row_is_there_and_can_be_read(older: Path):
    before = counts(older)
    was = look(older)
    store = await Store.open(older)
    try:

        async def read(db: ReadTransaction) -> None:
            for table_id, deal_no in rows(older, "SELECT DISTINCT table_id, deal_no FROM event"):
                events = await db.deals.events(table_id, deal_no)
                assert replay(events).seats
                assert await db.deals.get(table_id, deal_no) is not None
            for (season_id,) in rows(older, "SELECT id FROM season"):
                await db.seasons.projection(season_id)
            for (session_id,) in rows(older, "SELECT id FROM score_session"):
                assert await db.score_sessions.entries(session_id)

        await store.read(read)
        await recompute_if_outdated(store)  # as at every start
        assert (await recompute(store)).differing == 0
    finally:
        await store.close()
    assert counts(older) == before
    assert look(older) == "current"
    copies = [look(copy) for copy in older.parent.glob("*.before-*")]
    assert copies == (["older"] if was == "older" else [])


async def test_who_waits_to_be_added_to_a_thread_still_does(tmp_path: Path):
    path = tmp_path / "tiplu.sqlite3"
    path.write_bytes(lzma.decompress((KEPT[0].parent / "first-daily.sqlite3.xz").read_bytes()))
    with closing(sqlite3.connect(path)) as file:
        file.execute(BY_SEAT)
        file.commit()
    store = await Store.open(path)
    waiting = await store.read(lambda db: db.outbox.due(20, 9))
    await store.close()
    assert [(row.key, row.revision, row.attempts) for row in waiting] == [
        (ThreadAccessKey(2, 663146611265765376), 4, 0),
        (ThreadAccessKey(1, 662507846994231296), 7, 2),
    ]
    assert rows(path, "SELECT count(*) FROM outbox WHERE kind = 'member'") == [(0,)]


@pytest.mark.parametrize("is_open", [True, False])
async def test_a_closed_season_with_a_table_in_its_lobby_is_looked_at_once_more(
    tmp_path: Path, is_open: bool
):
    path = tmp_path / "tiplu.sqlite3"
    path.write_bytes(lzma.decompress((KEPT[0].parent / "first-league.sqlite3.xz").read_bytes()))
    ((due_at, closed_at),) = rows(path, "SELECT due_at, closed_at FROM season WHERE closed_at IS NOT NULL")
    assert due_at is None
    if is_open:
        with closing(sqlite3.connect(path)) as file:
            file.execute(
                "UPDATE game_table SET status = 'lobby', closed_at = NULL"
                " WHERE id IN (SELECT table_id FROM pod_table)"
            )
            file.commit()
    await (await Store.open(path)).close()
    seen = rows(path, "SELECT due_at FROM season WHERE closed_at IS NOT NULL")
    assert seen == [(closed_at if is_open else None,)]


async def test_where_the_direct_messages_of_a_league_are_is_forgotten(tmp_path: Path):
    path = tmp_path / "tiplu.sqlite3"
    path.write_bytes(lzma.decompress((KEPT[0].parent / "first-league.sqlite3.xz").read_bytes()))
    public = "SELECT * FROM season_post WHERE player IS NULL"
    personal = (
        "SELECT count(*), count(channel_id), count(message_id) FROM season_post WHERE player IS NOT NULL"
    )
    before, ((count, *_),) = rows(path, public), rows(path, personal)
    assert count
    await (await Store.open(path)).close()
    assert (rows(path, public), rows(path, personal)) == (before, [(count, 0, 0)])


def test_every_table_that_lasts_has_rows_in_one_of_them(tmp_path: Path):
    filled: set[str] = set()
    for kept in KEPT:
        path = tmp_path / kept.stem
        path.write_bytes(lzma.decompress(kept.read_bytes()))
        filled |= {table for table, count in counts(path).items() if count}
    assert filled == set(LASTING)


def test_every_released_version_has_its_files():
    released = re.findall(
        r"^## \[(\d.+?)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert {path.name.partition("-")[0] for path in KEPT} - {"first"} == set(released) - UNTAGGED
