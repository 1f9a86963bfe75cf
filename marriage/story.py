"""What each seat did in a finished deal, as far as statistics and achievements ask for it."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from marriage.cards import Card, Cards
from marriage.events import (
    Drew,
    Event,
    Finished,
    FinishedDublees,
    Settled,
    Showed,
    ShowedDublees,
    Took,
    TunnelasExposed,
)
from marriage.maal import jhiplu, poplu
from marriage.sheet import Status
from marriage.state import ShowKind


@dataclass(slots=True)
class SeatStory:
    """One seat of one deal."""

    turns: int = 0
    """The turns it has had."""
    shown: ShowKind | None = None
    shown_turn: int | None = None
    """In which of its turns it showed, 1 for its first."""
    one_turn: bool = False
    """Whether it showed and finished in one and the same turn."""
    tunnelas: int = 0
    """Tunnelas that it exposed."""
    marriages: int = 0
    """Marriages that it held at the end, having seen."""
    tiplus: int = 0
    """Copies of the tiplu that it held at the end, having seen."""


def story(events: Iterable[Event]) -> tuple[SeatStory, ...]:
    """The story of every seat; raises ValueError for a deal that is not over.

    `events` are the whole ones, as they are stored: a viewer's copy hides what this looks at.
    """
    seats: dict[int, SeatStory] = {}
    for event in events:
        match event:
            case Settled():
                return tuple(
                    _counted(seats.get(seat, SeatStory()), cards, event, seat)
                    for seat, cards in enumerate(event.hands)
                )
            case Drew() | Took():
                seats.setdefault(event.seat, SeatStory()).turns += 1
            case TunnelasExposed():
                seats.setdefault(event.seat, SeatStory()).tunnelas += len(event.faces)
            case Showed() | ShowedDublees():
                own = seats.setdefault(event.seat, SeatStory())
                own.shown = ShowKind.GROUPS if isinstance(event, Showed) else ShowKind.DUBLEES
                own.shown_turn = own.turns
            case Finished() | FinishedDublees():
                own = seats.setdefault(event.seat, SeatStory())
                own.one_turn = own.shown_turn == own.turns
            case _:
                pass
    raise ValueError("the deal is not over")


def _counted(own: SeatStory, cards: Cards, end: Settled, seat: int) -> SeatStory:
    """The story with what a seat that has seen held at the end."""
    if end.tiplu is not None and end.sheet.lines[seat].status is Status.SEEN:
        own.tiplus = cards.count(end.tiplu)
        own.marriages = _marriages(cards, end.tiplu)
    return own


def _marriages(cards: Cards, tiplu: Card) -> int:
    held = Counter(cards)
    return min(held[jhiplu(tiplu)], held[tiplu], held[poplu(tiplu)])
