"""Long work does not block the event loop: one command after another on a server with thousands of deals."""

import random
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.filling import CHANNELS, FIRST_PERSON, Size, fill
from bot.history.stats import recompute
from data.privacy.traces import columns_of_people
from data.schema.core import metadata
from data.store import Store
from playground.person import Person
from tests.e2e.running import Running
from tests.stalls import noted

pytestmark = pytest.mark.by_name

DEALS, PLAYERS = 3_000, 100
LONGEST_MS = 30.0
"""The limit of processor time, for a machine a few times as slow as the one for which the aim is 5."""


@pytest.fixture
async def asha(discord, path: Path) -> Person:
    """Asha, who has played most of the server's deals; the file is filled before the bot starts."""
    asha = discord.person("asha")
    path.parent.mkdir(parents=True, exist_ok=True)
    await (await Store.open(path)).close()
    fill(path, Size(DEALS, PLAYERS), random.Random(7))
    with closing(sqlite3.connect(path)) as file:
        renumber(file, "guild_id", 1, discord.world.guild.id)
        for channel in CHANNELS:
            renumber(file, "channel_id", channel, discord.world.channel("marriage").id)
        file.execute("UPDATE guild SET id = ? WHERE id = 1", (discord.world.guild.id,))
        file.execute("UPDATE person SET id = ? WHERE id = ?", (asha.id, FIRST_PERSON))
        for table, column in columns_of_people():
            file.execute(
                f'UPDATE "{table.name}" SET "{column.name}" = ? WHERE "{column.name}" = ?',
                (asha.id, FIRST_PERSON),
            )
        file.commit()
    store = await Store.open(path)
    await recompute(store)
    await store.close()
    return asha


def renumber(file: sqlite3.Connection, column: str, before: int, after: int) -> None:
    """Give a server or a channel another id wherever it is named."""
    for table in metadata.tables.values():
        if column in table.columns:
            file.execute(f'UPDATE "{table.name}" SET {column} = ? WHERE {column} = ?', (after, before))


async def test_no_command_keeps_the_loop_from_turning(asha: Person, bot: Running):
    async def export_own() -> None:
        await asha.press("Export", message=(await asha.slash("privacy")).message)

    commands: dict[str, Callable[[], Awaitable[object]]] = {
        "export deals": lambda: asha.slash("export deals"),
        "fairplay": lambda: asha.slash("fairplay"),
        "own data": export_own,
        "history": lambda: asha.slash("history", whose="all"),
        "profile": lambda: asha.slash("profile"),
        "leaderboard": lambda: asha.slash("leaderboard", order="points", span="all"),
        "league-staff season export": lambda: asha.slash("league-staff season export", league="League 3"),
    }
    for name, command in commands.items():
        await command()  # imports and first-time work are paid once
        with noted(LONGEST_MS) as stalls:
            await command()
        of_the_bot = [str(stall) for stall in stalls if stall.seen]
        assert of_the_bot == [], name
