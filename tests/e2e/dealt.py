"""Deals arranged for a test, in place of shuffled ones."""

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
    """Return a function that deals at least these hands, and this stock.

    See `tests.marriage.dealing.arranged`.
    """

    def start(rules: Rules, players: int, dealer: int, key: DealSeed, **stakes: Any) -> list[Event]:
        assert players == len(hands)
        dealt = arranged(*hands, up=up, stock=stock, dealer=dealer, rules=rules, number=number)
        return [replace(dealt, **stakes)]

    return start


def named(name: str) -> Start:
    """Return a function that shuffles by a name instead of the deal's seed, so that deals repeat."""

    def start(rules: Rules, players: int, dealer: int, key: DealSeed, **stakes: Any) -> list[Event]:
        fixed = DealSeed(sha256(name.encode()).digest(), key.table, key.deal)
        return decide.start(rules, players, dealer, fixed, **stakes)

    return start


def dull() -> Start:
    """Return a function that deals two seats hands that no one can show soon."""
    return dealing(
        " ".join(DULL_FACES[:21]), " ".join(DULL_FACES[3:]), stock=" ".join(DULL_FACES[:3] + DULL_FACES[21:])
    )


def quick() -> Start:
    """Return a function that deals so that seat 0 of two wins in its first turn.

    Seat 0 acts second in the first deal.
    """
    return dealing(WINNING, " ".join(DULL_FACES[3:]), stock="QC QD QH QS 10C 10D")


def dull_at_some_tables(rules: Rules, players: int, dealer: int, key: DealSeed, **terms: Any) -> list[Event]:
    """Deal dull cards to two people at a table with an even number, unless they play a board."""
    is_dull = players == 2 and not terms.get("board") and int(key.table) % 2 == 0
    return (dull() if is_dull else decide.start)(rules, players, dealer, key, **terms)
