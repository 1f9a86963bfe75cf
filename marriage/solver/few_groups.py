"""The packings of a hand that holds few whole groups, as most do: listed, and mostly filled by the first pairs.

A packing is one integer here, so that to lay a whole group is one addition, and one mask says whether it could be laid.
It counts what is *not* there: the copies of each face that the hand lacks or that are laid, and above them, in four bits
each, the other and the primary groups that are not open. A guard bit (see `marriage.bits`) is set where that is too
many. On top stands the *promise*: the fewer holes there are if pairs are plenty, the greater it is. So the greatest
integer is the packing that promises most.
"""

from typing import Final

from marriage.bits import FULL, GUARD, LOW, WIDTH, size
from marriage.solver.first_pairs import FirstPairs, first_pairs, pairs_fill
from marriage.solver.packing import Packing, nothing_laid
from marriage.solver.pairing import Pairing
from marriage.solver.patterns import SUIT
from marriage.solver.question import Question

_COUNTS: Final = GUARD.bit_length()
_GENERAL: Final = 1 << _COUNTS
_PRIMARY: Final = _GENERAL << 4
_PROMISE: Final = _PRIMARY << 4
_GUARDS: Final = GUARD | _GENERAL << 3 | _PRIMARY << 3
_NO_PRIMARY: Final = _PRIMARY * 7
_TO_GENERAL: Final = _GENERAL + _PROMISE
_TO_PRIMARY: Final = _PRIMARY + _PROMISE
_HIGHEST: Final = 64
"""The promise of no holes."""


def least_holes(asked: Question, pure: list[int], trials: list[int], most: int) -> int:
    """The least number of holes in the groups wanted; one more than `most` where it is more than that."""
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
    while not _any_paired(packings, holes, pairing):
        holes += 1
        if holes > most or _any_filled(packings, holes, pairs):
            break
    return holes


def _promising(start: Packing, pure: list[int], trials: list[int], wild: int) -> list[int]:
    """Packings among which is one with the fewest holes, if pairs are plenty.

    A wild card in a whole group fills a place there and is missed in another: such groups matter only where there may be
    more wild cards than the groups that are not primary need. That can be told where no group may be laid twice.
    """
    hand, primary, general, lack = start
    if wild and lack - general >= len(trials) + max(0, len(pure) - primary) and not _repeated(hand):
        pure = [mask for mask in pure if not mask & wild]
    return _listed(start, pure, trials, wild, every=False)


def _listed(start: Packing, pure: list[int], trials: list[int], wild: int, *, every: bool) -> list[int]:
    """All packings of these whole groups, or of `every` one only those that matter if pairs are plenty.

    Then a group is laid wherever it can be if it is in the way of none that is yet to be laid, and has no wild card: that
    is never worse. Nor is, while a primary group is open, a pure whole one there worse than in another: what was in the
    primary group can take its place.
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
    """What goes on from packings without an open primary group: pure groups of natural cards among the others."""
    full = [packing for packing in packings if packing & _NO_PRIMARY == _NO_PRIMARY]
    known = len(full)
    for mask in natural if full else ():
        _lay_or_not(mask + _TO_GENERAL, full)
    return full[known:]


def _repeated(hand: int) -> int:
    """Faces of which one is in every group that may be laid twice: the next of the suit or the rank is there twice too."""
    twice = hand >> 1 & LOW
    return twice & (twice >> WIDTH | twice >> SUIT)


def _lay_or_not(move: int, packings: list[int]) -> None:
    """Add the packings that lay one more group."""
    for packing in packings:  # the list grows meanwhile, because a group may be laid twice
        if not (longer := packing + move) & _GUARDS:
            packings.append(longer)  # noqa: PERF401 - the loop also visits what it adds


def _read(packing: int) -> Packing:
    """The key under which equal packings are the same."""
    left = ~packing
    counts = left >> _COUNTS
    primary, general = counts >> 4 & 7, counts & 7
    return left & FULL, primary, general, (counts >> 8) + _HIGHEST + 1 - primary + general


def _at_best(packing: int) -> int:
    """The holes of a packing, if pairs are plenty."""
    _, primary, general, lack = _read(packing)
    return primary + max(0, lack - general)


def _any_filled(packings: list[int], holes: int, pairs: FirstPairs) -> bool:
    """Whether the first pairs bring one of these down to so many holes; the packings that promise most come first."""
    least = (_HIGHEST - holes) * _PROMISE
    for packing in packings:
        if packing < least:
            break
        if pairs_fill(*_read(packing), holes, pairs):
            return True
    return False


def _any_paired(packings: list[int], holes: int, pairing: Pairing) -> bool:
    """Whether any pairs bring a packing down to so many holes."""
    least = (_HIGHEST - holes) * _PROMISE
    for packing in packings:
        if packing < least:
            break
        hand, primary, general, lack = _read(packing)
        if pairing.fills(hand, primary, general, lack, holes - 2 * primary):
            return True
    return False
