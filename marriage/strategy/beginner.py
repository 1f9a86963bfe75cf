"""An easy computer player, for people learning the game."""

from dataclasses import dataclass

from marriage.actions import Action, CutTiplu, Discard, DrawStock
from marriage.cards import Card
from marriage.legal import discards, finishes, shows, throw_fouls, wilds
from marriage.maal import scoring_faces
from marriage.state import Phase, ShowKind
from marriage.strategy.players import tunnela_answer
from marriage.view import View


@dataclass(frozen=True, slots=True)
class BeginnerPlayer:
    """Always draws from the stock and discards the card with the fewest neighbours, without looking ahead.

    It shows and finishes when it can. It is deterministic.
    """

    near: int = 2
    """The greatest difference in rank between neighbours in a suit."""
    keeps_wilds: bool = True
    """Whether the player keeps wild cards, and maal after a show by dublees."""

    def choose(self, view: View) -> Action:
        """The action for the viewer, who must be able to act."""
        if (answer := tunnela_answer(view)) is not None:
            return answer
        match view.phase:
            case Phase.DRAW:
                return DrawStock()
            case Phase.CUT:
                return CutTiplu()
            case _:
                return next(iter((*finishes(view), *shows(view))), None) or self._throw(view)

    def _throw(self, view: View) -> Discard:
        held, fouls = view.own.concealed or (), throw_fouls(view)
        keep = _cards_to_keep(view) if self.keeps_wilds else frozenset[Card]()

        def order(card: Card) -> tuple[bool, bool, int, Card]:
            near = sum(self._are_near(card, other) for other in held) - 1  # not the card itself
            kept = card in keep or (self.keeps_wilds and not card.is_pack)
            return (card in fouls, kept, near, card)

        return Discard(min(discards(view), key=order))

    def _are_near(self, card: Card, other: Card) -> bool:
        """Whether two cards are neighbours in a suit, or equal man or master cards."""
        if not (card.is_pack and other.is_pack):
            return card == other
        return card.suit == other.suit and abs(card.rank - other.rank) <= self.near


def _cards_to_keep(view: View) -> frozenset[Card]:
    """Return the cards to keep: wild cards, or maal after a show by dublees, where wild cards replace nothing."""
    if view.own.shown is ShowKind.DUBLEES and view.tiplu is not None:
        return scoring_faces(view.tiplu, view.rules)
    return wilds(view)
