"""`python -m tests.season.acts`: let players and staff act at random in whole seasons, and check that each ends by itself.

    PYTHONHASHSEED=0 python -m tests.season.acts [--number 7] [--count 300] [--processes 2]

The numbers of the seasons begin with `--number`. The same number is the same season with the same acts, so a fault is
repeated with `--number` and `--count 1`. The exit status is 1 if a promise was broken, or if nobody succeeded with an act
in a hundred seasons or more.
"""

import os
import sys
from collections import Counter

from tests.long_run import options, status, timed_print
from tests.season.acts import ladder, machine, players, staff
from tests.season.acts.kinds import KINDS
from tests.season.acts.playing import Played, play_seasons

ENOUGH = 100
"""In so many seasons, everything must have succeeded at least once."""


def never_done(seasons: list[Played]) -> list[str]:
    """Return the acts with which nobody succeeded."""
    done = {name for season in seasons for name, count in season.done.items() if count}
    every = {**players.ACTS, **players.TEAM_ACTS, **ladder.ACTS, **staff.ACTS, **machine.ACTS}
    return [act.__name__ for act in every if act.__name__ not in done]


def summary(kind: str, seasons: list[Played]) -> str:
    """Return what became of the seasons of a kind."""
    sums = Counter[str]()
    for season in seasons:
        waits = not (season.ended or season.broken)
        sums.update(
            acts=season.done.total(), refused=season.refused, deals=season.deals, matches=season.matches
        )
        sums.update(ended=season.ended, waiting=waits)
    return f"{kind}: {len(seasons)} seasons, " + ", ".join(f"{count} {name}" for name, count in sums.items())


def main() -> int:
    """Play and report."""
    parser = options(__doc__)
    parser.add_argument("--count", type=int, default=300, help="how many seasons to play")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="how many to play at once")
    asked = parser.parse_args()
    tell, seasons = timed_print(), list[Played]()
    for season in play_seasons(range(asked.number, asked.number + asked.count), asked.processes):
        seasons.append(season)
        if season.broken or len(seasons) % 10 == 0:
            tell(f"Season {season.number}, {season.kind}: {len(season.broken)} promises broken")
    for kind in KINDS:
        print(summary(kind.name, [season for season in seasons if season.kind == kind.name]))
    broken = [
        f"season {season.number} ({season.kind}): {fault}" for season in seasons for fault in season.broken
    ]
    if len(seasons) >= ENOUGH:
        broken += [f"nobody succeeded with {act}" for act in never_done(seasons)]
    return status(broken, played=bool(seasons))


if __name__ == "__main__":
    sys.exit(main())
