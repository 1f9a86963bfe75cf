"""Start with many open tables: measure how soon the first move is stored, and what that costs.

    python -m benchmarks.starting [TABLES]

One table is opened and dealt as people would do it, and copied within the file. Then the store is opened
again, an outage is credited, the bot is connected, and a person draws a card at the last table while the
others wait to be shown again.
"""

import asyncio
import resource
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from bot.clock import SystemClock
from bot.people import NamedPerson
from bot.services import Services, wire
from bot.settings import Settings
from bot.table.hosting import Actor
from data.dialect import checksum
from data.preferences import Terms
from data.shards import EVERYTHING
from data.store import Store
from marriage.actions import Action
from marriage.legal import legal_actions
from marriage.view import View

GUILD, CHANNEL = 1, 2
HOST = NamedPerson(11, "Asha")
COPIED = ("game_table", "seat", "deal", "event", "game_match", "deadline")


def services_of(store: Store) -> Services:
    """Return the services without Discord."""
    return wire(Settings(_env_file=None, discord_token="none"), store, SystemClock())


def first_choice(seen: View) -> Action:
    """Return the first move: a draw, or before it an answer on tunnelas if the hand has some."""
    return legal_actions(seen)[0]


def _computer_deals(terms: Terms) -> Terms:
    return terms.model_copy(update={"rules": terms.rules.with_options(first_dealer=2)})


async def fill(path: Path, tables: int) -> None:
    """Make a file with this many tables in play, each with one person and one computer."""
    store = await Store.open(path)
    services = services_of(store)
    table = await services.lobby.open(GUILD, CHANNEL, HOST, 1)
    await services.hosting.add_computer(table, Actor(HOST), 2)
    # Then the first move is the host's.
    await services.hosting.set_terms(table, Actor(HOST), _computer_deals, 5)
    await services.play.start(table, HOST.id, 3)
    await store.close()
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA foreign_keys = OFF")
        for name in COPIED:
            columns = [row[1] for row in file.execute(f"PRAGMA table_info({name})")]
            key = "id" if name == "game_table" else "table_id"
            copied = ", ".join("number" if column == key else f'"{column}"' for column in columns)
            file.execute(
                f"WITH RECURSIVE numbers(number) AS (SELECT 2 UNION ALL SELECT number + 1 FROM numbers"
                f" WHERE number < {tables}) INSERT INTO {name} SELECT {copied} FROM {name}, numbers"
                f" WHERE {key} = 1"
            )
        file.create_function("checksum", 8, checksum)
        file.execute(
            "UPDATE event SET checksum = checksum(table_id, deal_no, seq, type, version, body, actor, at)"
        )
        file.commit()


async def start(path: Path, tables: int) -> None:
    """Start on that file, and print how long each step takes."""
    began = time.perf_counter()

    def tell(what: str) -> None:
        print(f"{time.perf_counter() - began:7.2f} s  {what}")

    store = await Store.open(path)
    tell("the file is open")
    services = services_of(store)
    clocks = asyncio.create_task(services.tables.clocks_were_set(EVERYTHING))
    opened = await services.tables.catch_up()
    tell(f"connected: {opened} tables are open")
    await services.play.move(tables, HOST.id, first_choice, None, 4)
    tell("the first move is stored")
    await clocks
    tell("all tables are to be shown once more")
    shown, count = await services.tables.tables_of(GUILD, HOST.id, lambda _: True, 15)
    tell(f"a list of {len(shown)} of {count} tables")
    await services.tables.catch_up()
    tell("connected again")
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:7.0f} MB  at most")
    await store.close()


def main() -> None:
    """Fill a file in a temporary directory, and start on it."""
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "tiplu.db"
        asyncio.run(fill(path, tables))
        asyncio.run(start(path, tables))


if __name__ == "__main__":
    main()
