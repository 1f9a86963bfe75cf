"""The computer players, by level. Each sees what its seat may see, and nothing more."""

from typing import Final

from data.preferences import Level
from data.values import SeatRow
from marriage.beginner import Beginner
from marriage.players import Greedy, Player

PLAYERS: Final[dict[Level, Player]] = {
    Level.EASY: Beginner(),
    Level.STEADY: Greedy(count_outs=False),
    Level.STRONG: Greedy(),
}
STAND_IN: Final = Level.STEADY
"""Who plays for people who are away or have left."""


def player_of(seat: SeatRow) -> Player:
    """Who plays this seat while no person does; a level that is no more is played by the stand-in."""
    known = {level.value: level for level in Level}
    return PLAYERS[known.get(seat.computer or "", STAND_IN)]
