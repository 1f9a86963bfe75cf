"""What each seat did in a finished deal: the facts that statistics and achievements need."""

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
class SeatSummary:
    """What one seat did in one deal."""

    turns: int = 0
    """The number of its turns."""
    shown: ShowKind | None = None
    shown_turn: int | None = None
    """The turn in which the seat showed, counting its own turns from 1."""
    one_turn: bool = False
    """Whether the seat showed and finished in the same turn."""
    tunnelas: int = 0
    """The number of exposed tunnelas."""
    marriages: int = 0
    """The number of marriages held at the end; 0 for a seat that has not seen."""
    tiplus: int = 0
    """The number of tiplus held at the end; 0 for a seat that has not seen."""


def seat_summaries(events: Iterable[Event]) -> tuple[SeatSummary, ...]:
    """What each seat did; raises ValueError for a deal that is not over.

    `events` must be unmasked, as they are stored.
    """
    seats: dict[int, SeatSummary] = {}
    for event in events:
        match event:
            case Settled():
                return tuple(
                    _counted(seats.get(seat, SeatSummary()), cards, event, seat)
                    for seat, cards in enumerate(event.hands)
                )
            case Drew() | Took():
                seats.setdefault(event.seat, SeatSummary()).turns += 1
            case TunnelasExposed():
                seats.setdefault(event.seat, SeatSummary()).tunnelas += len(event.faces)
            case Showed() | ShowedDublees():
                shower = seats.setdefault(event.seat, SeatSummary())
                shower.shown = ShowKind.GROUPS if isinstance(event, Showed) else ShowKind.DUBLEES
                shower.shown_turn = shower.turns
            case Finished() | FinishedDublees():
                winner = seats.setdefault(event.seat, SeatSummary())
                winner.one_turn = winner.shown_turn == winner.turns
            case _:
                pass
    raise ValueError("the deal is not over")


def _counted(summary: SeatSummary, cards: Cards, end: Settled, seat: int) -> SeatSummary:
    """Add the tiplus and marriages that a seat held at the end, if it has seen."""
    if end.tiplu is not None and end.sheet.lines[seat].status is Status.SEEN:
        summary.tiplus = cards.count(end.tiplu)
        summary.marriages = _marriages(cards, end.tiplu)
    return summary


def _marriages(cards: Cards, tiplu: Card) -> int:
    held = Counter(cards)
    return min(held[jhiplu(tiplu)], held[tiplu], held[poplu(tiplu)])
