"""A hand as its holder sees it: the cards, what the holder may do, and how they like it shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final, NamedTuple

from data.preferences import PersonSettings
from data.repositories.people import PersonRow
from data.values import OwnArrangement, SeatRow
from league.ids import PersonId
from marriage.actions import Action
from marriage.analysis.hint import Hint
from marriage.cards import Card, Cards
from marriage.strategy.progress import Missing
from marriage.view import View
from render.hand_layout import Grouping, Layout, Order
from render.picture import Picture
from render.style import Style


@dataclass(frozen=True, slots=True, repr=False)
class Holder:
    """How the person of a seat likes their hand shown."""

    settings: PersonSettings = field(default_factory=PersonSettings)
    arrangement: OwnArrangement = field(default_factory=OwnArrangement)
    """How the person has arranged the cards by themselves."""
    plain: bool = False
    """Whether nothing may tell the sets in the hand: then cards that the person likes as the best sets lie by suit."""

    def order(self, view: View) -> Order:
        """How the cards of their seat are ordered."""
        own = () if self.plain else self.arrangement.order
        return Order(self._grouping(view), self.arrangement.groups, self.plain, own)

    def _grouping(self, view: View) -> Grouping:
        match self.settings.grouping:
            case "rank":
                return "rank"
            case "best" if not self.plain:
                return "best"
            case "suit" if view.own.seen and not self.plain:
                return "best"
            case _:
                return "suit"

    @property
    def style(self) -> Style:
        """How the pictures look."""
        return Style(self.settings.suits, self.settings.theme)


def holders(
    seats: Sequence[SeatRow], people: Mapping[int, PersonRow], pins: Mapping[PersonId, OwnArrangement]
) -> tuple[Holder, ...]:
    """The holder of each seat; a computer's seat gets the defaults."""
    return tuple(_holder(seat.person_id, people, pins) for seat in seats)


def _holder(
    person_id: PersonId | None, people: Mapping[int, PersonRow], pins: Mapping[PersonId, OwnArrangement]
) -> Holder:
    person = None if person_id is None else people.get(person_id)
    return Holder() if person is None else Holder(person.settings, pins.get(person.id, OwnArrangement()))


class Mode(Enum):
    """What the panel of a hand is open for."""

    PLAY = auto()
    CARDS = auto()
    """The same with every card to choose from, also those that are set aside."""
    MORE = auto()
    """What is rarely wanted."""
    GROUP = auto()
    """Putting cards in an own order, or together."""
    SETS = auto()
    """Choosing the sets of a show."""
    HINT = auto()
    """Playing with a hint for the present turn."""
    PILE = auto()
    """Looking through the pile instead of at the cards."""
    DISCARD = auto()
    """Deciding whether to discard the chosen card."""
    LEDGER = auto()
    """Looking at the ledger of the match, between two deals."""


class Sleep(Enum):
    """Whether the message of a hand changes by itself."""

    AWAKE = auto()
    RESTS = auto()
    """Only when its holder has to move, or the deal is over."""
    ASLEEP = auto()
    """Not any more."""


class Chosen(NamedTuple):
    """How far a person is in choosing what to show or to discard, or in looking through the pile."""

    sets: tuple[Cards, ...] = ()
    """The sets chosen so far."""
    page: int = 0
    """The page of the sets that are offered, or of the pile, from 0."""
    discard: Card | None = None
    """The card that they may be about to discard."""
    moving: tuple[Card, int] | None = None
    """The card that they move: its face, and which of its copies, from 1, counted from the left."""


NOTHING_CHOSEN: Final = Chosen()


@dataclass(frozen=True, slots=True, repr=False)
class Hand:
    """Everything that the panel of one seat shows."""

    view: View
    actions: tuple[Action, ...]
    layout: Layout
    pinned: tuple[Cards, ...]
    """The holder's groups, with only the cards that are still in hand."""
    pictures: tuple[Picture, ...]
    """From top to bottom; none if the holder wants words, or if they could not be drawn."""
    missing: Missing | None
    """The cards that are missing to show or to finish; None if there is nothing to tell."""
    maal: int | None = None
    """What the cards are worth; None before their holder has seen."""
    chosen: Chosen = NOTHING_CHOSEN
    """The sets chosen for a show so far."""
    best: tuple[Cards, ...] | None = None
    """The best show that contains the chosen sets; None if there is none, or if it is not to be named."""
    hint: Hint | None = None
    """What to do now, if the holder has asked for it."""
    is_neutral: bool = False
    """Whether the buttons of the cards must not tell which cards are in no set."""
    sleep: Sleep = Sleep.AWAKE
    """Whether its message changes by itself after this."""
