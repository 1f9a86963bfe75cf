"""Deals of computer players, of which puzzles are made: a number names one deal, always the same."""

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


def deal_between_computers(number: int) -> tuple[Event, ...]:
    """The whole deal with this number, from 0 on; rules and number of seats go in turn."""
    rules = PRESETS[_PRESETS[number % len(_PRESETS)]]
    seats = _SEATS[number // len(_PRESETS) % len(_SEATS)]
    begun = start(rules, seats, number % seats, DealSeed(_SEED, "puzzles", number))
    return tuple(play_out(begun, [GreedyPlayer()] * seats))
