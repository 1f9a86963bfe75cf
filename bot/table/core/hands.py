"""A hand as its holder sees it: what he holds and may do, and how he likes it shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from data.preferences import PersonSettings
from data.rows.people import PersonRow
from data.values import SeatRow
from marriage.actions import Action
from marriage.cards import Cards
from marriage.view import View
from render.hand_layout import Layout, Order
from render.picture import Picture
from render.style import Style


@dataclass(frozen=True, slots=True, repr=False)
class Holder:
    """How the person of a seat likes his hand."""

    settings: PersonSettings = field(default_factory=PersonSettings)
    pinned: tuple[Cards, ...] = ()
    """The groups that he has put together himself."""

    @property
    def order(self) -> Order:
        """How his cards lie."""
        return Order(self.settings.grouping, self.pinned)

    @property
    def style(self) -> Style:
        """How his pictures look."""
        return Style(self.settings.suits, self.settings.theme)


def holders(
    seats: Sequence[SeatRow], people: Mapping[int, PersonRow], pins: Mapping[int, tuple[Cards, ...]]
) -> tuple[Holder, ...]:
    """The holder of each seat; a computer's seat has the usual one."""
    return tuple(_holder(seat.person_id, people, pins) for seat in seats)


def _holder(
    person_id: int | None, people: Mapping[int, PersonRow], pins: Mapping[int, tuple[Cards, ...]]
) -> Holder:
    person = None if person_id is None else people.get(person_id)
    return Holder() if person is None else Holder(person.settings, pins.get(person.id, ()))


class Mode(Enum):
    """What a hand's panel is open for."""

    PLAY = auto()
    GROUP = auto()
    """Putting cards together."""
    SETS = auto()
    """Choosing the sets of a show."""


@dataclass(frozen=True, slots=True, repr=False)
class Hand:
    """What one seat's panel is made of."""

    view: View
    actions: tuple[Action, ...]
    layout: Layout
    pinned: tuple[Cards, ...]
    """The holder's own groups, as far as he still holds them."""
    picture: Picture | None
    """None where he wants words, or where it could not be drawn."""
    distance: int | None
    """Cards still missing to show or to finish; None when nothing is to be said."""
    chosen: tuple[Cards, ...] = ()
    """The sets of a show that were chosen so far."""
