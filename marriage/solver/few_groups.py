"""The packings of a hand with few whole groups, which is the usual case: they are listed and filled with pairs.

A packing is one integer here, so that laying a whole group is one addition, and one mask tells whether it was
possible. The integer counts what is *not* there: the copies of each face that the hand lacks or that are
laid, and above them, in four bits each, the other and the primary groups that are not open. A guard bit (see
`marriage.bits`) is set where a count is too high. The highest bits are the *promise*: it is greater the fewer
holes there are if pairs are plentiful. So the greatest integer is the most promising packing.
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
"""The promise of a packing without holes."""


def least_holes(asked: Question, pure: list[int], trials: list[int], most: int) -> int:
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
    while not _any_paired(packings, holes, pairing):
        holes += 1
        if holes > most or _any_filled(packings, holes, pairs):
            break
    return holes


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
