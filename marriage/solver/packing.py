"""Packings: whole groups laid, and what they leave to be done (see `three` for how holes are counted)."""

from typing import NamedTuple

from marriage.bits import ONE, WIDTH, present, size, thrice
from marriage.solver.patterns import ACES, FIRST_SUIT, HIGH_RUN, RUN, RUN_STARTS, SUIT
from marriage.solver.question import Question

_SPADE, _HEART, _DIAMOND, _CLUB = ONE[::13]

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
    pure = _each(faces & faces >> WIDTH & faces >> 2 * WIDTH & RUN_STARTS, RUN)
    pure += _each(faces & faces >> 11 * WIDTH & faces >> 12 * WIDTH & ACES, HIGH_RUN)
    pure += _each(thrice(hand), 3)
    if asked.total == 3 * asked.primary:
        return Wholes(pure, [])
    spades = present(hand & ~asked.wild)
    hearts, diamonds, clubs = spades >> SUIT, spades >> 2 * SUIT, spades >> 3 * SUIT
    trials = _each(spades & hearts & diamonds & FIRST_SUIT, _SPADE | _HEART | _DIAMOND)
    trials += _each(spades & hearts & clubs & FIRST_SUIT, _SPADE | _HEART | _CLUB)
    trials += _each(spades & diamonds & clubs & FIRST_SUIT, _SPADE | _DIAMOND | _CLUB)
    trials += _each(hearts & diamonds & clubs & FIRST_SUIT, _HEART | _DIAMOND | _CLUB)
    return Wholes(pure, trials)


def _each(lows: int, outline: int) -> list[int]:
    """The groups of one outline, each shifted to one of these faces."""
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
