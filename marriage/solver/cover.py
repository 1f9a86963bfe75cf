"""The search behind every question about groups: how many places of the wanted groups the cards can fill.

In primary groups only natural cards count, and an empty place waits for one exact card. In the other groups
wild cards are fungible: a wild card at face value is never better than one as a stand-in. So a hand is its
natural cards plus a number of wild cards, and the search looks for the natural cards that fit together best.

It first places patterns of three cards and more, the largest first, and then as many pairs as the open groups
hold. Every group that is still open gets a single card. A branch is cut if even a pattern or a pair in every
open group would not beat the best result so far. No two patterns or pairs may wait for the same last copy. A
group with a single card is assumed to find its other cards.
"""

from collections.abc import Iterator
from typing import NamedTuple

from marriage.bits import contains, every_copy, present, size
from marriage.solver.question import (
    Cover,
    CoverPart,
    Open,
    Pattern,
    PlaceKind,
    Question,
    Sizes,
    completions,
    fitting,
    found,
    limits_of,
    masters,
    minus,
    most_places,
    moves_of,
    pairs_from,
    run_families,
    shapes,
    trial_families,
    tunnelas,
    with_master,
)

Chain = tuple[CoverPart, "Chain"] | None
"""Parts as a linked list, the last one first."""


def cover(question: Question, *, at_most: int | None = None) -> Cover | None:
    """Fill as many places of the wanted groups as possible.

    With `at_most`, the search stops at the first filling with no more holes than that, and returns None if
    there is none. It also returns None if no groups can make up that total.
    """
    search = _Search(question, at_most)
    for primary, general in shapes(question.primary, question.total, plus=question.plus):
        search.run(primary, general)
        if search.best >= search.goal:
            break
    if search.parts is None:
        return None
    return Cover(question.total - search.best, search.parts, search.single)


class _Node(NamedTuple):
    """A node of the search: what has been laid so far, and what is left."""

    hand: int
    primary: Sizes
    """The primary groups still open."""
    general: Sizes
    """The other groups that are still open."""
    laid: int = 0
    """The number of places filled in primary groups."""
    naturals: int = 0
    """The number of natural cards laid into the other groups."""
    spent: bool = False
    """Whether the master card already stands in for a card of a primary group."""
    chain: Chain = None


class _Search:
    """One search. `best` is the number of places filled; `parts` is how, or None until something beats the floor."""

    def __init__(self, question: Question, at_most: int | None) -> None:
        self.question = question
        self.goal = question.total - (at_most or 0)
        self.best = -1 if at_most is None else self.goal - 1
        self.parts: tuple[CoverPart, ...] | None = None
        self.single: Sizes = ()
        self.leading = 0
        self.shape: Sizes = ()
        self.rest = 0
        self.for_primary = self._for_primary() if question.primary else []
        self.for_general = self._for_general() if question.total > 3 * question.primary else []
        self.limits = limits_of(question.hand, self.for_general)
        self.pairs: dict[int, list[tuple[Pattern, PlaceKind]]] = {}
        self.contended = 0
        self.hopeless: set[tuple[int, Open, int]] = set()

    def run(self, primary: Sizes, general: Sizes) -> None:
        """Search one shape."""
        self.leading = len(primary)
        self.shape = general
        self.rest = sum(general)
        self._primary(_Node(self.question.hand, primary, general), self.for_primary)

    # Patterns of three cards and more

    def _for_primary(self) -> list[Pattern]:
        """Return the patterns that can be laid into primary groups.

        With the master card, patterns count for one card more.
        """
        asked = self.question
        patterns = found(asked.hand, run_families(plus=asked.plus)) + tunnelas(asked.hand)
        if asked.primary_trial:
            patterns += found(asked.hand, trial_families(plus=asked.plus))
        if asked.master:
            patterns += masters(
                asked.hand, plus=asked.plus, tunnelas=asked.master_tunnela, trials=asked.master_trial
            )
        patterns.sort(key=_worth)
        return patterns

    def _for_general(self) -> list[Pattern]:
        """Return the patterns that can be laid into the other groups: natural cards only."""
        asked = self.question
        naturals = asked.hand & ~asked.wild
        patterns = found(naturals, run_families(plus=asked.plus)) + tunnelas(naturals)
        patterns += found(naturals, trial_families(plus=asked.plus, beyond=asked.beyond_suits))
        patterns.sort(key=_worth)
        return patterns

    def _primary(self, node: _Node, patterns: list[Pattern]) -> None:
        """Lay patterns into primary groups, then continue with the others."""
        wilds = self._wilds(node)
        most = node.laid + most_places(node.primary, limits_of(node.hand, patterns))
        most += min(self.rest, most_places(node.general, self.limits) + wilds)
        if most <= self.best:
            return
        for index, pattern in enumerate(patterns if node.primary else ()):
            for number in fitting(node.primary, pattern.sizes):
                if not self._may_wait(pattern, number):
                    continue
                hand = node.hand - pattern.mask
                self._primary(
                    node._replace(
                        hand=hand,
                        primary=minus(node.primary, number),
                        laid=node.laid + pattern.worth,
                        spent=node.spent or pattern.master,
                        chain=(CoverPart(pattern, number, primary=True), node.chain),
                    ),
                    _remaining(patterns[index:], hand, no_master=pattern.master),
                )
                if self.best >= self.goal:
                    return
        self._general(node, self._left_for_general(node))

    def _left_for_general(self, node: _Node) -> list[Pattern]:
        """Return the patterns that can still be laid into groups that are not primary.

        While a primary group is open, a pure pattern of the same size is never worse there. The exception is an
        open one with two identical cards that can wait only for the master card.
        """
        patterns = _remaining(self.for_general, node.hand)
        asked = self.question
        if not node.primary or asked.plus or (asked.master_tunnela and asked.master_live):
            return patterns
        return [] if asked.primary_trial else [item for item in patterns if not item.pure]

    def _general(self, node: _Node, patterns: list[Pattern]) -> None:
        """Lay patterns into the other groups, then fill the open groups with pairs."""
        wilds = self._wilds(node)
        most = node.laid + 2 * len(node.primary) + (self.question.master and not node.spent)
        places = most_places(node.general, limits_of(node.hand, patterns))
        if most + min(self.rest, node.naturals + places + wilds) <= self.best:
            return
        for index, pattern in enumerate(patterns if node.general else ()):
            for number in fitting(node.general, pattern.sizes):
                if not self._may_fill(pattern, number):
                    continue
                hand = node.hand - pattern.mask
                self._general(
                    node._replace(
                        hand=hand,
                        general=minus(node.general, number),
                        naturals=node.naturals + pattern.worth,
                        chain=(CoverPart(pattern, number, primary=False), node.chain),
                    ),
                    _remaining(patterns[index:], hand),
                )
                if self.best >= self.goal:
                    return
        self._leaf(node, wilds)

    def _wilds(self, node: _Node) -> int:
        """Return the number of wild cards that can stand in outside primary groups."""
        asked = self.question
        return asked.spare - node.spent + (size(node.hand & asked.wild) if asked.wild else 0)

    def _may_wait(self, pattern: Pattern, number: int) -> bool:
        """Return whether the empty places of a primary group can still be filled."""
        return pattern.worth == number or any(
            contains(self.question.live, missing)
            for missing, _ in self._awaited(pattern, number, primary=True, master=True)
        )

    def _may_fill(self, pattern: Pattern, number: int) -> bool:
        """Return whether the empty places of a group that is not primary can still be filled."""
        asked = self.question
        if pattern.worth == number or (asked.stand_ins and not pattern.same):
            return True
        return any(contains(asked.live, missing) for missing in completions(pattern, number))

    def _awaited(
        self, pattern: Pattern, number: int, *, primary: bool, master: bool
    ) -> Iterator[tuple[int, bool]]:
        """Yield the cards that can fill the empty places, and whether the master card must come too."""
        for missing in completions(pattern, number):
            yield missing, False
        if master and primary and self.question.master_live and self.question.takes_master(pattern):
            for missing in completions(with_master(pattern), number):
                yield missing, True

    def _all_may_come(self, parts: list[CoverPart]) -> bool:
        """Return whether the empty places of all parts can be filled together.

        Two parts may wait for the same last copy. Places that any wild card fills wait for no particular
        card, unless the only one already stands in within a primary group.
        """
        asked = self.question
        spent = asked.master_only and any(part.pattern.master for part in parts)
        stand_ins = asked.stand_ins and not spent
        waiting = [
            part
            for part in parts
            if part.pattern.worth < part.size and (part.primary or part.pattern.same or not stand_ins)
        ]
        alone = len(waiting) < 2 and not spent
        return alone or self._may_come(waiting, asked.live, master=True)

    def _may_come(self, waiting: list[CoverPart], live: int, *, master: bool) -> bool:
        if not waiting:
            return True
        (pattern, number, primary), *others = waiting
        return any(
            contains(live, missing) and self._may_come(others, live - missing, master=master and not with_it)
            for missing, with_it in self._awaited(pattern, number, primary=primary, master=master)
        )

    # Pairs and single cards

    def _leaf(self, node: _Node, wilds: int) -> None:
        """Fill the open groups with pairs and single cards.

        Identical cards wait for their third copy, and no wild card can stand in. So they are left out at
        first, and admitted one by one only while wild cards are too few for that to be worse. The same goes
        for wild cards in primary groups.
        """
        most_same = node.general.count(3)
        most_faced = wilds if node.primary and self.question.wild else 0
        for same in range(most_same if wilds == 0 else 0, most_same + 1):
            for faced in range(most_faced + 1):
                self._fill(node, wilds - faced, self.rest - (same if wilds else 0), same, faced)

    def _fill(self, node: _Node, wilds: int, cap: int, same: int, faced: int) -> None:
        """Find the most pairs, and keep the result if it is the best.

        The groups that are not primary fill at most `cap` places, at most `same` of them hold identical
        cards, and at most `faced` wild cards count at face value in primary pairs.
        """
        primary, general = node.primary, node.general
        alone = node.naturals + len(general) + wilds
        wanted = max(0, min(len(general), cap - alone))
        surplus = self.question.master and not node.spent and alone > cap
        filled = node.laid + len(primary) + min(cap, alone)
        places = Open(primary, general, wanted, same, faced)
        for count in range(len(primary) + wanted, -1, -1):
            if filled + count + surplus <= self.best:
                return
            parts = self._pairs(node.hand, places, count, node.chain)
            if parts is not None:
                break
        else:
            return
        alone = self.leading - sum(part.primary for part in parts)
        singles = min(alone, size(node.hand) - 2 * count)
        filled += count - (alone - singles) + (surplus and singles > 0)
        if filled > self.best:
            self._keep(filled, parts)

    def _keep(self, filled: int, parts: list[CoverPart]) -> None:
        self.best = filled
        self.parts = tuple(parts)
        self.single = self.shape
        for part in parts:
            if not part.primary:
                self.single = minus(self.single, part.size)

    def _pairs(self, hand: int, places: Open, count: int, chain: Chain) -> list[CoverPart] | None:
        """Return the parts of the chain plus `count` disjoint pairs in the open places; None if that is impossible."""
        if count == 0:
            return self._settled(chain)
        key = (hand, places, count)
        if size(hand) < 2 * count or key in self.hopeless:
            return None
        before = self.contended
        faces = present(hand)
        low = faces & -faces
        for pair, kind in self._from(low):
            if contains(hand, pair.mask):
                for number, primary, left in moves_of(kind, places):
                    longer = (CoverPart(pair, number, primary), chain)
                    parts = self._pairs(hand - pair.mask, left, count - 1, longer)
                    if parts is not None:
                        return parts
        parts = self._pairs(hand & ~every_copy(low), places, count, chain)
        if parts is None and self.contended == before:
            self.hopeless.add(key)
        return parts

    def _settled(self, chain: Chain) -> list[CoverPart] | None:
        """Return the parts of a chain; None if two of them wait for the same last copy."""
        parts = _walk(chain)
        if self._all_may_come(parts):
            return parts
        self.contended += 1
        return None

    def _from(self, low: int) -> list[tuple[Pattern, PlaceKind]]:
        """Return the pairs of the whole hand whose lower face is `low`."""
        pairs = self.pairs.get(low)
        if pairs is None:
            asked = self.question
            pairs = [
                (pair, self._kind(pair))
                for pair in pairs_from(low, plus=asked.plus, beyond=asked.beyond_suits)
                if contains(asked.hand, pair.mask)
            ]
            self.pairs[low] = pairs
        return pairs

    def _kind(self, pair: Pattern) -> PlaceKind:
        asked = self.question
        may_lead = asked.primary > 0 and (pair.pure or asked.primary_trial)
        return PlaceKind(
            pair.same,
            size(pair.mask & asked.wild) if asked.wild else 0,
            tuple(number for number in pair.sizes if self._may_wait(pair, number)) if may_lead else (),
            tuple(number for number in pair.sizes if self._may_fill(pair, number)),
        )


def _worth(pattern: Pattern) -> int:
    """Return the sort key: patterns that fill the most places come first."""
    return -pattern.worth


def _remaining(patterns: list[Pattern], hand: int, *, no_master: bool = False) -> list[Pattern]:
    """Return the patterns that the hand still holds."""
    return [item for item in patterns if contains(hand, item.mask) and not (no_master and item.master)]


def _walk(chain: Chain) -> list[CoverPart]:
    """Return the parts of a chain, the first one first."""
    parts: list[CoverPart] = []
    while chain is not None:
        part, chain = chain
        parts.append(part)
    return parts[::-1]
