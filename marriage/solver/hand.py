"""What the solver is asked about: a seat's cards and what the seat knows."""

from collections import Counter
from dataclasses import dataclass
from typing import Final, Self

from marriage.cards import CARDS, MAN, MASTER, PACKS, Card, Cards
from marriage.maal import wild_faces
from marriage.rules import HAND_SIZE, PRIMARY_GROUPS, Rules
from marriage.solver.bits import ONE, every_copy, pack
from marriage.solver.cover import Question, cover
from marriage.view import View

NEVER: Final = 99
"""The distance of a hand whose cards cannot be parted into groups, whatever comes."""
_PRINTED: Final = frozenset((MAN, MASTER))


@dataclass(frozen=True, slots=True)
class Hand:
    """The cards of one seat, and what it knows of the others."""

    concealed: Cards
    """The cards in hand: neither laid nor exposed."""
    exposed: Cards = ()
    """The face of each exposed tunnela."""
    laid: tuple[Cards, ...] = ()
    """The groups shown; empty for a seat that has not shown."""
    tiplu: Card | None = None
    """The tiplu, if the seat knows it."""
    dead: Cards = ()
    """Cards of others that lie face up and will not come."""

    @classmethod
    def of(cls, view: View) -> Self:
        """The hand of the viewer; raises ValueError for a spectator."""
        own = view.own
        others = [seat for index, seat in enumerate(view.seats) if index != view.viewer]
        laid = Counter[Card]()
        for seat in others:
            on_table = Counter(card for group in seat.laid for card in group)
            laid += on_table | Counter(dict.fromkeys(seat.exposed, PACKS))
        return cls(
            concealed=own.concealed or (),
            exposed=own.exposed,
            laid=own.laid,
            tiplu=view.tiplu,
            dead=(*view.pile, *laid.elements()),
        )

    @property
    def wilds(self) -> frozenset[Card]:
        """The faces that are wild after seeing, as far as the seat knows."""
        return _PRINTED if self.tiplu is None else wild_faces(self.tiplu)

    @property
    def open_primary(self) -> int:
        """How many primary groups are still to be made."""
        return 0 if self.laid else max(0, PRIMARY_GROUPS - len(self.exposed))

    @property
    def open_cards(self) -> int:
        """How many cards the groups still to be made have together."""
        on_table = sum(map(len, self.laid)) + 3 * sum((face,) * 3 not in self.laid for face in self.exposed)
        return HAND_SIZE - on_table

    def left(self, rules: Rules) -> Counter[Card]:
        """How many copies of each face the seat cannot see: they may still come."""
        deck = Counter({card: PACKS for card in CARDS if card.is_pack})
        deck[MAN] = rules.man_cards
        deck[MASTER] = int(rules.master_card != "off")
        deck.subtract(self.concealed)
        deck.subtract(self.dead)
        deck.subtract(card for group in self.laid for card in group)
        for face in self.exposed:
            if (face,) * 3 not in self.laid:
                deck[face] -= PACKS
        if self.tiplu is not None:
            deck[self.tiplu] -= 1
        return +deck


def show_question(hand: Hand, rules: Rules) -> Question:
    """The three primary groups of a show, less the exposed tunnelas."""
    return question(hand, rules, hand.open_primary * 3)


def finish_question(hand: Hand, rules: Rules) -> Question:
    """All groups still to be made for a finish."""
    return question(hand, rules, hand.open_cards)


def question(hand: Hand, rules: Rules, total: int) -> Question:
    """The search for groups of so many cards in all, the open primary ones among them."""
    left = hand.left(rules)
    wilds = hand.wilds
    spare = sum(not card.is_pack and card in wilds for card in hand.concealed)
    wild = every_copy(sum(ONE[card] for card in wilds if card.is_pack))
    packed = pack(hand.concealed)
    always = rules.master_card == "always" and hand.open_primary > 0
    return Question(
        hand=packed,
        primary=hand.open_primary,
        total=total,
        spare=spare,
        wild=wild,
        live=sum(ONE[card] for card in left if card.is_pack),
        stand_ins=bool(spare or packed & wild or any(card in wilds for card in left)),
        master=always and MASTER in hand.concealed,
        master_live=always and MASTER in left,
        primary_trial=rules.primary_trial,
        plus=rules.group_size == "three_plus",
    )


def distance(hand: Hand, rules: Rules) -> int:
    """The fewest cards still to come until the seat could finish by groups, one discard aside.

    Before a show it counts the primary groups and all others; with the tiplu unknown only man and master cards are
    wild in it.
    """
    return _holes(finish_question(hand, rules))


def show_distance(hand: Hand, rules: Rules) -> int:
    """The fewest cards still to come until the seat could show three primary groups."""
    return _holes(show_question(hand, rules))


def _holes(asked: Question) -> int:
    found = cover(asked)
    return NEVER if found is None else found.holes
