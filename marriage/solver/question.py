"""The question of the search, and its answer."""

from typing import NamedTuple

from marriage.bits import FULL
from marriage.cards import Cards
from marriage.solver.patterns import Pattern
from marriage.solver.places import Sizes


class Question(NamedTuple):
    """A question: the wanted groups, and the cards to make them from."""

    hand: int
    """The hand: its cards of the packs, packed."""
    primary: int
    """The number of wanted primary groups."""
    total: int
    """The total number of cards of all wanted groups."""
    spare: int = 0
    """The number of wild cards without a face: man and master."""
    wild: int = 0
    """Every copy of the wild faces."""
    live: int = FULL
    """The cards that may still come."""
    stand_ins: bool = False
    """Whether a wild card is held or may still come."""
    master: bool = False
    """Whether one of the spare cards, the master card, may stand in within a primary group."""
    master_live: bool = False
    """Whether such a card may still come."""
    master_tunnela: bool = False
    """Whether it may stand in with two identical cards."""
    master_trial: bool = False
    """Whether it may stand in within a trial."""
    master_only: bool = False
    """Whether it is the only wild card that is held or may still come."""
    primary_trial: bool = False
    plus: bool = False
    """Whether groups may have more than three cards."""
    long_trial: bool = False
    """Whether, with larger groups, wild cards may stand in beyond the four suits of a trial."""

    @property
    def beyond_suits(self) -> bool:
        """Whether a trial may be part of a group of more than four cards."""
        return self.plus and self.long_trial

    def takes_master(self, pattern: Pattern) -> bool:
        """Return whether the master card may stand in with these natural cards in a primary group."""
        if pattern.same:
            return self.master_tunnela and pattern.worth < pattern.sizes[-1]
        return pattern.pure or self.master_trial


class Part(NamedTuple):
    """A pattern laid into one of the wanted groups."""

    pattern: Pattern
    size: int
    """The size of the group; the pattern may fill fewer places."""
    primary: bool

    @property
    def cards(self) -> Cards:
        """The natural cards, sorted, and the master card if it stands in."""
        return self.pattern.cards


class Cover(NamedTuple):
    """The best cover that was found."""

    holes: int
    """The number of places that stay empty: the fewest cards that must still come."""
    parts: tuple[Part, ...]
    """Patterns and pairs."""
    single: Sizes
    """The sizes of the remaining wanted groups that are not primary. They have at most one natural card."""
