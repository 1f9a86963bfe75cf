"""`python -m playground`: run the playground and the bot until Ctrl-C."""

import argparse
import asyncio
import contextlib
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from playground.server import Playground
from playground.services import Sharding
from playground.starting import (
    BOT,
    FIRST_PORT,
    IDENTIFY_INTERVAL,
    WIRE_KEPT,
    listen,
    settings_for,
    start_bot,
    stop_bot,
)

DATABASE = Path("var/playground.sqlite3")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `run` to a command line."""
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
        "--guilds", type=_count, default=1, metavar="N", help="how many servers there are (default: 1)"
    )
    parser.add_argument(
        "--shards",
        type=_count,
        default=1,
        metavar="N",
        help="how many shards the bot is told to take (default: 1)",
    )
    parser.add_argument(
        "--no-bot", action="store_true", help="serve without a bot, and print the variables that connect one"
    )


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def run(options: argparse.Namespace) -> int:
    """Serve until SIGINT or SIGTERM; returns the exit code."""
    with contextlib.suppress(KeyboardInterrupt):
        return asyncio.run(serve(options))
    return 0


async def serve_with_bot(
    server: Playground, stopped: asyncio.Event, command: Sequence[str] = BOT, database: Path = DATABASE
) -> int:
    """Run the bot until `stopped` is set or the bot exits; returns the exit code."""
    print("Starting the bot ...", flush=True)
    bot = await start_bot(command, settings_for(server) | {"DATABASE_PATH": str(database)})
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
            f"Its games are in {database}. `tiplu play --database FILE`, or `make play GAMES=FILE`, keeps them in another file.",
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


async def serve(options: argparse.Namespace) -> int:
    """Serve until SIGINT or SIGTERM; returns the exit code."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    sharding = Sharding(shards=options.shards, identify_interval=IDENTIFY_INTERVAL)
    server = Playground(keep=WIRE_KEPT, guilds=options.guilds, sharding=sharding)
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


def main() -> int:
    """Run the command line; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m playground", description=__doc__)
    add_arguments(parser)
    return run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
