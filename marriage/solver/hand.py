"""The input of the solver: a seat's cards and what the seat knows."""

from functools import cache
from itertools import chain
from typing import Final, NamedTuple, Self

from marriage.bits import ONE, every_copy, others, pack, size
from marriage.cards import FACES, MAN, MASTER, PACKS, Card, Cards
from marriage.maal import wild_faces
from marriage.rules import HAND_SIZE, PRIMARY_GROUPS, Rules
from marriage.solver import three
from marriage.solver.cover import cover
from marriage.solver.question import Question
from marriage.view import View

NEVER: Final = 99
"""The distance of a hand that cannot be split into groups, whatever cards come."""
_PRINTED: Final = frozenset((MAN, MASTER))


class Hand(NamedTuple):
    """The cards of one seat, and the cards of others that it sees."""

    concealed: Cards
    """The cards in hand: neither laid nor exposed."""
    exposed: Cards = ()
    """The face of each exposed tunnela."""
    laid: tuple[Cards, ...] = ()
    """The groups that the seat has shown; empty before its show."""
    tiplu: Card | None = None
    """The tiplu, if the seat knows it."""
    dead: Cards = ()
    """Other seats' face-up cards, which can no longer come."""

    @classmethod
    def of(cls, view: View) -> Self:
        """Return the hand of the viewer; raises ValueError for a spectator."""
        seat_view = view.own
        others = [seat for index, seat in enumerate(view.seats) if index != view.viewer]
        on_table = (
            card for seat in others for group in open_groups(seat.laid, seat.exposed) for card in group
        )
        return cls(
            concealed=seat_view.concealed or (),
            exposed=seat_view.exposed,
            laid=seat_view.laid,
            tiplu=view.tiplu,
            dead=(*view.pile, *on_table),
        )

    @property
    def wilds(self) -> frozenset[Card]:
        """The faces that will be wild after seeing, as far as the seat knows."""
        return _PRINTED if self.tiplu is None else wild_faces(self.tiplu)

    @property
    def on_table(self) -> tuple[Cards, ...]:
        """All open cards of the seat."""
        return open_groups(self.laid, self.exposed) if self.laid or self.exposed else ()

    @property
    def open_primary(self) -> int:
        """The number of primary groups still to be made."""
        return 0 if self.laid else max(0, PRIMARY_GROUPS - len(self.exposed))

    @property
    def open_cards(self) -> int:
        """The total number of cards in the groups still to be made."""
        return HAND_SIZE - sum(map(len, self.on_table))

    @property
    def elsewhere(self) -> Cards:
        """All visible cards outside the hand, which cannot come any more."""
        others = self.dead if self.tiplu is None else (*self.dead, self.tiplu)
        sets = self.on_table
        return (*others, *chain.from_iterable(sets)) if sets else others

    def left(self, rules: Rules) -> list[int]:
        """Return, by the number of each face, how many copies the seat cannot see. They may still come."""
        deck = [*[PACKS] * FACES, rules.man_cards, int(rules.master_card != "off")]
        for card in (*self.concealed, *self.elsewhere):
            deck[card] -= 1
        return deck


def open_groups(laid: tuple[Cards, ...], exposed: Cards) -> tuple[Cards, ...]:
    """Return all open groups of a seat: those shown, and the exposed tunnelas that are not among them."""
    broken = tuple((face, face) for face in exposed)
    whole = tuple((face,) * PACKS for face in exposed)
    return (
        *(group for group in laid if group not in broken),
        *(group for group in whole if group not in laid),
    )


def show_question(hand: Hand, rules: Rules) -> Question:
    """Ask for the three primary groups of a show, less the exposed tunnelas.

    A longer run contains one of three cards.
    """
    return question(hand, rules, hand.open_primary * 3)._replace(plus=False)


def finish_question(hand: Hand, rules: Rules) -> Question:
    """Ask for all groups still to be made for a finish."""
    return question(hand, rules, hand.open_cards)


def question(hand: Hand, rules: Rules, total: int) -> Question:
    """Ask for groups of `total` cards, including the open primary groups."""
    concealed, elsewhere = hand.concealed, hand.elsewhere
    cards = pack(concealed)
    live = others(cards + pack(elsewhere))
    spare = len(concealed) - size(cards)
    wild = wild_copies(hand.wilds)
    man_live = rules.man_cards > 0 and concealed.count(MAN) + elsewhere.count(MAN) < rules.man_cards
    master_live = rules.master_card != "off" and MASTER not in (*concealed, *elsewhere)
    primary = hand.open_primary
    asked = Question(
        cards,
        primary,
        total,
        spare,
        wild,
        live,
        bool(spare or (cards | live) & wild or man_live or master_live),
        primary_trial=rules.primary_trial,
        plus=rules.group_size == "three_plus",
        long_trial=rules.long_trial,
    )
    if not primary:
        return interchangeable(asked)
    if rules.master_in_sequences:
        return asked._replace(
            master=MASTER in hand.concealed,
            master_live=master_live,
            master_tunnela=rules.master_in_tunnelas,
            master_trial=rules.master_in_trials,
            master_only=not (MAN in concealed or man_live or (cards | live) & wild),
        )
    return asked


def interchangeable(asked: Question) -> Question:
    """Return the same question without primary groups: natural cards and a number of wild cards."""
    wild = asked.hand & asked.wild
    return asked._replace(hand=asked.hand ^ wild, spare=asked.spare + size(wild), wild=0)


def less(asked: Question, card: Card, wilds: frozenset[Card]) -> Question:
    """Return the question without one copy of a card in hand, for a seat to which `wilds` are wild."""
    if _counts_as_spare(asked, card, wilds):
        return asked._replace(spare=asked.spare - 1, master=asked.master and card != MASTER)
    return asked._replace(hand=asked.hand - ONE[card])


def more(asked: Question, card: Card, wilds: frozenset[Card]) -> Question:
    """Return the question with one more card in hand. The cards that may still come are unchanged."""
    if _counts_as_spare(asked, card, wilds):
        return asked._replace(
            spare=asked.spare + 1, master=asked.master or (asked.master_live and card == MASTER)
        )
    return asked._replace(hand=asked.hand + ONE[card])


def _counts_as_spare(asked: Question, card: Card, wilds: frozenset[Card]) -> bool:
    return not card.is_pack or (not asked.primary and card in wilds)


@cache
def wild_copies(wilds: frozenset[Card]) -> int:
    """Return every copy of the wild faces of the packs."""
    return every_copy(sum(ONE[card] for card in wilds if card.is_pack))


def holes(asked: Question) -> int:
    """Return the fewest holes in the wanted groups."""
    if three.fits(asked):
        return three.least_holes(asked)
    found = cover(asked)
    return NEVER if found is None else found.holes


def within(asked: Question, most: int) -> bool:
    """Return whether the wanted groups can have at most this many holes."""
    if three.fits(asked):
        return three.least_holes(asked, most) <= most
    return cover(asked, at_most=most) is not None


def distance(hand: Hand, rules: Rules) -> int:
    """Return the fewest cards that must come before the seat can finish by groups, apart from one discard.

    Before a show it counts the primary groups and all others. While the tiplu is unknown, only man and master
    cards are wild.
    """
    return holes(finish_question(hand, rules))


def rough_distance(hand: Hand, rules: Rules) -> int:
    """Return the distance with groups of three only, for a seat that has not shown.

    It equals `distance` if only groups of three are played. Otherwise it is never less, and much faster to
    compute.
    """
    return holes(finish_question(hand, rules)._replace(plus=False))


def show_distance(hand: Hand, rules: Rules) -> int:
    """Return the fewest cards that must come before the seat can show three primary groups."""
    return holes(show_question(hand, rules))
