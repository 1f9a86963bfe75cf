"""Staff actions as events: players who move to another pod or division, cancelled draws, messages."""

import pytest

from league.events import (
    DeadlineMoved,
    DeadlinesPutOff,
    DivisionSet,
    DrawnPod,
    RoundCancelled,
    RoundDrawn,
    SignedUp,
)
from league.members import DivisionsExchanged, MembersWritten, PlayerMoved
from league.pairing.drawing import draw_rounds
from league.season import Season, fold
from league.undoing import inverse
from tests.league.seasons import SEED, Diary


def drawn(players: int = 8) -> Diary:
    diary = Diary(players=players, rounds=3)
    diary.draw()
    return diary


def seats(season: Season) -> dict[int, tuple[int, ...]]:
    assert all(pod.drawn == pod.players for pod in season.pods.values())
    return {number: pod.players for number, pod in season.pods.items()}


def test_two_players_exchange_seats_and_back():
    diary = drawn()
    before = seats(diary.season)
    first, second = before[1], before[2]
    diary.note(PlayerMoved(first[1], 1, 2, 3, 1, second[3]))
    assert seats(diary.season) == before | {
        1: (first[0], second[3], *first[2:]),
        2: (*second[:3], first[1]),
    }
    diary.undo()
    assert seats(diary.season) == before


@pytest.mark.parametrize("former", [0, 2, 3])
def test_a_player_goes_to_another_pod_and_comes_back_to_the_same_seat(former):
    diary = drawn()
    before = seats(diary.season)
    first, second = before[1], before[2]
    diary.note(PlayerMoved(first[former], 1, 2, 4, former))
    assert seats(diary.season)[1] == (*first[:former], *first[former + 1 :])
    assert seats(diary.season)[2] == (*second, first[former])
    diary.undo()
    assert seats(diary.season) == before


def test_two_players_exchange_their_divisions_in_every_round():
    diary = Diary("divisions", players=8, rounds=3, division_size=4)
    for player in list(diary.season.members):
        diary.note(DivisionSet(player, 1 + (player > 4)))
    for event in draw_rounds(diary.season, SEED, [1, 2, 3]):
        diary.note(event)
    before = diary.season
    diary.note(DivisionsExchanged(1, 5))
    now = diary.season
    assert (now.members[1].division, now.members[5].division) == (2, 1)
    for number, pod in now.pods.items():
        other = {1: 5, 5: 1}
        assert pod.players == tuple(other.get(player, player) for player in before.pods[number].players)
        assert (1 in pod.players) == (pod.division == 2)
    diary.undo()
    assert diary.season == before


def test_a_draw_that_was_taken_back_is_made_by_other_lots():
    diary = drawn(players=16)
    [first] = [entry.event for entry in diary.entries if isinstance(entry.event, RoundDrawn)]
    diary.note(RoundCancelled(first))
    assert diary.season.cancelled == (1,)
    assert not diary.season.pods
    [again] = draw_rounds(diary.season, SEED, [1, 2, 3])[:1]
    assert isinstance(again, RoundDrawn)
    assert min(pod.id for pod in again.pods) == max(pod.id for pod in first.pods) + 1
    assert companies(again.pods) != companies(first.pods)
    assert again == draw_rounds(diary.season, SEED, [1, 2, 3])[0], "anybody can work it out again"


def test_a_round_that_is_drawn_again_keeps_its_deadline_until_it_is_drawn():
    diary = drawn(players=16)
    due = diary.season.rounds[1].due
    diary.note(DeadlineMoved(1, due + 500, due))
    diary.note(RoundCancelled(diary.season.rounds[1]))
    assert diary.season.to_redraw == {1: due + 500}
    diary.note(DeadlinesPutOff(since=due + 500, by=100))
    assert diary.season.to_redraw == {1: due + 500}
    diary.note(DeadlinesPutOff(since=due, by=100))
    assert diary.season.to_redraw == {1: due + 600}
    diary.note(RoundDrawn(2, (), due=9))
    assert diary.season.to_redraw == {1: due + 600}
    diary.note(RoundDrawn(1, (), due=due + 600))
    assert diary.season.to_redraw == {}
    final = RoundDrawn(3, (), due=9, stage=4)
    diary.note(final)
    diary.note(RoundCancelled(final))
    assert diary.season.to_redraw == {}, "a stage is drawn again with its cancellation"


def companies(pods: tuple[DrawnPod, ...]) -> set[frozenset[int]]:
    return {frozenset(pod.players) for pod in pods}


def test_a_message_changes_nothing_and_cannot_be_taken_back():
    diary = drawn()
    before = diary.season
    diary.note(MembersWritten("play", (1, 2)))
    assert diary.season == before
    assert inverse(diary.entries[-1].event) is None


def test_the_order_in_which_events_are_read_does_not_matter():
    diary = drawn()
    first, second = seats(diary.season)[1], seats(diary.season)[2]
    diary.note(PlayerMoved(first[0], 1, 2, 4, 0))
    diary.note(SignedUp(99))
    diary.note(PlayerMoved(second[0], 2, 1, 3, 0))
    assert fold(reversed(diary.entries)) == diary.season
