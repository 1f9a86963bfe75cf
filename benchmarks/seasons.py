"""Made-up seasons for `benchmarks/boards.py`: rounds of random pods with results, as rows of a file."""

import random
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from data.dialect import checksum
from league.events import (
    EVENT,
    CheckedIn,
    Confirmed,
    DrawnPod,
    Event,
    MatchFinished,
    MatchStarted,
    Result,
    RoundDrawn,
    SeasonOpened,
    SignedUp,
)
from league.pairing.pods import table_sizes
from league.settings import default_settings
from league.statistics.par import pars
from marriage.rules import PRESETS

SETTINGS = default_settings("pods")
RULES = PRESETS["pagat"]


def fill_seasons(
    file: sqlite3.Connection, guild: int, fields: Sequence[Sequence[int]], now: int, chance: random.Random
) -> None:
    """Put one season into the file for each field of players, whose numbers are those of `league_player`."""
    for number, players in enumerate(fields, 1):
        row = (
            number,
            guild,
            21,
            f"League {number}",
            1,
            RULES.model_dump_json(),
            "none",
            b"x" * 32,
            0,
            0,
            now,
        )
        file.execute(
            "INSERT INTO season (id, guild_id, channel_id, name, number, rules, pace, seed, starts_at,"
            " acted_until, created_at) VALUES (?,?,?,?,?,?,?,?,?,?,?)",
            row,
        )
        file.executemany(
            "INSERT INTO season_event (id, season, at, reason, staff, body, checksum) VALUES (?, ?, ?, '', 0, ?, ?)",
            _rows(file, number, now, _events(players, chance)),
        )


def _rows(
    file: sqlite3.Connection, season: int, now: int, events: Iterator[Event]
) -> Iterator[tuple[Any, ...]]:
    (last,) = file.execute("SELECT coalesce(max(id), 0) FROM season_event").fetchone()
    for number, event in enumerate(events, last + 1):
        body = EVENT.dump_json(event).decode()
        yield number, season, now, body, checksum(number, season, None, now, "", 0, None, body)


def _events(players: Sequence[int], chance: random.Random) -> Iterator[Event]:
    yield SeasonOpened("League", SETTINGS, pars(RULES))
    for player in players:
        yield SignedUp(player)
        yield Confirmed(player)
    pod = 0
    for number in range(1, SETTINGS.rounds + 1):
        yield from (CheckedIn(player, number) for player in players)
        drawn: list[DrawnPod] = []
        left = iter(chance.sample(players, len(players)))
        for size in table_sizes(len(players)):
            pod += 1
            drawn.append(DrawnPod(pod, tuple(next(left) for _ in range(size))))
        yield RoundDrawn(number, tuple(drawn))
        for table in drawn:
            yield MatchStarted(table.id, table.id)
            yield MatchFinished(table.id, Result(table.players, tuple(_deals(len(table.players), chance))))


def _deals(seats: int, chance: random.Random) -> Iterator[tuple[int, ...]]:
    for _ in range(SETTINGS.deals(seats)):
        points = [round(chance.gauss(0, 20)) for _ in range(seats - 1)]
        yield (*points, -sum(points))
