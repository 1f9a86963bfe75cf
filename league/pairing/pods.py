"""Drawing the pods of a round, with as few repeated meetings as possible.

Simulated annealing in plain Python: two players of different tables are swapped if that costs nothing, and otherwise
with a probability that shrinks. The seed decides everything, so the same build makes the same draw again. The drawn
pods are stored; reading a season never draws.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from math import exp
from random import Random
from typing import Final

from league.pairing.meetings import History, Pod
from league.results import Player
from marriage.shuffle import deal_key

_SWAPS: Final = 20_000
_RESTARTS: Final = 4
_HEAT: Final = 0.3
_NO_COMMON_HOURS: Final = 3.0
_ODD_TABLE: Final = 2.0
_FOURTH: Final = 2.0
"""The extra cost of a fourth meeting while pairs have met less than twice on average, so that no pair is singled out."""
_SWISS_LARGE: Final = 32
_USUAL: Final = 4

Costs = list[list[float]]


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player who is in the draw."""

    player: Player
    hours: frozenset[int] = frozenset()
    """The blocks of the day in which the player can play; empty for any."""


def table_sizes(players: int, *, no_fives: bool = False) -> tuple[int, ...]:
    """The table sizes for so many players, large ones first: fours where possible, else threes and fives.

    Two players make a table of two. Raises ValueError for fewer.
    """
    if players < 2:
        raise ValueError("a draw needs two players or more")
    best: tuple[float, tuple[int, ...]] | None = None
    for tables in range(1, players // 3 + 1):
        small, larger = divmod(players, tables)
        sizes = (small + 1,) * larger + (small,) * (tables - larger)
        if sizes[0] <= 5 and not (no_fives and sizes[0] == 5 and players != 5):
            worth = sum((size - _USUAL) ** 2 + 0.5 * (size == 5) for size in sizes)
            best = min(best, (worth, sizes)) if best else (worth, sizes)
    return best[1] if best else (players,)


def swiss_weight(players: int) -> float:
    """How much a difference in the standings counts in a Swiss draw of so many players."""
    return 0.3 if players >= _SWISS_LARGE else 1.0


def fewest_repeats(players: int, rounds: int, *, no_fives: bool = False) -> int:
    """A lower bound of the repeats in so many rounds; often more are needed."""
    meetings = rounds * sum(size * (size - 1) // 2 for size in table_sizes(players, no_fives=no_fives))
    each, more = divmod(meetings, players * (players - 1) // 2)
    return players * (players - 1) // 2 * (each * (each - 1) // 2) + each * more


def chance(seed: bytes, season: str, number: int) -> Random:
    """The random numbers of one draw, from the season's seed by the hash of the shuffle under a tag of their own."""
    return Random(deal_key(seed, season, number, (), "pods"))  # noqa: S311 - decides no card and can be checked


def draw(
    entrants: Sequence[Entrant],
    history: History,
    random: Random,
    *,
    swiss: float = 0.0,
    no_fives: bool = False,
) -> tuple[Pod, ...]:
    """The pods of one round, each in the order of its seats.

    For a Swiss draw, `entrants` are in the order of the standings, and `swiss` is the weight of a difference of places
    (see `swiss_weight`).
    """
    costs = _pair_costs(entrants, history, swiss)
    least = min(history.odd[entrant.player] for entrant in entrants)
    odd = [_ODD_TABLE * (history.odd[entrant.player] - least) for entrant in entrants]
    sizes = table_sizes(len(entrants), no_fives=no_fives)
    order = _annealed(costs, odd, sizes, random, in_order=swiss > 0)
    pods: list[Pod] = []
    for size in sizes:
        pods.append(seated([entrants[place].player for place in order[:size]], history, random))
        order = order[size:]
    return tuple(pods)


def _pair_costs(entrants: Sequence[Entrant], history: History, swiss: float) -> Costs:
    """The cost of putting two entrants at one table: a symmetric matrix, by their positions in the list."""
    count = len(entrants)
    few = history.meetings.total() < count * (count - 1)
    costs = [[0.0] * count for _ in range(count)]
    for first, entrant in enumerate(entrants):
        for second, other in enumerate(entrants[:first]):
            pair = frozenset((entrant.player, other.player))
            met = history.meetings[pair]
            cost = met + swiss * (first - second) / count
            cost += _FOURTH * (few and met > 2)
            cost += _NO_COMMON_HOURS * bool(entrant.hours and other.hours and not entrant.hours & other.hours)
            costs[first][second] = costs[second][first] = cost
    return costs


def _annealed(
    costs: Costs, odd: list[float], sizes: Sequence[int], random: Random, *, in_order: bool
) -> list[int]:
    """The best order found of the positions in the list, to be cut into tables of these sizes."""
    best, least = list(range(len(costs))), float("inf")
    for _ in range(_RESTARTS):
        order = list(range(len(costs)))
        if not in_order:
            mix(order, random)
        if len(sizes) > 1:
            cost, order = _cool(order, costs, odd, sizes, random)
        else:
            cost = 0.0
        if cost < least:
            best, least = order, cost
        if least <= 0:
            break
    return best


def mix(order: list[int], random: Random) -> None:
    """Shuffle a list with `random()` alone, whose numbers are the same in every version of Python."""
    for last in range(len(order) - 1, 0, -1):
        other = int(random.random() * (last + 1))
        order[last], order[other] = order[other], order[last]


def _cool(
    who: list[int], costs: Costs, odd: list[float], sizes: Sequence[int], random: Random
) -> tuple[float, list[int]]:
    """One run of the annealing from this order: the lowest cost seen, and its order."""
    slots, chance_of = len(who), random.random
    company, table_of, is_odd = slots_of(sizes)
    cost = sum(costs[who[slot]][who[other]] for slot in range(slots) for other in company[slot]) / 2
    cost += sum(odd[player] for slot, player in enumerate(who) if is_odd[slot])
    least, best = cost, who[:]
    for step in range(_SWAPS):
        slot_a, slot_b = int(chance_of() * slots), int(chance_of() * slots)
        if table_of[slot_a] == table_of[slot_b]:
            continue
        first, second = who[slot_a], who[slot_b]
        of_first, of_second = costs[first], costs[second]
        change = 0.0
        for slot in company[slot_a]:
            other = who[slot]
            change += of_second[other] - of_first[other]
        for slot in company[slot_b]:
            other = who[slot]
            change += of_first[other] - of_second[other]
        if is_odd[slot_a] != is_odd[slot_b]:
            gain = odd[second] - odd[first]
            change += gain if is_odd[slot_a] else -gain
        if change <= 0 or chance_of() < exp(-change * _SWAPS / (_HEAT * (_SWAPS - step))):
            who[slot_a], who[slot_b] = second, first
            cost += change
            if cost < least - 1e-9:
                least, best = cost, who[:]
                if least < 1e-9:
                    return 0.0, best
    return least, best


def slots_of(sizes: Sequence[int]) -> tuple[list[tuple[int, ...]], list[int], list[bool]]:
    """For every slot of the tables: the other slots of its table, the table, whether its size is odd."""
    company: list[tuple[int, ...]] = []
    table_of: list[int] = []
    for table, size in enumerate(sizes):
        slots = range(len(table_of), len(table_of) + size)
        company += [tuple(other for other in slots if other != slot) for slot in slots]
        table_of += [table] * size
    return company, table_of, [sizes[table] != _USUAL for table in table_of]


def seated(players: Sequence[Player], history: History, random: Random) -> Pod:
    """The players in the seat order that best evens out who has sat where, and then who sat before whom."""
    mixed = list(range(len(players)))
    mix(mixed, random)
    candidates = [tuple(players[place] for place in order) for order in permutations(mixed)]
    return min(candidates, key=lambda pod: _wear(pod, history))


def _wear(pod: Pod, history: History) -> tuple[int, int]:
    """How uneven seats and neighbours would become, as sums of squares: n² grows by 2n + 1."""
    return (
        sum(history.seats[player, seat] for seat, player in enumerate(pod)),
        sum(history.before[pair] for pair in zip(pod, pod[1:] + pod[:1], strict=True)),
    )
