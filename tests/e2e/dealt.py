"""Deals that go as a test needs them, in place of shuffled ones."""

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from typing import Any

from marriage import decide
from marriage.events import Event
from marriage.rules import Rules
from marriage.shuffle import DealSeed
from tests.marriage.dealing import DULL_FACES, WINNING, arranged

Start = Callable[..., list[Event]]


def dealing(*hands: str, up: str = "KD", stock: str = "", number: int = 0) -> Start:
    """What deals these hands at least, and this stock; see `tests.marriage.dealing.arranged`."""

    def start(rules: Rules, players: int, dealer: int, key: DealSeed, **stakes: Any) -> list[Event]:
        assert players == len(hands)
        dealt = arranged(*hands, up=up, stock=stock, dealer=dealer, rules=rules, number=number)
        return [replace(dealt, **stakes)]

    return start


def named(name: str) -> Start:
    """What shuffles by a name in place of the deal's own seed: the deals of a table are the same every time."""

    def start(rules: Rules, players: int, dealer: int, key: DealSeed, **stakes: Any) -> list[Event]:
        fixed = DealSeed(sha256(name.encode()).digest(), key.table, key.deal)
        return decide.start(rules, players, dealer, fixed, **stakes)

    return start


def dull() -> Start:
    """What deals two seats hands that nobody can show soon."""
    return dealing(
        " ".join(DULL_FACES[:21]), " ".join(DULL_FACES[3:]), stock=" ".join(DULL_FACES[:3] + DULL_FACES[21:])
    )


def quick() -> Start:
    """What deals two seats so that seat 0 ends the deal in its first turn, acting second in the first deal."""
    return dealing(WINNING, " ".join(DULL_FACES[3:]), stock="QC QD QH QS 10C 10D")
