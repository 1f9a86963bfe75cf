"""Deals put together for tests, seat by seat."""

from dataclasses import replace

from league.statistics.stats import DealFacts, SeatFacts, places
from marriage.sheet import Ending, Status
from marriage.state import ShowKind

NOON = 1_767_268_800_000
"""1 January 2026, 12:00 UTC."""


def seat(person: int | None, net: int = 0, *, winner: bool = False, seen: bool = True, **more) -> SeatFacts:
    facts = SeatFacts(
        person=person,
        name=f"P{person}",
        net=net,
        points=5,
        place=1,
        standing=1,
        winner=winner,
        status=Status.SEEN if seen else Status.UNSEEN,
        shown=ShowKind.GROUPS if seen else None,
        shown_turn=4 if seen else None,
    )
    return replace(facts, **more)


def deal(*seats: SeatFacts, number: int = 1, ending: Ending = Ending.GROUPS, **more) -> DealFacts:
    """Return a deal in which the seats get the places that match their points."""
    placed = places([seat.net for seat in seats])
    facts = DealFacts(
        number=number,
        guild=1,
        table=1,
        deal_no=number,
        match_no=1,
        match_deal=number,
        at=NOON + number * 60_000,
        ending=ending,
        stopped=False,
        seats=tuple(replace(facts, place=place) for facts, place in zip(seats, placed, strict=True)),
    )
    return replace(facts, **more)
