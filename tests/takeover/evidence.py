"""What is known when a promise is found broken, kept in a folder for later analysis."""

import json
from collections.abc import Iterable
from pathlib import Path

from playground.server import Playground
from tests.games import Games

ROWS = {
    "outbox": "SELECT * FROM outbox",
    "deadline": "SELECT * FROM deadline",
    "table": "SELECT * FROM game_table WHERE status != 'closed'",
    "seat": "SELECT seat.* FROM seat JOIN game_table ON id = table_id WHERE status != 'closed'",
}


async def keep(
    folder: Path, faults: Iterable[str], log: Iterable[str], discord: Playground, games: Games
) -> None:
    """Write the faults, all processes' logs, the last requests and events, and the rows of open tables."""
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "faults.txt", faults)
    _write(folder / "log.txt", log)
    recorder = discord.recorder
    _write(folder / "requests.jsonl", (_told(entry.as_json()) for entry in recorder.entries))
    _write(folder / "events.jsonl", map(_told, recorder.events))
    for name, question in ROWS.items():
        _write(folder / f"{name}.jsonl", map(_told, await games.rows(question)))


def _told(value: object) -> str:
    return json.dumps(value, default=str)


def _write(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines))
