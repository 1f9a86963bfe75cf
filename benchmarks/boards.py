"""Measure how fast history, profiles, boards and lists are read from a file of many finished deals.

    python -m benchmarks.boards [DEALS] [PLAYERS] [SERVERS] [FILE]

The default is 100,000 deals of 1,000 players in one server; `make million` uses 1,000,000 deals of 5,000
players in 300 servers. The deals are made up (`benchmarks/filling.py`, seed 7). The bot's own `recompute` and
the worker that keeps estimates compute all derived data; their times are printed too. With FILE, the file is
kept, and reused if it exists.

Each query first runs on a store that was just opened, then `ROUNDS` times. The output has the first time, the
median, the 95th percentile, the processor time of one query, and how long the event loop was blocked. The
first time and the 95th percentile should stay below the limit.

The same file holds league seasons: one each of 200 players, of all players, and of every group of forty.
"""

import asyncio
import json
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import structlog

from benchmarks.filling import CHANNELS, FIRST_PERSON, NOW, Size, fill
from bot.history.leaderboards import Leaderboards
from bot.history.past_deals import Asked, DealSearch
from bot.history.stats import EstimatesWorker, recompute
from bot.league.season import view_season
from data.files import FileLock
from data.repositories.deal_search import Sight
from data.sqlite.database import SQLiteDatabase
from data.store import Store
from data.transaction import ReadTransaction
from league.statistics.leaderboard import BoardOrder
from league.statistics.stats import Span

GUILD = 1
SEED = 7
ROUNDS = 40
LIMIT_MS = 200
TICK_S = 0.001
ALL_PLAY = "standings of a league of a thousand players"
SLOW_AT_FIRST = {ALL_PLAY}
"""A field five times as large as a league should be: its first time after a start is printed, not judged."""

Question = Callable[[Store], Awaitable[object]]


@dataclass
class Standing:
    """A clock that stays at the end of the last deal."""

    def now(self) -> int:  # noqa: D102 - the protocol says it
        return NOW


async def prepare(path: Path) -> None:
    """Compute the data derived from the deals."""
    store = await Store.open(path)
    try:
        begun = time.perf_counter()
        done = await recompute(store)
        print(f"recompute: {done.deals} deals in {time.perf_counter() - begun:.1f} s")
    finally:
        await store.close()


async def catch_up(path: Path) -> None:
    """Compute the estimates for every board: from scratch, then after a start without new deals."""
    store = await Store.open(path)
    try:
        for _ in range(2):
            begun, stalls = time.perf_counter(), Stalls()
            await EstimatesWorker(store, Standing()).catch_up()
            print(f"estimates for all boards in {time.perf_counter() - begun:.1f} s; ", end="")
            print(f"the event loop stood still for {await stalls.end():.0f} ms at most")
    finally:
        await store.close()


class Stalls:
    """Measures the longest time that the event loop was blocked, from now on."""

    def __init__(self) -> None:
        self._longest_ms = 0.0
        self._watch = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while True:
            begun = time.perf_counter()
            await asyncio.sleep(TICK_S)
            self._longest_ms = max(self._longest_ms, 1000 * (time.perf_counter() - begun - TICK_S))

    async def end(self) -> float:
        """Stop measuring; return the longest time in milliseconds."""
        await asyncio.sleep(TICK_S)
        self._watch.cancel()
        return self._longest_ms


def questions(deals: int) -> dict[str, Question]:
    """Return the queries by name."""
    busiest, rival = FIRST_PERSON, FIRST_PERSON + 1
    sight = Sight(busiest, GUILD, frozenset(CHANNELS))
    stranger = Sight(FIRST_PERSON + 400, GUILD, frozenset(CHANNELS[:1]))

    def history(asked: Asked, page: int = 0, eyes: Sight = sight) -> Question:
        return lambda store: DealSearch(store, Standing()).page(eyes, asked, page)

    def profile(person: int, guild: int | None = GUILD) -> Question:
        return lambda store: Leaderboards(store, Standing()).profile(guild, person, person)

    def board(order: BoardOrder, span: Span) -> Question:
        return lambda store: Leaderboards(store, Standing()).board(GUILD, order, span)

    def table(season: int) -> Question:
        async def ask(store: Store) -> None:
            view = await store.read(view_season, season, NOW)
            view.standings()

        return ask

    async def place(db: ReadTransaction) -> None:
        await db.tables.open_of_person(busiest)
        await db.tables.in_channel(CHANNELS[0])
        await db.tables.latest_played(CHANNELS[0])

    async def one_deal(db: ReadTransaction) -> None:
        table_id = deals // 20
        await db.history.find(sight, table_id, 5)
        await db.history.may_see(sight, table_id, 5)
        await db.deals.results(table_id)

    return {
        "list of the leagues": lambda store: store.read(lambda db: db.seasons.in_guild(GUILD)),
        "standings of a league of 40": table(3),
        "standings of a league of 200": table(2),
        ALL_PLAY: table(1),
        "open tables of the server": lambda store: store.read(lambda db: db.tables.in_guild(GUILD)),
        "the table of a busy player, those of a channel": lambda store: store.read(place),
        "a deal for its sheet or replay": lambda store: store.read(one_deal),
        "history, own": history(Asked()),
        "history, own, its last page": history(Asked(), deals),
        "history, own, of all servers": history(Asked(), eyes=Sight(busiest, None)),
        "history, own with a rival": history(Asked(with_id=rival)),
        "history, own, a preset in a year": history(Asked(preset="kathmandu", since="year")),
        "history of the server": history(Asked(own=False)),
        "history of the server, its last page": history(Asked(own=False), deals),
        "history of the server, half seen": history(Asked(own=False), 100, stranger),
        "history of the server, a preset in a month": history(
            Asked(own=False, preset="kathmandu", since="month")
        ),
        "history of the server, a preset in a year, last page": history(
            Asked(own=False, preset="kathmandu", since="year"), deals
        ),
        "history of the server, with a rival": history(Asked(own=False, with_id=rival)),
        "history of a table": history(Asked(own=False, table_id=deals // 20)),
        "profile of a busy player": profile(busiest),
        "profile of a busy player, all servers": profile(busiest, None),
        "profile of a rare player": profile(FIRST_PERSON + 200),
    } | {f"board by {order}, {span}": board(order, span) for order in BoardOrder for span in Span}


async def measure(path: Path, deals: int) -> bool:
    """Print how long every query takes. Return whether all are below the limit."""
    print("   first   median      p95   processor  stands still")
    return all([await _timed(path, name, ask) for name, ask in questions(deals).items()])


async def _timed(path: Path, name: str, ask: Question) -> bool:
    # As after a start. Opening it as the bot does would check the whole file before each query.
    store = Store(SQLiteDatabase(path, FileLock(path.with_name(path.name + ".lock")), is_intact=True))
    times: list[float] = []
    stood: list[float] = []
    used = time.process_time()
    try:
        for _ in range(1 + ROUNDS):
            begun, stalls = time.perf_counter(), Stalls()
            await ask(store)
            times.append(1000 * (time.perf_counter() - begun))
            stood.append(await stalls.end())
    finally:
        await store.close()
    first, *others = times
    p95 = statistics.quantiles(others, n=20)[-1]
    cpu = 1000 * (time.process_time() - used) / len(times)
    # The minimum of the maxima: the others include other work on the machine.
    still = min(stood[1:])
    figures = f"{first:8.1f} {statistics.median(others):8.1f} {p95:8.1f} {cpu:11.1f} {still:13.1f} ms"
    print(f"{figures}  {name}", flush=True)
    return max(0.0 if name in SLOW_AT_FIRST else first, p95) < LIMIT_MS


async def ask_all(size: Size, path: Path, *, fresh: bool) -> int:
    """Fill the file if it does not exist, and run all queries; return 0 if every answer was in time."""
    if fresh:
        await (await Store.open(path)).close()
        begun = time.perf_counter()
        fill(path, size, random.Random(SEED))
        print(f"{size.deals} deals of {size.players} players in {time.perf_counter() - begun:.1f} s")
        await prepare(path)
    begun = time.perf_counter()
    await (await Store.open(path)).close()
    print(f"opened and closed again in {time.perf_counter() - begun:.1f} s")
    await catch_up(path)
    good = await measure(path, size.deals)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        json.dumps({"deals": size.deals, "players": size.players, "all_below_ms": LIMIT_MS if good else None})
    )
    print(f"at most {peak:.0f} MiB of memory")
    return 0 if good else 1


def main() -> int:
    """Run the queries on a file of the size given on the command line."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(20))
    figures = [int(argument) for argument in sys.argv[1:4]]
    asked_for = Size(*(figures + [100_000, 1_000, 1][len(figures) :]))
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(sys.argv[4]) if len(sys.argv) > 4 else Path(folder) / "tiplu.sqlite3"
        return asyncio.run(ask_all(asked_for, kept, fresh=not kept.exists()))


if __name__ == "__main__":
    sys.exit(main())
