"""Compare two ways of drawing pods: our annealing of whole seasons, and CP-SAT round by round.

    python -m benchmarks.pods [SECONDS] [SEEDS]

Ours plans seasons of four, six and eight rounds. CP-SAT draws eight rounds one after the other, each as good
as it can find. Repeated meetings are counted (a third meeting of a pair counts twice), next to the lower
bound from counting. CP-SAT (one worker, as ours) has SECONDS (5) for each round, starts from scratch and
stops when it has proved the optimum. With SEEDS (1) above one, the worst of our results and the slowest draw
are printed.
"""

import sys
import time
from itertools import combinations
from random import Random

from ortools.sat.python import cp_model

from league.pairing.pods import Entrant, History, chance, table_sizes
from league.pairing.schedule import draw
from tests.league.gates import ROUNDS, fewest

FIELDS = (8, 10, 13, 16, 17, 20, 24, 32, 48)


def ours(players: int, seed: int) -> tuple[list[int], float]:
    """Return the repeats of seasons of the rounds of `ROUNDS`, and the seconds of the slowest draw."""
    repeats, slowest = [], 0.0
    for rounds in ROUNDS:
        begun = time.perf_counter()
        entrants = [Entrant(player) for player in range(players)]
        drawn = draw(entrants, History(), chance(bytes([seed]), "b", 1), rounds=rounds)
        slowest = max(slowest, time.perf_counter() - begun)
        repeats.append(History.of(drawn).repeats())
    return repeats, slowest


def solver(players: int, seconds: float) -> tuple[list[int], float]:
    """Do the same with CP-SAT."""
    history, repeats, slowest = History(), [], 0.0
    for number in range(1, max(ROUNDS) + 1):
        begun = time.perf_counter()
        for pod in _solved(players, history, seconds, number):
            history.add(pod)
        slowest = max(slowest, time.perf_counter() - begun)
        if number in ROUNDS:
            repeats.append(history.repeats())
    return repeats, slowest


def _solved(players: int, history: History, seconds: float, number: int) -> list[tuple[int, ...]]:
    """Return one round: the players of each table, such that those who meet have met least often."""
    sizes = table_sizes(players)
    model = cp_model.CpModel()
    at = [[model.new_bool_var("") for _ in sizes] for _ in range(players)]
    for tables in at:
        model.add_exactly_one(tables)
    for table, size in enumerate(sizes):
        model.add(sum(tables[table] for tables in at) == size)
    costs = []
    for pair in combinations(range(players), 2):
        if met := history.meetings[frozenset(pair)]:
            together = model.new_bool_var("")
            for table in range(len(sizes)):
                model.add(together >= at[pair[0]][table] + at[pair[1]][table] - 1)
            costs.append(met * together)
    least = min(history.odd[player] for player in range(players))
    for table, size in enumerate(sizes):
        if size != 4:
            costs += [2 * (history.odd[player] - least) * tables[table] for player, tables in enumerate(at)]
    model.minimize(sum(costs))
    search = cp_model.CpSolver()
    search.parameters.max_time_in_seconds = seconds
    search.parameters.num_workers = 1
    search.parameters.random_seed = number
    order = Random(number).sample(range(players), players)
    for place, player in enumerate(order):
        seat = next(t for t in range(len(sizes)) if place < sum(sizes[: t + 1]))
        for table in range(len(sizes)):
            model.add_hint(at[player][table], table == seat)
    search.solve(model)
    return [
        tuple(player for player, tables in enumerate(at) if search.value(tables[table]))
        for table in range(len(sizes))
    ]


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0
    seeds = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    print(f"repeats after {', '.join(map(str, ROUNDS))} rounds, and the slowest draw")
    print("players\tfewest\tours\tseconds\tCP-SAT\tseconds")
    for players in FIELDS:
        runs = [ours(players, seed) for seed in range(seeds)]
        worst = [max(found) for found in zip(*(repeats for repeats, _ in runs), strict=True)]
        slowest = max(slowest for _, slowest in runs)
        theirs, slow = solver(players, seconds)
        bound = [fewest(players, number) for number in ROUNDS]
        print(players, bound, worst, f"{slowest:.2f}", theirs, f"{slow:.2f}", sep="\t", flush=True)


if __name__ == "__main__":
    main()
