"""Files of earlier versions are upgraded, and the power is cut meanwhile."""

import asyncio
import lzma
import os
import sys
from pathlib import Path
from random import Random

from tests.e2e.running import ROOT
from tests.powercut.recording import Recording
from tests.powercut.tally import Entry

KEPT = sorted((ROOT / "tests" / "data" / "upgrades").glob("*.xz"))


async def bring_up_to_date(older: Path, folder: Path, number: int, chance: Random, cuts: int | None) -> Entry:
    """Let a command of the bot open such a file, and cut its work at some places, or at all of them."""
    recording = Recording(folder, cuts, control=0)
    recording.database.write_bytes(lzma.decompress(older.read_bytes()))
    entry = Entry(f"brought up to date from {older.name.removesuffix('.sqlite3.xz')}", number)

    async def open_it() -> None:
        told = {"DISCORD_TOKEN": "none", "DATABASE_PATH": recording.database, **recording.variables}
        command = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", "recompute"),
            cwd=ROOT,
            env=os.environ | {name: str(value) for name, value in told.items()},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        said, _ = await command.communicate()
        if command.returncode:
            entry.broken.append(f"it ended with {command.returncode}: {said.decode()}")

    await recording.life(entry, open_it, chance)
    return entry
