"""Measure the value of each judgement of the master, by changing one judgement at a time.

    python -m benchmarks.players [DEALS] [PRESET]

The player plays against three greedy+outs: DEALS (400) deals of PRESET (pagat), each from all four seats with
a stock for every seat. Prints the points that the player gains per deal and their standard error, and the
same for the difference to `master`, deal by deal. These are deals for fitting. To test a claim about a
player, use `python -m marriage match`, which plays other deals.
"""

import sys
from math import sqrt
from statistics import fmean, stdev
from time import process_time

from marriage.arena.ladder import LADDER, Factory
from marriage.arena.match import ArenaMatch, Results, lineup, play_match
from marriage.rules import PRESETS
from marriage.strategy.master import MasterPlayer

RIVAL = "greedy+outs"
VARIANTS: dict[str, MasterPlayer] = {
    "master": MasterPlayer(),
    "dublees from six pairs, two cards from a show": MasterPlayer(dublees_from=(7, 7, 6)),
    "dublees from five pairs, near a show too": MasterPlayer(dublees_from=(7, 5, 5)),
    "dublees from four pairs, two cards from a show": MasterPlayer(dublees_from=(7, 6, 4)),
    "takes what brings the finish nearer": MasterPlayer(takes_for_show=False),
    "discards before a show as greedy+outs": MasterPlayer(weights=None),
    "never widens its wait": MasterPlayer(wider=1.0),
    "widens its wait a little": MasterPlayer(wider=0.06),
}


def gains(name: str, player: MasterPlayer, deals: int, preset: str) -> list[float]:
    """Return the points that the player gains, averaged over the seats of each deal."""
    players: dict[str, Factory] = {name: lambda _: player, RIVAL: LADDER[RIVAL]}
    match = ArenaMatch(lineup([name, RIVAL], 4), PRESETS[preset], deals, purpose="fit", own_stocks=True)
    results: Results = play_match(match, process_time, players)
    return [
        fmean(game.nets[game.seated.index(name)] for game in block)  # the player has one seat
        for block in results.blocks
    ]


def estimate(values: list[float]) -> str:
    """Return the mean and its standard error."""
    return f"{fmean(values):+.2f} ± {stdev(values) / sqrt(len(values)):.2f}"


def main() -> None:
    """Print one line per variant."""
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    preset = sys.argv[2] if len(sys.argv) > 2 else "pagat"
    known: list[float] = []
    for name, player in VARIANTS.items():
        gained = gains(name, player, deals, preset)
        known = known or gained
        change = [points - before for points, before in zip(gained, known, strict=True)]
        print(name, estimate(gained), estimate(change), sep="\t", flush=True)


if __name__ == "__main__":
    main()
