"""Made-up deals for `benchmarks/boards.py`: random people, servers and tables, as rows in the store's schema.

No deal has events, because nothing that lists, counts or ranks deals reads them. All other rows of a finished
deal exist: its table with seats, its match, its results, and its rows of the record. Data derived from the
record are missing; the bot's own `recompute` computes them.

Half of all deals are in the first server, which has the busiest people. The others share the rest, most of
which is in the second server. A few percent have a computer at the table or were stopped, and one in ten was
private.
"""

import random
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from benchmarks.seasons import fill_seasons
from league.statistics.stats import places
from marriage.rules import PRESETS

FIRST_PERSON: Final = 1000
CHANNELS: Final = (21, 22, 23)
"""The channels of the first server. Each later server adds 10."""
NOW: Final = 1_790_000_000_000
YEAR: Final = 365 * 24 * 3600 * 1000
DEALS_A_TABLE: Final = 10
_BATCH: Final = 1_000
"""The number of tables written at once."""
_RULES: Final = {name: preset.model_dump_json() for name, preset in PRESETS.items()}
_PRESETS: Final = tuple(_RULES)


@dataclass(frozen=True, slots=True)
class Size:
    """The numbers of deals, players and servers."""

    deals: int
    players: int
    servers: int = 1


@dataclass(frozen=True, slots=True)
class Server:
    """One server and its players, the busiest first."""

    id: int
    people: Sequence[int]

    @property
    def channels(self) -> tuple[int, ...]:
        """The channels of its tables."""
        return tuple(channel + 10 * (self.id - 1) for channel in CHANNELS)

    def company(self, chance: random.Random) -> list[int]:
        """Return three to five people who play together; some play far more often than others."""
        seats, wanted = set[int](), chance.choices((3, 4, 5), (2, 5, 1))[0]
        while len(seats) < min(wanted, len(self.people)):
            seats.add(self.people[int(len(self.people) * chance.random() ** 1.5)])
        return chance.sample(sorted(seats), len(seats))


def fill(path: Path, size: Size, chance: random.Random) -> None:
    """Fill a file that the store has created with made-up deals and seasons."""
    servers = _servers(size, chance)
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA synchronous=OFF")
        file.execute("PRAGMA cache_size=-200000")
        _insert(file, "guild", [{"id": server.id, "settings": "{}", "revision": 0} for server in servers])
        _insert(file, "person", [_person(FIRST_PERSON + index) for index in range(size.players)])
        for batch in _batches(size.deals):
            _some_tables(file, batch, size.deals, servers, chance)
            file.commit()
        numbers = range(1, size.players + 1)
        _insert(
            file,
            "league_player",
            [{"number": number, "person_id": FIRST_PERSON + number - 1} for number in numbers],
        )
        fill_seasons(file, servers[0].id, _fields(numbers[:1000]), NOW, chance)
        file.commit()


def _servers(size: Size, chance: random.Random) -> list[Server]:
    people = [FIRST_PERSON + index for index in range(size.players)]
    if size.servers == 1:
        return [Server(1, people)]
    first = Server(1, people[: max(5, size.players // 4)])
    return [
        first,
        *(
            Server(number, chance.sample(people, max(5, size.players // (3 * number))))
            for number in range(2, size.servers + 1)
        ),
    ]


def _fields(players: range) -> list[range]:
    """Return the players of each season: all, 200 of them, and all in groups of forty."""
    return [players, players[:200], *(players[first : first + 40] for first in range(0, len(players), 40))]


def _batches(deals: int) -> Iterable[range]:
    tables = (deals + DEALS_A_TABLE - 1) // DEALS_A_TABLE
    return (range(first, min(first + _BATCH, tables)) for first in range(0, tables, _BATCH))


def _some_tables(
    file: sqlite3.Connection, tables: range, deals: int, servers: Sequence[Server], chance: random.Random
) -> None:
    others = [1 / server.id for server in servers[1:]]
    weights = list(accumulate([sum(others) or 1, *others]))
    rows: dict[str, list[dict[str, Any]]] = {
        name: [] for name in ("game_table", "seat", "game_match", "deal", "result", "played", "played_seat")
    }
    for table in tables:
        server = chance.choices(servers, cum_weights=weights)[0]
        numbers = range(table * DEALS_A_TABLE, min((table + 1) * DEALS_A_TABLE, deals))
        _one_table(rows, table + 1, numbers, deals, server, chance)
    for name, values in rows.items():
        _insert(file, name, values)


def _one_table(
    rows: dict[str, list[dict[str, Any]]],
    table: int,
    numbers: range,
    deals: int,
    server: Server,
    chance: random.Random,
) -> None:
    company = server.company(chance)
    people: list[int | None] = [*company[:-1], None] if chance.random() < 0.05 else [*company]
    preset, channel = chance.choice(_PRESETS), chance.choice(server.channels)
    private = chance.random() < 0.1
    begun, over = (NOW - YEAR + YEAR * number // deals for number in (numbers[0], numbers[-1] + 1))
    rows["game_table"].append(
        {
            "id": table,
            "guild_id": server.id,
            "channel_id": channel,
            "host_id": company[0],
            "opened_by": company[0],
            "challenge": 0,
            "status": "closed",
            "revision": 9,
            "version": 9,
            "rules": _RULES[preset],
            "rules_version": 1,
            "deal_no": len(numbers),
            "dealer": 0,
            "created_at": begun,
            "closed_at": over,
            "options": "{}",
        }
    )
    rows["seat"] += [_seat(table, seat, person) for seat, person in enumerate(people)]
    rows["game_match"].append(
        {
            "table_id": table,
            "match_no": 1,
            "deals": len(numbers),
            "started_at": begun,
            "ended_at": over,
            "ended": "played",
        }
    )
    for deal_no, number in enumerate(numbers, 1):
        at = NOW - YEAR + YEAR * (number + 1) // deals
        stopped = chance.random() < 0.02
        rated = not stopped and None not in people
        rows["deal"].append(
            {
                "table_id": table,
                "deal_no": deal_no,
                "seed": b"",
                "commitment": "",
                "entropy": "[]",
                "former_seeds": "[]",
                "shuffle_version": 1,
                "rules_version": 1,
                "rules": _RULES[preset],
                "dealer": 0,
                "started_at": at - 600_000,
                "ended_at": at,
                "match_no": 1,
                "match_deal": deal_no,
            }
        )
        rows["played"].append(
            {
                "number": number + 1,
                "table_id": table,
                "deal_no": deal_no,
                "match_no": 1,
                "match_deal": deal_no,
                "guild_id": server.id,
                "channel_id": channel,
                "private": private,
                "preset": preset,
                "variations": 0,
                "seats": len(people),
                "ending": "groups",
                "stopped": stopped,
                "rated": rated,
                "started_at": at - 600_000,
                "ended_at": at,
            }
        )
        for seat, values in enumerate(_seats(people, chance)):
            rows["played_seat"].append(
                {
                    "number": number + 1,
                    "seat": seat,
                    "guild_id": server.id,
                    "rated": rated,
                    "ruled": 0,
                    **values,
                }
            )
            rows["result"].append(
                {
                    "table_id": table,
                    "deal_no": deal_no,
                    "seat": seat,
                    "payment": 0,
                    **{
                        name: values[name]
                        for name in ("person_id", "name", "status", "points", "net", "winner")
                    },
                }
            )


def _person(number: int) -> dict[str, Any]:
    settings = '{"listed": false}' if number % 50 == 7 else "{}"
    return {
        "id": number,
        "name": _name(number),
        "dms_open": 1,
        "updated_at": NOW,
        "settings": settings,
        "revision": NOW,
    }


def _name(person: int | None) -> str:
    return "Computer" if person is None else f"Player {person}"


def _seat(table: int, seat: int, person: int | None) -> dict[str, Any]:
    flags = dict.fromkeys(("left", "ready", "away", "ending", "sits_out"), 0)
    return {
        "table_id": table,
        "seat": seat,
        "person_id": person,
        "name": _name(person),
        "computer": None if person else "easy",
    } | flags


def _seats(people: Sequence[int | None], chance: random.Random) -> Iterable[dict[str, Any]]:
    """Return the seats of one deal, whose points add up to zero."""
    maal = [max(0, round(chance.gauss(8, 7))) for _ in people]
    winner = chance.randrange(len(people))
    net = [
        len(people) * points - sum(maal) - (0 if seat == winner else 10) for seat, points in enumerate(maal)
    ]
    net[winner] += 10 * (len(people) - 1)
    placed = places(net)
    for seat, person in enumerate(people):
        saw = seat == winner or chance.random() < 0.6
        yield {
            "person_id": person,
            "name": _name(person),
            "net": net[seat],
            "points": maal[seat],
            "place": placed[seat],
            "standing": 1,
            "winner": seat == winner,
            "status": "seen" if saw else "unseen",
            "shown": "groups" if saw else None,
            "shown_turn": 5 if saw else None,
            "one_turn": 0,
            "tunnelas": 0,
            "marriages": 0,
            "tiplus": 0,
        }


def _insert(file: sqlite3.Connection, table: str, rows: Sequence[dict[str, Any]]) -> None:
    names = ", ".join(f'"{name}"' for name in rows[0])
    marks = ", ".join("?" * len(rows[0]))
    file.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", [tuple(row.values()) for row in rows])
