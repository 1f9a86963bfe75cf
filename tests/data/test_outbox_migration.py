"""What waited in the outbox of an older file waits after the upgrade, under the same nonce."""

import sqlite3
from contextlib import closing
from pathlib import Path

from data.outbox_keys import (
    CalendarEventKey,
    ClosedMessageKey,
    DailyAmendmentKey,
    DailyPostKey,
    HandKey,
    OutboxKey,
    RetiredHandKey,
    ScoreAmendmentKey,
    SeasonAmendmentKey,
    SeasonPostKey,
    SeasonReminderKey,
    ShowAnewKey,
    StandingKey,
    TableAmendmentKey,
    TableMessageKey,
    ThreadMemberKey,
)
from data.rows.outbox import OutboxRow
from data.season_posts import CalendarPost, RoundPost, StandingsPost, TableNotice
from data.store import Store
from tests.data.former import former_file

OF_TABLES: list[tuple[str, str, int | None, OutboxKey]] = [
    ("table", "table:7", None, TableMessageKey(7)),
    ("opened", "opened:7", None, ShowAnewKey(7)),
    ("hand", "hand:7:0", 0, HandKey(7, 0)),
    ("member", "member:7:2", 2, ThreadMemberKey(7, 2)),
    ("stands", "stands:7:2", 2, StandingKey(7, 2)),
    ("close", "close:901:5001", None, ClosedMessageKey(7, 901, 5001)),
    ("retire", "retire:902:5002", None, RetiredHandKey(7, 902, 5002)),
    ("daily", "daily:31", None, DailyPostKey(31)),
]
"""Kind, key and seat as the former program wrote them, and what they mean."""


async def due(path: Path) -> list[OutboxRow[OutboxKey]]:
    store = await Store.open(path)
    async with store.read() as db:
        rows = await db.outbox.due(10**12, 1_000)
    await store.close()
    return rows


async def test_what_waited_of_tables_goes_on_waiting(tmp_path: Path):
    path = tmp_path / "tiplu.db"
    former_file(path, "0005")
    with closing(sqlite3.connect(path)) as file:
        file.execute("INSERT INTO guild VALUES (1, '{}')")
        file.execute("INSERT INTO person VALUES (11, 'Ram', 1, 0, '{}')")
        file.execute(
            "INSERT INTO game_table (id, guild_id, channel_id, host_id, status, revision, rules, rules_version,"
            " deal_no, dealer, created_at, options, opened_by, challenge)"
            " VALUES (7, 1, 2, 11, 'lobby', 4, '{}', 1, 0, 0, 0, '{}', 11, 0)"
        )
        for number, (kind, key, seat, _) in enumerate(OF_TABLES, 11):
            file.execute(
                "INSERT INTO outbox VALUES (?, 7, ?, ?, ?, 4, 1, 900, 1000, '503 0', NULL)",
                (number, kind, key, seat),
            )
        file.execute("INSERT INTO outbox VALUES (40, 7, 'table', 'table:7', NULL, 3, 0, 800, 800, NULL, 850)")
        file.commit()
    rows = await due(path)
    expected = [
        OutboxRow(number, key, 4, 1, 900, 1000) for number, (_, _, _, key) in enumerate(OF_TABLES, 11)
    ]
    assert rows == expected
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("SELECT name FROM outbox WHERE done_at = 850").fetchall() == [("table",)]


async def test_what_waited_of_seasons_goes_on_waiting(tmp_path: Path):
    path = tmp_path / "tiplu.db"
    former_file(path, "0006")
    with closing(sqlite3.connect(path)) as file:
        file.execute("INSERT INTO guild VALUES (1, '{}')")
        file.execute("INSERT INTO person VALUES (11, 'Ram', 1, 0, '{}')")
        file.execute("INSERT INTO league_player VALUES (5, 11)")
        file.execute(
            "INSERT INTO season (id, guild_id, channel_id, name, number, rules, pace, seed, starts_at,"
            " acted_until, created_at) VALUES (3, 1, 2, 'Autumn', 1, '{}', 'none', x'00', 0, 0, 0)"
        )
        for row in (
            ("round:1", None, 3, 1, 2, 5001, 2, 1000),
            ("event:7", None, 1, 0, None, None, 0, 1000),
            ("open:1:5", 5, 1, 0, None, None, 0, 1000),
            ("signup", None, 2, 2, 2, 5002, 0, 900),
        ):
            file.execute("INSERT INTO season_post VALUES (3, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        file.commit()
    rows = await due(path)
    assert {(row.key, row.revision, row.attempts, row.not_before) for row in rows} == {
        (SeasonPostKey(3, RoundPost(1)), 2, 2, 1000),
        (CalendarEventKey(3, CalendarPost(7)), 1, 0, 1000),
        (SeasonReminderKey(3, TableNotice(1, 5)), 1, 0, 1000),
    }
    with closing(sqlite3.connect(path)) as file:
        kept = file.execute("SELECT key, player, shown, channel_id, message_id FROM season_post ORDER BY key")
        assert kept.fetchall() == [
            ("event:7", None, 0, None, None),
            ("open:1:5", 5, 0, None, None),
            ("round:1", None, 1, 2, 5001),
            ("signup", None, 2, 2, 5002),
        ]


AMENDMENTS: list[tuple[str, int, str, OutboxKey]] = [
    ("table", 7, "", TableAmendmentKey(7, 901, 5001)),
    ("season", 3, "standings:2", SeasonAmendmentKey(3, 901, 5002, StandingsPost(2))),
    ("day", 31, "", DailyAmendmentKey(31, 901, 5003)),
    ("score", 4, "", ScoreAmendmentKey(4, 901, 5004)),
]
"""Kind, subject and post as the former program wrote them, and what they mean."""


async def test_messages_that_waited_to_be_edited_go_on_waiting(tmp_path: Path):
    path = tmp_path / "tiplu.db"
    former_file(path, "0009")
    with closing(sqlite3.connect(path)) as file:
        for message_id, (kind, about, post, _) in enumerate(AMENDMENTS, 5001):
            file.execute(
                "INSERT INTO amendment VALUES (?, 901, ?, ?, ?, 2, 1000)", (message_id, kind, about, post)
            )
        file.commit()
    rows = await due(path)
    assert {(row.key, row.revision, row.attempts, row.not_before) for row in rows} == {
        (key, 1, 2, 1000) for *_, key in AMENDMENTS
    }
    with closing(sqlite3.connect(path)) as file:
        assert not file.execute("SELECT 1 FROM sqlite_schema WHERE name = 'amendment'").fetchall()


def test_every_kind_is_moved():
    assert len({type(key) for *_, key in OF_TABLES}) == len(OF_TABLES)
