"""The pairs that come first in a hand, those of one kind all at once: mostly they are enough (see `pairing`)."""

from typing import Final

from marriage.bits import FULL, LOW, WIDTH
from marriage.solver.patterns import ACES, KING, QUEEN, RUN_STARTS, SUIT, SUITS
from marriage.solver.question import Question

_NEXT: Final = WIDTH
_GAP: Final = 2 * WIDTH
_INNER: Final = LOW & ~(ACES | ACES << KING)
_OTHER_SUITS: Final = SUITS[1:]
_SECOND, _THIRD, _FOURTH = _OTHER_SUITS
_TOO_MANY: Final = 99
_ROUND: Final = 4 * SUIT


FirstPairs = tuple[int, int, int, int, int, int]
"""Which pairs wait for nothing that may not come. The natural cards; the faces of which an identical pair may be laid;
those that may be the lower one of two neighbours in suit, of two with one between them, of two of a rank; and those that
are *sure*: all three copies may still come.

Each face is laid in one pair at most. So no more than three pairs of different faces wait for the same card: two of its
suit, each with a card next to it, and one of its rank. Where that card is sure, so is all that is waited for. Identical
pairs wait for their own third copy, for which no other pair then waits.
"""


def first_pairs(asked: Question) -> FirstPairs:
    """The pairs that may be laid for this question."""
    live = asked.live
    upper = live >> 1
    sure = live & upper & LOW
    return (
        FULL ^ asked.wild,
        (live | upper) & LOW,
        sure << _NEXT & _INNER | sure >> _GAP & RUN_STARTS,
        sure >> _NEXT & RUN_STARTS,
        LOW if asked.stand_ins else _of_the_rank(sure),
        sure,
    )


def pairs_fill(hand: int, primary: int, general: int, lack: int, holes: int, pairs: FirstPairs) -> bool:
    """Whether these pairs bring a `Packing` down to so many holes; True is certain, False is not.

    Those in suit are laid first, and if that does not do, those of a rank. Of pairs that overlap in a row only the first
    is laid.
    """
    naturals, live, neighbours, gap, ranked, sure = pairs
    hand &= naturals
    upper = hand >> 1
    identical = upper & ~hand & live
    faces = (hand | upper) & LOW ^ identical
    same, short = identical.bit_count() - primary, max(0, lack)
    low = faces & faces >> _NEXT & neighbours
    high = low << _NEXT
    if low & high:
        low &= ~high
        high = low << _NEXT
    suited = low.bit_count()
    left = faces ^ (low | high)
    low = left & left >> _GAP & gap
    high = low << _GAP
    if low & high:
        low &= ~high
        high = low << _GAP
    suited += low.bit_count()
    missing = _missing(same, suited, general, short, short + primary - holes)
    if missing <= 0:
        return True
    if missing == _TOO_MANY:
        return False
    count, left = _ranked(left ^ (low | high), ranked)
    if missing <= count or missing <= count + _with_aces(left, sure):
        return True
    count, left = _ranked(faces, ranked)
    suited = 0
    for step, lows in (_NEXT, neighbours), (_GAP, gap):
        low = left & left >> step & lows
        low &= ~(low << step)
        suited += low.bit_count()
        left ^= low | low << step
    return _missing(same, suited, general, short, short + primary - holes) <= count


def _missing(same: int, suited: int, general: int, short: int, wanted: int) -> int:
    """How many pairs are still wanted when these are laid; `_TOO_MANY` where no others can do.

    A pair makes the holes one fewer: in a primary group always; in another as long as something is short there, and
    an identical one only as long as what is still short then leaves a hole for the card that nothing stands in for.
    The primary groups take the identical ones first, then those in suit. `same` is how many identical ones are left
    then, negative if that was not enough; `wanted` how many pairs the other groups need if all primary ones have one.
    """
    if same < 0:
        suited += same
        same = 0
        if suited < 0:
            wanted -= suited
            suited = 0
    if wanted > general or wanted > short:
        return _TOO_MANY
    return wanted - suited - min(same, short - wanted)


def _ranked(faces: int, lows: int) -> tuple[int, int]:
    """How many pairs of a rank these faces make, and the faces left."""
    count = 0
    for step in _OTHER_SUITS:
        low = faces & faces >> step & lows
        low &= ~(low << step)
        count += low.bit_count()
        faces ^= low | low << step
    return count, faces


def _with_aces(faces: int, sure: int) -> int:
    """How many pairs of an ace and the king or queen of its suit these faces make."""
    queens = faces & faces >> QUEEN & sure >> KING & ACES
    return (queens | faces & faces >> KING & sure >> QUEEN & ACES).bit_count()


def _of_the_rank(faces: int) -> int:
    """The faces of all suits that have the rank of one of these."""
    around = faces | faces << _ROUND
    return (faces | around >> _SECOND | around >> _THIRD | around >> _FOURTH) & LOW
