"""Packings: the whole groups that are laid, and what is left to do. `three` explains how holes are counted."""

from marriage.bits import LOW, WIDTH, size
from marriage.solver.patterns import ACES, FIRST_SUIT, HIGH_RUN, QUEEN, RUN, RUN_STARTS, SUITS
from marriage.solver.question import Question

_, _SECOND, _THIRD, _FOURTH = SUITS

Packing = tuple[int, int, int, int]
"""What is left after laying whole groups.

In order: the hand; the number of open primary groups; the number of other open groups; and the lack, which is
how many more holes the other groups have than wild cards are left, if each group holds a single card.
"""


def whole_groups(asked: Question) -> tuple[list[int], list[int]]:
    """Return the whole groups that can be laid for this question, each contained in the hand by itself.

    The first list has the pure groups, which are sequences and tunnelas at face value. The second has the
    trials of natural cards.
    """
    hand = asked.hand
    upper = hand >> 1
    faces = (hand | upper) & LOW
    pure: list[int] = []
    neighbours = faces & faces >> WIDTH
    runs = neighbours & neighbours >> WIDTH & RUN_STARTS
    while runs:
        low = runs & -runs
        runs ^= low
        pure.append(low * RUN)
    aces = faces & neighbours >> QUEEN & ACES
    while aces:
        low = aces & -aces
        aces ^= low
        pure.append(low * HIGH_RUN)
    tunnelas = hand & upper & LOW
    while tunnelas:
        low = tunnelas & -tunnelas
        tunnelas ^= low
        pure.append(low * 3)
    trials: list[int] = []
    if asked.total > 3 * asked.primary:
        faces &= ~asked.wild
        second, third, fourth = faces >> _SECOND, faces >> _THIRD, faces >> _FOURTH
        ranks = (faces & second & (third | fourth) | (faces | second) & third & fourth) & FIRST_SUIT
        while ranks:
            low = ranks & -ranks
            ranks ^= low
            there = faces & low * ACES
            if there.bit_count() == 3:
                trials.append(there)
            else:
                trials += [there ^ low << suit for suit in SUITS]
    return pure, trials


def nothing_laid(asked: Question) -> Packing:
    """Return the first packing, without groups."""
    general = asked.total // 3 - asked.primary
    wilds = asked.spare + size(asked.hand & asked.wild)
    return asked.hand, asked.primary, general, 2 * general - wilds
