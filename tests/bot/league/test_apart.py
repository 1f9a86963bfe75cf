"""Two players who are not to be drawn together."""

import pytest

from bot.errors import UserError
from bot.league import ruling_events
from league.events import EVENT
from league.pairing.pods import KeptApart
from league.undoing import inverse
from tests.league.seasons import Diary


def test_who_is_kept_apart_does_not_meet_in_a_season():
    diary = Diary(players=8, rounds=4)
    diary.note(KeptApart(1, 2))
    for _ in range(4):
        diary.round()
    assert diary.season.apart == {frozenset((1, 2))}
    assert not any({1, 2} <= set(pod.players) for pod in diary.season.pods.values())
    diary = Diary(players=8, rounds=4)
    for _ in range(4):
        diary.round()
    assert any({1, 2} <= set(pod.players) for pod in diary.season.pods.values())


def test_it_is_stored_and_taken_back():
    event = ruling_events.kept_apart(Diary().season, 2, 1)
    assert EVENT.validate_json(EVENT.dump_json(event)) == event
    diary = Diary()
    diary.note(event)
    with pytest.raises(UserError, match="apart_already"):
        ruling_events.kept_apart(diary.season, 1, 2)
    diary.note(inverse(event) or event)
    assert diary.season.apart == frozenset()


@pytest.mark.parametrize(("player", "other"), [(1, None), (1, 99), (1, 1)])
def test_it_takes_two_members(player, other):
    with pytest.raises(UserError):
        ruling_events.kept_apart(Diary().season, player, other)
