"""The ladder of the levels: how far each computer player is above the one before, and what a temper costs.

    python -m benchmarks.ladder play FILE SECONDS [rungs|top|tempers]
    python -m benchmarks.ladder tell FILE
    python -m benchmarks.ladder rate FILE
    python -m benchmarks.ladder times [DEALS]

`play` adds deals to FILE for about SECONDS: one of a player against three others in `pagat` with a stock for every seat, each deal
from all four seats. With `rungs` the others are those a rung below: every rung gets 60 deals, and then the next deal goes to the
rung that is the fewest standard errors above the one below. With `top` all deals go to the highest rung. With `tempers` a player
with a temper sits among its like without one, and all get as many deals. FILE has a line for every deal, so that the work can be
stopped and goes on later.

`tell` prints what the deals of a file say. `rate` writes the rungs of a file to `marriage/arena/ratings.json`, from which ratings
come; rungs that the file does not have stay as they are. `times` prints the processor time of decisions, in milliseconds: mean,
median, 99th percentile and most, each player among its like.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from math import log, sqrt
from pathlib import Path
from statistics import fmean, stdev
from time import monotonic, process_time
from typing import Any

from marriage.arena.ladder import (
    AT_TABLES,
    EXPERTS,
    LADDER,
    TEMPERED,
    MeasuredLadder,
    Rung,
    ladder,
    rated,
    seated,
)
from marriage.arena.match import ArenaGame, ArenaMatch, MeanEstimate, lineup, play_match
from marriage.rules import PRESETS

SEATS = 4
PRESET = "pagat"
SEED = "ladder"
USUAL = "greedy"
FEWEST = 60
RATINGS = Path(__file__).parents[1] / "marriage" / "arena" / "ratings.json"

Pair = tuple[str, str]
"""The player at the other seats, and the one alone."""
Deal = dict[str, Any]
"""A line of the file: what each seat did in each game.

The lone player sits one seat further in every game.
"""

PAIRS: dict[str, list[Pair]] = {
    "rungs": list(pairwise(map(seated, AT_TABLES))),
    "top": list(pairwise(map(seated, AT_TABLES)))[-1:],
    "tempers": [(name.partition("/")[0], name) for name in TEMPERED],
}


def main() -> None:
    """Run the requested command."""
    match sys.argv[1:]:
        case ["play", path, seconds]:
            play(Path(path), float(seconds), "rungs")
        case ["play", path, seconds, "rungs" | "top" | "tempers" as what]:
            play(Path(path), float(seconds), what)
        case ["tell", path]:
            tell(read(Path(path)))
        case ["rate", path]:
            rate(read(Path(path)))
        case ["times", *deals]:
            times(int(deals[0]) if deals else 20)
        case _:
            sys.exit(__doc__)


# Playing


def play(path: Path, seconds: float, what: str) -> None:
    """Add deals to the file for about this many seconds."""
    played = read(path) if path.exists() else defaultdict[Pair, list[Deal]](list)
    until = monotonic() + seconds
    with path.open("a") as file:
        while monotonic() < until:
            pair = min(PAIRS[what], key=lambda pair: need(played[pair], what))
            number = len(played[pair])
            asked = ArenaMatch(
                lineup(pair[::-1], SEATS), PRESETS[PRESET], 1, SEED, first=number, own_stocks=True
            )
            [games] = play_match(asked, process_time).blocks
            deal: Deal = {"pair": pair, "deal": number, **told(games)}
            file.write(json.dumps(deal) + "\n")
            file.flush()
            played[pair].append(deal)


def need(deals: Sequence[Deal], what: str) -> tuple[bool, float]:
    """Return the sort key of a pair that waits for another deal; the smallest comes first."""
    if what != "rungs" or len(deals) < FEWEST:
        return (False, len(deals))
    found = gap(deals)
    return (True, found.mean / found.error)


def told(games: Iterable[ArenaGame]) -> Deal:
    """Return a line of the file for the games of a deal."""
    games = list(games)
    return {
        "nets": [game.nets for game in games],
        "counted": [game.counted for game in games],
        "took": [game.took for game in games],
        "dublees": [[int(seat in game.dublees) for seat in range(SEATS)] for game in games],
    }


def read(path: Path) -> dict[Pair, list[Deal]]:
    """Return the deals of each pair in a file."""
    played: dict[Pair, list[Deal]] = defaultdict(list)
    for line in path.read_text().splitlines():
        deal: Deal = json.loads(line)
        below, player = deal["pair"]
        played[below, player].append(deal)
    return played


# Figures


def own(deal: Deal, what: str) -> float:
    """Return this figure of the lone player, averaged over the games of a deal."""
    return fmean(game[seat] for seat, game in enumerate(deal[what]))


def others(deal: Deal, what: str) -> float:
    """Return the same for the other players."""
    return (sum(map(fmean, deal[what])) * SEATS - own(deal, what) * SEATS) / (SEATS * (SEATS - 1))


def came_before(deal: Deal) -> float:
    """Return the share of the others whom the lone player beat; a tie counts half."""
    return fmean(
        (game[seat] > other) + (game[seat] == other) / 2
        for seat, game in enumerate(deal["nets"])
        for place, other in enumerate(game)
        if place != seat
    )


def over(deals: Sequence[Deal], figure: Callable[[Deal], float]) -> MeanEstimate:
    """Return the mean over deals, and its standard error."""
    values = [figure(deal) for deal in deals]
    return MeanEstimate(fmean(values), stdev(values) / sqrt(len(values)))


def gap(deals: Sequence[Deal]) -> MeanEstimate:
    """Return how many points per deal the lone player gains more than the others."""
    return over(deals, lambda deal: own(deal, "nets") - others(deal, "nets"))


def tell(played: dict[Pair, list[Deal]]) -> None:
    """Print one line per pair: the gap in points, the rating gap from places alone, and further figures."""
    for (below, player), deals in played.items():
        points, ahead = gap(deals), over(deals, came_before)
        odds = 943 * log(ahead.mean / (1 - ahead.mean))
        habits = [
            f"{what} {fmean(own(deal, what) for deal in deals):.2f} {fmean(others(deal, what) for deal in deals):.2f}"
            for what in ("took", "dublees", "counted")
            if what in deals[0]
        ]
        print(
            player,
            below,
            len(deals),
            f"{points.mean:+.2f} ± {points.error:.2f}",
            f"{ahead.mean:.1%} ± {ahead.error:.1%} {odds:+.0f}",
            *habits,
            sep="\t",
        )


def rate(played: dict[Pair, list[Deal]]) -> None:
    """Write the rungs to the ratings file, and print the ratings."""
    rungs: list[Rung] = []
    before = {(rung.below, rung.player): rung for rung in ladder().rungs}
    for below, player in PAIRS["rungs"]:
        deals = played.get((below, player))
        if deals is None:
            rungs.append(before[below, player])
            continue
        mean, error = gap(deals)
        rungs.append(
            Rung(player=player, below=below, deals=len(deals), gap=round(mean, 3), error=round(error, 3))
        )
    measured = MeasuredLadder(version=1, preset=PRESET, seats=SEATS, usual=USUAL, rungs=tuple(rungs))
    RATINGS.write_text(measured.model_dump_json(indent=2) + "\n")
    for player, rating in rated(measured).items():
        print(player, rating.value, rating.error, sep="\t")


def times(deals: int) -> None:
    """Print how long each player's decisions take."""
    for name in (*AT_TABLES, *TEMPERED, *EXPERTS):
        asked = ArenaMatch(lineup([name], SEATS), PRESETS[PRESET], deals, SEED)
        spent = play_match(asked, process_time, LADDER).times[name]
        figures = (spent.mean, *(spent.share(percent) for percent in (50, 99, 100)))
        print(name, *(f"{1000 * seconds:.1f}" for seconds in figures), sep="\t", flush=True)


if __name__ == "__main__":
    main()
