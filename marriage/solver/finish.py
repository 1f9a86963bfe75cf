"""How to finish: the cards in hand as groups and one discard."""

from dataclasses import dataclass

from marriage.cards import Card, Cards, sort_cards, without
from marriage.rules import Rules
from marriage.solver.bits import pack, size, unpack
from marriage.solver.cover import cover
from marriage.solver.hand import less, wild_copies, within
from marriage.solver.patterns import disjoint, whole_threes
from marriage.solver.question import Cover, Question


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
) -> FinishPlan | None:
    """Part the cards in hand into groups and one discard; None where that cannot be done.

    `concealed` are all cards neither laid nor exposed, one more than the groups take. `free_groups` is how many
    groups of three they have to make; where longer groups are played it is not looked at. A card of the face
    `barred` is discarded only if there is no other; a face of `keep` (the maal) or a wild card only if no other
    discard finishes.
    """
    if rules.group_size == "three" and len(concealed) != 3 * (free_groups or 0) + 1:
        return None
    asked = _question(concealed, wilds, rules)
    if not _may_finish(asked):
        return None
    for discard in _discards(concealed, barred, keep, wilds):
        left = less(asked, discard, wilds)
        if within(left, 0) and (found := cover(left, at_most=0)) is not None:
            return FinishPlan(complete(found, without(concealed, [discard]), wilds), discard)
    return None


def _may_finish(asked: Question) -> bool:
    """Whether the groups could be made if any card at all might be left over, natural or wild.

    Most hands cannot finish, and this says so in one search, or without any, instead of one for each discard.
    """
    if not asked.plus:
        # A group without a wild card is whole; the others take at least one each.
        whole = max(0, asked.total // 3 - asked.spare)
        if disjoint(whole_threes(asked.hand, trials=True), asked.hand, whole) is None:
            return False
    return within(asked, 0)


def complete(found: Cover, cards: Cards, wilds: frozenset[Card]) -> tuple[Cards, ...]:
    """The groups of a cover without holes that takes all these cards: wild ones fill the empty places."""
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
    """The faces to try as the closing discard, the best first."""
    faces = sorted(set(concealed), key=lambda card: (card in keep, card in wilds, card))
    return tuple(card for card in faces if card != barred) or tuple(faces)


def _question(cards: Cards, wilds: frozenset[Card], rules: Rules) -> Question:
    """Whether natural cards and a number of wild ones, all but one of these cards, make up groups."""
    natural = pack(cards) & ~wild_copies(wilds)
    return Question(
        hand=natural,
        primary=0,
        total=len(cards) - 1,
        spare=len(cards) - size(natural),
        live=0,
        stand_ins=True,
        plus=rules.group_size == "three_plus",
    )
