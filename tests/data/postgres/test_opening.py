"""An unusable server is refused with a message that says what to do, and nothing is changed."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import URL

from data.errors import (
    StoreForeign,
    StoreLockedError,
    StoreTooNewError,
    StoreTooOldError,
    StoreUnreachable,
    StoreUnsuitable,
)
from data.outbox_keys import ThreadAccessKey
from data.postgres import opening
from data.postgres.opening import look, prepare
from data.store import Store
from data.transaction import WriteTransaction
from tests.data.conftest import RAM, open_table
from tests.data.next_schema import NEWEST, migrations
from tests.postgres import USER, Server

Create = Callable[..., URL]
BY_SEAT = (
    "INSERT INTO outbox (subject, about, kind, name, seat, revision, attempts, queued_at, not_before)"
    " SELECT 'table', 1, 'member', 'member:' || seat, seat, 7, 0, 10, 10 FROM seat WHERE seat <> 1"
)
"""Requests to add a person and a computer to the thread of a table, as versions before 0026 wrote them."""


async def test_a_new_database_gets_its_tables_once(created: Create):
    url = created()
    assert await look(url) == "missing"
    await prepare(url)
    assert await look(url) == "current"
    await prepare(url)
    store = await Store.open(url)
    assert (await open_table(store)).id == 1
    await store.close()


async def test_a_second_process_is_refused_until_the_first_has_ended(created: Create):
    url = created()
    first = await Store.open(url)
    with pytest.raises(StoreLockedError, match="another process serves"):
        await Store.open(url)
    await first.close()
    await (await Store.open(url)).close()


async def test_a_newer_schema_is_refused_and_one_from_before_the_first(created: Create, server: Server):
    url = created()
    await prepare(url)
    server.run("UPDATE alembic_version SET version_num = '9999'", url.database or "")
    with pytest.raises(StoreTooNewError, match="9999"):
        await prepare(url)
    server.run("UPDATE alembic_version SET version_num = '0016'", url.database or "")
    with pytest.raises(StoreTooOldError, match="0016"):
        await prepare(url)


async def test_another_program_s_tables_are_left_alone(created: Create, server: Server):
    url = created()
    server.run("CREATE TABLE person (id int)", url.database or "")
    with pytest.raises(StoreForeign, match="person"):
        await prepare(url)
    assert (
        server.sql("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", url.database or "")[0][0]
        == 1
    )


async def test_no_server(server: Server):
    nobody = server.url().set(port=1)
    with pytest.raises(StoreUnreachable, match=r"answers at 127\.0\.0\.1:1"):
        await prepare(nobody)


async def test_no_such_database(server: Server):
    with pytest.raises(StoreUnsuitable, match=r"createdb --encoding=UTF8 .* nowhere"):
        await prepare(server.url("nowhere"))


async def test_no_such_user(server: Server):
    with pytest.raises(StoreUnsuitable, match="refuses the user stranger"):
        await prepare(server.url().set(username="stranger"))


async def test_a_user_that_nobody_names_is_that_of_the_process(
    server: Server, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PGUSER", "stranger")
    nameless = URL.create("postgresql+asyncpg", host="127.0.0.1", port=server.port, database="postgres")
    with pytest.raises(StoreUnsuitable, match="refuses the user stranger"):
        await prepare(nameless)


async def test_a_database_that_takes_no_connections(server: Server):
    with pytest.raises(StoreUnsuitable, match="ALTER DATABASE template0 ALLOW_CONNECTIONS true"):
        await prepare(server.url("template0"))


async def test_no_rights(created: Create, server: Server):
    url = created()
    server.run("DROP ROLE IF EXISTS guest; CREATE ROLE guest LOGIN")
    with pytest.raises(StoreUnsuitable, match="GRANT USAGE, CREATE ON SCHEMA public TO guest"):
        await prepare(url.set(username="guest"))


async def test_tables_of_another_user(created: Create, server: Server):
    url = created()
    await prepare(url)
    server.run(
        "DROP ROLE IF EXISTS other; CREATE ROLE other LOGIN; GRANT CREATE ON SCHEMA public TO other",
        url.database or "",
    )
    with pytest.raises(StoreUnsuitable, match="may not do what Tiplu needs"):
        await prepare(url.set(username="other"))
    server.run("REVOKE ALL ON SCHEMA public FROM other", url.database or "")


async def test_another_encoding(created: Create):
    url = created("ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
    with pytest.raises(StoreUnsuitable, match=r"SQL_ASCII.*createdb"):
        await prepare(url)


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("default_transaction_read_only = on", "the primary server"),
        ("synchronous_commit = off", f"ALTER ROLE {USER} SET synchronous_commit = on"),
    ],
)
async def test_a_server_that_would_lose_moves_or_take_none(
    created: Create, server: Server, setting: str, said: str
):
    url = created()
    server.run(f"ALTER DATABASE {url.database} SET {setting}")
    with pytest.raises(StoreUnsuitable, match=said):
        await prepare(url)


async def test_a_server_that_is_too_old(created: Create, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(opening, "OLDEST", 99)
    with pytest.raises(StoreUnsuitable, match=r"is PostgreSQL \d+, and Tiplu needs 99 or newer"):
        await prepare(created())


@pytest.mark.parametrize("missing", ["asyncpg", "greenlet"])
async def test_no_driver(server: Server, monkeypatch: pytest.MonkeyPatch, missing: str):
    """As where only the packages are installed that a file needs."""
    with monkeypatch.context() as without:
        for name in [name for name in sys.modules if name.startswith("data.postgres")]:
            without.delitem(sys.modules, name)
        without.setitem(sys.modules, missing, None)
        with pytest.raises(StoreUnsuitable, match=rf"lacks the module {missing}\..* pip install asyncpg"):
            await Store.open(server.url())


async def test_the_server_s_time_zone_and_collation_change_nothing(created: Create, server: Server):
    url = created("LOCALE_PROVIDER icu ICU_LOCALE 'en-US' TEMPLATE template0")
    server.run(f"ALTER DATABASE {url.database} SET timezone = 'Asia/Kathmandu'")
    store = await Store.open(url)

    async def write(db: WriteTransaction) -> None:
        for key in ("b", "A", "a", "B", "é", "Z"):
            await db.key_values.set(key, key)

    await store.write(write)
    await store.close()
    found = server.sql("SELECT key FROM meta WHERE length(key) = 1 ORDER BY key", url.database or "")
    assert [row[0] for row in found] == sorted("bAaBéZ")


async def test_tables_are_not_changed_beneath_processes_that_serve_them(
    created: Create, server: Server, tmp_path: Path
):
    url = created()
    store = await Store.open(url, is_shared=True)
    with pytest.raises(StoreLockedError, match="of an older version serve it"):
        await prepare(url, migrations(tmp_path))
    assert server.sql("SELECT version_num FROM alembic_version", url.database or "")[0][0] == NEWEST
    await store.close()


async def test_a_database_of_the_first_schema_is_brought_up_to_date(created: Create, server: Server):
    url = created()
    store = await Store.open(url)
    await open_table(store)
    await store.close()
    for statement in (
        BY_SEAT,
        "DROP TABLE pod_time, week_post, direct_channel, erasure, nickname",
        "ALTER TABLE staff_act DROP COLUMN target_id",
        "ALTER TABLE deadline DROP COLUMN set_at",
        "DROP INDEX ix_person_limit_about, ix_score_session_changed",
        "ALTER TABLE person_limit DROP CONSTRAINT person_limit_kind_check, ADD CHECK (kind IN ('table', 'season'))",
        "ALTER TABLE pinned DROP COLUMN own_order",
        "ALTER TABLE played_seat DROP COLUMN ruled",
        "CREATE INDEX ix_played_seat_person ON played_seat (person_id, guild_id, number, rated, net)",
        "CREATE TABLE pod_time (season bigint, pod bigint, at bigint NOT NULL, agreed text NOT NULL, PRIMARY KEY (season, pod))",
        "UPDATE alembic_version SET version_num = '0017'",
    ):
        server.run(statement, url.database or "")
    assert await look(url) == "older"
    await prepare(url)
    assert await look(url) == "current"
    columns = server.sql(
        "SELECT column_name FROM information_schema.columns WHERE table_name = 'pod_time'", url.database or ""
    )
    assert {row[0] for row in columns} == {"season", "pod", "proposal", "change"}
    server.run(
        "INSERT INTO person_limit (digest, kind, about, until) VALUES ('a', 'home_game', 1, 2)",
        url.database or "",
    )
    store = await Store.open(url)
    assert [row.key for row in await store.read(lambda db: db.outbox.due(10, 9))] == [ThreadAccessKey(1, RAM)]
    await store.close()
    assert server.sql("SELECT count(*) FROM outbox", url.database or "")[0][0] == 1
