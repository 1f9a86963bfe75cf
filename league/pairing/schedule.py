"""Drawing the pods of all remaining rounds, with as few repeated meetings as possible.

The best draw for one round leaves bad ones for later. So the next round is drawn as the first of a plan for
all remaining rounds, as if all present players stayed.

If no one has met yet and no one has wishes, only the number of players matters. One search serves all such
draws, with the players in random order. For numbers of players for which a search of a second stays far from
the optimum, plans of seven rounds from a long search are stored (`plans.json`).

The search is simulated annealing in plain Python: two players of different tables of a round are swapped if
that costs nothing, and otherwise with a probability that shrinks. The seed determines everything, so the same
build makes the same draw again. The drawn pods are stored; reading a season never draws.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import combinations
from math import exp
from random import Random
from typing import Final

from pydantic import TypeAdapter

from league.pairing.pods import USUAL, Entrant, History, Pod, mix, seated, slots_of, table_sizes

KEPT_ROUNDS: Final = 7
_PLANS: Final = TypeAdapter(dict[int, list[list[int]]])
_SWAPS: Final = 80_000
"""For each round of the plan; `_MOST_SWAPS` in all at most."""
_MOST_SWAPS: Final = 400_000
_RESTARTS: Final = 3
_HOT: Final = 0.3
_COOL: Final = 0.12
"""A swap that costs one repeat is made with a probability that falls from exp(-1/0.3) to exp(-1/0.12)."""
_COLD: Final = 0.001
"""The final value for a single round, where differences of places count by fractions of a repeat."""
_ODD_TABLE: Final = 2.0
_NO_COMMON_HOURS: Final = 3.0
_SAME_QUARTER: Final = 1.0
_APART: Final = 1000.0
_FOURTH: Final = 2.0
"""The extra cost of a fourth meeting while pairs have met less than twice on average.

It keeps any pair from being singled out.
"""
_NEXT_TO_NOTHING: Final = 1e-6

Costs = list[list[float]]
Order = list[int]
"""The positions of the entrants in the list, table after table."""


def draw_next(
    entrants: Sequence[Entrant],
    history: History,
    number: int,
    rounds_left: int,
    chance: Callable[[int], Random],
    *,
    no_fives: bool = False,
    usual: int = USUAL,
) -> tuple[Pod, ...]:
    """Return the pods of round `number`, with `rounds_left` to be drawn in all.

    While the same players have been present each time, they are those of the season's initial plan; otherwise
    the remaining rounds are planned again. `chance` returns the random numbers of the draw with a number.
    """
    players = [entrant.player for entrant in entrants]
    if history.everybody_played(players, number - 1):
        rounds = number - 1 + rounds_left
        begun = draw(entrants, History(), chance(1), rounds=rounds, no_fives=no_fives, usual=usual)
        if History.of(begun[: number - 1]) == history:
            return begun[number - 1]
    return draw(entrants, history, chance(number), rounds=rounds_left, no_fives=no_fives, usual=usual)[0]


def draw(
    entrants: Sequence[Entrant],
    history: History,
    random: Random,
    *,
    rounds: int = 1,
    swiss: float = 0.0,
    spread: bool = False,
    no_fives: bool = False,
    usual: int = USUAL,
) -> tuple[tuple[Pod, ...], ...]:
    """Return the pods of so many rounds, the next one first, each in the order of its seats.

    For a Swiss draw, of one round, `entrants` are in the order of the standings, and `swiss` is the weight of
    a difference of places (see `league.pairing.pods.swiss_weight`). With `spread`, `entrants` are in the
    order of their ratings, and each table gets one of every quarter if possible.
    """
    sizes = table_sizes(len(entrants), no_fives=no_fives, usual=usual)
    costs = _pair_costs(entrants, history, swiss, spread=spread)
    least = min(history.odd[entrant.player] for entrant in entrants)
    odd = [_ODD_TABLE * (history.odd[entrant.player] - least) for entrant in entrants]
    plan = _planned(costs, odd, sizes, rounds, random, in_order=swiss > 0)
    seen, drawn = history.copy(), list[tuple[Pod, ...]]()
    for order in _fewest_first(plan, costs, sizes):
        tables = [[entrants[place].player for place in table] for table in _tables(order, sizes)]
        drawn.append(tuple(seated(table, seen, random) for table in tables))
        for pod in drawn[-1]:
            seen.add(pod)
    return tuple(drawn)


def _pair_costs(entrants: Sequence[Entrant], history: History, swiss: float, *, spread: bool) -> Costs:
    """Return the symmetric matrix of the costs of two entrants at one table, by list position."""
    count = len(entrants)
    few = history.meetings.total() < count * (count - 1)
    costs = [[0.0] * count for _ in range(count)]
    for first, entrant in enumerate(entrants):
        for second, other in enumerate(entrants[:first]):
            met = history.meetings[frozenset((entrant.player, other.player))]
            cost = met + swiss * (first - second) / count
            cost += _SAME_QUARTER * (spread and 4 * first // count == 4 * second // count)
            cost += _FOURTH * (few and met > 2)
            cost += _NO_COMMON_HOURS * bool(entrant.hours and other.hours and not entrant.hours & other.hours)
            cost += _APART * (other.player in entrant.apart or entrant.player in other.apart)
            costs[first][second] = costs[second][first] = cost
    return costs


def _planned(
    costs: Costs, odd: Sequence[float], sizes: Sequence[int], rounds: int, random: Random, *, in_order: bool
) -> list[Order]:
    """Return the best plan found: for every round an order, to be cut into tables of these sizes."""
    if not any(odd) and not any(any(row) for row in costs):
        mixed = list(range(len(odd)))
        mix(mixed, random)
        plan = _new_plan(len(odd), tuple(sizes), rounds, _MOST_SWAPS)
        return [[mixed[place] for place in order] for order in plan]
    return _searched(costs, odd, sizes, rounds, random, _MOST_SWAPS, in_order=in_order)


@lru_cache(maxsize=64)
def _new_plan(players: int, sizes: tuple[int, ...], rounds: int, most_swaps: int) -> list[Order]:
    """Return the plan for players who have not met and have no wishes, before they are shuffled.

    It depends only on these numbers, so all divisions of one size share one search.
    """
    kept = kept_plans().get(players, [])[:rounds] if sizes == table_sizes(players) else []
    if len(kept) == rounds == KEPT_ROUNDS:
        return kept
    costs = [[0.0] * players for _ in range(players)]
    lots = Random(players)  # noqa: S311 - the players are mixed by the season's seed afterwards
    found = _searched(costs, [0.0] * players, sizes, rounds, lots, most_swaps)
    return kept if len(kept) == rounds and _cost(kept, sizes) <= _cost(found, sizes) else found


def _searched(
    costs: Costs,
    odd: Sequence[float],
    sizes: Sequence[int],
    rounds: int,
    random: Random,
    most_swaps: int,
    *,
    in_order: bool = False,
) -> list[Order]:
    """Return the best plan that a few runs of the annealing find."""
    enough = _fewest(costs, odd, sizes, rounds) + _NEXT_TO_NOTHING
    best: tuple[float, list[Order]] | None = None
    for _ in range(_RESTARTS if len(sizes) > 1 else 1):
        plan = _DrawPlan(costs, odd, sizes, rounds, random, in_order=in_order)
        found = _cool(plan, random, enough, most_swaps)
        if best is None or found[0] < best[0]:
            best = found
        if best[0] <= enough:
            break
    return best[1] if best else []


@cache
def kept_plans() -> dict[int, list[Order]]:
    """Return the stored plans of `KEPT_ROUNDS` rounds by number of players, rounds with fewest repeats first."""
    return _PLANS.validate_json(files("league.pairing").joinpath("plans.json").read_bytes())


def _cost(plan: list[Order], sizes: Sequence[int]) -> float:
    """Return a plan's cost if no one has met: repeats, and unevenly distributed places at odd-sized tables."""
    met = Counter(
        frozenset(pair)
        for order in plan
        for table in _tables(order, sizes)
        for pair in combinations(table, 2)
    )
    odd = Counter(
        place for order in plan for table in _tables(order, sizes) if len(table) != 4 for place in table
    )
    repeats = sum(count * (count - 1) / 2 for count in met.values())
    return repeats + _ODD_TABLE * sum(count * (count - 1) / 2 for count in odd.values())


def _fewest(costs: Costs, odd: Sequence[float], sizes: Sequence[int], rounds: int) -> float:
    """Return a lower bound of the cost: each further meeting goes to the cheapest pair."""
    pairs = (cost for first, row in enumerate(costs) for cost in row[:first])
    meetings = rounds * sum(size * (size - 1) // 2 for size in sizes)
    places = rounds * sum(size for size in sizes if size != 4)
    return _filled(Counter(pairs), meetings, 1) + _filled(Counter(odd), places, _ODD_TABLE)


def _filled(levels: Counter[float], more: int, step: float) -> float:
    """Return the least cost of adding so many units, each at the lowest level, which then rises by `step`."""
    total = 0.0
    while more:
        lowest = min(levels)
        there = min(more, levels[lowest])
        total += there * lowest
        more -= there
        levels[lowest + step] += levels.pop(lowest)
    return total


def _fewest_first(plan: list[Order], costs: Costs, sizes: Sequence[int]) -> list[Order]:
    """Return the rounds of a plan, each time the one with the fewest repeats.

    Players who leave early have then had the best rounds.
    """
    costs, left, ordered = [row[:] for row in costs], plan[:], list[Order]()
    while left:
        pairs = {
            id(order): [pair for table in _tables(order, sizes) for pair in combinations(table, 2)]
            for order in left
        }
        best = min(left, key=lambda order: sum(costs[first][second] for first, second in pairs[id(order)]))
        for first, second in pairs[id(best)]:
            costs[first][second] += 1
            costs[second][first] += 1
        left.remove(best)
        ordered.append(best)
    return ordered


def _tables(order: Order, sizes: Sequence[int]) -> list[Order]:
    starts = [sum(sizes[:table]) for table in range(len(sizes))]
    return [order[start : start + size] for start, size in zip(starts, sizes, strict=True)]


class _DrawPlan:
    """All rounds at one step of the annealing, and the cost of a further meeting or odd-sized table."""

    def __init__(
        self,
        costs: Costs,
        odd: Sequence[float],
        sizes: Sequence[int],
        rounds: int,
        random: Random,
        *,
        in_order: bool,
    ) -> None:
        self.company, self.table_of, self.is_odd = slots_of(sizes)
        self.orders: list[Order] = [list(range(len(odd))) for _ in range(rounds)]
        self.costs = [row[:] for row in costs]
        self.odd = list(odd)
        self.cost = 0.0
        """The cost of all meetings and odd-sized tables of the plan."""
        for order in self.orders:
            if not in_order:
                mix(order, random)
            for first, second in (pair for table in _tables(order, sizes) for pair in combinations(table, 2)):
                self.cost += self.costs[first][second]
                self.costs[first][second] += 1
                self.costs[second][first] += 1
            for slot, place in enumerate(order):
                if self.is_odd[slot]:
                    self.cost += self.odd[place]
                    self.odd[place] += _ODD_TABLE

    def swap(self, who: Order, slot_a: int, slot_b: int) -> None:
        """Swap two slots of different tables of a round."""
        first, second = who[slot_a], who[slot_b]
        of_first, of_second, costs = self.costs[first], self.costs[second], self.costs
        for slot in self.company[slot_a]:
            other = who[slot]
            of_first[other] -= 1
            of_second[other] += 1
            costs[other][first] -= 1
            costs[other][second] += 1
        for slot in self.company[slot_b]:
            other = who[slot]
            of_first[other] += 1
            of_second[other] -= 1
            costs[other][first] += 1
            costs[other][second] -= 1
        change = _ODD_TABLE * (self.is_odd[slot_b] - self.is_odd[slot_a])
        self.odd[first] += change
        self.odd[second] -= change
        who[slot_a], who[slot_b] = second, first


def _cool(plan: _DrawPlan, random: Random, enough: float, most_swaps: int) -> tuple[float, list[Order]]:
    """Run the annealing once; return the lowest cost seen, and its rounds."""
    chance_of, rounds, count = random.random, len(plan.orders), len(plan.odd)
    orders, costs, odd = plan.orders, plan.costs, plan.odd
    company, table_of, is_odd = plan.company, plan.table_of, plan.is_odd
    swaps = min(most_swaps, _SWAPS * rounds) if table_of[-1] else 0
    end = _COOL if rounds > 1 else _COLD
    cost = least = plan.cost
    best = [order[:] for order in orders]
    for step in range(swaps):
        if least <= enough:
            break
        who = orders[int(chance_of() * rounds)]
        slot_a, slot_b = int(chance_of() * count), int(chance_of() * count)
        if table_of[slot_a] == table_of[slot_b]:
            continue
        first, second = who[slot_a], who[slot_b]
        of_first, of_second = costs[first], costs[second]
        change = 0.0 + len(company[slot_a]) + len(company[slot_b])
        for slot in company[slot_a]:
            other = who[slot]
            change += of_second[other] - of_first[other]
        for slot in company[slot_b]:
            other = who[slot]
            change += of_first[other] - of_second[other]
        if is_odd[slot_a] != is_odd[slot_b]:
            gain = odd[second] - odd[first]
            change += _ODD_TABLE + (gain if is_odd[slot_a] else -gain)
        if change <= 0 or chance_of() < exp(-change * swaps / (_HOT * (swaps - step) + end * step)):
            plan.swap(who, slot_a, slot_b)
            cost += change
            if cost < least - _NEXT_TO_NOTHING:
                least, best = cost, [order[:] for order in orders]
    return least, best
