"""The stats: what is kept of deals, and which deals count."""

from dataclasses import replace

import pytest

from league.statistics.profile import Profile, ShownRating
from league.statistics.ratings import NEWCOMER, Rating
from league.statistics.stats import DealFacts, Seen, StandIn, Stats, Tally
from tests.league.facts import NOON, deal, seat

ASHA, BIKRAM = 1, 2
PLAIN = deal(seat(ASHA, 10, winner=True), seat(BIKRAM, -10, seen=False))


def entered(deals: list[DealFacts]) -> Stats:
    """The stats of all these deals, in this order."""
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


def test_a_rating_is_shown_with_what_it_still_lacks():
    rating = Rating(30, 4, deals=12, met=frozenset({2, 3}), last=NOON)
    assert ShownRating.of(rating, NOON) == ShownRating(rating.shown(), rating.band(NOON), True, 12, 2)
    known = replace(rating, deals=60, met=frozenset(range(2, 20)))
    assert not ShownRating.of(known, NOON).provisional
