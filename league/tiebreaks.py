"""Tie-breaks: the order of players with equal points, and what decided it."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Literal

from league.results import Player

Criterion = Literal["points", "head_to_head", "gain", "placings", "opponents", "conduct", "lot"]
"""The criteria, in this order. Criteria after the head-to-head are applied only once."""


@dataclass(frozen=True, slots=True)
class Merits:
    """The figures of one player that tie-breaks compare."""

    points: int
    gain: int = 0
    """The sum of the gains of all deals, or of the margins over other tables on boards."""
    placings: tuple[int, ...] = ()
    """How many firsts, seconds, thirds and so on."""
    opponents: int = 0
    """The strength of the schedule: the mean points of the opponents in a match, in any unit."""
    conduct: int = 0
    lot: int | None = None
    """The player's position in the lots, 0 the first; None before lots are drawn."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A player's rank, 1 the first; players who are equal in everything share a rank."""

    player: Player
    rank: int
    by: Criterion
    """What separated the player from others with the same points; `points` if there were none."""
    parted: Criterion | None = "points"
    """What separated the player from the one above; None where nothing did and they share the rank."""


Places = Sequence[Mapping[Player, int]]
"""Match by match: the place of everyone at the table."""
_Key = int | tuple[int, ...]

_ORDER: Final[tuple[tuple[Criterion, Callable[[Merits], _Key]], ...]] = (
    ("gain", lambda merits: -merits.gain),
    ("placings", lambda merits: tuple(-count for count in merits.placings)),
    ("opponents", lambda merits: -merits.opponents),
    ("conduct", lambda merits: merits.conduct),
    ("lot", lambda merits: -1 if merits.lot is None else merits.lot),
)


def ranked(merits: Mapping[Player, Merits], matches: Places) -> list[Ranked]:
    """Everyone by rank; players who share a rank by their number."""
    found: list[Ranked] = []
    numbers: defaultdict[Player, list[int]] = defaultdict(list)
    for number, places in enumerate(matches):
        for player in places:
            numbers[player].append(number)
    for group in _classes(merits, lambda player: -merits[player].points):
        own = [matches[number] for number in {number for player in group for number in numbers[player]}]
        for players, by, parted in _split(group, 0, "points", merits, own):
            found += [Ranked(player, 1 + len(found), by, parted) for player in players[:1]]
            found += [Ranked(player, found[-1].rank, by, None) for player in players[1:]]
    return found


def _classes(players: Iterable[Player], key: Callable[[Player], _Key]) -> list[list[Player]]:
    """The players in classes of equal keys, the smallest key first."""
    classes: defaultdict[_Key, list[Player]] = defaultdict(list)
    for player in sorted(players):
        classes[key(player)].append(player)
    return [players for _, players in sorted(classes.items())]


_Class = tuple[list[Player], Criterion, Criterion]
"""Players whom nothing separates, what separated them from others with their points, and what from those above."""


def _split(
    group: list[Player], asked: int, by: Criterion, merits: Mapping[Player, Merits], matches: Places
) -> list[_Class]:
    """The group, split into classes that no criterion splits further; the first is above the others by `points`."""
    if len(group) == 1:
        return [(group, by, "points")]
    met = head_to_head(group, matches)
    if met is not None:
        classes = _classes(group, lambda player: -met[player])
        if len(classes) > 1:
            return _each(classes, asked, "head_to_head", merits, matches)
    for place, (criterion, key) in enumerate(_ORDER[asked:], asked + 1):
        classes = _classes(group, lambda player, key=key: key(merits[player]))
        if len(classes) > 1:
            return _each(classes, place, criterion, merits, matches)
    return [(group, by, "points")]


def _each(
    classes: list[list[Player]], asked: int, by: Criterion, merits: Mapping[Player, Merits], matches: Places
) -> list[_Class]:
    found: list[_Class] = []
    for number, players in enumerate(classes):
        inner = _split(players, asked, by, merits, matches)
        if number:
            inner[0] = (inner[0][0], inner[0][1], by)
        found += inner
    return found


def head_to_head(group: Sequence[Player], matches: Places) -> dict[Player, int] | None:
    """By player, twice the number of meetings in which they came before another of the group, a tie counting half.

    None unless all pairs of the group met equally often.
    """
    met: defaultdict[frozenset[Player], int] = defaultdict(int)
    ahead = dict.fromkeys(group, 0)
    for places in matches:
        for first, second in combinations([player for player in places if player in ahead], 2):
            met[frozenset((first, second))] += 1
            ahead[first] += (places[first] <= places[second]) + (places[first] < places[second])
            ahead[second] += (places[second] <= places[first]) + (places[second] < places[first])
    pairs = len(group) * (len(group) - 1) // 2
    return ahead if len(met) == pairs and len(set(met.values())) == 1 else None
