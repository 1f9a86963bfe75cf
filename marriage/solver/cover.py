"""The search behind every question about groups: how many places of the wanted groups can the cards fill.

Some groups have to be primary: there only natural cards count, and an empty place waits for one exact card. In the
others wild cards are fungible: one at face value never does more than as a stand-in. So a hand is its natural cards
and the number of its wild ones, and the search looks for the natural cards that fit together best.

It places patterns of three cards and more first, the largest first, and then as many pairs as the open groups hold;
every group still open has a single card. A branch is cut where even a pattern or a pair in every open group would
not be better than what is known. Not modelled: two empty places that wait for the same last copy.
"""

from typing import NamedTuple

from marriage.solver.bits import FULL, contains, every_copy, present, size
from marriage.solver.patterns import (
    Pattern,
    can_be_completed,
    found,
    pairs_from,
    run_families,
    trial_families,
    tunnelas,
    with_master,
)
from marriage.solver.places import Kind, Open, Sizes, fitting, limits_of, minus, most_places, moves_of, shapes


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


class _Node(NamedTuple):
    """What has been laid so far, and what is left."""

    hand: int
    primary: Sizes
    """The primary groups still open."""
    general: Sizes
    """The others."""
    laid: int = 0
    """Places filled in primary groups."""
    naturals: int = 0
    """Natural cards laid into the others."""
    spent: bool = False
    """Whether the master card stands in in a primary group."""
    chain: Chain = None


class _Search:
    """One search; `best` is the number of places filled, `parts` how, None until something beats the floor."""

    def __init__(self, question: Question, at_most: int | None) -> None:
        self.question = question
        self.goal = question.total - (at_most or 0)
        self.best = -1 if at_most is None else self.goal - 1
        self.parts: tuple[Part, ...] | None = None
        self.single: Sizes = ()
        self.rest = 0
        self.for_primary = self._for_primary() if question.primary else []
        self.for_general = self._for_general() if question.total > 3 * question.primary else []
        self.limits = limits_of(question.hand, self.for_general)
        self.pairs: dict[int, list[tuple[int, Kind]]] = {}
        self.hopeless: set[tuple[int, Open, int]] = set()

    def run(self, primary: Sizes, general: Sizes) -> None:
        """Search one shape."""
        self.rest = sum(general)
        self._primary(_Node(self.question.hand, primary, general), self.for_primary)

    # Patterns of three cards and more

    def _for_primary(self) -> list[Pattern]:
        """What may be laid into primary groups; with the master card, patterns count for one card more."""
        asked = self.question
        patterns = found(asked.hand, run_families(plus=asked.plus)) + tunnelas(asked.hand)
        if asked.primary_trial:
            patterns += found(asked.hand, trial_families(plus=asked.plus))
        if asked.master:
            runs = found(asked.hand, run_families(plus=asked.plus, pairs=True))
            patterns += [with_master(run) for run in runs if run.worth < run.sizes[-1]]
        patterns.sort(key=_worth)
        return patterns

    def _for_general(self) -> list[Pattern]:
        """What may be laid into the other groups: natural cards alone."""
        asked = self.question
        naturals = asked.hand & ~asked.wild
        patterns = found(naturals, run_families(plus=asked.plus)) + tunnelas(naturals)
        patterns += found(naturals, trial_families(plus=asked.plus))
        patterns.sort(key=_worth)
        return patterns

    def _primary(self, node: _Node, patterns: list[Pattern]) -> None:
        """Lay patterns into primary groups, then go on with the others."""
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
                        chain=(Part(pattern.mask, number, primary=True, master=pattern.master), node.chain),
                    ),
                    _remaining(patterns[index:], hand, no_master=pattern.master),
                )
                if self.best >= self.goal:
                    return
        self._general(node, self._left_for_general(node))

    def _left_for_general(self, node: _Node) -> list[Pattern]:
        """What may still be laid into groups that are not primary.

        While a primary group is open, a pure one there is never worse than here, sizes being equal.
        """
        patterns = _remaining(self.for_general, node.hand)
        asked = self.question
        if not node.primary or asked.plus:
            return patterns
        return [] if asked.primary_trial else [item for item in patterns if not item.pure]

    def _general(self, node: _Node, patterns: list[Pattern]) -> None:
        """Lay patterns into the other groups, then fill what is open with pairs."""
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
                        chain=(Part(pattern.mask, number, primary=False), node.chain),
                    ),
                    _remaining(patterns[index:], hand),
                )
                if self.best >= self.goal:
                    return
        self._leaf(node, wilds)

    def _wilds(self, node: _Node) -> int:
        """The wild cards that may stand in in the groups that are not primary."""
        asked = self.question
        return asked.spare - node.spent + (size(node.hand & asked.wild) if asked.wild else 0)

    def _may_wait(self, pattern: Pattern, number: int) -> bool:
        """Whether the empty places of a primary group may still be filled."""
        missing = number - pattern.worth
        return (
            missing == 0
            or can_be_completed(pattern, number, self.question.live)
            or (missing == 1 and self._master_may_help(pattern))
        )

    def _master_may_help(self, pattern: Pattern) -> bool:
        """Whether the master card is there or may come to fill one place, whichever card belongs there."""
        may_come = pattern.master or self.question.master_live
        return may_come and pattern.pure and not pattern.same

    def _may_fill(self, pattern: Pattern, number: int) -> bool:
        """Whether the empty places of a group that is not primary may still be filled."""
        asked = self.question
        if pattern.worth == number or (asked.stand_ins and not pattern.same):
            return True
        return can_be_completed(pattern, number, asked.live)

    # Pairs and single cards

    def _leaf(self, node: _Node, wilds: int) -> None:
        """Fill the open groups with pairs and singles.

        Identical cards wait for their third copy and no wild card. So they are kept out, and let in one by one
        where wild cards are not enough to make that worse. The same goes for wild cards in primary groups.
        """
        most_same = node.general.count(3)
        most_faced = wilds if node.primary and self.question.wild else 0
        for same in range(most_same if wilds == 0 else 0, most_same + 1):
            for faced in range(most_faced + 1):
                self._fill(node, wilds - faced, self.rest - (same if wilds else 0), same, faced)

    def _fill(self, node: _Node, wilds: int, cap: int, same: int, faced: int) -> None:
        """Find the most pairs and keep the result if it is the best.

        The groups that are not primary fill `cap` places at most, `same` of them may hold identical cards, and
        `faced` wild cards may act at face value in primary pairs.
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
            pairs = self._pairs(node.hand, places, count)
            if pairs is not None:
                break
        else:
            return
        paired = sum(part.primary for part in pairs)
        singles = min(len(primary) - paired, size(node.hand) - 2 * count)
        filled += count - (len(primary) - paired - singles) + (surplus and singles > 0)
        if filled > self.best:
            self._keep(filled, node, pairs)

    def _keep(self, filled: int, node: _Node, pairs: list[Part]) -> None:
        self.best = filled
        self.parts = (*reversed(_walk(node.chain)), *pairs)
        self.single = node.general
        for part in pairs:
            if not part.primary:
                self.single = minus(self.single, part.size)

    def _pairs(self, hand: int, places: Open, count: int) -> list[Part] | None:
        """So many disjoint pairs in the open places; None where there are not so many."""
        if count == 0:
            return []
        key = (hand, places, count)
        if size(hand) < 2 * count or key in self.hopeless:
            return None
        faces = present(hand)
        low = faces & -faces
        for mask, kind in self._from(low):
            if contains(hand, mask):
                for number, primary, left in moves_of(kind, places):
                    others = self._pairs(hand - mask, left, count - 1)
                    if others is not None:
                        return [Part(mask, number, primary), *others]
        others = self._pairs(hand & ~every_copy(low), places, count)
        if others is None:
            self.hopeless.add(key)
        return others

    def _from(self, low: int) -> list[tuple[int, Kind]]:
        """The pairs of the whole hand whose lower face is `low`."""
        pairs = self.pairs.get(low)
        if pairs is None:
            asked = self.question
            pairs = [
                (pair.mask, self._kind(pair))
                for pair in pairs_from(low, plus=asked.plus)
                if contains(asked.hand, pair.mask)
            ]
            self.pairs[low] = pairs
        return pairs

    def _kind(self, pair: Pattern) -> Kind:
        asked = self.question
        may_lead = asked.primary > 0 and (pair.pure or asked.primary_trial)
        return Kind(
            pair.same,
            size(pair.mask & asked.wild) if asked.wild else 0,
            tuple(number for number in pair.sizes if self._may_wait(pair, number)) if may_lead else (),
            tuple(number for number in pair.sizes if self._may_fill(pair, number)),
        )


def _worth(pattern: Pattern) -> int:
    """For sorting: what fills the most comes first."""
    return -pattern.worth


def _remaining(patterns: list[Pattern], hand: int, *, no_master: bool = False) -> list[Pattern]:
    """Those that the hand still holds."""
    return [item for item in patterns if contains(hand, item.mask) and not (no_master and item.master)]


def _walk(chain: Chain) -> list[Part]:
    """The parts of a chain, the last one first."""
    parts: list[Part] = []
    while chain is not None:
        part, chain = chain
        parts.append(part)
    return parts
