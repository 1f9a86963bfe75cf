"""Measure par: the spread of a seat's points in a deal between computer players, by preset and seats.

    python -m benchmarks.par [DEALS] [--processes N] [--player NAME]
    python -m benchmarks.par [DEALS] --compiled

Plays deals of every preset at 2 to 5 seats with the project's own engine until each has DEALS (600), and
writes `league/statistics/par.json`, which the league room reads. The file holds the sums of all deals so far,
and is written after every block of 60 deals per row: an interrupted run loses little, and a later one with a
larger number continues where it ended. So the same number gives the same table, in however many runs. After a
change of the engine or the player, raise `VERSION`: the next run then starts from scratch.

NAME is a computer player of `python -m marriage simulate`; with another than `greedy` the table is only
printed.

`--compiled` measures the presets that the simulator in C supports (`training/simulator.c`), with DEALS of its
deals. It plays greedy move for move as the engine does, in less than a millisecond a deal. The other rows do
not change. It needs gcc and numpy.
"""

import argparse
import json
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from math import sqrt
from pathlib import Path
from typing import TypedDict

from marriage.cli.simulate import Simulate, run
from marriage.rules import PRESETS, SEATS_MAX, SEATS_MIN
from training import simulator

TABLE = Path(__file__).parents[1] / "league" / "statistics" / "par.json"
PLAYER = "greedy"
VERSION = 3
BLOCK = 60
"""The number of deals in a block. For any number of seats, every seat is the dealer equally often."""


class Row(TypedDict):
    """One row of the table."""

    preset: str
    seats: int
    par: float
    error: float
    deals: int
    squares: int
    """The sum over all deals of the deal's square: the sum of the squared points of its seats."""
    squares_of_squares: int
    """The sum over all deals of the square of the deal's square."""


def measured(preset: str, seats: int, deals: int, squares: int, squares_of_squares: int) -> Row:
    """Return the row for these sums. A deal's points sum to zero, so the spread is taken around zero."""
    par, error = 0.0, 0.0
    if deals:
        mean = squares / deals
        variance = (squares_of_squares - deals * mean**2) / (deals - 1)
        par = sqrt(mean / seats)
        error = sqrt(variance / deals) / seats / (2 * par)
    return Row(
        preset=preset,
        seats=seats,
        par=round(par, 2),
        error=round(error, 2),
        deals=deals,
        squares=squares,
        squares_of_squares=squares_of_squares,
    )


def grown(row: Row, player: str) -> Row:
    """Return the row with one more block of deals."""
    seats, block = row["seats"], row["deals"] // BLOCK
    asked = Simulate(preset=row["preset"], seats=seats, deals=BLOCK, players=(player,), seed=f"par {block}")
    nets = run(asked).nets[player]
    squares = [sum(net**2 for net in nets[first : first + seats]) for first in range(0, len(nets), seats)]
    return measured(
        row["preset"],
        seats,
        row["deals"] + BLOCK,
        row["squares"] + sum(squares),
        row["squares_of_squares"] + sum(square**2 for square in squares),
    )


def compiled(row: Row, deals: int) -> Row:
    """Return the row from this many deals of the simulator, or the same row for an unsupported preset."""
    if row["preset"] not in simulator.SUPPORTED:
        return row
    played = simulator.Simulator(PRESETS[row["preset"]], row["seats"], one_stock=True)
    squares = [
        sum(net**2 for net in nets)
        for first in range(0, deals, BLOCK)
        for nets in played.nets(
            simulator.deals("judge", min(BLOCK, deals - first), seed="par", first=first, seats=row["seats"])
        ).tolist()
    ]
    return measured(row["preset"], row["seats"], deals, sum(squares), sum(square**2 for square in squares))


def begun(player: str) -> list[Row]:
    """Return the rows to continue: those of the table if version and player match, else empty rows."""
    table = json.loads(TABLE.read_text())
    if player == PLAYER and table["version"] == VERSION:
        return table["rows"]
    return [
        measured(preset, seats, 0, 0, 0) for preset in PRESETS for seats in range(SEATS_MIN, SEATS_MAX + 1)
    ]


def go_on(pool: Executor, player: str, deals: int) -> list[Row]:
    """Play until every row has this many deals; write the table after each block."""
    rows = begun(player)
    while any(row["deals"] < deals for row in rows):
        rows = list(pool.map(partial(grown, player=player), rows))
        if player == PLAYER:
            keep(rows)
    return rows


def keep(rows: list[Row]) -> None:
    """Write the table."""
    TABLE.write_text(json.dumps({"version": VERSION, "player": PLAYER, "rows": rows}, indent=1) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("deals", type=int, nargs="?", default=600)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--player", default=PLAYER)
    parser.add_argument("--compiled", action="store_true")
    asked = parser.parse_args()
    if asked.compiled:
        rows = [compiled(row, asked.deals) for row in begun(PLAYER)]
        keep(rows)
        for row in rows:
            print(*list(row.values())[:5], sep="\t")
        return
    with ProcessPoolExecutor(asked.processes) as pool:
        for row in go_on(pool, asked.player, asked.deals):
            print(*list(row.values())[:5], sep="\t")


if __name__ == "__main__":
    main()
