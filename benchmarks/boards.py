"""How fast history, profiles and boards are answered from a file of 100,000 deals and 1,000 players.

    python benchmarks/boards.py [DEALS] [PLAYERS]

The file is made anew each time. Its deals are made up; everything that follows from them is worked out by the bot's
own `recompute` and by the worker that keeps estimates, whose times are printed too. Each question is asked first of a
store that was just opened, then nine times; the first time and the median are printed, and both are to stay below the
limit.

The same file holds seasons of leagues: of all the players in groups of forty, and one each of 200 and of all of them.
"""

import asyncio
import json
import random
import resource
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.seasons import fill_seasons
from bot.history.estimates import EstimatesWorker
from bot.history.leaderboards import Boards
from bot.history.recompute import recompute
from bot.league.season_view import view_season
from data.repositories.history import Search, Sight
from data.store import Store
from league.statistics.facts import places
from league.statistics.leaderboard import Order
from league.statistics.periods import Span
from marriage.rules import PRESETS

GUILD, CHANNELS = 1, (21, 22, 23)
FIRST_PERSON = 1000
NOW = 1_790_000_000_000
YEAR = 365 * 24 * 3600 * 1000
DEALS_A_TABLE = 10
ROUNDS = 9
LIMIT_MS = 200
ALL_PLAY = "standings of a league of all players"
SLOW_AT_FIRST = {ALL_PLAY}
"""Five times as large as any league is meant to be: what it costs once after a start is printed, not judged."""


@dataclass
class Standing:
    """A clock that stands where the last deal ended."""

    def now(self) -> int:  # noqa: D102 - the protocol says it
        return NOW


def fill(path: Path, deals: int, players: int, chance: random.Random) -> None:
    """Put made-up deals into a file that the store has made."""
    people = [(FIRST_PERSON + index, f"Player {index}", 1, NOW, "{}", NOW) for index in range(players)]
    rules = {name: preset.model_dump_json() for name, preset in PRESETS.items()}
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA synchronous=OFF")
        file.execute("INSERT INTO guild VALUES (?, '{}', 0)", (GUILD,))
        file.executemany(f"INSERT INTO person VALUES ({_marks(people[0])})", people)
        for first in range(0, deals, 10_000):
            _some_deals(file, range(first, min(deals, first + 10_000)), deals, rules, players, chance)
        numbers = range(1, players + 1)
        file.executemany(
            "INSERT INTO league_player VALUES (?, ?)", ((own, FIRST_PERSON + own - 1) for own in numbers)
        )
        fill_seasons(file, GUILD, _fields(numbers), NOW, chance)
        file.commit()


def _fields(players: range) -> list[range]:
    """Who plays in each season: all, 200 of them, and all in groups of forty."""
    return [players, players[:200], *(players[first : first + 40] for first in range(0, len(players), 40))]


def _some_deals(
    file: sqlite3.Connection,
    numbers: range,
    deals: int,
    rules: dict[str, str],
    players: int,
    chance: random.Random,
) -> None:
    tables, rows, played, seats = [], [], [], []
    for number in numbers:
        table, deal_no = number // DEALS_A_TABLE + 1, number % DEALS_A_TABLE + 1
        if deal_no == 1:
            preset, channel, private = (
                chance.choice(list(rules)),
                chance.choice(CHANNELS),
                chance.random() < 0.1,
            )
            tx = [FIRST_PERSON + one for one in _company(chance, players)]
            tables.append(
                {
                    "id": table,
                    "guild_id": GUILD,
                    "channel_id": channel,
                    "host_id": tx[0],
                    "opened_by": tx[0],
                    "challenge": 0,
                    "status": "closed",
                    "revision": 9,
                    "rules": rules[preset],
                    "rules_version": 1,
                    "deal_no": DEALS_A_TABLE,
                    "dealer": 0,
                    "created_at": NOW,
                    "closed_at": NOW,
                    "options": "{}",
                }
            )
        at = NOW - YEAR + YEAR * (number + 1) // deals
        rows.append((table, deal_no, b"", "", "[]", "[]", 1, 1, rules[preset], 0, at - 600_000, at))
        played.append(
            (
                number + 1,
                table,
                deal_no,
                GUILD,
                channel,
                private,
                preset,
                0,
                len(tx),
                "groups",
                0,
                1,
                at,
                at,
            )
        )
        seats += _seats(number + 1, tx, chance)
    if tables:
        names = ", ".join(tables[0])
        marks = ", ".join(f":{name}" for name in tables[0])
        file.executemany(f"INSERT INTO game_table ({names}) VALUES ({marks})", tables)
    file.executemany(
        "INSERT INTO deal (table_id, deal_no, seed, commitment, entropy, former_seeds, shuffle_version,"
        " rules_version, rules, dealer, started_at, ended_at) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
        rows,
    )
    file.executemany(
        "INSERT INTO played (number, table_id, deal_no, guild_id, channel_id, private, preset, variations, seats,"
        " ending, stopped, rated, started_at, ended_at) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        played,
    )
    file.executemany(
        "INSERT INTO played_seat (number, seat, person_id, name, net, points, place, standing, winner, status,"
        " shown, shown_turn, one_turn, tunnelas, marriages, tiplus) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        seats,
    )


def _company(chance: random.Random, players: int) -> list[int]:
    """Three to five who play together; a tenth of all play a third of the time."""
    seats: set[int] = set()
    while len(seats) < 4:
        seats.add(chance.randrange(players // 10 if chance.random() < 0.33 else players))
    return sorted(seats)[: chance.choice((3, 4, 4))]


def _seats(number: int, tx: list[int], chance: random.Random) -> list[tuple[object, ...]]:
    """The seats of one deal, whose points add up to nothing."""
    maal = [max(0, round(chance.gauss(8, 7))) for _ in tx]
    winner = chance.randrange(len(tx))
    net = [len(tx) * own - sum(maal) - (0 if seat == winner else 10) for seat, own in enumerate(maal)]
    net[winner] += 10 * (len(tx) - 1)
    placed = places(net)
    return [
        (number, seat, person, f"Player {person}", net[seat], maal[seat], placed[seat], 1, seat == winner)
        + (("seen", "groups", 5) if seat == winner or chance.random() < 0.6 else ("unseen", None, None))
        + (0, 0, 0, 0)
        for seat, person in enumerate(tx)
    ]


def _marks(row: tuple[object, ...]) -> str:
    return ",".join("?" * len(row))


Question = Callable[[Store], Awaitable[object]]


async def prepare(path: Path) -> int:
    """Work out what follows from the deals; how many deals there are."""
    store = await Store.open(path)
    try:
        begun = time.perf_counter()
        done = await recompute(store)
        print(f"recompute: {done.deals} deals in {time.perf_counter() - begun:.1f} s")
        begun, stalls = time.perf_counter(), asyncio.create_task(_longest_stall())
        await EstimatesWorker(store, Standing()).catch_up()
        stalls.cancel()
        print(f"estimates for all boards in {time.perf_counter() - begun:.1f} s; ", end="")
        print(f"the event loop stood still for {1000 * await stalls:.0f} ms at most")
        return done.deals
    finally:
        await store.close()


async def _longest_stall() -> float:
    """Until it is cancelled: the longest time, in seconds, that the event loop had no time for anybody else."""
    longest, before = 0.0, time.perf_counter()
    try:
        while True:
            await asyncio.sleep(0)
            longest, before = max(longest, time.perf_counter() - before), time.perf_counter()
    except asyncio.CancelledError:
        return longest


def questions(deals: int) -> dict[str, Question]:
    """What is asked, by name."""
    sight = Sight(FIRST_PERSON + 1, GUILD, frozenset(CHANNELS))
    month = NOW - YEAR // 12

    def history(search: Search, skip: int = 0) -> Question:
        async def ask(store: Store) -> None:
            async with store.read() as db:
                await db.history.count(sight, search)
                await db.history.search(sight, search, skip, 8)

        return ask

    def profile(person: int) -> Question:
        return lambda store: Boards(store, Standing()).profile(GUILD, person, FIRST_PERSON)

    def board(order: Order, span: Span) -> Question:
        return lambda store: Boards(store, Standing()).board(GUILD, order, span)

    def table(season: int) -> Question:
        async def ask(store: Store) -> None:
            async with store.read() as db:
                view = await view_season(db, season, NOW)
            view.standings()

        return ask

    async def leagues(store: Store) -> None:
        async with store.read() as db:
            await db.seasons.in_guild(GUILD)

    seasons = {
        "list of the leagues": leagues,
        "standings of a league of 40": table(3),
        "standings of a league of 200": table(2),
        ALL_PLAY: table(1),
    }
    return (
        seasons
        | {
            "history, own": history(Search()),
            "history, own with a rival": history(Search(with_id=FIRST_PERSON + 2)),
            "history of the server": history(Search(own=False)),
            "history of the server, its last page": history(Search(own=False), deals // 2),
            "history of the server, a preset in a month": history(
                Search(own=False, preset="kathmandu", since=month)
            ),
            "profile of a busy player": profile(FIRST_PERSON + 1),
            "profile of a rare player": profile(FIRST_PERSON + 900),
        }
        | {f"board by {order}, {span}": board(order, span) for order in Order for span in Span}
    )


async def measure(path: Path) -> bool:
    """Print how long every question takes; whether all are below the limit."""
    asked = questions(await prepare(path))
    print("   first   median    worst")
    return all([await _timed(path, name, ask) for name, ask in asked.items()])


async def _timed(path: Path, name: str, ask: Question) -> bool:
    store = await Store.open(path)
    times: list[float] = []
    try:
        for _ in range(1 + ROUNDS):
            begun = time.perf_counter()
            await ask(store)
            times.append(1000 * (time.perf_counter() - begun))
    finally:
        await store.close()
    first, *others = times
    print(f"{first:8.1f} {statistics.median(others):8.1f} {max(others):8.1f} ms  {name}")
    return max(0.0 if name in SLOW_AT_FIRST else first, statistics.median(others)) < LIMIT_MS


async def main(deals: int, players: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tiplu.sqlite3"
        await (await Store.open(path)).close()
        begun = time.perf_counter()
        fill(path, deals, players, random.Random(7))
        size = path.stat().st_size / 2**20
        print(f"{deals} deals of {players} players in {time.perf_counter() - begun:.1f} s, {size:.0f} MiB")
        good = await measure(path)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps({"deals": deals, "players": players, "all_below_ms": LIMIT_MS if good else None}))
        print(f"at most {peak:.0f} MiB of memory")
    return 0 if good else 1


if __name__ == "__main__":
    figures = [int(one) for one in sys.argv[1:]]
    sys.exit(asyncio.run(main(*(figures + [100_000, 1_000][len(figures) :]))))
