"""Start and stop a playground and the bots that play there."""

import asyncio
import errno
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from playground.server import Playground

FIRST_PORT = 8080
PORTS_TRIED: Final = 20
SECONDS_TO_STOP: Final = 30.0
WIRE_KEPT: Final = 2000
IDENTIFY_INTERVAL: Final = 5.0  # as at Discord
BOT: Final = (sys.executable, "-P", "-m", "bot")
"""The bot's command. `-P` finds the package where this one is, never in the current folder."""
LONGEST_LINE: Final = 1 << 24
"""The longest line of a log, in bytes: a traceback of many errors at once is one line."""
ROOMS: Final = Path(__file__).parents[1]


async def listen(server: Playground, port: int | None) -> None:
    """Listen on the given port, or on the first free one; raises OSError if there is none."""
    if port is not None:
        await server.start(port)
        return
    for candidate in range(FIRST_PORT, FIRST_PORT + PORTS_TRIED):
        try:
            await server.start(candidate)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
        else:
            return
    await server.start(0)


def settings_for(server: Playground) -> dict[str, str]:
    """Return the settings that direct a bot to this playground.

    They override `.env`, which is meant for Discord itself.
    """
    return {
        "DISCORD_API_URL": server.api_url,
        "DISCORD_GATEWAY_URL": server.gateway_url,
        "DISCORD_TOKEN": server.token,
        "BACKUP_EVERY_H": "0",
    }


async def start_bot(
    command: Sequence[str], settings: Mapping[str, str], stderr: int | None = None
) -> asyncio.subprocess.Process:
    """Start a bot in a session of its own, so that Ctrl-C reaches only this process. Its log goes to `stderr`."""
    found = os.pathsep.join(filter(None, (str(ROOMS), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": found, **settings}
    return await asyncio.create_subprocess_exec(
        *command, env=environment, stderr=stderr, start_new_session=True, limit=LONGEST_LINE
    )


async def stop_bot(bot: asyncio.subprocess.Process) -> None:
    """Stop the bot with SIGTERM, and kill it if it takes too long."""
    if bot.returncode is not None:
        return
    bot.terminate()
    try:
        await asyncio.wait_for(bot.wait(), SECONDS_TO_STOP)
    except TimeoutError:
        sys.stderr.write(f"The bot did not stop within {SECONDS_TO_STOP:.0f} s, so it is killed.\n")
        bot.kill()
        await bot.wait()
