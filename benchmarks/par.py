"""Measure par: the spread of a seat's points in a deal between computer players, by preset and seats.

    python benchmarks/par.py [DEALS] [PLAYER]

Plays so many deals (400) of every preset at 2 to 5 seats with the project's own engine and writes `league/statistics/par.json`,
which the league room reads. The same number gives the same table. PLAYER is a computer player of
`python -m marriage simulate`; with another than `greedy` the table is printed only.
"""

import json
import sys
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev

sys.path.insert(0, str(Path(__file__).parents[1]))

from marriage.cli.simulate import Simulate, run
from marriage.rules import PRESETS, SEATS_MAX, SEATS_MIN

TABLE = Path(__file__).parents[1] / "league" / "statistics" / "par.json"
PLAYER = "greedy"
VERSION = 1


def measure(preset: str, seats: int, deals: int, player: str) -> dict[str, object]:
    """One row of the table; a deal's points add up to nothing, so the spread is taken about nought."""
    figures = run(Simulate(preset=preset, seats=seats, deals=deals, players=(player,), seed="par"))
    nets = figures.nets[player]
    squares = [fmean(net**2 for net in nets[first : first + seats]) for first in range(0, len(nets), seats)]
    par = sqrt(fmean(squares))
    return {
        "preset": preset,
        "seats": seats,
        "par": round(par, 2),
        "error": round(stdev(squares) / sqrt(deals) / (2 * par), 2),
        "deals": deals,
    }


def main() -> None:
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    player = sys.argv[2] if len(sys.argv) > 2 else PLAYER
    rows: list[dict[str, object]] = []
    for preset in PRESETS:
        for seats in range(SEATS_MIN, SEATS_MAX + 1):
            rows.append(measure(preset, seats, deals, player))
            print(*rows[-1].values(), sep="\t", flush=True)
    if player == PLAYER:
        table = {"version": VERSION, "player": player, "rows": rows}
        TABLE.write_text(json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    main()
