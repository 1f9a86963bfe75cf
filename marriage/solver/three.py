"""The distance of a hand from groups of three: the fast search for rules without longer groups.

It counts holes, the empty places of the wanted groups. A group of three has no hole if it is whole, one if it
holds a pair, and two if it holds a single card. Outside primary groups wild cards are fungible: a wild card
at face value is never better than one as a stand-in. So those groups are made of natural cards, and each wild
card fills a hole there. The exception is an identical pair, with which nothing can stand in. Let `lack` be
how many more holes these groups have than wild cards are left, not counting the holes of identical pairs.
Then

    holes = holes of primary groups + identical pairs + max(0, lack).

Nearly every hand has a pair for each group that is not whole. So the packings of whole groups are tried
first, in the order of the holes that they would have if pairs were plentiful. Usually one of the first to be
filled with pairs is the answer.

Most hands contain so few whole groups that their packings are listed (`least_of_few`). The others are searched
(`least_of_many`).
"""

from collections import defaultdict
from collections.abc import Callable
from typing import Final

from marriage.bits import FULL, GUARD, LOW, TWO, WIDTH, all_in, every_copy, size
from marriage.solver.pairing import FirstPairs, Pairing, first_pairs, pairs_fill
from marriage.solver.question import ACES, FIRST_SUIT, HIGH_RUN, QUEEN, RUN, RUN_STARTS, SUIT, SUITS, Question

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


_COUNTS: Final = GUARD.bit_length()
_GENERAL: Final = 1 << _COUNTS
_PRIMARY: Final = _GENERAL << 4
_PROMISE: Final = _PRIMARY << 4
_GUARDS: Final = GUARD | _GENERAL << 3 | _PRIMARY << 3
_NO_PRIMARY: Final = _PRIMARY * 7
_TO_GENERAL: Final = _GENERAL + _PROMISE
_TO_PRIMARY: Final = _PRIMARY + _PROMISE
_HIGHEST: Final = 64
"""The promise of a packing without holes."""


def least_of_few(asked: Question, pure: list[int], trials: list[int], most: int) -> int:
    """Return the smallest number of holes in the wanted groups; `most` + 1 if it is greater than `most`."""
    start, wild = nothing_laid(asked), asked.wild
    packings = _promising(start, pure, trials, wild)
    packings.sort(reverse=True)
    _, primary, general, lack = _read(packings[0])
    holes = primary + lack - general if lack >= general else min(map(_at_best, packings))
    if holes > most:
        return most + 1
    pairs = first_pairs(asked)
    if _any_filled(packings, holes, pairs):
        return holes
    pairing = Pairing(asked)
    if _any_paired(packings, holes, pairing):
        return holes
    packings = _listed(start, pure, trials, wild, every=True)
    packings.sort(reverse=True)
    for found in range(holes, most + 1):
        if _any_filled(packings, found, pairs) or _any_paired(packings, found, pairing):
            return found
    return most + 1


def _promising(start: Packing, pure: list[int], trials: list[int], wild: int) -> list[int]:
    """Return packings that include one with the fewest holes, if pairs are plentiful.

    A wild card in a whole group fills a place there and is missed in another group. Such groups matter only
    if there may be more wild cards than the groups that are not primary need. This can be decided if no group
    can be laid twice.
    """
    hand, primary, general, lack = start
    if wild and lack - general >= len(trials) + max(0, len(pure) - primary) and not _repeated(hand):
        pure = [mask for mask in pure if not mask & wild]
    return _listed(start, pure, trials, wild, every=False)


def _listed(start: Packing, pure: list[int], trials: list[int], wild: int, *, every: bool) -> list[int]:
    """Return all packings of these whole groups; unless `every`, only those that matter if pairs are plentiful.

    In that case a group is always laid if it fits, has no wild card, and blocks no group that is yet to be
    laid: that is never worse. While a primary group is open, laying a pure whole group there is never worse
    either, because what was in the primary group can take its place elsewhere.
    """
    hand, primary, general, lack = start
    promise = _HIGHEST - primary - lack + general
    packings = [(FULL ^ hand) + ((7 - general | 7 - primary << 4 | promise << 8) << _COUNTS)]
    repeated = _repeated(hand)
    tangled = LOW if every else repeated | wild
    moves: list[tuple[int, int]] = []
    step = _TO_PRIMARY if primary else _TO_GENERAL
    for mask in pure:
        move = mask + step
        if mask & wild:
            move -= size(mask & wild) * _PROMISE
        moves.append((move, mask & tangled))
        tangled |= mask
    for mask in trials:
        moves.append((mask + _TO_GENERAL, mask & tangled))
        tangled |= mask
    for move, choice in reversed(moves):
        if choice:
            _lay_or_not(move, packings)
        else:
            for index, packing in enumerate(packings):
                if not (longer := packing + move) & _GUARDS:
                    packings[index] = longer
    if primary and general and (repeated or len(pure) > primary):
        packings += _beyond_primary(packings, [mask for mask in pure if not mask & wild])
    return packings


def _beyond_primary(packings: list[int], natural: list[int]) -> list[int]:
    """Continue packings that have no open primary group: lay pure groups of natural cards among the others."""
    full = [packing for packing in packings if packing & _NO_PRIMARY == _NO_PRIMARY]
    known = len(full)
    for mask in natural if full else ():
        _lay_or_not(mask + _TO_GENERAL, full)
    return full[known:]


def _repeated(hand: int) -> int:
    """Return faces that every group that can be laid twice contains at least once.

    The next face of the suit or rank is there twice too.
    """
    twice = hand >> 1 & LOW
    return twice & (twice >> WIDTH | twice >> SUIT)


def _lay_or_not(move: int, packings: list[int]) -> None:
    """Add the packings that lay one more group."""
    for packing in packings:  # the list grows during the loop, because a group can be laid twice
        if not (longer := packing + move) & _GUARDS:
            packings.append(longer)  # noqa: PERF401 - the loop also visits what it adds


def _read(packing: int) -> Packing:
    """Decode the integer of a packing."""
    left = ~packing
    counts = left >> _COUNTS
    primary, general = counts >> 4 & 7, counts & 7
    return left & FULL, primary, general, (counts >> 8) + _HIGHEST + 1 - primary + general


def _at_best(packing: int) -> int:
    """Return the holes of a packing if pairs are plentiful."""
    _, primary, general, lack = _read(packing)
    return primary + max(0, lack - general)


def _any_filled(packings: list[int], holes: int, pairs: FirstPairs) -> bool:
    """Return whether the first pairs reduce any packing to `holes` holes.

    The most promising packings are tried first.
    """
    least = (_HIGHEST - holes) * _PROMISE
    for packing in packings:
        if packing < least:
            break
        if pairs_fill(*_read(packing), holes, pairs):
            return True
    return False


def _any_paired(packings: list[int], holes: int, pairing: Pairing) -> bool:
    """Return whether any pairs reduce a packing to `holes` holes."""
    least = (_HIGHEST - holes) * _PROMISE
    for packing in packings:
        if packing < least:
            break
        hand, primary, general, lack = _read(packing)
        if pairing.fills(hand, primary, general, lack, holes - 2 * primary):
            return True
    return False


_Branch = tuple[int, int, int, int, list[int]]
"""A `Packing`, and the whole groups that can be laid next."""


def least_of_many(asked: Question, pure: list[int], trials: list[int], most: int) -> int:
    """Return the smallest number of holes in the wanted groups; `most` + 1 if it is greater than `most`."""
    search = _PackingSearch(asked, pure, trials)
    return next((holes for holes in range(most + 1) if search.reaches(holes)), most + 1)


class _PackingSearch:
    """One search. Pending work is kept in one stack for each number of holes that it can reach at best."""

    def __init__(self, asked: Question, pure: list[int], trials: list[int]) -> None:
        self.pairing = Pairing(asked)
        self.first_pairs = first_pairs(asked)
        self.wild = asked.wild
        self.waiting: defaultdict[int, list[tuple[Callable[[_Branch, int], bool], _Branch]]]
        self.waiting = defaultdict(list)
        hand, primary, general, lack = nothing_laid(asked)
        self.trials = trials
        self.natural = trials + [mask for mask in pure if not mask & asked.wild]
        self.most_trials = _most(hand, self.trials, general)
        self.most_natural = _most(hand, self.natural, general)
        self._wait(0, self._weigh_primary, (hand, primary, general, lack, pure))

    def reaches(self, holes: int) -> bool:
        """Return whether at most this many holes are possible. Call it for 0, 1, 2, ... in turn."""
        stack = self.waiting[holes]
        while stack:
            step, packing = stack.pop()
            if step(packing, holes):
                return True
        return False

    def _wait(self, holes: int, step: Callable[[_Branch, int], bool], packing: _Branch) -> None:
        self.waiting[holes].append((step, packing))

    # Each step continues a packing as far as `holes` allows, and returns whether it reached the end.

    def _weigh_primary(self, packing: _Branch, holes: int) -> bool:
        """Find the primary groups that can still be laid; defer what has more holes."""
        hand, primary, general, lack, wholes = packing
        wholes = all_in(hand, wholes) if primary and wholes else []
        most = _most(hand, wholes, primary)
        others = self.most_natural if most == primary else self.most_trials
        least = primary - most + max(0, lack - general - others)
        packing = (hand, primary, general, lack, wholes)
        if least > holes:
            self._wait(least, self._lay_primary, packing)
            return False
        return self._lay_primary(packing, holes)

    def _lay_primary(self, packing: _Branch, holes: int) -> bool:
        """Continue with the other groups, and later with one more whole primary group.

        While a primary group is open, laying a pure whole group there is never worse than in another group,
        because what was in the primary group can take its place.
        """
        hand, primary, general, lack, wholes = packing
        stack = self.waiting[holes]
        for index in range(
            len(wholes) - 1, -1, -1
        ):  # so that the first, with all the others after it, is next
            mask = wholes[index]
            faced = size(mask & self.wild) if mask & self.wild else 0
            longer = (hand - mask, primary - 1, general, lack + faced, wholes[index:])
            stack.append((self._weigh_primary, longer))
        left, most = (self.trials, self.most_trials) if primary else (self.natural, self.most_natural)
        packing = (hand, primary, general, lack, left)
        least = primary + max(0, lack - general - most)
        if least > holes:
            self.waiting[least].append((self._weigh_general, packing))
            return False
        return self._weigh_general(packing, holes)

    def _weigh_general(self, packing: _Branch, holes: int) -> bool:
        """Find the other groups that can still be laid; defer what has more holes."""
        hand, primary, general, lack, wholes = packing
        wholes = all_in(hand, wholes) if general and wholes else []
        packing = (hand, primary, general, lack, wholes)
        least = primary + max(0, lack - general - _most(hand, wholes, general))
        if least > holes:
            self._wait(least, self._lay_general, packing)
            return False
        return self._lay_general(packing, holes)

    def _lay_general(self, packing: _Branch, holes: int) -> bool:
        """Continue with pairs, and later with one more whole group."""
        hand, primary, general, lack, wholes = packing
        stack = self.waiting[holes]
        for index in range(len(wholes) - 1, -1, -1):
            longer = (hand - wholes[index], primary, general - 1, lack - 2, wholes[index:])
            stack.append((self._weigh_general, longer))
        least = primary + max(0, lack - general)
        if least > holes:
            self._wait(least, self._pair, packing)
            return False
        return self._pair(packing, holes)

    def _pair(self, packing: _Branch, holes: int) -> bool:
        """Fill up with pairs. If they do not remove enough holes, allow one more hole."""
        hand, primary, general, lack, _ = packing
        allowed = holes - 2 * primary
        if pairs_fill(hand, primary, general, lack, holes, self.first_pairs):
            return True
        if self.pairing.fills(hand, primary, general, lack, allowed):
            return True
        self._wait(holes + 1, self._pair, packing)
        return False


def _most(hand: int, wholes: list[int], groups: int) -> int:
    """Return an upper bound on how many of these groups can be laid, by the number of cards that they share."""
    if not wholes:
        return 0
    union = 0
    for mask in wholes:
        union |= mask
    cards = hand & every_copy((union | union >> 1) & LOW)
    return min(groups, (cards.bit_count() + (cards & TWO).bit_count()) // 3)


_FEW: Final = 10
"""Up to this number of whole groups, listing all packings is faster than searching them."""
_ANY: Final = 99
"""More holes than there can be."""


def fits(asked: Question) -> bool:
    """Return whether this search can answer the question.

    All groups must have three cards, primary ones must be pure and natural, and no card may be short.
    """
    return not (asked.plus or asked.primary_trial or asked.master or asked.master_live) and (
        size(asked.hand) + asked.spare >= asked.total
    )


def least_holes(asked: Question, most: int = _ANY) -> int:
    """Return the smallest number of holes in the wanted groups; `most` + 1 if it is greater than `most`."""
    pure, trials = whole_groups(asked)
    few = len(pure) + len(trials) <= _FEW
    return least_of_few(asked, pure, trials, most) if few else least_of_many(asked, pure, trials, most)
