"""Whether pairs can fill the groups of three that are left open after laying the whole groups (see `three`).

The pairs to try first are all pairs of one kind at once. They are usually enough.
"""

from typing import Final

from marriage.bits import FULL, LOW, ONE, TWO, WIDTH, contains, every_copy, present, size
from marriage.solver.question import (
    ACES,
    KING,
    QUEEN,
    RUN_STARTS,
    SUIT,
    SUITS,
    Question,
    completions,
    pairs_from,
)

Fillings = tuple[int, ...]
"""The faces, each of which completes a pair."""
Pair = tuple[int, int, Fillings, int, bool, bool]
"""Two cards of one group.

In order: the bit of the other card, for hands that contain the lower one; their mask; the cards that complete
them, one by one and all together; whether they share a suit; whether they are identical.
"""
Waiting = tuple[Fillings, "Waiting"] | None
"""A linked list of the cards that complete each pair that waits for a natural card."""


class Pairing:
    """The pairs of one hand. It can be used after different whole groups are laid."""

    def __init__(self, asked: Question) -> None:
        self.asked = asked
        self.wild = asked.wild
        self.all_wait = not asked.stand_ins
        """Whether even places in general groups wait for a natural card."""
        self.faced = bool(asked.hand & asked.wild)
        self.live = present(asked.live)
        self.hopeless: set[tuple[int, int, int, int, int]] = set()
        self.contended = 0

    def fills(
        self, hand: int, primary: int, general: int, lack: int, allowed: int, waiting: Waiting = None
    ) -> bool:
        """Return whether disjoint pairs remove enough holes.

        `primary` and `general` are the numbers of open groups, each assumed to hold a single card. `lack` is
        how many more holes the general groups have than wild cards are left. `allowed` is how many of these
        holes may stay; if it is negative, that many primary groups have to become pairs. A pair in a primary
        group removes a hole, but each wild card at face value in it increases the lack. A pair in a general
        group reduces the lack by one. An identical pair reduces it by two, and its place that no wild card
        fills counts against `allowed`.
        """
        if lack <= allowed >= 0:
            if self._all_may_come(waiting, self.asked.live):
                return True
            self.contended += 1
            return False
        if allowed + primary < max(0, lack - general):
            return False
        key = (hand, primary, general, lack, allowed)
        if key in self.hopeless:
            return False
        before = self.contended
        if self._lay(hand, primary, general, lack, allowed, waiting):
            return True
        if self.contended == before:
            self.hopeless.add(key)
        return False

    def _lay(self, hand: int, primary: int, general: int, lack: int, allowed: int, waiting: Waiting) -> bool:
        """Lay one more pair: try all pairs of the lowest face, then those without that face."""
        short = max(0, lack)
        wanted = short - allowed
        affordable = allowed + primary + general - lack
        if self.faced and not affordable:
            hand &= ~self.wild
        suited, paired = in_pairs(hand)
        # A pair gains at most one hole, and the pairs outside primary groups together gain no more than is
        # short there.
        if size(hand & every_copy(suited)) < 2 * (wanted - min(general, short)):
            return False
        hand &= every_copy(paired)
        # When nothing is short, a pair there can only free wild cards for primary groups.
        helps = general and (lack > 0 or (self.faced and lack + 2 * primary > 0))
        while size(hand) >= 2 * wanted:
            low = paired & -paired
            there = paired | hand & TWO
            for sign, mask, fillings, filling, pure, same in _PAIRS[low]:
                if not there & sign:
                    continue
                rest, longer = hand - mask, (fillings, waiting)
                live = filling & self.live
                wild = (mask & self.wild).bit_count() << same
                if (
                    primary
                    and pure
                    and live
                    and wild <= affordable
                    and self.fills(rest, primary - 1, general, lack + wild, allowed + 1, longer)
                ):
                    return True
                waits = same or self.all_wait
                if (
                    helps
                    and not wild
                    and (live or not waits)
                    and self.fills(
                        rest,
                        primary,
                        general - 1,
                        lack - 1 - same,
                        allowed - same,
                        longer if waits else waiting,
                    )
                ):
                    return True
            paired ^= low
            hand &= ~every_copy(low)
        return False

    def _all_may_come(self, waiting: Waiting, live: int) -> bool:
        """Return whether all awaited cards can come together, since two pairs may wait for the same last copy."""
        if waiting is None:
            return True
        fillings, others = waiting
        for filling in fillings:
            if contains(live, filling) and self._all_may_come(others, live - filling):
                return True
        return False


_PAIRS: Final[dict[int, tuple[Pair, ...]]] = {
    low: tuple(
        (
            low << 1 if pair.same else pair.mask ^ low,
            pair.mask,
            completions(pair, 3),
            sum(completions(pair, 3)),
            pair.pure,
            pair.same,
        )
        for pair in pairs_from(low, plus=False)
    )
    for low in ONE
}
"""The pairs by their lower face."""


_NEXT_RANK: Final = WIDTH
_OVER_NEXT: Final = 2 * WIDTH
_HAS_NEXT: Final = LOW & ~(ACES << KING)
"""The faces that have a rank of their suit above them."""
_INNER: Final = _HAS_NEXT & ~ACES
"""The faces that have one above and one below."""
_OTHER_SUITS: Final = SUITS[1:]
_SECOND, _THIRD, _FOURTH = _OTHER_SUITS
_TOO_MANY: Final = 99
_ROUND: Final = 4 * SUIT


def in_pairs(hand: int) -> tuple[int, int]:
    """Return the faces that are in a pair of one suit or of identical cards, and those that are in any pair."""
    faces = (hand | hand >> 1) & LOW
    aces, low, gap = faces & ACES, faces & _HAS_NEXT, faces & RUN_STARTS
    below = low & faces >> _NEXT_RANK | gap & faces >> _OVER_NEXT | aces & (faces >> QUEEN | faces >> KING)
    above = faces & (low << _NEXT_RANK | gap << _OVER_NEXT | aces << QUEEN | aces << KING)
    suited = below | above | hand >> 1 & LOW
    around = faces | faces << _ROUND
    ranked = faces & (around >> _SECOND | around >> _THIRD | around >> _FOURTH)
    return suited, suited | ranked


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
        sure << _NEXT_RANK & _INNER | sure >> _OVER_NEXT & RUN_STARTS,
        sure >> _NEXT_RANK & RUN_STARTS,
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
    low = faces & faces >> _NEXT_RANK & neighbours
    high = low << _NEXT_RANK
    if low & high:
        low &= ~high
        high = low << _NEXT_RANK
    suited = low.bit_count()
    left = faces ^ (low | high)
    low = left & left >> _OVER_NEXT & gap
    high = low << _OVER_NEXT
    if low & high:
        low &= ~high
        high = low << _OVER_NEXT
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
    for step, lows in (_NEXT_RANK, neighbours), (_OVER_NEXT, gap):
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
