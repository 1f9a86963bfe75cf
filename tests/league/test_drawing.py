"""Draws of a season in one sitting: who has gone away, and that nobody is absent."""

from league.events import CheckedIn, DrawnPod, NoShowBooked, RoundDrawn
from league.pairing.drawing import draw_rounds, gone_away, missed_before
from tests.league.seasons import SEED, Diary


def evening(players: int = 4) -> Diary:
    """An arena in which four players were drawn once, and the first of them did not come."""
    diary = Diary("arena", players=players)
    diary.note(RoundDrawn(1, (DrawnPod(1, (1, 2, 3, 4)),)))
    diary.note(NoShowBooked(1, 1))
    return diary


def test_who_did_not_come_is_gone_until_they_come_back():
    diary = evening()
    assert gone_away(diary.season) == {1}
    diary.note(CheckedIn(1, 1))
    assert gone_away(diary.season) == {1}, "they had said so before the round in which they did not come"
    diary.note(CheckedIn(1, 2))
    assert gone_away(diary.season) == frozenset()


def test_only_the_last_match_tells_who_is_gone():
    diary = evening()
    diary.note(RoundDrawn(2, (DrawnPod(2, (1, 2, 3, 4)),)))
    assert gone_away(diary.season) == frozenset()


def test_in_rounds_of_days_nobody_is_gone_for_one_missed_match():
    diary = Diary(players=4)
    [pod] = diary.draw()
    diary.note(NoShowBooked(pod, 1))
    assert gone_away(diary.season) == frozenset()


def test_rounds_before_one_joined_are_missed_but_not_in_one_sitting():
    diary = Diary(players=4)
    assert missed_before(diary.season) == ()
    for number in (1, 2):
        diary.note(RoundDrawn(number, ()))
    assert missed_before(diary.season) == (1, 2)
    assert missed_before(evening().season) == ()


def test_who_is_not_drawn_is_absent_but_not_in_one_sitting():
    for format_, absent in (("pods", {4}), ("arena", set())):
        diary = Diary(format_, players=4)
        for player in (1, 2, 3):
            diary.note(CheckedIn(player, 1))
        drawn, *absences = draw_rounds(diary.season, SEED, [0])
        assert sorted(drawn.pods[0].players) == [1, 2, 3]
        assert {event.player for event in absences} == absent


def test_in_one_sitting_who_still_plays_waits_and_who_did_not_come_may_be_drawn_again():
    diary = evening(players=7)
    for player in range(1, 8):
        diary.note(CheckedIn(player, 2))
    [drawn] = draw_rounds(diary.season, SEED, [0])
    assert sorted(player for pod in drawn.pods for player in pod.players) == [1, 5, 6, 7]
