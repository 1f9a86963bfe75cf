"""The stats: what is kept of deals, and which deals count; achievements, each earned by what it says, once; periods of boards."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from league.results import DealResult
from league.statistics.profile import Profile, ShownRating
from league.statistics.ratings import NEWCOMER, Rating
from league.statistics.stats import (
    BEGINNER,
    Achievement,
    Career,
    Company,
    DealFacts,
    Earned,
    Seen,
    Span,
    StandIn,
    Stats,
    Tally,
    is_computers,
    periods,
    places,
    step,
)
from marriage.sheet import Ending
from marriage.state import ShowKind
from tests.league.facts import NOON, deal, seat

ASHA, BIKRAM = 1, 2
PLAIN = deal(seat(ASHA, 10, winner=True), seat(BIKRAM, -10, seen=False))


def entered(deals: list[DealFacts]) -> Stats:
    """Return the statistics of these deals, entered in this order."""
    stats = Stats()
    for played in deals:
        stats.enter(played)
    return stats


def test_a_deal_is_tallied_in_its_week_its_month_and_for_all_time():
    stats = entered([PLAIN])
    expected = Tally(deals=1, wins=1, seen=1, net=10, squares=100, maal=5)
    assert {key: tally for key, tally in stats.tallies.items() if key[2] == ASHA} == {
        (1, "2026-W01", ASHA): expected,
        (1, "2026-01", ASHA): expected,
        (1, "all", ASHA): expected,
    }
    assert stats.tallies[1, "all", BIKRAM] == Tally(deals=1, net=-10, squares=100)


def test_weeks_and_months_are_apart():
    stats = entered([PLAIN, deal(*PLAIN.seats, number=2, at=NOON + 6 * 86_400_000)])
    assert stats.tallies[1, "2026-W02", ASHA].deals == 1
    assert stats.tallies[1, "2026-01", ASHA].deals == 2


@pytest.mark.parametrize(
    "uncounted",
    [
        deal(seat(ASHA, 10, winner=True), seat(None, -10)),
        deal(seat(ASHA, 10, winner=True), seat(BIKRAM, -10, stand_in=StandIn.WHOLE)),
        deal(seat(ASHA, 0), seat(BIKRAM, 0), stopped=True),
    ],
    ids=["a computer", "a computer from the first card on", "ended by people"],
)
def test_what_is_not_counted(uncounted):
    stats = entered([uncounted])
    assert stats.tallies == {}
    assert stats.ratings == {}


def test_deals_with_computers_are_tallied_apart():
    stats = entered([PLAIN, deal(seat(ASHA, -4), seat(None, 4, winner=True), number=2)])
    assert stats.tallies[1, "all", ASHA] == Tally(deals=1, wins=1, seen=1, net=10, squares=100, maal=5)
    assert stats.with_computers == {
        (1, period, ASHA): Tally(deals=1, seen=1, net=-4, squares=16, maal=5)
        for period in ("2026-W01", "2026-01", "all")
    }


@pytest.mark.parametrize(
    "uncounted",
    [
        deal(seat(ASHA, 10, winner=True), seat(None, -10), of_the_day=True),
        deal(seat(ASHA, 0), seat(None, 0), stopped=True),
        deal(seat(ASHA, 10, stand_in=StandIn.WHOLE), seat(None, -10)),
    ],
    ids=["the deal of the day", "ended by people", "a computer played for the person"],
)
def test_what_is_not_counted_among_deals_with_computers(uncounted):
    assert entered([uncounted]).with_computers == {}


def test_a_player_who_leaves_is_rated_last_whatever_their_points():
    stats = entered([deal(seat(ASHA, 10, winner=True, stand_in=StandIn.PART), seat(BIKRAM, -10))])
    assert stats.ratings[1][ASHA].mu < NEWCOMER.mu < stats.ratings[1][BIKRAM].mu


def test_servers_are_apart():
    stats = entered([PLAIN, deal(*PLAIN.seats, number=2, guild=2)])
    first, second = stats.ratings[1], stats.ratings[2]
    assert [first[person].mu for person in (ASHA, BIKRAM)] == [second[person].mu for person in (ASHA, BIKRAM)]
    assert stats.careers[ASHA].deals == 2


def test_deal_by_deal_is_the_same_as_all_at_once():
    deals = [deal(seat(ASHA, 7 - n, winner=n < 7), seat(BIKRAM, n - 7), number=n) for n in range(1, 20)]
    one_by_one = Stats()
    for played in deals:
        part = Stats(
            {1: dict(one_by_one.ratings.get(1, {}))},
            dict(one_by_one.tallies),
            careers=dict(one_by_one.careers),
        )
        part.enter(played)
        one_by_one.ratings |= part.ratings
        one_by_one.tallies |= part.tallies
        one_by_one.careers |= part.careers
    whole = entered(deals)
    assert (one_by_one.ratings, one_by_one.tallies, one_by_one.careers) == (
        whole.ratings,
        whole.tallies,
        whole.careers,
    )


def test_the_error_of_a_mean():
    assert Tally(deals=1, net=5, squares=25).error is None
    assert Tally(deals=4, net=0, squares=400).error == pytest.approx((400 / 3 / 4) ** 0.5)


def test_a_share_is_told_from_thirty_deals_on():
    assert Seen(30, 11).percent == 37
    assert Seen(200, 1).percent == 1
    assert Seen(29, 29).percent is None


def test_the_rates_of_a_profile():
    tally = Tally(deals=40, wins=10, seen=30, dublees=2, maal=90)
    asha = Profile(ASHA, "Asha", tally, 3, 0, None, None, (), (), (), ())
    assert (asha.win_rate, asha.see_rate, asha.dublee_rate, asha.mean_maal) == (0.25, 0.75, 0.05, 3)
    few = replace(asha, tally=Tally(deals=29, wins=29))
    assert (few.win_rate, few.see_rate, few.dublee_rate, few.mean_maal) == (None, None, None, None)
    assert replace(asha, tally=Tally(deals=30, wins=30)).win_rate == 1


def test_a_rating_is_shown_with_what_it_still_lacks():
    rating = Rating(30, 4, deals=12, met=frozenset({2, 3}), last=NOON)
    assert ShownRating.of(rating, NOON) == ShownRating(rating.shown(), rating.band(NOON), True, 12, 2)
    known = replace(rating, deals=60, met=frozenset(range(2, 20)))
    assert not ShownRating.of(known, NOON).provisional


ASHA, BIKRAM, CHITRA = 1, 2, 3
OTHERS = (seat(BIKRAM, -5), seat(CHITRA, -5))
WIN = {Achievement.WIN}


def earned(facts, *others, career=BEGINNER, **more) -> set[Achievement]:
    _, new = step(career, (played := deal(facts, *(others or OTHERS), **more)), played.seats[0])
    return set(new)


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (seat(ASHA, 10), set()),
        (seat(ASHA, 10, winner=True), WIN),
        (seat(ASHA, marriages=1), {Achievement.MARRIAGE}),
        (seat(ASHA, marriages=2), {Achievement.MARRIAGE, Achievement.DOUBLE_MARRIAGE}),
        (seat(ASHA, tiplus=2), set()),
        (seat(ASHA, tiplus=3), {Achievement.THREE_TIPLUS}),
        (seat(ASHA, tunnelas=2), set()),
        (seat(ASHA, tunnelas=3), {Achievement.THREE_TUNNELAS}),
        (seat(ASHA, shown_turn=1), {Achievement.FIRST_TURN}),
        (seat(ASHA, shown=ShowKind.DUBLEES, shown_turn=1), set()),
        (seat(ASHA, one_turn=True, winner=True), WIN | {Achievement.ONE_TURN}),
        (seat(ASHA, 10, winner=True, stand_in=StandIn.BACK), WIN),
        (seat(ASHA, 10, winner=True, stand_in=StandIn.PART), set()),
        (seat(ASHA, 10, winner=True, stand_in=StandIn.WHOLE), set()),
    ],
)
def test_what_one_deal_earns(facts, expected):
    assert earned(facts) == expected


def test_eight_dublees_count_for_their_winner_alone():
    assert Achievement.DUBLEES in earned(seat(ASHA, 9, winner=True), ending=Ending.DUBLEES)
    assert earned(seat(ASHA, -9), seat(BIKRAM, 9, winner=True), ending=Ending.DUBLEES) == set()


def test_alone_asks_for_two_others_who_have_not_seen():
    unseen = [seat(person, -10, seen=False) for person in (BIKRAM, CHITRA)]
    assert earned(seat(ASHA, 20, winner=True), *unseen) == WIN | {Achievement.ALONE}
    assert earned(seat(ASHA, 20, winner=True), unseen[0]) == WIN
    assert earned(seat(ASHA, 20, winner=True), unseen[0], seat(CHITRA, -3)) == WIN


def test_nothing_is_earned_by_a_deal_that_people_ended():
    assert earned(seat(ASHA, 0, marriages=2), stopped=True) == set()


def test_nothing_is_earned_twice():
    career, new = step(BEGINNER, (played := deal(seat(ASHA, 1, winner=True), *OTHERS)), played.seats[0])
    assert new == (Achievement.WIN,)
    assert step(career, played, played.seats[0])[1] == ()


def test_three_wins_running_and_no_gap():
    won, lost = deal(seat(ASHA, 1, winner=True), *OTHERS), deal(seat(ASHA, -1), *OTHERS)
    career, told = BEGINNER, []
    for played in (won, won, lost, won, won, won, won):
        career, new = step(career, played, played.seats[0])
        told.append(Achievement.THREE_WINS in new)
    assert told == [False] * 5 + [True, False]


@pytest.mark.parametrize(("before", "name"), [(99, Achievement.HUNDRED), (999, Achievement.THOUSAND)])
def test_many_deals(before, name):
    assert name in earned(seat(ASHA), career=Career(deals=before))
    assert name not in earned(seat(ASHA), career=Career(deals=before - 1))


class TestComeback:
    def after(self, *deals) -> bool:
        career, told = BEGINNER, set()
        for played in deals:
            career, new = step(career, played, played.seats[0])
            told |= set(new)
        return Achievement.COMEBACK in told

    def standing(self, number: int, *places: int, match: int = 1):
        seats = [seat(person, standing=place) for person, place in enumerate(places, 1)]
        return deal(*seats, number=number, match_no=match)

    def test_from_last_to_first(self):
        assert self.after(self.standing(3, 3, 1, 2), self.standing(4, 2, 1, 3), self.standing(5, 1, 2, 3))

    def test_second_place_is_none(self):
        assert not self.after(self.standing(3, 3, 1, 2), self.standing(4, 2, 1, 3))

    def test_from_a_shared_last_place(self):
        assert self.after(self.standing(3, 2, 1, 2), self.standing(4, 1, 2, 3))

    def test_last_after_two_deals_is_too_early(self):
        assert not self.after(self.standing(2, 3, 1, 2), self.standing(3, 1, 2, 3))

    def test_a_shared_lead_is_none(self):
        assert not self.after(self.standing(3, 3, 1, 2), self.standing(4, 1, 1, 3))

    def test_two_players_have_no_comeback(self):
        assert not self.after(self.standing(3, 2, 1), self.standing(4, 1, 2))

    def test_another_match_begins_anew(self):
        assert not self.after(self.standing(3, 3, 1, 2), self.standing(4, 1, 2, 3, match=2))


def test_days_are_counted_once_and_in_a_row():
    career = BEGINNER
    for day, hour in ((1, 9), (1, 20), (2, 9), (4, 9), (3, 9), (5, 9), (6, 9)):
        played = deal(seat(ASHA), seat(BIKRAM), at=NOON + (24 * (day - 1) + hour - 12) * 3_600_000)
        career, _ = step(career, played, played.seats[0])
    assert (career.days, career.days_running, career.most_running) == (5, 3, 3)


def at(*day: int) -> int:
    return int(datetime(*day, tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("span", "start"), [(Span.WEEK, at(2026, 11, 23)), (Span.MONTH, at(2026, 11, 1)), (Span.ALL, 0)]
)
def test_a_period_begins_at_midnight(span: Span, start: int):
    assert span.starts(at(2026, 11, 25, 13, 14, 15) + 678) == start
    assert span.starts(start) == start


def test_the_names_of_all_periods():
    assert periods(at(2026, 11, 25)) == ("2026-W48", "2026-11", "all")
    assert periods(at(2027, 1, 1)) == ("2026-W53", "2027-01", "all")


def test_a_deal_is_given_to_the_ratings_as_it_was():
    gone, back, computer = (
        seat(person, stand_in=stand_in)
        for person, stand_in in ((CHITRA, StandIn.PART), (4, StandIn.BACK), (None, StandIn.PART))
    )
    played = deal(seat(ASHA, 9), seat(BIKRAM, -9), gone, back, computer, number=3, table=7)
    assert played.result(19.0) == DealResult(
        (7, 3), played.at, (ASHA, BIKRAM, CHITRA, 4, None), (9, -9, 0, 0, 0), 19.0, frozenset({CHITRA})
    )
    assert played.result().par == 1.0


def test_tallies_and_ratings_leave_out_what_ruled_fouls_gave_and_cost():
    ruled = [seat(ASHA, 41, ruled=15), seat(BIKRAM, -49, ruled=-30), seat(CHITRA, 8, ruled=15)]
    played = deal(*ruled)
    assert [seat.counted for seat in played.seats] == [26, -19, -7]
    assert played.result().points == (26, -19, -7)
    assert entered([played]).tallies[1, "all", BIKRAM] == Tally(deals=1, seen=1, net=-19, squares=361, maal=5)


@pytest.mark.parametrize(
    ("person", "stand_in", "computer"),
    [
        (None, None, True),
        (ASHA, None, False),
        (ASHA, StandIn.WHOLE, True),
        (ASHA, "whole", True),
        (ASHA, StandIn.PART, False),
        (ASHA, StandIn.BACK, False),
    ],
)
def test_a_computer_plays_a_seat_if_nobody_has_it_or_for_the_whole_deal(person, stand_in, computer):
    assert is_computers(person, stand_in) is computer


def test_equal_figures_share_a_place():
    assert places((5, 9, 5, -1)) == (2, 1, 2, 4)


def test_what_was_earned_is_told_with_the_deal_and_the_person():
    won = deal(seat(ASHA, 9, winner=True), seat(BIKRAM, -9, marriages=1), number=4, table=7)
    assert entered([won, won]).earned == [
        Earned(ASHA, Achievement.WIN, 7, 4, won.at),
        Earned(BIKRAM, Achievement.MARRIAGE, 7, 4, won.at),
    ]
    assert entered([deal(seat(ASHA), seat(BIKRAM), stopped=True)]).careers == {}


def test_a_career_goes_on_with_all_that_happened():
    win = deal(seat(ASHA, 9, winner=True), *OTHERS, number=4, table=7)
    day = datetime(2026, 1, 1, tzinfo=UTC).toordinal()
    first, _ = step(BEGINNER, win, win.seats[0])
    assert first == Career(1, 1, None, frozenset(WIN), 1, day, 1, 1)
    second, _ = step(first, win, win.seats[0])
    assert second == replace(first, deals=2, wins_running=2)
    lost = deal(seat(ASHA, -9, standing=3), *OTHERS, number=4, table=7, match_no=2)
    third, _ = step(second, lost, lost.seats[0])
    assert third == replace(first, deals=3, wins_running=0, behind_at=(7, 2))
    fourth, _ = step(third, win, win.seats[0])
    assert fourth.behind_at == (7, 2)


def test_a_day_before_the_last_one_and_the_same_day_change_nothing():
    career = Career(days=3, last_day=100, days_running=2, most_running=2)
    assert career.with_day(100) == career.with_day(99) == career
    assert career.with_day(101) == Career(days=4, last_day=101, days_running=3, most_running=3)
    assert career.with_day(102) == Career(days=4, last_day=102, days_running=1, most_running=2)


def test_a_deal_outside_a_match_puts_nobody_behind():
    alone = deal(seat(ASHA, -9, standing=3), *OTHERS, number=4, match_no=None, match_deal=None)
    assert step(BEGINNER, alone, alone.seats[0])[0].behind_at is None
    leading = deal(seat(ASHA, 9), *OTHERS, number=4, match_no=None)
    assert step(BEGINNER, leading, leading.seats[0])[1] == ()


def test_where_all_are_level_nobody_is_behind():
    level = deal(*(seat(person, standing=1) for person in (ASHA, BIKRAM, CHITRA)), number=4)
    assert step(BEGINNER, level, level.seats[0])[0].behind_at is None


def test_the_tally_of_a_player_whom_a_computer_replaced_for_a_part_counts():
    played = deal(seat(ASHA, 4, stand_in=StandIn.PART, seen=False, points=9), seat(None, -4), guild=5)
    stats = entered([played, played])
    assert stats.with_computers[5, "all", ASHA] == Tally(deals=2, net=8, squares=32)
    assert stats.tallies_of(Company.COMPUTERS) is stats.with_computers
    assert stats.tallies_of(Company.PEOPLE) is stats.tallies
    won = deal(seat(ASHA, 4, winner=True), seat(None, -4), ending=Ending.DUBLEES)
    assert entered([won]).with_computers[1, "all", ASHA].dublees == 1
