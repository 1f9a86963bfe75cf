"""Staff decisions on who plays."""

import pytest

from league.events import Confirmed, SignedUp, Withdrawn
from league.members import Banned, MemberSet, Seeded, Team, teammates
from league.pairing.drawing import checked_in
from league.season import fold
from tests.league.seasons import Diary


def test_a_sign_up_that_waits_for_approval_is_on_no_list_until_it_has_it():
    diary = Diary(players=4, approval=True)
    diary.note(SignedUp(9, asks=True))
    assert diary.season.members[9].status == "asking"
    assert not diary.season.waiting()
    diary.note(MemberSet(9, "waiting", "asking"))
    assert [member.player for member in diary.season.waiting()] == [9]
    diary.undo()
    assert diary.season.members[9].status == "asking"


def test_somebody_is_added_who_never_signed_up_and_taken_off_again():
    diary = Diary(players=4)
    diary.note(MemberSet(9, "confirmed"))
    assert diary.season.members[9].plays
    diary.undo()
    assert diary.season.has_left(9)
    assert not checked_in(diary.season, 1)


@pytest.mark.parametrize("rounds", [0, 1])
def test_a_ban_puts_somebody_out_and_its_end_takes_them_in_as_they_were(rounds):
    diary = Diary(players=8, rounds=4)
    for _ in range(rounds):
        diary.round()
    before = diary.season
    diary.note(Banned(3))
    assert diary.season.banned == {3}
    assert diary.season.has_left(3)
    assert diary.season.members[3].withdrawn == (1 if rounds else None)
    diary.undo()
    assert diary.season == before


def test_a_ban_of_somebody_who_had_left_does_not_bring_them_back_when_it_ends():
    diary = Diary(players=8, rounds=4)
    diary.round()
    diary.note(Withdrawn(3))
    left = diary.season
    diary.note(Banned(3))
    diary.undo()
    assert diary.season == left
    diary.note(Banned(77))
    assert 77 in diary.season.banned
    assert diary.season.has_left(77)
    assert 77 not in diary.season.members


def test_a_seed_is_set_and_taken_back_and_every_event_is_folded_alike():
    diary = Diary(players=4)
    diary.note(Seeded(2, 1))
    assert diary.season.members[2].seed == 1
    diary.note(Seeded(2, 5, 1))
    diary.undo()
    assert diary.season.members[2].seed == 1
    assert fold(diary.entries) == diary.season


def test_only_members_are_confirmed_and_seeded():
    diary = Diary(players=4)
    for event in (Seeded(9, 1), Confirmed(9)):
        with pytest.raises(KeyError, match="9"):
            diary.note(event)


def test_every_two_of_a_team_are_teammates():
    teams = [Team(1, "Tigers", 1, (1, 2, 3)), Team(2, "Lions", 4, (4, 5)), Team(3, "Bears", 6, (6,))]
    assert {tuple(sorted(pair)) for pair in teammates(teams)} == {(1, 2), (1, 3), (2, 3), (4, 5)}
