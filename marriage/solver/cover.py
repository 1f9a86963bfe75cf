"""The search behind every question about groups: how many places of the wanted groups can the cards fill.

Some groups have to be primary: there only natural cards count, and an empty place waits for one exact card. In the
others wild cards are fungible: one at face value never does more than as a stand-in. So a hand is its natural cards
and the number of its wild ones, and the search looks for the natural cards that fit together best.

It places patterns of three cards and more first, the largest first, and then as many pairs as the open groups hold;
every group still open has a single card. A branch is cut where even a pattern or a pair in every open group would
not be better than what is known. Not modelled: two empty places that wait for the same last copy.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from marriage.solver.bits import FULL, contains, present, size
from marriage.solver.patterns import (
    LONGEST,
    Pattern,
    can_be_completed,
    found,
    pairs_from,
    run_families,
    trial_families,
    tunnelas,
)

Sizes = tuple[int, ...]


class Question(NamedTuple):
    """What is wanted, and what there is to make it from."""

    hand: int
    """The cards of the packs."""
    primary: int
    """How many primary groups are wanted."""
    total: int
    """How many cards all wanted groups have together."""
    spare: int = 0
    """Wild cards without a face: man and master."""
    wild: int = 0
    """Every copy of the wild faces."""
    live: int = FULL
    """The faces of which a copy may still come, one or more copies of each."""
    stand_ins: bool = False
    """Whether a wild card is held or may still come."""
    master: bool = False
    """Whether one of the spare cards may stand in within a primary sequence."""
    master_live: bool = False
    """Whether such a card may still come."""
    primary_trial: bool = False
    plus: bool = False
    """Whether groups may be larger than three."""


class Part(NamedTuple):
    """The natural cards laid into one of the wanted groups."""

    mask: int
    size: int
    """The size of the group; the cards may be fewer."""
    primary: bool
    master: bool = False
    """Whether the master card stands in."""


Chain = tuple[Part, "Chain"] | None
"""Parts as a linked list, the last one first."""


class Cover(NamedTuple):
    """The best that was found."""

    holes: int
    """How many places stay empty: the fewest cards that must still come."""
    parts: tuple[Part, ...]
    """Patterns and pairs."""
    single: Sizes
    """The sizes of the other wanted groups that are not primary: they have a single natural card or none."""


def cover(question: Question, *, at_most: int | None = None) -> Cover | None:
    """Fill the wanted groups as well as can be.

    With `at_most` the search stops at the first filling with no more holes than that, and the answer is None when
    there is none. It is None too when groups cannot make up that total at all.
    """
    search = _Search(question, at_most)
    for primary, general in shapes(question.primary, question.total, plus=question.plus):
        search.run(primary, general)
        if search.best >= search.goal:
            break
    if search.parts is None:
        return None
    return Cover(question.total - search.best, search.parts, search.single)


@cache
def shapes(primary: int, total: int, *, plus: bool) -> tuple[tuple[Sizes, Sizes], ...]:
    """All ways to make up `total` cards of groups, so many of them primary: the sizes of those and of the others."""
    largest = LONGEST if plus else 3
    return tuple(
        (first, rest)
        for first in _sizes(primary, 3, largest)
        for groups in range(total // 3 + 1)
        for rest in _sizes(groups, 3, largest)
        if sum(first) + sum(rest) == total
    )


def _sizes(groups: int, least: int, most: int) -> list[Sizes]:
    """All ascending sizes of so many groups."""
    if groups == 0:
        return [()]
    return [(first, *rest) for first in range(least, most + 1) for rest in _sizes(groups - 1, first, most)]


@cache
def _minus(sizes: Sizes, taken: int) -> Sizes:
    place = sizes.index(taken)
    return sizes[:place] + sizes[place + 1 :]


@cache
def _fitting(sizes: Sizes, least: int, most: int) -> tuple[int, ...]:
    """The different sizes among these that a pattern fits."""
    return tuple(sorted({number for number in sizes if least <= number <= most}))


class _Search:
    """One search; `best` is the number of places filled, `parts` how, None until something beats the floor."""

    def __init__(self, question: Question, at_most: int | None) -> None:
        self.question = question
        self.goal = question.total - (at_most or 0)
        self.best = -1 if at_most is None else self.goal - 1
        self.parts: tuple[Part, ...] | None = None
        self.single: Sizes = ()
        self.rest = 0
        self.memo: dict[tuple[int, Sizes, Sizes, int, int, int], tuple[int, Chain]] = {}

    def run(self, primary: Sizes, general: Sizes) -> None:
        """Search one shape."""
        self.rest = sum(general)
        self._primary(
            self.question.hand, self._primary_patterns() if primary else [], primary, general, 0, None
        )

    def _primary_patterns(self) -> list[tuple[Pattern, bool]]:
        """The patterns for primary groups; with the master card, shorter ones count for one card more."""
        asked = self.question
        patterns = found(asked.hand, run_families(plus=asked.plus)) + tunnelas(asked.hand)
        if asked.primary_trial:
            patterns += found(asked.hand, trial_families(plus=asked.plus))
        marked = [(pattern, False) for pattern in patterns]
        if asked.master:
            runs = found(asked.hand, run_families(plus=asked.plus, pairs=True))
            marked += [
                (
                    pattern._replace(cards=pattern.cards + 1, least=max(3, pattern.least, pattern.cards + 1)),
                    True,
                )
                for pattern in runs
                if pattern.cards < pattern.most
            ]
        marked.sort(key=lambda item: -item[0].cards)
        return marked

    def _primary(
        self,
        hand: int,
        patterns: list[tuple[Pattern, bool]],
        slots: Sizes,
        general: Sizes,
        value: int,
        chain: Chain,
    ) -> None:
        """Lay patterns into primary groups, then go on with the others."""
        top = patterns[0][0].cards if patterns else 2
        if value + sum(min(number, top) for number in slots) + self.rest <= self.best:
            return
        for index, (pattern, master) in enumerate(patterns):
            for number in _fitting(slots, pattern.least, pattern.most):
                if not self._may_wait(pattern, number, master=master):
                    continue
                left = hand - pattern.mask
                following = [
                    item
                    for item in patterns[index:]
                    if contains(left, item[0].mask) and not (master and item[1])
                ]
                part = Part(pattern.mask, number, primary=True, master=master)
                self._primary(
                    left, following, _minus(slots, number), general, value + pattern.cards, (part, chain)
                )
                if self.best >= self.goal:
                    return
        spent = value - sum(size(part.mask) for part in _walk(chain))
        self._general(hand, self._general_patterns(hand, slots), general, slots, value, 0, chain, spent)

    def _may_wait(self, pattern: Pattern, number: int, *, master: bool) -> bool:
        """Whether the empty places of a primary group may still be filled."""
        missing = number - pattern.cards
        if missing == 0:
            return True
        asked = self.question
        if can_be_completed(pattern, number, asked.live):
            return True
        # The master card fills one place of a sequence whichever card belongs there.
        return missing == 1 and pattern.pure and not pattern.same and (master or asked.master_live)

    def _general_patterns(self, hand: int, primary: Sizes) -> list[Pattern]:
        """The patterns for the other groups.

        While a primary group is open, a pure one there is never worse than here, sizes being equal.
        """
        asked = self.question
        naturals = hand & ~asked.wild
        patterns: list[Pattern] = []
        if asked.plus or not primary:
            patterns += found(naturals, run_families(plus=asked.plus)) + tunnelas(naturals)
        if asked.plus or not primary or not asked.primary_trial:
            patterns += found(naturals, trial_families(plus=asked.plus))
        patterns.sort(key=lambda pattern: -pattern.cards)
        return patterns

    def _general(
        self,
        hand: int,
        patterns: list[Pattern],
        slots: Sizes,
        primary: Sizes,
        value: int,
        naturals: int,
        chain: Chain,
        spent: int,
    ) -> None:
        """Lay patterns into the other groups, then fill what is open with pairs."""
        wilds = self.question.spare - spent + size(hand & self.question.wild)
        top = patterns[0].cards if patterns else 2
        open_places = sum(min(number, top) for number in slots)
        first = (
            value
            + sum(min(number, 2) for number in primary)
            + (1 if spent == 0 and self.question.master else 0)
        )
        if first + min(self.rest, naturals + open_places + wilds) <= self.best:
            return
        for index, pattern in enumerate(patterns):
            for number in _fitting(slots, pattern.least, pattern.most):
                if pattern.cards < number and not self._may_fill(pattern, number):
                    continue
                left = hand - pattern.mask
                following = [item for item in patterns[index:] if contains(left, item.mask)]
                part = Part(pattern.mask, number, primary=False)
                self._general(
                    left,
                    following,
                    _minus(slots, number),
                    primary,
                    value,
                    naturals + pattern.cards,
                    (part, chain),
                    spent,
                )
                if self.best >= self.goal:
                    return
        self._leaf(hand, slots, primary, value, naturals, wilds, chain, spent)

    def _may_fill(self, pattern: Pattern, number: int) -> bool:
        """Whether the empty places of a group that is not primary may still be filled."""
        asked = self.question
        if asked.stand_ins and not pattern.same:
            return True
        return can_be_completed(pattern, number, asked.live)

    def _leaf(
        self,
        hand: int,
        slots: Sizes,
        primary: Sizes,
        value: int,
        naturals: int,
        wilds: int,
        chain: Chain,
        spent: int,
    ) -> None:
        """Fill the open groups with pairs and singles and keep the result if it is the best."""
        # Identical cards wait for their third copy and no wild card: they pay only if wild cards do not.
        most_same = slots.count(3)
        first_same = most_same if wilds == 0 else 0
        most_spent = wilds if primary and self.question.wild else 0
        for same in range(first_same, most_same + 1):
            for faced in range(most_spent + 1):
                cap = self.rest - same if wilds else self.rest
                free = wilds - faced
                wanted = max(0, min(len(slots), cap - naturals - len(slots) - free))
                best = value + 2 * len(primary) + min(cap, naturals + len(slots) + wanted + free)
                master = self.question.master and spent == 0 and naturals + len(slots) + free > cap
                if best + (master and bool(primary)) <= self.best:
                    continue
                count, pairs = self._pairs(hand, primary, slots, wanted, same, faced)
                paired = sum(part.primary for part in _walk(pairs))
                singles = min(len(primary) - paired, size(hand) - 2 * count) if primary else 0
                filled = value + 2 * paired + singles
                filled += min(cap, naturals + len(slots) + count - paired + free)
                filled += master and singles > 0
                if filled > self.best:
                    self.best = filled
                    self.parts = (*reversed(_walk(chain)), *_walk(pairs))
                    self.single = slots
                    for part in _walk(pairs):
                        if not part.primary:
                            self.single = _minus(self.single, part.size)

    def _pairs(
        self, hand: int, primary: Sizes, slots: Sizes, wanted: int, same: int, faced: int
    ) -> tuple[int, Chain]:
        """The most pairs that go into the open groups, `wanted` at most into those that are not primary.

        `same` of those may be identical cards, and `faced` wild cards may act at face value in primary ones.
        """
        goal = len(primary) + wanted
        if not goal or not hand:
            return 0, None
        key = (hand, primary, slots, wanted, same, faced)
        known = self.memo.get(key)
        if known is not None:
            return known
        faces = present(hand)
        low = faces & -faces
        best: tuple[int, Chain] = (0, None)
        for pair in pairs_from(low, plus=self.question.plus):
            if not contains(hand, pair.mask):
                continue
            for part, state in self._places(pair, primary, slots, wanted, same, faced):
                count, chain = self._pairs(hand - pair.mask, *state)
                if count + 1 > best[0]:
                    best = (count + 1, (part, chain))
                    if count + 1 == goal:
                        self.memo[key] = best
                        return best
        without = self._pairs(hand & ~(low * 3), primary, slots, wanted, same, faced)
        self.memo[key] = best = max(best, without, key=lambda answer: answer[0])
        return best

    def _places(
        self, pair: Pattern, primary: Sizes, slots: Sizes, wanted: int, same: int, faced: int
    ) -> Iterator[tuple[Part, tuple[Sizes, Sizes, int, int, int]]]:
        """Where a pair may go, and what is open then."""
        asked = self.question
        wild = size(pair.mask & asked.wild)
        if wild <= faced and (pair.pure or asked.primary_trial):
            for number in _fitting(primary, pair.least, pair.most):
                if self._may_wait(pair, number, master=False):
                    yield (
                        Part(pair.mask, number, primary=True),
                        (_minus(primary, number), slots, wanted, same, faced - wild),
                    )
        if wanted and not wild and same >= pair.same:
            for number in _fitting(slots, pair.least, pair.most):
                if self._may_fill(pair, number):
                    left = _minus(slots, number)
                    yield (
                        Part(pair.mask, number, primary=False),
                        (primary, left, wanted - 1, same - pair.same, faced),
                    )


def _walk(chain: Chain) -> list[Part]:
    """The parts of a chain, the last one first."""
    parts: list[Part] = []
    while chain is not None:
        part, chain = chain
        parts.append(part)
    return parts
