"""Packings: whole groups laid, and what they leave to be done (see `three` for how holes are counted)."""

from typing import Final, NamedTuple

from marriage.bits import ONE, WIDTH, present, size, thrice
from marriage.solver.question import Question

_SUIT: Final = WIDTH * 13
_FIRST_SUIT: Final = (1 << _SUIT) - 1
_RUN: Final = ONE[0] | ONE[1] | ONE[2]
_HIGH_RUN: Final = ONE[0] | ONE[11] | ONE[12]
_TUNNELA: Final = 3
_RUN_STARTS: Final = sum(one for index, one in enumerate(ONE) if index % 13 < 11)
_ACES: Final = sum(ONE[::13])

Packing = tuple[int, int, int, int]
"""What is left when whole groups are laid: the hand; how many primary groups are open, how many others; the lack: how
many holes the others have beyond the wild cards left, each taken to hold a single card."""


class Wholes(NamedTuple):
    """The whole groups that a hand holds, each by itself."""

    pure: list[int]
    """Sequences and tunnelas, at face value."""
    trials: list[int]
    """Trials of natural cards."""


def whole_groups(asked: Question) -> Wholes:
    """The whole groups that may be laid for this question."""
    hand = asked.hand
    faces = present(hand)
    pure = _each(faces & faces >> WIDTH & faces >> 2 * WIDTH & _RUN_STARTS, _RUN)
    pure += _each(faces & faces >> 11 * WIDTH & faces >> 12 * WIDTH & _ACES, _HIGH_RUN)
    pure += _each(thrice(hand), _TUNNELA)
    if asked.total == 3 * asked.primary:
        return Wholes(pure, [])
    spades = present(hand & ~asked.wild)
    hearts, diamonds, clubs = spades >> _SUIT, spades >> 2 * _SUIT, spades >> 3 * _SUIT
    trials = _each(spades & hearts & diamonds & _FIRST_SUIT, ONE[0] | ONE[13] | ONE[26])
    trials += _each(spades & hearts & clubs & _FIRST_SUIT, ONE[0] | ONE[13] | ONE[39])
    trials += _each(spades & diamonds & clubs & _FIRST_SUIT, ONE[0] | ONE[26] | ONE[39])
    trials += _each(hearts & diamonds & clubs & _FIRST_SUIT, ONE[13] | ONE[26] | ONE[39])
    return Wholes(pure, trials)


def _each(lows: int, outline: int) -> list[int]:
    masks: list[int] = []
    while lows:
        low = lows & -lows
        lows ^= low
        masks.append(low * outline)
    return masks


def nothing_laid(asked: Question) -> Packing:
    """The packing to begin with."""
    general = asked.total // 3 - asked.primary
    wilds = asked.spare + size(asked.hand & asked.wild)
    return asked.hand, asked.primary, general, 2 * general - wilds
