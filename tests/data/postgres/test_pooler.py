"""The bot works through a pgbouncer that lends whole sessions, and refuses to work through any other.

The test runs a real pgbouncer between the bot and the server.
"""

import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import URL

from data.errors import StoreUnsuitable
from data.postgres.opening import prepare
from data.store import Store
from playground.cluster.postgres import as_nobody, free_port, temporary_folder
from tests.missing import PGBOUNCER
from tests.postgres import USER, Server

pytestmark = [pytest.mark.real, pytest.mark.skipif(PGBOUNCER is None, reason="there is no pgbouncer")]

CONFIGURATION = """
[databases]
* = host=127.0.0.1 port={server} user={user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = {mode}
"""


@contextmanager
def pooler(server: Server, mode: str) -> Iterator[int]:
    """Run a pgbouncer in front of the server, and yield its port."""
    with temporary_folder() as folder:
        port, file = free_port(), folder / "pgbouncer.ini"
        file.write_text(CONFIGURATION.format(server=server.port, user=USER, port=port, mode=mode))
        folder.chmod(0o755)
        command = [*as_nobody(), str(PGBOUNCER), str(file)]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
            assert running.stderr is not None
            try:
                said = ""
                while "process up" not in said:
                    said = running.stderr.readline()
                    assert said, "pgbouncer did not start"
                yield port
            finally:
                running.terminate()


async def test_a_pooler_that_lends_connections_for_a_transaction_is_refused(
    created: Callable[..., URL], server: Server
):
    with pooler(server, "transaction") as port, pytest.raises(StoreUnsuitable, match="pool_mode = session"):
        await prepare(created().set(port=port))


async def test_a_pooler_that_lends_whole_sessions_serves_the_bot(created: Callable[..., URL], server: Server):
    url = created()
    with pooler(server, "session") as port:
        store = await Store.open(url.set(port=port))
        await store.write(lambda db: db.key_values.set("through", "the pooler"))
        assert await store.read(lambda db: db.key_values.get("through")) == "the pooler"
        await store.close()
    assert (
        server.sql("SELECT value FROM meta WHERE key = 'through'", url.database or "")[0][0] == "the pooler"
    )
