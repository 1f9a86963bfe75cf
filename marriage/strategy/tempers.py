"""Tempers: players of equal strength with different styles, each of which an experienced opponent recognises."""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, TypeVar

from marriage.rules import SHOW_DUBLEES
from marriage.strategy.before_show import WEIGHTS
from marriage.strategy.discards import NO_DUBLEES, Lean
from marriage.strategy.expert import ExpertPlayer
from marriage.strategy.master import MasterPlayer
from marriage.strategy.players import GreedyPlayer


class Temper(StrEnum):
    """The style of a computer player, independent of its strength.

    Each member's text is also its key in the message catalogues.
    """

    BOLD = "bold"
    """Collects dublees with few pairs, and takes more from the pile."""
    CAREFUL = "careful"
    """Shows by groups as soon as it can, reveals little by what it takes, and throws what the next player threw."""
    HOARDER = "hoarder"
    """Keeps what may be maal, above all next to its own cards, until it knows the tiplu."""


Tempered = TypeVar("Tempered", bound=GreedyPlayer | MasterPlayer | ExpertPlayer)

_GREEDY: Final[Mapping[Temper, Mapping[str, Any]]] = MappingProxyType(
    {
        Temper.BOLD: {"dublees_from": (NO_DUBLEES, 5, 4)},
        Temper.CAREFUL: {"dublees_from": (NO_DUBLEES,), "takes_for_show": True, "lean": Lean.SAFE},
        Temper.HOARDER: {"lean": Lean.MAAL},
    }
)
_MASTER: Final[Mapping[Temper, Mapping[str, Any]]] = MappingProxyType(
    {
        Temper.BOLD: {"dublees_from": (SHOW_DUBLEES, 5, 5), "takes_for_show": False, "wider": 0.06},
        Temper.CAREFUL: {"dublees_from": (SHOW_DUBLEES,), "lean": Lean.SAFE},
        Temper.HOARDER: {"weights": replace(WEIGHTS, maal=3 * WEIGHTS.maal)},
    }
)


def tempered(player: Tempered, temper: Temper) -> Tempered:
    """Give the player this temper. The expert gets that of the master: its dublees, its lean and its love of maal."""
    if isinstance(player, ExpertPlayer):
        habits = tempered(player.habits, temper)
        dublees_from = habits.dublees_from if temper is Temper.BOLD else player.dublees_from
        return replace(player, habits=habits, dublees_from=dublees_from)
    habits = _MASTER if isinstance(player, MasterPlayer) else _GREEDY
    return replace(player, **habits[temper])
