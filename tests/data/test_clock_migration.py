"""Clocks after the upgrade: of servers that chose one, of servers that did not, and of turns that are on."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from data.preferences import Pace
from data.store import Store
from data.values import DeadlineRow
from tests.data.former import former_file

CHOSE, NEVER, FAST = 1, 2, 3
SERVERS = {
    CHOSE: {"pace": "none", "threads": True},
    NEVER: {"pace": "none", "threads": True},
    FAST: {"pace": "fast"},
}


async def test_new_tables_have_a_clock_unless_the_server_chose_none(tmp_path: Path):
    path = tmp_path / "tiplu.db"
    former_file(path, "0014")
    with closing(sqlite3.connect(path)) as file:
        file.execute("INSERT INTO person VALUES (11, 'Ram', 1, 0, '{}', 0)")
        for guild, settings in SERVERS.items():
            file.execute("INSERT INTO guild VALUES (?, ?, 0)", (guild, json.dumps(settings)))
        file.execute(
            "INSERT INTO staff_act (guild_id, person_id, act, reason, at) VALUES (?, 11, 'setup', 'pace none', 5)",
            (CHOSE,),
        )
        file.commit()
    store = await Store.open(path)
    async with store.read() as db:
        found = {guild: await db.guilds.settings(guild) for guild in (*SERVERS, 4)}
    await store.close()
    assert {guild: settings.pace for guild, settings in found.items()} == {
        CHOSE: Pace.NONE,
        NEVER: Pace.NORMAL,
        FAST: Pace.FAST,
        4: Pace.NORMAL,
    }
    assert found[NEVER].threads


async def test_a_reminder_that_is_there_is_known_after_the_upgrade(tmp_path: Path):
    path = tmp_path / "tiplu.db"
    former_file(path, "0014")
    with closing(sqlite3.connect(path)) as file:
        file.execute("INSERT INTO guild VALUES (1, '{}', 0)")
        file.execute("INSERT INTO person VALUES (11, 'Ram', 1, 0, '{}', 0)")
        for table, thread, notice in ((7, None, 901), (8, 55, 902), (9, None, None)):
            file.execute(
                "INSERT INTO game_table (id, guild_id, channel_id, thread_id, host_id, status, revision, rules,"
                " rules_version, deal_no, dealer, created_at, options, opened_by, challenge, notice_id, version)"
                " VALUES (?, 1, 2, ?, 11, 'playing', 4, '{}', 1, 1, 0, 0, '{\"pace\": \"none\"}', 11, 0, ?, 6)",
                (table, thread, notice),
            )
        file.execute("INSERT INTO deadline VALUES (9, 'warn', 4, 1000)")
        file.execute(
            "INSERT INTO outbox (subject, about, kind, name, seat, revision, attempts, queued_at, not_before)"
            " VALUES ('table', 7, 'notice', 'notice', NULL, 4, 0, 900, 900)"
        )
        file.commit()
    store = await Store.open(path)
    async with store.read() as db:
        tables = [await db.tables.get(number) for number in (7, 8, 9)]
        deadlines, waiting = await db.deadlines.of_table(9), await db.outbox.due(10_000, 9)
    await store.close()
    found = [table and (table.mention_id, table.mention_channel_id, table.options.pace) for table in tables]
    assert found == [(901, 2, Pace.NONE), (902, 55, Pace.NONE), (None, None, Pace.NONE)]
    assert deadlines == [DeadlineRow(9, "mention", 4, 1000)]
    assert waiting == []
