"""Deals between computer players, as a source of puzzles. The same number always gives the same deal."""

from collections.abc import Iterator
from typing import Final

from marriage.decide import start
from marriage.events import Event
from marriage.rules import PRESETS
from marriage.shuffle import DealSeed
from marriage.strategy.players import GreedyPlayer, play_out

_SEED: Final = b"tiplu/puzzles".ljust(32, b"\0")
_PRESETS: Final = ("pagat", "kathmandu")
"""The rules of the puzzles: the most popular presets."""
_SEATS: Final = (4, 3, 5)


def seats_of(number: int) -> int:
    """Return the number of seats in the deal with this number."""
    return _SEATS[number // len(_PRESETS) % len(_SEATS)]


def deal_between_computers(number: int) -> Iterator[Event]:
    """Yield the events of the deal with this number, counted from 0. Rules and numbers of seats alternate."""
    rules = PRESETS[_PRESETS[number % len(_PRESETS)]]
    seats = seats_of(number)
    begun = start(rules, seats, number % seats, DealSeed(_SEED, "puzzles", number))
    return play_out(begun, [GreedyPlayer()] * seats)
