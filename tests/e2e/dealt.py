"""Deals that go as a test needs them, in place of shuffled ones."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from marriage.events import Event
from marriage.rules import Rules
from marriage.shuffle import DealSeed
from tests.marriage.dealing import arranged

Start = Callable[..., list[Event]]

FACES = [f"{rank}{suit}" for suit in "SHDC" for rank in ("2", "4", "6", "8", "10", "Q")]
"""Faces of which no two make a run, a tunnela or a pair."""


def dealing(*hands: str, up: str = "KD", stock: str = "", number: int = 0) -> Start:
    """What deals these hands at least, and this stock; see `tests.marriage.dealing.arranged`."""

    def start(rules: Rules, players: int, dealer: int, key: DealSeed, **stakes: Any) -> list[Event]:
        assert players == len(hands)
        dealt = arranged(*hands, up=up, stock=stock, dealer=dealer, rules=rules, number=number)
        return [replace(dealt, **stakes)]

    return start


def dull() -> Start:
    """What deals two seats hands that nobody can show soon."""
    return dealing(" ".join(FACES[:21]), " ".join(FACES[3:]), stock=" ".join(FACES[:3] + FACES[21:]))


def quick() -> Start:
    """What deals two seats so that seat 0 ends the deal in its first turn, acting second in the first deal."""
    winner = "AS 2S 3S 5S 6S 7S 9S 10S JS AH 2H 3H 5H 6H 7H 9H 10H JH AD 2D 3D"
    return dealing(winner, " ".join(FACES[3:]), stock="QC QD QH QS 10C 10D")
