"""The pairs to try first, all pairs of one kind at once. They are usually enough (see `pairing`)."""

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
"""The pairs whose awaited cards can all come.

In order: the natural cards; the faces of possible identical pairs; the lower faces of pairs of neighbours in
suit, of pairs with one rank between them, and of pairs of a rank; and the *sure* faces, all three copies of
which may still come. Each face is laid in at most one pair. So at most three pairs of different faces wait
for the same card: two of its suit, each with a card next to it, and one of its rank. If that card is sure,
all three can be completed. Identical pairs wait for their own third copy, for which no other pair then waits.
"""


def first_pairs(asked: Question) -> FirstPairs:
    """Return the pairs that can be laid for this question."""
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
    """Return whether these pairs reduce a `Packing` to `holes` holes. True is certain; False is not.

    Pairs in suit are laid first; if they are not enough, pairs of a rank follow. Of pairs that overlap in a
    row, only the first is laid.
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
    """Return how many more pairs are needed after laying these; `_TOO_MANY` if no others can help.

    A pair always removes one hole in a primary group. In another group it does so only while cards are short
    there, and an identical pair only while the shortage still leaves a hole for the card that nothing stands
    in for. Primary groups take identical pairs first, then pairs in suit. `same` is the number of identical
    pairs left after that, negative if there were too few. `wanted` is the number of pairs that the other
    groups need once every primary group has one.
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
    """Return how many pairs of a rank these faces make, and the faces left."""
    count = 0
    for step in _OTHER_SUITS:
        low = faces & faces >> step & lows
        low &= ~(low << step)
        count += low.bit_count()
        faces ^= low | low << step
    return count, faces


def _with_aces(faces: int, sure: int) -> int:
    """Return how many pairs of an ace and the king or queen of its suit these faces make."""
    queens = faces & faces >> QUEEN & sure >> KING & ACES
    return (queens | faces & faces >> KING & sure >> QUEEN & ACES).bit_count()


def _of_the_rank(faces: int) -> int:
    """Return the faces of all suits whose rank is that of one of these."""
    around = faces | faces << _ROUND
    return (faces | around >> _SECOND | around >> _THIRD | around >> _FOURTH) & LOW
