"""Drawing all rounds of a fixed field at once, as divisions do, so that all pairs meet about equally often.

The same annealing as for one round (`league.pairing.pods`); a swap may be in any round.
"""

from collections.abc import Sequence
from itertools import combinations
from math import exp
from random import Random
from typing import Final

from league.pairing.meetings import History, Pod
from league.pairing.pods import fewest_repeats, mix, seated, slots_of, table_sizes
from league.results import Player

_SWAPS: Final = 300_000
_RESTARTS: Final = 4
_HEAT: Final = 0.6
_ODD_TABLE: Final = 2

Rounds = list[list[int]]
"""By round: the positions of the players in the list, table after table."""


def draw_all(
    players: Sequence[Player], rounds: int, random: Random, *, no_fives: bool = False
) -> tuple[tuple[Pod, ...], ...]:
    """The pods of every round, each in the order of its seats."""
    sizes = table_sizes(len(players), no_fives=no_fives)
    enough = fewest_repeats(len(players), rounds, no_fives=no_fives) + _least_odd(sizes, rounds)
    best = _cool(_Plan(sizes, rounds, random), random, enough)
    for _ in range(_RESTARTS - 1):
        if best[0] <= enough:
            break
        found = _cool(_Plan(sizes, rounds, random), random, enough)
        best = min(best, found, key=lambda plan: plan[0])
    history, drawn = History(), list[tuple[Pod, ...]]()
    for order in best[1]:
        tables = [[players[place] for place in table] for table in _tables(order, sizes)]
        drawn.append(tuple(seated(table, history, random) for table in tables))
        for pod in drawn[-1]:
            history.add(pod)
    return tuple(drawn)


def _least_odd(sizes: Sequence[int], rounds: int) -> int:
    """The cost of tables of other sizes than four when they are shared out as evenly as possible."""
    each, more = divmod(rounds * sum(size for size in sizes if size != 4), sum(sizes))
    return _ODD_TABLE * (sum(sizes) * (each * (each - 1) // 2) + more * each)


def _tables(order: list[int], sizes: Sequence[int]) -> list[list[int]]:
    starts = [sum(sizes[:table]) for table in range(len(sizes))]
    return [order[start : start + size] for start, size in zip(starts, sizes, strict=True)]


class _Plan:
    """All rounds at one step of the annealing, with the counts that follow from them."""

    def __init__(self, sizes: Sequence[int], rounds: int, random: Random) -> None:
        count = sum(sizes)
        self.company, self.table_of, self.is_odd = slots_of(sizes)
        self.orders: Rounds = [list(range(count)) for _ in range(rounds)]
        self.met = [[0] * count for _ in range(count)]
        self.odd = [0] * count
        for order in self.orders:
            mix(order, random)
            for first, second in (pair for table in _tables(order, sizes) for pair in combinations(table, 2)):
                self._meet(first, second, 1)
            for slot, place in enumerate(order):
                self.odd[place] += self.is_odd[slot]

    def cost(self) -> int:
        """The repeats, plus the cost of unevenly shared tables of other sizes than four."""
        repeats = sum(times * (times - 1) // 2 for row in self.met for times in row) // 2
        return repeats + _ODD_TABLE * sum(times * (times - 1) // 2 for times in self.odd)

    def change(self, who: list[int], slot_a: int, slot_b: int) -> int:
        """The change of the cost if two slots of different tables of a round were swapped."""
        first, second = who[slot_a], who[slot_b]
        of_first, of_second = self.met[first], self.met[second]
        change = 0
        for slot in self.company[slot_a]:
            other = who[slot]
            change += of_second[other] - of_first[other] + 1
        for slot in self.company[slot_b]:
            other = who[slot]
            change += of_first[other] - of_second[other] + 1
        if self.is_odd[slot_a] != self.is_odd[slot_b]:
            to, away = (second, first) if self.is_odd[slot_a] else (first, second)
            change += _ODD_TABLE * (self.odd[to] - self.odd[away] + 1)
        return change

    def swap(self, who: list[int], slot_a: int, slot_b: int) -> None:
        """Swap two slots of a round."""
        first, second = who[slot_a], who[slot_b]
        for slot in self.company[slot_a]:
            self._meet(who[slot], first, -1)
            self._meet(who[slot], second, 1)
        for slot in self.company[slot_b]:
            self._meet(who[slot], second, -1)
            self._meet(who[slot], first, 1)
        self.odd[first] += self.is_odd[slot_b] - self.is_odd[slot_a]
        self.odd[second] += self.is_odd[slot_a] - self.is_odd[slot_b]
        who[slot_a], who[slot_b] = second, first

    def _meet(self, player: int, opponent: int, times: int) -> None:
        self.met[player][opponent] += times
        self.met[opponent][player] += times


def _cool(plan: _Plan, random: Random, enough: int) -> tuple[int, Rounds]:
    """One run of the annealing: the lowest cost seen, and its rounds."""
    chance_of, rounds, count = random.random, len(plan.orders), len(plan.odd)
    cost = plan.cost()
    least, best = cost, [order[:] for order in plan.orders]
    for step in range(_SWAPS if count > len(plan.company[0]) + 1 else 0):
        if least <= enough:
            break
        who = plan.orders[int(chance_of() * rounds)]
        slot_a, slot_b = int(chance_of() * count), int(chance_of() * count)
        if plan.table_of[slot_a] == plan.table_of[slot_b]:
            continue
        change = plan.change(who, slot_a, slot_b)
        if change <= 0 or chance_of() < exp(-change * _SWAPS / (_HEAT * (_SWAPS - step))):
            plan.swap(who, slot_a, slot_b)
            cost += change
            if cost < least:
                least, best = cost, [order[:] for order in plan.orders]
    return least, best
