"""Measure how much luck duplicate removes.

    python -m benchmarks.duplicate [BOARDS] [TABLES] [SEATS]

Each of BOARDS (60) boards is played at TABLES (4) tables by computer players of three kinds, drawn at random
for every seat. Sometimes they discard another card than their best. A one-way analysis of variance of a
seat's points by board and seat gives the share of the variance that the cards determine. It is measured twice
with the same decks: with one stock for all as in an ordinary deal, and with a stock for every seat as on a
board. The output also has the share of dismissed deals and the turns per deal.
"""

import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, variance

from marriage.actions import Action, Discard
from marriage.apply import apply, replay
from marriage.decide import decide, start
from marriage.events import Drew, Reshuffled, Settled, Took
from marriage.legal import legal_actions
from marriage.rules import PRESETS
from marriage.sheet import Ending
from marriage.shuffle import DealSeed
from marriage.state import Phase
from marriage.strategy.players import BeginnerPlayer, GreedyPlayer, Player
from marriage.view import View, view

SLIPS = 0.1


@dataclass(frozen=True, slots=True)
class Human:
    """A computer player that now and then discards another card."""

    player: Player
    chance: random.Random

    def choose(self, seen: View) -> Action:
        """Return the action to take."""
        best = self.player.choose(seen)
        if isinstance(best, Discard) and self.chance.random() < SLIPS:
            return self.chance.choice(
                [action for action in legal_actions(seen) if isinstance(action, Discard)]
            )
        return best


@dataclass(frozen=True, slots=True)
class Played:
    """The result of one deal."""

    points: tuple[int, ...]
    turns: int
    dismissed: bool
    dry: bool


def play(number: int, table: int, seats: int, *, board: bool) -> Played:
    chance = random.Random(f"{number}:{table}:{board}")
    kinds: list[Player] = [GreedyPlayer(), GreedyPlayer(count_outs=False), BeginnerPlayer()]
    players = [Human(chance.choice(kinds), chance) for _ in range(seats)]
    key = DealSeed(number.to_bytes(32, "big"), "duplicate", number)
    events = start(PRESETS["pagat"], seats, number % seats, key, board=board)
    state, turns, dry = replay(events), 0, False
    while state.phase is not Phase.OVER:
        waiting = state.phase is Phase.WINDOW
        seat = (
            next(at for at, seat_state in enumerate(state.seats) if not seat_state.answered)
            if waiting
            else state.turn
        )
        for event in decide(state, seat, players[seat].choose(view(state, seat))):
            state = apply(state, event)
            turns += isinstance(event, Drew | Took)
            dry |= isinstance(event, Reshuffled)
            if isinstance(event, Settled):
                points = tuple(line.net for line in event.sheet.lines)
                return Played(points, turns, event.sheet.ending is Ending.DISMISSED, dry)
    raise AssertionError("a deal ended without a sheet")


def fixed_by_cards(boards: list[list[Played]]) -> tuple[float, float]:
    """Return the share of the variance that the cards determine, and its standard error.

    The error comes from ten parts of the boards.
    """
    parts = [_share(boards[first::10]) for first in range(10)]
    return _share(boards), sqrt(variance(parts) / len(parts))


def _share(boards: list[list[Played]]) -> float:
    groups = [points for board in boards for points in zip(*(played.points for played in board), strict=True)]
    tables = len(groups[0])
    within = fmean(variance(group) for group in groups)
    between = variance([fmean(group) for group in groups]) - within / tables
    return between / (between + within)


def report(boards: list[list[Played]]) -> Iterator[str]:
    share, error = fixed_by_cards(boards)
    deals = [played for board in boards for played in board]
    yield f"{share:.1%} ± {error:.1%}"
    yield f"{sqrt(fmean(points**2 for played in deals for points in played.points)):.1f}"
    yield f"{fmean(played.turns for played in deals):.1f}"
    yield f"{fmean(played.dry for played in deals):.1%}"
    yield f"{fmean(played.dismissed for played in deals):.1%}"


def main() -> None:
    boards, tables, seats = (
        int(sys.argv[place]) if len(sys.argv) > place else default
        for place, default in ((1, 60), (2, 4), (3, 4))
    )
    print(f"{boards} boards at {tables} tables of {seats} seats")
    print("stock", "fixed by the cards", "points' deviation", "turns", "reshuffled", "dismissed", sep="\t")
    for name, board in (("shared", False), ("own", True)):
        played = [
            [play(number, table, seats, board=board) for table in range(tables)] for number in range(boards)
        ]
        print(name, *report(played), sep="\t", flush=True)


if __name__ == "__main__":
    main()
