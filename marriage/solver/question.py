"""The question of the search: the wanted groups, the patterns of cards that can fill them, and the answer.

A pattern is the natural cards of a possible group, complete or with empty places. Runs of three to five cards and trials of
three and four are enough: a longer run splits into such runs, and a trial has four suits. Groups of five are also enough
where wild cards can make a trial longer.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from marriage.bits import FULL, GUARD, LOW, ONE, TWO, WIDTH, every_copy, present, size, thrice, twice, unpack
from marriage.cards import FACES, MASTER, Cards

_RANKS = 13
_SUITS = 4
_HIGH_ACE = 13
LONGEST: Final = 5
"""The longest run to look for: longer ones can be split."""

SUIT: Final = WIDTH * _RANKS
"""The distance in bits between two suits in a packed hand."""
SUITS: Final = (0, SUIT, 2 * SUIT, 3 * SUIT)
"""The distance in bits of each suit from the first."""
QUEEN: Final = 11 * WIDTH
KING: Final = 12 * WIDTH
"""The distance in bits of a king from the ace of its suit, with which it makes a run."""
FIRST_SUIT: Final = (1 << SUIT) - 1
"""All bits of the first suit."""
RUN: Final = ONE[0] | ONE[1] | ONE[2]
HIGH_RUN: Final = ONE[0] | ONE[11] | ONE[12]
"""Queen, king and ace of the first suit."""
RUN_STARTS: Final = sum(unit for index, unit in enumerate(ONE) if index % _RANKS < _RANKS - 2)
"""The faces that have two ranks of their suit above them."""
ACES: Final = sum(ONE[::_RANKS])


class Pattern(NamedTuple):
    """Natural cards that belong to one group."""

    mask: int
    """The cards."""
    worth: int
    """How many places of the group are filled: one by each card, and one by the master card if it stands in."""
    sizes: tuple[int, ...]
    """The sizes of groups that can contain the cards, ascending."""
    pure: bool
    """Whether the group is a sequence or tunnela, not a trial."""
    same: bool = False
    """Whether the cards are identical, so that no wild card but the master card can stand in with them."""
    master: bool = False
    """Whether the master card stands in with them."""

    @property
    def cards(self) -> Cards:
        """The natural cards, sorted, and the master card if it stands in."""
        return _cards(self.mask, self.master)


@cache
def _cards(mask: int, master: bool) -> Cards:  # noqa: FBT001 - a cache key
    return unpack(mask) + (MASTER,) * master


class Family(NamedTuple):
    """Patterns of the same shape, found together.

    They are stored as the lowest faces and the offsets of the other faces.
    """

    shifts: tuple[int, ...]
    starts: int
    patterns: dict[int, Pattern]


def _family(offsets: tuple[int, ...], starts: list[int], least: int, most: int, *, pure: bool) -> Family:
    sizes = tuple(range(least, most + 1))
    patterns = {
        ONE[start]: Pattern(sum(ONE[start + offset] for offset in offsets), len(offsets), sizes, pure=pure)
        for start in starts
    }
    return Family(tuple(WIDTH * offset for offset in offsets[1:]), sum(patterns), patterns)


def _runs(count: int, longest: int) -> list[Family]:
    """Return the families of `count` cards of one suit within one run of `longest` cards."""
    families: list[Family] = []
    for tail in combinations(range(1, longest), count - 1):
        offsets = (0, *tail)
        last = offsets[-1]
        least = max(3, last + 1)
        starts = [face for face in range(FACES) if face % _RANKS + last < _RANKS]
        families.append(_family(offsets, starts, least, longest, pure=True))
        with_high_ace = (0, *(_HIGH_ACE - step for step in reversed(tail)))
        aces = list(range(0, FACES, _RANKS))
        families.append(_family(with_high_ace, aces, least, longest, pure=True))
    return families


def _trials(count: int, largest: int) -> list[Family]:
    """Return the families of `count` cards of one rank in different suits."""
    families: list[Family] = []
    for suits in combinations(range(_SUITS), count):
        offsets = tuple((suit - suits[0]) * _RANKS for suit in suits)
        starts = [suits[0] * _RANKS + rank for rank in range(_RANKS)]
        families.append(_family(offsets, starts, max(3, count), largest, pure=False))
    return families


def _longest_and_most(*, plus: bool) -> tuple[int, int]:
    return (LONGEST, _SUITS) if plus else (3, 3)


@cache
def run_families(*, plus: bool, pairs: bool = False) -> tuple[Family, ...]:
    """Return the sequences of three cards and more; with `pairs`, of two and more."""
    longest, _ = _longest_and_most(plus=plus)
    return tuple(
        family for count in range(longest, 1 if pairs else 2, -1) for family in _runs(count, longest)
    )


@cache
def trial_families(*, plus: bool, beyond: bool = False, pairs: bool = False) -> tuple[Family, ...]:
    """Return the trials of three cards and more; with `pairs`, of two and more.

    `beyond` includes groups that wild cards make longer than four suits.
    """
    _, most = _longest_and_most(plus=plus)
    largest = LONGEST if beyond else most
    return tuple(family for count in range(most, 1 if pairs else 2, -1) for family in _trials(count, largest))


_RUNS_OF_THREE: Final = run_families(plus=False)
_TRIALS_OF_THREE: Final = trial_families(plus=False)
_TUNNELAS: Final = {unit: Pattern(3 * unit, 3, (3,), pure=True, same=True) for unit in ONE}
_IDENTICAL: Final = {unit: Pattern(2 * unit, 2, (3,), pure=True, same=True) for unit in ONE}


def found(hand: int, families: tuple[Family, ...]) -> list[Pattern]:
    """Return the patterns of these families that the hand holds."""
    faces = present(hand)
    patterns: list[Pattern] = []
    for shifts, starts, members in families:
        hits = faces & starts
        for shift in shifts:
            hits &= faces >> shift
        while hits:
            low = hits & -hits
            hits ^= low
            patterns.append(members[low])
    return patterns


def tunnelas(hand: int) -> list[Pattern]:
    """Return the tunnelas that the hand holds."""
    return _each_of(thrice(hand), _TUNNELAS)


def identical_pairs(hand: int) -> list[Pattern]:
    """Return the pairs of identical cards that the hand holds."""
    return _each_of(twice(hand), _IDENTICAL)


def _each_of(faces: int, patterns: dict[int, Pattern]) -> list[Pattern]:
    listed: list[Pattern] = []
    while faces:
        low = faces & -faces
        faces ^= low
        listed.append(patterns[low])
    return listed


def masters(hand: int, *, plus: bool, tunnelas: bool, trials: bool) -> list[Pattern]:
    """Return the patterns of primary groups in which the master card stands in.

    These are sequences, and with `tunnelas` or `trials` also such groups.
    """
    patterns = found(hand, run_families(plus=plus, pairs=True))
    if tunnelas:
        patterns += identical_pairs(hand)
    if trials:
        patterns += found(hand, trial_families(plus=plus, pairs=True))
    return [with_master(pattern) for pattern in patterns if pattern.worth < pattern.sizes[-1]]


def whole_threes(hand: int, *, trials: bool) -> list[Pattern]:
    """Return the whole groups of three natural cards in the hand."""
    threes = found(hand, _RUNS_OF_THREE) + tunnelas(hand)
    if trials:
        threes += found(hand, _TRIALS_OF_THREE)
    return threes


def most_threes(hand: int, *, trials: bool) -> int:
    """Return an upper bound on the whole groups of three natural cards that can be laid at once.

    Most hands have too few for their goal. This bound, which counts the cards in any group, shows it faster
    than a search for each group.
    """
    upper = hand >> 1
    faces = (hand | upper) & LOW
    runs = faces & faces >> WIDTH & faces >> 2 * WIDTH & RUN_STARTS
    union = runs | runs << WIDTH | runs << 2 * WIDTH | hand & upper & LOW
    aces = faces & faces >> 11 * WIDTH & faces >> 12 * WIDTH & ACES
    if aces:
        union |= aces * HIGH_RUN
    if trials:
        second, third, fourth = faces >> SUIT, faces >> 2 * SUIT, faces >> 3 * SUIT
        ranks = (faces & second & (third | fourth) | (faces | second) & third & fourth) & FIRST_SUIT
        union |= ranks * ACES & faces
    cards = hand & union * 3
    return (cards.bit_count() + (cards & TWO).bit_count()) // 3


def disjoint(patterns: Sequence[Pattern], hand: int, wanted: int) -> tuple[Pattern, ...] | None:
    """Return the first `wanted` of these patterns that the hand holds all at once; None if there are not enough.

    It does not count holes, so it is many times as fast as `cover`.
    """
    if wanted <= 0:
        return ()
    guarded = hand | GUARD
    for index, pattern in enumerate(patterns):
        if (guarded - pattern.mask) & GUARD == GUARD:
            others = patterns[index:]
            if pattern.master:
                others = [other for other in others if not other.master]
            rest = disjoint(others, hand - pattern.mask, wanted - 1)
            if rest is not None:
                return (pattern, *rest)
    return None


@cache
def pairs_from(low: int, *, plus: bool, beyond: bool = False) -> tuple[Pattern, ...]:
    """Return the pairs whose lower face is `low`, one copy of it: two thirds of a group, or less of a longer one.

    With `beyond`, a pair of one rank can be in a group that wild cards make longer than four suits.
    """
    longest, most = _longest_and_most(plus=plus)
    largest = LONGEST if beyond else most
    runs = [family.patterns[low] for family in _runs(2, longest) if low in family.patterns]
    ranks = [family.patterns[low] for family in _trials(2, largest) if low in family.patterns]
    return (*runs, _IDENTICAL[low], *ranks)


@cache
def with_master(pattern: Pattern) -> Pattern:
    """Return the same cards together with the master card."""
    worth = pattern.worth + 1
    sizes = tuple(number for number in pattern.sizes if number >= worth)
    return pattern._replace(worth=worth, sizes=sizes, master=True)


@cache
def _wholes(size: int, *, pure: bool) -> tuple[int, ...]:
    """Return the sequences or the trials of `size` cards."""
    families = _runs(size, size) if pure else _trials(size, size)
    return tuple(whole.mask for family in families for whole in family.patterns.values())


@cache
def completions(pattern: Pattern, size: int) -> tuple[int, ...]:
    """Return the natural cards that can fill the empty places of a pattern in a group of `size` cards."""
    faces = present(pattern.mask)
    if pattern.same:
        return (0,) if pattern.master else (faces,)
    missing = [whole ^ faces for whole in _wholes(size, pure=pattern.pure) if whole & faces == faces]
    if not pattern.master:
        return tuple(missing)
    return tuple({cards ^ unit for cards in missing for unit in ONE if cards & unit})


Sizes = tuple[int, ...]
"""The sizes of groups, ascending."""


@cache
def shapes(primary: int, total: int, *, plus: bool) -> tuple[tuple[Sizes, Sizes], ...]:
    """Return all ways to split `total` cards into groups: the sizes of `primary` primary groups and of the others."""
    largest = LONGEST if plus else 3
    return tuple(
        (first, rest)
        for first in _sizes(primary, 3, largest)
        for groups in range(total // 3, -1, -1)
        for rest in _sizes(groups, 3, largest)
        if sum(first) + sum(rest) == total
    )


def _sizes(groups: int, least: int, most: int) -> list[Sizes]:
    """Return all ascending lists of sizes of `groups` groups."""
    if groups == 0:
        return [()]
    return [(first, *rest) for first in range(least, most + 1) for rest in _sizes(groups - 1, first, most)]


@cache
def minus(sizes: Sizes, taken: int) -> Sizes:
    """Return the sizes without one of them."""
    place = sizes.index(taken)
    return sizes[:place] + sizes[place + 1 :]


@cache
def fitting(sizes: Sizes, fit: Sizes) -> Sizes:
    """Return the different sizes among these that fit."""
    return tuple(sorted({number for number in sizes if number in fit}))


_WORTHS: Final = ((3, 3), (4, 3), (4, 4), (5, 3), (5, 4), (5, 5))
"""The sizes of groups, and how many of their places one pattern may fill."""

Limits = tuple[int, ...]
"""For each of `_WORTHS`, the most groups that can be filled that far."""


@lru_cache(maxsize=1 << 14)
def most_places(sizes: Sizes, limits: Limits) -> int:
    """Return how many places of groups of these sizes can be filled.

    A pair fills two places of a group; more are filled as far as the limits allow.
    """
    counted = zip(_WORTHS, limits, strict=True)
    return 2 * len(sizes) + sum(min(limit, sizes.count(number)) for (number, _), limit in counted)


@cache
def _raised(sizes: Sizes, worth: int) -> tuple[int, ...]:
    """Return the indices of the limits that a pattern raises."""
    return tuple(
        place for place, (number, filled) in enumerate(_WORTHS) if number in sizes and filled <= worth
    )


def limits_of(hand: int, patterns: list[Pattern]) -> Limits:
    """Return the limits that these patterns set, given that they cannot share cards."""
    if not patterns:
        return _NO_LIMITS
    unions = [0] * len(_WORTHS)
    master = 0
    for pattern in patterns:
        master |= pattern.master
        for place in _raised(pattern.sizes, pattern.worth):
            unions[place] |= pattern.mask
    return tuple(
        [
            (size(hand & every_copy(present(union))) + master) // worth if union else 0
            for union, (_, worth) in zip(unions, _WORTHS, strict=True)
        ]
    )


_NO_LIMITS: Final = (0,) * len(_WORTHS)


class PlaceKind(NamedTuple):
    """The properties of a pair that decide where it can be placed."""

    same: bool
    """Whether its cards are identical."""
    wild: int
    """How many of them are wild."""
    primary: Sizes
    """The sizes of the primary groups that it can be part of."""
    general: Sizes
    """The same for the other groups."""


class Open(NamedTuple):
    """The places where pairs can still go."""

    primary: Sizes
    general: Sizes
    wanted: int
    """The most pairs in the groups that are not primary."""
    same: int
    """The most pairs of identical cards among them."""
    faced: int
    """The most wild cards that can count at face value in primary groups."""


@lru_cache(maxsize=1 << 14)
def moves_of(kind: PlaceKind, places: Open) -> tuple[tuple[int, bool, Open], ...]:
    """Return the ways to place a pair: the size of the group, whether it is primary, and what is open afterwards."""
    moves: list[tuple[int, bool, Open]] = []
    if kind.wild <= places.faced:
        for number in fitting(places.primary, kind.primary):
            left = places._replace(primary=minus(places.primary, number), faced=places.faced - kind.wild)
            moves.append((number, True, left))
    if places.wanted and not kind.wild and kind.same <= places.same:
        for number in fitting(places.general, kind.general):
            left = places._replace(
                general=minus(places.general, number),
                wanted=places.wanted - 1,
                same=places.same - kind.same,
            )
            moves.append((number, False, left))
    return tuple(moves)


class Question(NamedTuple):
    """A question: the wanted groups, and the cards to make them from."""

    hand: int
    """The hand: its cards of the packs, packed."""
    primary: int
    """The number of wanted primary groups."""
    total: int
    """The total number of cards of all wanted groups."""
    spare: int = 0
    """The number of wild cards without a face: man and master."""
    wild: int = 0
    """Every copy of the wild faces."""
    live: int = FULL
    """The cards that may still come."""
    stand_ins: bool = False
    """Whether a wild card is held or may still come."""
    master: bool = False
    """Whether one of the spare cards, the master card, may stand in within a primary group."""
    master_live: bool = False
    """Whether such a card may still come."""
    master_tunnela: bool = False
    """Whether it may stand in with two identical cards."""
    master_trial: bool = False
    """Whether it may stand in within a trial."""
    master_only: bool = False
    """Whether it is the only wild card that is held or may still come."""
    primary_trial: bool = False
    plus: bool = False
    """Whether groups may have more than three cards."""
    long_trial: bool = False
    """Whether, with larger groups, wild cards may stand in beyond the four suits of a trial."""

    @property
    def beyond_suits(self) -> bool:
        """Whether a trial may be part of a group of more than four cards."""
        return self.plus and self.long_trial

    def takes_master(self, pattern: Pattern) -> bool:
        """Return whether the master card may stand in with these natural cards in a primary group."""
        if pattern.same:
            return self.master_tunnela and pattern.worth < pattern.sizes[-1]
        return pattern.pure or self.master_trial


class CoverPart(NamedTuple):
    """A pattern laid into one of the wanted groups."""

    pattern: Pattern
    size: int
    """The size of the group; the pattern may fill fewer places."""
    primary: bool

    @property
    def cards(self) -> Cards:
        """The natural cards, sorted, and the master card if it stands in."""
        return self.pattern.cards


class Cover(NamedTuple):
    """The best cover that was found."""

    holes: int
    """The number of places that stay empty: the fewest cards that must still come."""
    parts: tuple[CoverPart, ...]
    """Patterns and pairs."""
    single: Sizes
    """The sizes of the remaining wanted groups that are not primary. They have at most one natural card."""
