"""The ladder's players play a deal the same way every time, and the lower ones never change."""

import time
from hashlib import sha256
from random import Random

import pytest

from marriage.arena.ladder import FROZEN, LADDER
from marriage.decide import start
from marriage.events import EVENT, Dealt, Settled
from marriage.rules import PRESETS
from marriage.strategy.players import play_out
from tests.marriage.dealing import seed

MOVES = {
    "random": "d0b1547338138c56bd5d601d65f75c3dfb0f63e25e24e0b34d8bdd3bfd11df66",
    "novice": "50939f03f794dcd19ca3c4dd79c14e853e7b75450924e7c034eb50143a1bee70",
    "casual": "872ffb631f9108b1a4568215b12064e7cc1ed92b3b9c5d9ba48a7b19c4f5fb92",
    "beginner": "55dc00dbd58f81bcaff688ffa9b1b3af7d768a5ab3636be984cd68a92965cbd4",
    "greedy": "8f1488d018f64961c389bf26ffd0922d4f36fc548f3006eda33d6792adccdd51",
    "greedy+outs": "da0b803fdf40e650efe16331bfc7d24115c69c576039b780ccccab7d2033c680",
    "master": "1a5ed018d273b5bb7ce00d107c1ee9e6149d8ff6005ee5e23a0206498f83a639",
}
"""The hash of each frozen player's moves. A player that plays otherwise gets a new name instead."""


@pytest.mark.parametrize("name", FROZEN)
def test_a_frozen_player_plays_as_ever(name: str) -> None:
    digest = sha256()
    for number, preset in enumerate(("pagat", "kathmandu", "wikipedia-2010")):
        dealt = start(PRESETS[preset], 3, number, seed(number))
        players = [LADDER[name](Random(seat)) for seat in range(3)]
        for event in play_out(dealt, players):
            if not isinstance(event, Dealt | Settled):
                # whether a place was chosen is noted only since the hashes were made
                digest.update(EVENT.dump_json(event, exclude={"chosen"}))
    assert digest.hexdigest() == MOVES[name]


@pytest.mark.parametrize("name", LADDER)
def test_a_player_makes_the_same_moves_of_the_same_deal_and_needs_no_clock(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Therefore a deal can be played again from its seed."""

    def stopped() -> float:
        raise AssertionError("a decision asked for the time")

    for clock in ("time", "monotonic", "perf_counter", "process_time"):
        monkeypatch.setattr(time, clock, stopped)
    dealt = start(PRESETS["pagat"], 3, 0, seed(3))
    once, again = (list(play_out(dealt, [LADDER[name](Random(seat)) for seat in range(3)])) for _ in range(2))
    assert once == again
