"""What to lay: three primary groups or seven dublees for a show, groups and one discard for a finish.

For its holder a hand is laid out in complete groups, incomplete groups, and the rest.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from marriage.bits import contains, pack, size, twice, unpack
from marriage.cards import CARDS, FACES, MAN, MASTER, Card, Cards, sort_cards, without
from marriage.groups import GroupKind, group_kind, in_order
from marriage.maal import wild_faces
from marriage.rules import FINISH_DUBLEES, PRIMARY_GROUPS, SHOW_DUBLEES, Rules
from marriage.solver.cover import cover
from marriage.solver.hand import (
    NEVER,
    Hand,
    finish_question,
    holes,
    interchangeable,
    less,
    show_question,
    wild_copies,
    within,
)
from marriage.solver.question import (
    Cover,
    Pattern,
    Question,
    disjoint,
    found,
    identical_pairs,
    masters,
    most_threes,
    run_families,
    trial_families,
    tunnelas,
    whole_threes,
    with_master,
)

_MOST_CHOICES: Final = 16
"""The number of different rests that `plan_show` compares."""


def find_show(
    concealed: Cards, exposed: Cards, rules: Rules, *, packed: int | None = None
) -> tuple[Cards, ...] | None:
    """Find three primary groups to lay, the exposed tunnelas of these faces first; None if there are not three.

    `packed` is the hand in the form of `marriage.bits`, if the caller has it.
    """
    wanted = PRIMARY_GROUPS - len(exposed)
    hand = pack(concealed) if packed is None else packed
    master = rules.master_in_sequences and MASTER in concealed
    if not master and most_threes(hand, trials=rules.primary_trial) < wanted:
        return None
    threes = whole_threes(hand, trials=rules.primary_trial)
    if master:
        threes += masters(hand, plus=False, tunnelas=rules.master_in_tunnelas, trials=rules.master_in_trials)
    laid = disjoint(threes, hand, wanted)
    return None if laid is None else (*_open_tunnelas(exposed), *(pattern.cards for pattern in laid))


def plan_show(hand: Hand, rules: Rules) -> tuple[Cards, ...] | None:
    """Return the three primary groups whose laying leaves the smallest expected distance to a finish.

    Players choose their groups before they see the tiplu. So the distance is averaged over every possible
    tiplu, weighted by its unseen copies (unless the tiplu is open). Of very many choices only the most
    promising are compared.
    """
    choices = _choices(finish_question(hand, rules))
    if not choices:
        return None
    rests = sorted(choices, key=_distance_without_tiplu)[:_MOST_CHOICES]
    memo: dict[Question, int] = {}
    best = min(rests, key=lambda rest: _expected(rest, hand, rules, memo)) if len(rests) > 1 else rests[0]
    return (*_open_tunnelas(hand.exposed), *(pattern.cards for pattern in choices[best]))


def distances_after(hand: Hand, rules: Rules, laid: Iterable[Cards]) -> dict[Cards, int]:
    """Return the distance to a finish after each of these choices of cards to lay, averaged over every tiplu.

    The values are comparable with each other. If there are very many choices, only the most promising have a
    value.
    """
    asked = finish_question(hand, rules)
    if not asked.primary:
        return dict.fromkeys(laid, 0)  # the exposed tunnelas are the whole show
    rests = {cards: _rest(asked, pack(cards), len(cards), cards.count(MASTER)) for cards in sorted(laid)}
    promising = sorted(rests, key=lambda cards: _distance_without_tiplu(rests[cards]))[:_MOST_CHOICES]
    memo: dict[Question, int] = {}
    return {cards: _expected(rests[cards], hand, rules, memo) for cards in promising}


def _rest(asked: Question, laid: int, count: int, spent: int) -> Question:
    """Return the question that is left after laying `count` cards, `spent` of them the master card."""
    return asked._replace(
        hand=asked.hand - laid,
        primary=0,
        total=asked.total - count,
        spare=asked.spare - spent,
        master=False,
        master_live=False,
    )


def pairs(cards: Cards, rules: Rules) -> Cards:
    """Return the faces of all dublees among the cards of a seat, sorted; pass exposed and laid cards too.

    A third copy does not make a second pair. Two man cards make one only if the rules say so.
    """
    copies = Counter(cards)
    return sort_cards(
        card
        for card, count in copies.items()
        if count >= 2 and (card.is_pack or (card == MAN and rules.joker_dublee))
    )


def find_dublees(
    cards: Cards, rules: Rules, *, exposed: Cards = (), must: Card | None = None, packed: int | None = None
) -> Cards | None:
    """Return the faces of seven dublees to show, sorted; None if there are fewer.

    Those of the tunnelas that the seat has `exposed` come first, because that leaves the most cards in hand,
    and one has to be left to discard. `must` is a face that has to be among them. `packed` is the hand in the
    form of `marriage.bits`, if the caller has it.
    """
    hand = pack(cards) if packed is None else packed
    if twice(hand).bit_count() + rules.joker_dublee < SHOW_DUBLEES:
        return None  # true for most hands, and saves counting the copies of each card
    faces = pairs(cards, rules)
    if len(faces) < SHOW_DUBLEES or not (must is None or must in faces):
        return None
    first = sorted(faces, key=lambda face: (face != must, face not in exposed))
    return sort_cards(first[:SHOW_DUBLEES])


def _open_tunnelas(exposed: Cards) -> tuple[Cards, ...]:
    return tuple((face,) * 3 for face in exposed[:PRIMARY_GROUPS])


def _choices(asked: Question) -> dict[Question, tuple[Pattern, ...]]:
    """Return the ways to lay the primary groups, keyed by the question that the rest of the hand poses.

    Each rest has one way.
    """
    wholes = list(_whole_groups(asked))
    choices: dict[Question, tuple[Pattern, ...]] = {}

    def lay(start: int, hand: int, laid: tuple[Pattern, ...]) -> None:
        if len(laid) == asked.primary:
            spent = sum(whole.master for whole in laid)
            rest = _rest(asked, asked.hand - hand, sum(whole.worth for whole in laid), spent)
            choices.setdefault(rest, laid)
            return
        for index in range(start, len(wholes)):
            whole = wholes[index]
            if contains(hand, whole.mask) and not (whole.master and any(other.master for other in laid)):
                lay(index, hand - whole.mask, (*laid, whole))

    lay(0, asked.hand, ())
    return choices


def _whole_groups(asked: Question) -> Iterator[Pattern]:
    """Yield the primary groups in the hand that have no empty places, the smaller ones first."""
    patterns = tunnelas(asked.hand) + found(asked.hand, run_families(plus=asked.plus, pairs=asked.master))
    if asked.master:
        patterns += identical_pairs(asked.hand)
    if asked.primary_trial:
        patterns += found(asked.hand, trial_families(plus=asked.plus, pairs=asked.master))
    for pattern in sorted(patterns, key=lambda pattern: pattern.worth):
        if pattern.worth == pattern.sizes[0]:
            yield pattern
        if asked.master and asked.takes_master(pattern) and pattern.worth + 1 in pattern.sizes:
            yield with_master(pattern)


def _distance_without_tiplu(rest: Question) -> int:
    return holes(interchangeable(rest))


def _expected(rest: Question, hand: Hand, rules: Rules, memo: dict[Question, int]) -> int:
    """Return the distance of a rest, weighted over every tiplu that the seat may see.

    The values are comparable, not normalised. The copy that is the tiplu still counts as one that may come:
    only two identical cards wait for a natural card, and those of its face are wild.
    """
    if hand.tiplu is not None:
        return _distance_without_tiplu(rest)
    left = hand.left(rules)
    total = 0
    for card in CARDS[:FACES]:
        if left[card]:
            wild = wild_copies(wild_faces(card))
            asked = interchangeable(rest._replace(wild=wild, stand_ins=True))
            if asked not in memo:
                memo[asked] = holes(asked)
            total += left[card] * memo[asked]
    return total


@dataclass(frozen=True, slots=True)
class FinishPlan:
    """A finish by groups."""

    groups: tuple[Cards, ...]
    discard: Card


def find_finish(
    concealed: Cards,
    free_groups: int | None,
    wilds: frozenset[Card],
    rules: Rules,
    *,
    barred: Card | None = None,
    keep: frozenset[Card] = frozenset(),
    packed: int | None = None,
) -> FinishPlan | None:
    """Split the cards in hand into groups and one discard; None if that is not possible.

    `concealed` are all cards that are neither laid nor exposed: one more than the groups take. `free_groups`
    is the number of groups of three to make; it is ignored if longer groups are played. A card of the face
    `barred` is discarded only if there is no other. A face in `keep` (the maal) or a wild card is discarded
    only if no other discard finishes. `packed` is the hand in the form of `marriage.bits`, if the caller has
    it.
    """
    return next(
        find_finishes(concealed, free_groups, wilds, rules, barred=barred, keep=keep, packed=packed), None
    )


def find_finishes(
    concealed: Cards,
    free_groups: int | None,
    wilds: frozenset[Card],
    rules: Rules,
    *,
    barred: Card | None = None,
    keep: frozenset[Card] = frozenset(),
    packed: int | None = None,
) -> Iterator[FinishPlan]:
    """Yield one finish for each face that can be the discard, the best first. The arguments are those of `find_finish`."""
    if rules.group_size == "three" and len(concealed) != 3 * (free_groups or 0) + 1:
        return
    hand = pack(concealed) if packed is None else packed
    natural = hand & ~wild_copies(wilds)
    spare = len(concealed) - size(natural)
    plus = rules.group_size == "three_plus"
    whole = len(concealed) // 3 - spare
    if not (plus or _groups_to_finish(natural, whole)):
        return  # true for most hands, and faster than a search
    asked = Question(
        natural,
        primary=0,
        total=len(concealed) - 1,
        spare=spare,
        stand_ins=True,
        plus=plus,
        long_trial=rules.long_trial,
    )
    if not within(asked, 0):
        return  # one search for any discard instead of one for each
    for discard in _discards(concealed, barred, keep, wilds):
        left = less(asked, discard, wilds)
        if not (plus or _groups_to_finish(left.hand, whole)):
            continue
        if within(left, 0) and (found := cover(left, at_most=0)) is not None:
            yield FinishPlan(complete(found, without(concealed, [discard]), wilds), discard)


def _groups_to_finish(natural: int, wanted: int) -> bool:
    """Return whether enough whole groups of three can be made.

    Groups with a wild card are not counted, because they need one each.
    """
    if most_threes(natural, trials=True) < wanted:
        return False
    return disjoint(whole_threes(natural, trials=True), natural, wanted) is not None


def complete(found: Cover, cards: Cards, wilds: frozenset[Card]) -> tuple[Cards, ...]:
    """Return the groups of a cover without holes that uses all these cards. Wild cards fill the empty places."""
    naturals = pack(card for card in cards if card not in wilds)
    stand_ins = [card for card in cards if card in wilds]
    singles = list(unpack(naturals - sum(part.pattern.mask for part in found.parts)))
    groups: list[Cards] = []
    for places, group in [
        *((part.size, part.cards) for part in found.parts),
        *((single, (singles.pop(0),) if singles else ()) for single in found.single),
    ]:
        missing = places - len(group)
        groups.append(sort_cards((*group, *stand_ins[:missing])))
        del stand_ins[:missing]
    return tuple(groups)


def _discards(concealed: Cards, barred: Card | None, keep: frozenset[Card], wilds: frozenset[Card]) -> Cards:
    """Return the faces to try as the last discard, the best first."""
    faces = sorted(set(concealed), key=lambda card: (card in keep, card in wilds, card))
    return tuple(card for card in faces if card != barred) or tuple(faces)


_PURE = (GroupKind.TUNNELA, GroupKind.SEQUENCE)


@dataclass(frozen=True, slots=True)
class ArrangedHand:
    """The layout of the cards in hand: each card is in exactly one part."""

    groups: tuple[Cards, ...]
    """Complete groups (dublees for a seat that showed by them), pure ones first, each in the order of reading."""
    partial: tuple[Cards, ...]
    """Two or more natural cards of an incomplete group."""
    rest: Cards
    """All other cards, sorted."""
    distance: int
    """The fewest cards still needed: for a show if the seat has not shown, else for the finish."""


def arrange(hand: Hand, rules: Rules) -> ArrangedHand:
    """Lay out a hand so that it needs the fewest further cards.

    Before the show, primary groups come first and other groups use what is left. Nothing is wild then.
    """
    if any(len(group) == 2 for group in hand.laid):
        return _dublees(hand, rules)
    table = _Table(hand.concealed)
    finish = finish_question(hand, rules)
    if hand.laid:
        best = cover(finish)
        table.lay(best, hand.wilds)
    else:
        show = show_question(hand, rules)
        best = cover(show)
        table.lay(best, frozenset())
        others = finish._replace(
            hand=pack(table.rest), primary=0, total=finish.total - show.total, spare=0, wild=0
        )
        table.lay(cover(others), frozenset())
    wilds = hand.wilds if hand.laid else frozenset((MASTER,))
    groups = sorted(table.groups, key=lambda group: group_kind(group, wilds, rules) not in _PURE)
    return ArrangedHand(
        tuple(in_order(group, wilds) for group in groups),
        tuple(in_order(group, frozenset()) for group in table.partial),
        sort_cards(table.rest),
        NEVER if best is None else best.holes,
    )


@dataclass(slots=True)
class _Table:
    """The layout in progress: it moves cards from the rest into groups."""

    rest: Cards
    groups: list[Cards] = field(default_factory=list[Cards])
    partial: list[Cards] = field(default_factory=list[Cards])

    def lay(self, best: Cover | None, wilds: frozenset[Card]) -> None:
        """Lay the parts of a cover. Wild cards of the rest first complete the groups that lack fewest cards."""
        if best is None:
            return
        for part in sorted(best.parts, key=lambda part: part.size - part.pattern.worth):
            cards = part.cards
            stand_ins = frozenset[Card]() if part.pattern.same else wilds
            if not self._complete(cards, part.size, stand_ins):
                self.partial.append(cards)
                self.rest = without(self.rest, cards)
        for wanted in best.single:
            naturals = [card for card in self.rest if card not in wilds]
            self._complete(tuple(naturals[:1]), wanted, wilds)

    def _complete(self, cards: Cards, size: int, wilds: frozenset[Card]) -> bool:
        """Complete these cards to a group with wild cards of the rest; return False if there are too few."""
        missing = size - len(cards)
        stand_ins = [card for card in self.rest if card in wilds][:missing]
        if len(stand_ins) < missing:
            return False
        self.groups.append((*cards, *stand_ins))
        self.rest = without(self.rest, self.groups[-1])
        return True


def _dublees(hand: Hand, rules: Rules) -> ArrangedHand:
    """Lay out the hand of a seat that showed by dublees. Only an eighth pair matters to it."""
    shown = {group[0] for group in hand.laid}
    eighth = tuple((face, face) for face in pairs(hand.concealed, rules) if face not in shown)
    exposed = any(face not in shown for face in hand.exposed)
    rest = without(hand.concealed, [card for pair in eighth for card in pair])
    return ArrangedHand(eighth, (), rest, 0 if eighth or exposed else FINISH_DUBLEES - len(hand.laid))
