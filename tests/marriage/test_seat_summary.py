"""What each seat did in a deal, derived from its events."""

import pytest

from marriage.cards import Card, parse_cards
from marriage.events import (
    Discarded,
    Drew,
    Finished,
    FinishedDublees,
    Reshuffled,
    Settled,
    Showed,
    ShowedDublees,
    TipluCut,
    Took,
    TunnelasExposed,
)
from marriage.review import SeatSummary, seat_summaries
from marriage.sheet import Ending, Sheet, SheetLine, Status
from marriage.state import ShowKind

CARD = parse_cards("5H")[0]
TIPLU = parse_cards("6H")[0]


def settled(*hands: str, winner: int | None = 0, statuses: str = "", tiplu: Card | None = TIPLU) -> Settled:
    """Return the end of a deal with these hands; `statuses` has a `u` for every unseen seat."""
    lines = tuple(
        SheetLine(Status.UNSEEN if mark == "u" else Status.SEEN, (), 0, 0, 0, 0, 0)
        for mark in statuses.ljust(len(hands), "s")
    )
    sheet = Sheet(Ending.GROUPS, winner, lines, total=0)
    return Settled(tuple(map(parse_cards, hands)), (), tiplu, sheet)


def test_turns_shows_and_a_finish_in_one_turn():
    told = seat_summaries(
        [
            TunnelasExposed(1, parse_cards("2S 3S 4S")),
            Drew(0, CARD),
            Took(1, CARD),
            ShowedDublees(1, ()),
            Drew(0, CARD),
            Showed(0, ()),
            Finished(0, (), CARD),
            settled("5H 6H 7H 5H 6H 7H", "6H 6H 6H", "5H 6H 7H", statuses="ssu"),
        ]
    )
    assert told == (
        SeatSummary(2, ShowKind.GROUPS, 2, one_turn=True, marriages=2, tiplus=2),
        SeatSummary(1, ShowKind.DUBLEES, 1, tunnelas=3, tiplus=3),
        SeatSummary(),
    )


def test_a_finish_after_the_show_is_not_in_one_turn():
    told = seat_summaries(
        [Drew(0, CARD), ShowedDublees(0, ()), Drew(0, CARD), FinishedDublees(0, (), CARD), settled("")]
    )
    assert (told[0].shown_turn, told[0].turns, told[0].one_turn) == (1, 2, False)


def test_a_deal_that_goes_on_has_no_story():
    with pytest.raises(ValueError, match=r"^the deal is not over$"):
        seat_summaries([Drew(0, CARD)])


def test_what_else_happens_in_a_deal_changes_no_figure():
    told = [
        Drew(0, CARD),
        Discarded(0, CARD),
        Took(1, CARD),
        Showed(1, ()),
        TipluCut(1, 3, TIPLU),
        Discarded(1, CARD),
        Reshuffled(()),
        settled("", ""),
    ]
    assert seat_summaries(told) == (SeatSummary(1), SeatSummary(1, ShowKind.GROUPS, 1))


def test_tunnelas_exposed_one_after_the_other_add_up():
    exposed = [TunnelasExposed(0, parse_cards("2S 3S")), TunnelasExposed(0, parse_cards("5D"))]
    assert seat_summaries([*exposed, settled("")]) == (SeatSummary(tunnelas=3),)


@pytest.mark.parametrize(
    ("hand", "tiplus", "marriages"),
    [
        ("5H 6H 6H 7H 7H", 2, 1),
        ("5H 5H 6H 7H 7H", 1, 1),
        ("5H 5H 6H 6H 7H", 2, 1),
        ("5H 5H 6H 6H 7H 7H", 2, 2),
        ("5S 6H 7H", 1, 0),
    ],
)
def test_a_marriage_needs_the_tiplu_and_both_its_neighbours(hand: str, tiplus: int, marriages: int):
    [told] = seat_summaries([settled(hand)])
    assert (told.tiplus, told.marriages) == (tiplus, marriages)


def test_without_a_tiplu_there_is_no_maal():
    assert seat_summaries([settled("5H 6H 7H", tiplu=None)]) == (SeatSummary(),)
