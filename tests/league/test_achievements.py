"""Achievements: each is earned by what it says, once, and by nothing less."""

import pytest

from league.statistics.stats import BEGINNER, Achievement, Career, StandIn, step
from marriage.sheet import Ending
from marriage.state import ShowKind
from tests.league.facts import NOON, deal, seat

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
