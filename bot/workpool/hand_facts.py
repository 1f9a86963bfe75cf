"""Compute everything that the panel of a hand shows from its view."""

from typing import NamedTuple

from marriage.actions import Action, Show
from marriage.cards import Cards
from marriage.legal import legal_actions
from marriage.strategy.advice import Missing, cards_missing, maal_now
from marriage.strategy.showable_sets import best_show
from marriage.view import View
from render.hand_layout import BY_SUIT, CardOrder, Layout, lay_out
from render.hand_picture import draw_hand
from render.picture import Picture
from render.seat_picture import draw_hand_below, draw_seat
from render.style import DEFAULT, Style


class HandLook(NamedTuple):
    """How to show a hand."""

    style: Style = DEFAULT
    order: CardOrder = BY_SUIT
    large: bool = False
    words: bool = False
    """Whether to leave out the picture."""


class HandFacts(NamedTuple):
    """The viewer's options, and the layout of their hand."""

    actions: tuple[Action, ...]
    best: tuple[Cards, ...] | None
    """The best show, if a show may be possible."""
    layout: Layout
    missing: Missing | None
    """The cards missing to show or to finish; None if there is nothing to say."""
    maal: int | None
    """The value of the cards; None before the viewer has seen."""
    pictures: tuple[Picture, ...]
    """The cards and, above them, the table if the names of its seats were given. Empty for words."""


def hand_facts(view: View, names: tuple[str, ...], look: HandLook) -> HandFacts:
    """Return the facts of the viewer's hand.

    With the `names` of all seats, there is a picture of the table above that of the cards. Raises ValueError
    for a spectator's view.
    """
    actions = legal_actions(view)
    return HandFacts(
        actions=actions,
        best=best_show(view) if any(isinstance(action, Show) for action in actions) else None,
        layout=lay_out(view, look.order),
        missing=cards_missing(view),
        maal=maal_now(view),
        pictures=() if look.words else _pictures(view, names, look),
    )


def _pictures(view: View, names: tuple[str, ...], look: HandLook) -> tuple[Picture, ...]:
    if names:
        return (
            draw_seat(view, names, look.style, large=look.large),
            draw_hand_below(view, look.style, look.order, large=look.large),
        )
    return (draw_hand(view, look.style, look.order, large=look.large),)
