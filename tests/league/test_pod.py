"""A pod after the events of its match."""

from dataclasses import replace

import pytest

from league.events import (
    Adjudicated,
    DealsReplayed,
    DealVoided,
    MatchFinished,
    NoShowBooked,
    ReplayOrdered,
    Result,
    ResultCorrected,
    SubstituteSet,
)
from league.matches.pod import (
    Pod,
    Report,
    deals_replayed,
    exchanged,
    in_seats,
    moved,
    opened_again,
    pod_after,
)
from league.members import PlayerMoved
from league.rulings import another_sheet
from league.undoing import inverse

PLAYERS = (1, 2, 3, 4)
DEALS = ((3, -1, -1, -1), (6, -2, -2, -2), (9, -3, -3, -3), (12, -4, -4, -4))
RESULT = Result(PLAYERS, DEALS)
TOLD = Report(RESULT, 1, 5, frozenset({1}), 50)
DRAWN = Pod(7, 2, PLAYERS, PLAYERS, division=1, stage=8)
PLAYED = replace(DRAWN, table=70, result=RESULT)


def test_a_result_ends_the_wait_for_a_report():
    reported = replace(DRAWN, table=70, report=TOLD)
    assert pod_after(reported, MatchFinished(7, RESULT)) == PLAYED
    assert pod_after(PLAYED, ResultCorrected(7, RESULT, None)) == replace(DRAWN, table=70)


def test_a_report_waits_again_once_nothing_that_replaced_it_is_left():
    reported = replace(DRAWN, report=TOLD)
    entered = pod_after(reported, ResultCorrected(7, None, RESULT))
    assert (entered.report, entered.set_aside, entered.over) == (None, TOLD, True)
    ruled = pod_after(entered, Adjudicated(7, {1: "average"}))
    only_ruled = pod_after(ruled, ResultCorrected(7, RESULT, None))
    assert (only_ruled.report, only_ruled.set_aside) == (None, TOLD)
    assert pod_after(only_ruled, Adjudicated(7, None)) == reported


@pytest.mark.parametrize(
    "event", [MatchFinished(7, RESULT), ReplayOrdered(7, 900, (1,)), ReplayOrdered(7, 900)]
)
def test_what_is_decided_or_played_otherwise_brings_no_report_back(event: MatchFinished | ReplayOrdered):
    ruled = pod_after(replace(PLAYED, report=TOLD), Adjudicated(7, {1: "average"}))
    assert ruled.set_aside == TOLD
    assert pod_after(ruled, event).set_aside is None


def test_deals_are_void_and_count_again():
    void = pod_after(pod_after(PLAYED, DealVoided(7, 1)), DealVoided(7, 3))
    assert void == replace(PLAYED, void=frozenset({1, 3}))
    assert pod_after(void, DealVoided(7, 1, void=False)) == replace(PLAYED, void=frozenset({3}))


def test_a_deal_that_counts_again_is_not_played_again_but_the_others_are():
    waiting = pod_after(PLAYED, ReplayOrdered(7, 900, (1, 3)))
    assert pod_after(waiting, DealVoided(7, 1)).again == (1, 3)
    assert pod_after(waiting, DealVoided(7, 1, void=False)).again == (3,)
    assert not waiting.over


def test_a_ruling_is_made_and_taken_back():
    ruled = pod_after(DRAWN, Adjudicated(7, {1: "average"}))
    assert ruled == replace(DRAWN, verdicts={1: "average"})
    assert pod_after(ruled, Adjudicated(7, None, {1: "average"})) == DRAWN


def test_who_did_not_come_is_booked_and_taken_back():
    missed = pod_after(pod_after(DRAWN, NoShowBooked(7, 2)), NoShowBooked(7, 3))
    assert missed == replace(DRAWN, missed=frozenset({2, 3}))
    assert pod_after(missed, NoShowBooked(7, 2, missed=False)) == replace(DRAWN, missed=frozenset({3}))


def test_a_substitute_has_the_seat_and_the_draw_stays_known():
    substituted = pod_after(DRAWN, SubstituteSet(7, 2, 9))
    assert substituted == replace(DRAWN, players=(1, 9, 3, 4))


BUSY = replace(
    PLAYED,
    report=TOLD,
    set_aside=TOLD,
    void=frozenset({0}),
    verdicts={2: "no_show"},
    missed=frozenset({2}),
    boards=(1, 2, 3, 4),
)


def test_a_pod_that_is_opened_again_keeps_its_players_and_its_result():
    assert opened_again(BUSY, 900) == replace(DRAWN, result=RESULT, due=900)


def test_a_match_that_is_to_be_played_again_has_no_result():
    again = pod_after(BUSY, ReplayOrdered(7, 900))
    assert again == replace(DRAWN, due=900, before=BUSY)
    assert pod_after(again, ReplayOrdered(7, 900, on=False)) == BUSY
    assert pod_after(DRAWN, ReplayOrdered(7, 900, on=False)) == DRAWN, "there is nothing to go back to"


def test_it_stays_known_who_had_a_seat_when_a_match_began():
    pod = replace(DRAWN, players=(1, 9, 3, 4), seated=frozenset({1, 8, 3, 4}))
    assert pod.involved == {1, 2, 3, 4, 8, 9}
    assert DRAWN.involved == {1, 2, 3, 4}
    again = pod_after(replace(pod, result=RESULT), ReplayOrdered(7, 900))
    assert again.seated == pod.seated
    assert opened_again(pod, 900).seated == pod.seated
    begun = replace(again, seated=frozenset({1, 9, 8, 3, 4}))
    back = pod_after(begun, ReplayOrdered(7, 900, on=False))
    assert back == replace(pod, result=RESULT, seated=begun.seated)


def test_deals_that_are_to_be_played_again_are_void_until_then():
    again = pod_after(BUSY, ReplayOrdered(7, 900, (2, 3)))
    expected = replace(
        BUSY,
        table=None,
        report=None,
        set_aside=None,
        verdicts={},
        void=frozenset({0, 2, 3}),
        again=(2, 3),
        due=900,
        before=BUSY,
    )
    assert again == expected
    done = pod_after(again, DealsReplayed(7, {2: (0, 0, 0, 0)}))
    counted = replace(RESULT, deals=(*DEALS[:2], (0, 0, 0, 0), DEALS[3]))
    assert done == replace(expected, result=counted, void=frozenset({0, 3}), again=())
    assert pod_after(replace(again, result=None), DealsReplayed(7, {2: (0, 0, 0, 0)})).again == ()


@pytest.mark.parametrize(
    ("new", "again"),
    [
        (Result(PLAYERS, DEALS[::-1]), (2,)),
        (Result(PLAYERS, DEALS[:3]), ()),
        (Result((4, 3, 2, 1), DEALS), ()),
        (None, ()),
    ],
)
def test_deals_are_still_played_again_after_a_correction_that_leaves_the_same_deals(
    new: Result | None, again: tuple[int, ...]
):
    waiting = pod_after(PLAYED, ReplayOrdered(7, 900, (2,)))
    assert pod_after(waiting, ResultCorrected(7, RESULT, new)).again == again
    assert pod_after(replace(waiting, result=None), ResultCorrected(7, None, RESULT)).again == ()


@pytest.mark.parametrize("was", [RESULT, None])
def test_nothing_that_was_ruled_on_single_deals_stays_on_another_sheet(was: Result | None):
    waiting = replace(pod_after(PLAYED, ReplayOrdered(7, 900, (2,))), result=was)
    event = another_sheet(waiting, RESULT)
    entered = pod_after(waiting, event)
    assert (event.pod, entered.over, entered.result, entered.void) == (7, True, RESULT, frozenset())
    back = inverse(event)
    assert isinstance(back, ResultCorrected)
    taken_back = pod_after(entered, back)
    assert (taken_back.result, taken_back.void, taken_back.again) == (was, {2}, ())


OTHER = Pod(8, 2, (5, 6, 7, 8), (5, 16, 7, 8))


def test_a_player_moves_to_a_seat_of_another_pod():
    found = moved(DRAWN, OTHER, PlayerMoved(2, 7, 8, 4, 1))
    assert found == {
        7: replace(DRAWN, drawn=(1, 3, 4), players=(1, 3, 4)),
        8: replace(OTHER, drawn=(5, 6, 7, 8, 2), players=(5, 16, 7, 8, 2)),
    }
    back = moved(found[8], found[7], PlayerMoved(2, 8, 7, 1, 4))
    assert back == {7: DRAWN, 8: OTHER}


def test_two_players_exchange_their_seats_in_two_pods():
    assert moved(DRAWN, OTHER, PlayerMoved(2, 7, 8, 2, 1, 7)) == {
        7: replace(DRAWN, drawn=(1, 7, 3, 4), players=(1, 7, 3, 4)),
        8: replace(OTHER, drawn=(5, 6, 2, 8), players=(5, 16, 2, 8)),
    }


def test_two_players_are_exchanged_wherever_they_sit():
    assert exchanged(DRAWN, 1, 3) == replace(DRAWN, drawn=(3, 2, 1, 4), players=(3, 2, 1, 4))
    assert exchanged(OTHER, 16, 2) == replace(OTHER, players=(5, 2, 7, 8))
    assert exchanged(OTHER, 2, 6) == replace(OTHER, drawn=(5, 2, 7, 8))


@pytest.mark.parametrize(("first", "seats"), [(0, (1, 2, 3, 4)), (3, (4, 1, 2, 3)), (5, (2, 3, 4, 1))])
def test_the_first_deal_to_be_played_again_is_dealt_by_the_same_player(first: int, seats: tuple[int, ...]):
    assert in_seats(PLAYED) == PLAYERS
    assert in_seats(replace(PLAYED, again=(first, first + 1))) == seats


def test_points_of_deals_played_again_go_to_the_players_in_order_of_the_deals():
    waiting = replace(PLAYED, again=(1, 3))
    again = Result((2, 3, 4, 1), ((1, 2, 3, -6), (4, 5, 6, -15)))
    assert deals_replayed(waiting, again) == DealsReplayed(7, {1: (-6, 1, 2, 3), 3: (-15, 4, 5, 6)})
    one = replace(again, deals=again.deals[:1])
    assert deals_replayed(waiting, one) == DealsReplayed(7, {1: (-6, 1, 2, 3)})


@pytest.mark.parametrize("again", [None, Result((1, 2, 3, 5), ((0, 0, 0, 0),))])
def test_nothing_was_played_again_by_nobody_or_by_others(again: Result | None):
    assert deals_replayed(replace(PLAYED, again=(1,)), again) == DealsReplayed(7, {})
    assert deals_replayed(replace(DRAWN, again=(1,)), RESULT) == DealsReplayed(7, {})
