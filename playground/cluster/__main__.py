"""`python -m playground.cluster`: a playground of many shards, a PostgreSQL server and some bots, until Ctrl-C."""

import argparse
import asyncio
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from playground.cluster.fleet import MOST_PROCESSES, Fleet
from playground.cluster.page import ClusterPage
from playground.cluster.postgres import MISSING, PostgresServer, find_programs, temporary_folder
from playground.server import Playground
from playground.services import Sharding
from playground.starting import IDENTIFY_INTERVAL, WIRE_KEPT, listen, settings_for


@asynccontextmanager
async def running_postgres(programs: Path) -> AsyncGenerator[PostgresServer, None]:
    """Yield a running server that leaves nothing behind."""
    with temporary_folder() as folder:
        server = await asyncio.to_thread(PostgresServer, programs, folder, ("max_connections=300",))
        await asyncio.to_thread(server.start)
        try:
            yield server
        finally:
            await asyncio.to_thread(server.stop)


def tell(number: int, line: str) -> None:
    """Print a line of one bot's log."""
    print(f"bot {number} | {line}", flush=True)


async def serve(options: argparse.Namespace, programs: Path) -> int:
    """Serve until SIGINT or SIGTERM; returns the exit code."""
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    print("Starting PostgreSQL ...", flush=True)
    async with running_postgres(programs) as postgres:
        page = ClusterPage(postgres)
        sharding = Sharding(
            shards=options.shards, max_concurrency=options.shards, identify_interval=IDENTIFY_INTERVAL
        )
        discord = Playground(keep=WIRE_KEPT, guilds=options.guilds, sharding=sharding, routes=page.routes)
        try:
            await listen(discord, options.port)
        except OSError as error:
            print(f"The playground cannot listen: {error.strerror}.", file=sys.stderr)
            return 1
        shared = {"DATABASE_URL": postgres.address, "SHARD_COUNT": str(options.shards), "SHARD_IDS": ""}
        fleet = Fleet(settings_for(discord) | shared, tell)
        page.shows(discord, fleet)
        try:
            for _ in range(options.bots):
                await fleet.add()
            print(f"\nThe processes: {discord.url}/cluster.html", flush=True)
            print(f"Play: {discord.url}/?user=asha, and with other names. Ctrl-C stops all.\n", flush=True)
            await stopped.wait()
        finally:
            print("Stopping ...", flush=True)
            await fleet.close()
            await discord.close()
    return 0


def main() -> int:
    """Run the command line; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m playground.cluster", description=__doc__)
    for name, number, most, what in (
        ("--port", None, 65535, "the port to listen on (default: the first free port from 8080)"),
        ("--bots", 2, MOST_PROCESSES, "how many bots (default: %(default)s)"),
        ("--shards", 8, 64, "how many shards they share (default: %(default)s)"),
        ("--guilds", 40, 1000, "how many servers there are (default: %(default)s)"),
    ):
        parser.add_argument(name, type=int, choices=range(most + 1), metavar="N", default=number, help=what)
    options = parser.parse_args()
    programs = find_programs()
    if programs is None:
        print(MISSING, file=sys.stderr)
        return 69
    return asyncio.run(serve(options, programs))


if __name__ == "__main__":
    sys.exit(main())
