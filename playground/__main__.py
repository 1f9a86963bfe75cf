"""`python -m playground`: run the playground and the bot until Ctrl-C."""

import argparse
import asyncio
import contextlib
import errno
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from playground.server import Playground

FIRST_PORT = 8080
PORTS_TRIED = 20
SECONDS_TO_STOP = 30.0
WIRE_KEPT = 2000
DATABASE = Path("var/playground.sqlite3")
BOT = (sys.executable, "-m", "bot")


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m playground", description=__doc__)
    parser.add_argument(
        "--port",
        type=int,
        choices=range(65536),
        metavar="PORT",
        help=f"the port to listen on, 0 for any free port (default: the first free port from {FIRST_PORT})",
    )
    parser.add_argument(
        "--database", type=Path, default=DATABASE, help="where the bot keeps its games (default: %(default)s)"
    )
    parser.add_argument(
        "--no-bot", action="store_true", help="serve without a bot, and print the variables that connect one"
    )
    return parser.parse_args()


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


async def start_bot(server: Playground, command: Sequence[str], database: Path) -> asyncio.subprocess.Process:
    """Start the bot in a session of its own, so that Ctrl-C reaches only this process.

    The settings in `.env` are meant for Discord itself, so this overrides all that could lead there.
    """
    environment = os.environ | {
        "DISCORD_API_URL": server.api_url,
        "DISCORD_GATEWAY_URL": server.gateway_url,
        "DISCORD_TOKEN": server.token,
        "DATABASE_PATH": str(database),
    }
    return await asyncio.create_subprocess_exec(*command, env=environment, start_new_session=True)


async def stop_bot(bot: asyncio.subprocess.Process) -> None:
    """Stop the bot with SIGTERM, and kill it if it takes too long."""
    if bot.returncode is not None:
        return
    bot.terminate()
    try:
        await asyncio.wait_for(bot.wait(), SECONDS_TO_STOP)
    except TimeoutError:
        print(f"The bot did not stop within {SECONDS_TO_STOP:.0f} s, so it is killed.", file=sys.stderr)
        bot.kill()
        await bot.wait()


async def serve_with_bot(
    server: Playground, stopped: asyncio.Event, command: Sequence[str] = BOT, database: Path = DATABASE
) -> int:
    """Run the bot until `stopped` is set or the bot exits by itself; returns the exit code."""
    print("Starting the bot ...", flush=True)
    bot = await start_bot(server, command, database)
    try:
        ready = asyncio.create_task(announce(server))
        ended, told = asyncio.create_task(bot.wait()), asyncio.create_task(stopped.wait())
        await asyncio.wait({ended, told}, return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()
        told.cancel()
        if not ended.done():
            return 0
        print(
            f"The bot stopped by itself with exit code {bot.returncode}. Its log says why.", file=sys.stderr
        )
        print(
            f"Its games are in {database}. `make play GAMES=FILE` keeps them in another file.",
            file=sys.stderr,
        )
        return 1
    finally:
        await stop_bot(bot)


async def announce(server: Playground) -> None:
    """Print the address once the bot is connected and has registered its commands."""
    await server.bot_ready(timeout=None)
    print(f"\nThe bot is ready: {server.url}/?user=asha", flush=True)
    print("Each tab is one person: try ?user=bikram, or any other name. Ctrl-C stops both.\n", flush=True)


async def serve_alone(server: Playground, stopped: asyncio.Event) -> int:
    """Serve without a bot, and print what a bot needs to connect."""
    print(f"The playground: {server.url}/?user=asha")
    print(f"DISCORD_API_URL={server.api_url}\nDISCORD_TOKEN={server.token}", flush=True)
    await stopped.wait()
    return 0


async def main() -> int:
    """Serve until SIGINT or SIGTERM; returns the exit code."""
    options = arguments()
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    server = Playground(keep=WIRE_KEPT)
    try:
        await listen(server, options.port)
    except OSError as error:
        print(f"The playground cannot listen: {error.strerror}.", file=sys.stderr)
        print("Name another port, or none to take the first free one.", file=sys.stderr)
        return 1
    try:
        if options.no_bot:
            return await serve_alone(server, stopped)
        return await serve_with_bot(server, stopped, database=options.database)
    finally:
        await server.close()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(asyncio.run(main()))
