"""`python -m tests.load.scaling`: the same load on a file, and on PostgreSQL with one, two and four bots.

    python -m tests.load.scaling [--rate 20] [--seconds 15] [--tables 24] [--number 7] [--at-table 75]

It prints a table for docs/scaling.md. Without a rate, each setup searches for the highest that is answered in
time. They run one after another, each from a fresh start.
"""

import argparse
import json
import subprocess
import sys
from typing import Any

SETUPS = (("sqlite", 1), ("postgres", 1), ("postgres", 2), ("postgres", 4))
HEAD = (
    "| | presses a second | acknowledged, p50 and p99 | whole answer, p99 | a press: bots | of the bare bot's | PostgreSQL "
    "| generator | cores: bots, each | PostgreSQL | generator | other programs | statements and round trips of a move | memory |"
)


def measured(database: str, bots: int, more: list[str]) -> dict[str, Any]:
    """Return the last line of a load run. Raises RuntimeError if there is none."""
    command = [sys.executable, "-m", "tests.load", "--database", database, "--bots", str(bots), *more]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    *_, last = done.stdout.splitlines() or [""]
    if not last.startswith("{"):
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}")
    return json.loads(last)


def row(found: dict[str, Any]) -> str:
    """Format one row of the table."""
    rate, name = found["rate"], f"{found['database']}, {found['bots']}"
    trips = "" if found["database"] == "sqlite" else f", {found['round_trips_per_move']}"
    cells = [
        name,
        f"{found['answered_per_s']} of {rate}",
        f"{_ms(found['ack_p50_ms'])}, {_ms(found['ack_p99_ms'])}",
        _ms(found["complete_p99_ms"]),
        f"{found['cpu_ms_per_press']} ms",
        f"{found['cpu_ms_per_press'] / found['bare_cpu_ms_per_press']:.1f} times",
        f"{found['database_cpu_ms_per_press']} ms",
        f"{found['generator_cpu_ms_per_press']} ms",
        " + ".join(map(str, found["bots_cores"])),
        f"{found['database_cpu_ms_per_press'] * rate / 1000:.2f}",
        f"{found['generator_cpu_ms_per_press'] * rate / 1000:.2f}",
        str(found["others_cores"]),
        f"{found['statements_per_move']}{trips}",
        f"{found['rss_mb']} MB",
    ]
    return f"| {' | '.join(cells)} |"


def _ms(value: float | None) -> str:
    return "never" if value is None else f"{value:.0f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--rate", type=float, help="presses per second; by default the highest rate that passes"
    )
    parser.add_argument("--seconds", type=float, default=15.0, help="the length of each step")
    parser.add_argument("--tables", type=int, default=24, help="how many tables are in play")
    parser.add_argument("--number", type=int, default=7, help="the seed of the run")
    parser.add_argument("--at-table", type=int, default=75, help="the percentage who play at the table")
    asked = vars(parser.parse_args())
    more = [f"--{name.replace('_', '-')}={value}" for name, value in asked.items() if value is not None]
    print(HEAD, f"|{'---|' * HEAD.count(' |')}", sep="\n", flush=True)
    for database, bots in SETUPS:
        found = measured(database, bots, more)
        print(row(found), flush=True)
        print(json.dumps(found), file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
