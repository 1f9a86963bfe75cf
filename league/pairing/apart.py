"""Players who are not to be drawn together, such as two of one household."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from league.pairing.meetings import Pair
from league.results import Player


@dataclass(frozen=True, slots=True)
class KeptApart:
    """Two players are not to be drawn together where it can be avoided; with `apart` False, they may be again."""

    first: Player
    second: Player
    apart: bool = True
    event: Literal["kept_apart"] = "kept_apart"

    @property
    def pair(self) -> Pair:
        """Both, in no order."""
        return frozenset((self.first, self.second))


def kept_apart(pairs: Iterable[Pair]) -> Mapping[Player, frozenset[Player]]:
    """By player, those whom they are not to be drawn with.

    >>> kept_apart([frozenset((1, 2))])[2]
    frozenset({1})
    """
    found: defaultdict[Player, frozenset[Player]] = defaultdict(frozenset)
    for pair in pairs:
        for player in pair:
            found[player] |= pair - {player}
    return dict(found)
