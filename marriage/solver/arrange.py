"""Lay out a hand for its holder: complete groups, incomplete groups, and the rest."""

from dataclasses import dataclass, field

from marriage.bits import pack
from marriage.cards import MASTER, Card, Cards, sort_cards, without
from marriage.groups import GroupKind, group_kind, in_order
from marriage.rules import FINISH_DUBLEES, Rules
from marriage.solver.cover import cover
from marriage.solver.hand import NEVER, Hand, finish_question, show_question
from marriage.solver.question import Cover
from marriage.solver.show import pairs

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
        for size in best.single:
            naturals = [card for card in self.rest if card not in wilds]
            self._complete(tuple(naturals[:1]), size, wilds)

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
