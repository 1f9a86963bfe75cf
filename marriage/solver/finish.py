"""Find a finish: split the cards in hand into groups and one discard."""

from collections.abc import Iterator
from dataclasses import dataclass

from marriage.bits import pack, size, unpack
from marriage.cards import Card, Cards, sort_cards, without
from marriage.rules import Rules
from marriage.solver.cover import cover
from marriage.solver.hand import less, wild_copies, within
from marriage.solver.question import Cover, Question, disjoint, most_threes, whole_threes


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
    if not (plus or _whole_groups(natural, whole)):
        return  # true for most hands, and faster than a search
    asked = Question(
        natural,
        primary=0,
        total=len(concealed) - 1,
        spare=spare,
        live=0,
        stand_ins=True,
        plus=plus,
        long_trial=rules.long_trial,
    )
    if not within(asked, 0):
        return  # one search for any discard instead of one for each
    for discard in _discards(concealed, barred, keep, wilds):
        left = less(asked, discard, wilds)
        if not (plus or _whole_groups(left.hand, whole)):
            continue
        if within(left, 0) and (found := cover(left, at_most=0)) is not None:
            yield FinishPlan(complete(found, without(concealed, [discard]), wilds), discard)


def _whole_groups(natural: int, wanted: int) -> bool:
    """Return whether enough whole groups of three can be made.

    Groups with a wild card are not counted, because they need one each.
    """
    if wanted <= 0:
        return True
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
