"""Undoing events: each inverse, which the event itself undoes in turn."""

from dataclasses import replace

import pytest

from league.events import (
    AbsenceBooked,
    Adjudicated,
    AlwaysIn,
    CheckedIn,
    Confirmed,
    DeadlineMoved,
    DealVoided,
    DivisionSet,
    Event,
    MatchFinished,
    MatchStarted,
    NoShowBooked,
    NumbersChanged,
    PenaltyAdded,
    PenaltyRemoved,
    ReplayOrdered,
    Result,
    ResultCorrected,
    Returned,
    RoundCancelled,
    RoundDrawn,
    SeasonClosed,
    SeasonPaused,
    SeasonReopened,
    SeasonResumed,
    SignedUp,
    SignupRemoved,
    SubstituteSet,
    Unconfirmed,
    Withdrawn,
)
from league.members import Banned, DivisionsExchanged, MemberSet, PlayerMoved, Seeded
from league.pairing.pods import KeptApart
from league.settings import default_settings
from league.undoing import inverse, taken_in
from tests.league.deals import A, B

OLD, NEW = Result((A, B), ((3, -3),)), Result((A, B), ((5, -5),))
ROUND = RoundDrawn(2, ())
PENALTY = PenaltyAdded(1, A, 2, points=100)
REPLAY = ReplayOrdered(1, 1000, (0,))
SHORT, LONG = (default_settings("pods").with_options(rounds=rounds) for rounds in (4, 9))


@pytest.mark.parametrize(
    ("event", "back"),
    [
        (SignedUp(A), SignupRemoved(A)),
        (Confirmed(A), Unconfirmed(A)),
        (Withdrawn(A), Returned(A)),
        (MemberSet(A, "member", "removed"), MemberSet(A, "removed", "member")),
        (Seeded(A, 3, 7), Seeded(A, 7, 3)),
        (Banned(A, on=True), Banned(A, on=False)),
        (DeadlineMoved(2, 2000, 1000), DeadlineMoved(2, 1000, 2000)),
        (DivisionSet(A, 1, 2), DivisionSet(A, 2, 1)),
        (CheckedIn(A, 4, coming=True), CheckedIn(A, 4, coming=False)),
        (AlwaysIn(A, on=True), AlwaysIn(A, on=False)),
        (KeptApart(A, B, apart=True), KeptApart(A, B, apart=False)),
        (AbsenceBooked(A, 4, absent=True), AbsenceBooked(A, 4, absent=False)),
        (NoShowBooked(9, A, missed=True), NoShowBooked(9, A, missed=False)),
        (SubstituteSet(9, A, B), SubstituteSet(9, B, A)),
        (ResultCorrected(9, OLD, NEW), ResultCorrected(9, NEW, OLD)),
        (ResultCorrected(9, OLD, NEW, (), (0,)), ResultCorrected(9, NEW, OLD, (0,), ())),
        (DealVoided(9, 1, void=True), DealVoided(9, 1, void=False)),
        (REPLAY, replace(REPLAY, on=False)),
        (Adjudicated(9, {A: "win"}, None), Adjudicated(9, None, {A: "win"})),
        (ROUND, RoundCancelled(ROUND)),
        (PENALTY, PenaltyRemoved(PENALTY)),
        (PlayerMoved(A, 1, 2, 3, 4, B), PlayerMoved(A, 2, 1, 4, 3, B)),
        (DivisionsExchanged(A, B), DivisionsExchanged(A, B)),
        (NumbersChanged(SHORT, LONG, "fast", "slow"), NumbersChanged(LONG, SHORT, "slow", "fast")),
    ],
    ids=lambda event: type(event).__name__,
)
def test_an_event_and_its_inverse_take_each_other_back(event: Event, back: Event):
    assert inverse(event) == back
    assert inverse(back) == event


def test_the_result_of_a_match_is_taken_away_and_a_closed_season_is_opened():
    assert inverse(MatchFinished(9, OLD)) == ResultCorrected(9, OLD, None)
    assert inverse(SeasonClosed()) == SeasonReopened()


def test_a_pause_that_is_taken_back_is_over():
    assert inverse(SeasonPaused()) == SeasonResumed()
    assert inverse(SeasonResumed()) is None
    assert inverse(DeadlineMoved(2, 1000)) is None


def test_what_has_begun_cannot_be_taken_back():
    assert inverse(MatchStarted(9, 1)) is None
    assert inverse(SeasonReopened()) is None


@pytest.mark.parametrize(
    "event", [SignedUp(A), Confirmed(A), Returned(A), MemberSet(A, "waiting", "removed")]
)
def test_an_event_that_lets_somebody_in_names_them(event: Event):
    assert taken_in(event) == A


@pytest.mark.parametrize("event", [Withdrawn(A), MemberSet(A, "removed", "waiting"), AlwaysIn(A, on=True)])
def test_any_other_event_lets_nobody_in(event: Event):
    assert taken_in(event) is None
