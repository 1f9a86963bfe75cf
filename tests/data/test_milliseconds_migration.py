"""Seasons of an older file, which told the time in seconds, go on in milliseconds."""

import sqlite3
from contextlib import closing
from pathlib import Path
from zlib import crc32

import pytest

from data.errors import EventsDamaged
from data.season_posts import PlayReminder
from data.store import Store
from league.events import DeadlinesPutOff, PodReopened, RoundDrawn
from tests.data.former import former_file

BODIES = [
    '{"round":1,"pods":[{"id":1,"players":[5],"division":0}],"due":1700000000,"stage":4,"event":"round_drawn","former":null}',
    '{"pod":1,"due":1700003600,"event":"pod_reopened"}',
    '{"since":1700000000,"by":7200,"event":"deadlines_put_off"}',
]


def former_season(path: Path, *, damaged: bool = False) -> None:
    """A file of the former program with a season, a rated player and a reminder that waits."""
    former_file(path, "0012")
    with closing(sqlite3.connect(path)) as file:
        file.execute("INSERT INTO guild VALUES (1, '{}', 0)")
        file.execute("INSERT INTO person VALUES (11, 'Ram', 1, 0, '{}', 0)")
        file.execute("INSERT INTO league_player VALUES (5, 11)")
        file.execute(
            "INSERT INTO season (id, guild_id, channel_id, name, number, rules, pace, seed, starts_at,"
            " acted_until, created_at) VALUES (3, 1, 2, 'Autumn', 1, '{}', 'none', x'00', 0, 0, 0)"
        )
        for number, body in enumerate(BODIES, 1):
            values = (number, 3, None, 1_700_000_000_000, "", 0, None, body)
            check = crc32("\x1f".join(map(str, values)).encode())
            file.execute(
                "INSERT INTO season_event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (*values, check + damaged)
            )
        file.execute("INSERT INTO rating VALUES (1, 11, 25.0, 8.0, 4, 1700000000)")
        for due in (0, 1_700_003_600):
            file.execute("INSERT INTO season_post VALUES (3, ?, 5, 1, NULL, NULL)", (f"play:1:24:5:{due}",))
        file.commit()


async def test_events_ratings_and_reminders_of_an_older_file(tmp_path: Path):
    path = tmp_path / "tiplu.db"
    former_season(path)
    store = await Store.open(path)
    async with store.read() as db:
        rows = await db.seasons.events(3)
    await store.close()
    drawn, reopened, put_off = (row.body for row in rows)
    assert isinstance(drawn, RoundDrawn)
    assert drawn.due == 1_700_000_000_000
    assert reopened == PodReopened(1, 1_700_003_600_000)
    assert put_off == DeadlinesPutOff(1_700_000_000_000, 7_200_000)
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("SELECT last FROM rating").fetchone() == (1_700_000_000_000,)
        keys = file.execute("SELECT key FROM season_post ORDER BY key").fetchall()
    assert keys == [
        (PlayReminder(1, 24, 5, 0).text,),
        (PlayReminder(1, 24, 5, 1_700_003_600_000).text,),
    ]


async def test_a_damaged_event_is_still_found(tmp_path: Path):
    path = tmp_path / "tiplu.db"
    former_season(path, damaged=True)
    store = await Store.open(path)
    with pytest.raises(EventsDamaged):
        async with store.read() as db:
            await db.seasons.events(3)
    await store.close()
