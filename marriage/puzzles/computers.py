"""Deals of computer players, of which puzzles are made: a number names one deal, always the same."""

from collections.abc import Iterator
from typing import Final

from marriage.decide import start
from marriage.events import Event
from marriage.rules import PRESETS
from marriage.shuffle import DealSeed
from marriage.strategy.players import GreedyPlayer
from marriage.strategy.playing import play_out

_SEED: Final = b"tiplu/puzzles".ljust(32, b"\0")
_PRESETS: Final = ("pagat", "kathmandu")
"""The rules of the puzzles: those that are played most."""
_SEATS: Final = (4, 3, 5)


def seats_of(number: int) -> int:
    """How many seats the deal with this number has."""
    return _SEATS[number // len(_PRESETS) % len(_SEATS)]


def deal_between_computers(number: int) -> Iterator[Event]:
    """The events of the deal with this number, from 0 on; rules and number of seats go in turn."""
    rules = PRESETS[_PRESETS[number % len(_PRESETS)]]
    seats = seats_of(number)
    begun = start(rules, seats, number % seats, DealSeed(_SEED, "puzzles", number))
    return play_out(begun, [GreedyPlayer()] * seats)
