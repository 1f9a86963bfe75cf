"""Which computer plays a seat, and its name."""

import random

import pytest
from structlog.testing import capture_logs

from bot.table.flow import computers
from bot.table.flow.computers import (
    MOUNTAINS,
    STAND_IN,
    TEMPERS,
    answer,
    free_name,
    level_of,
    pause_ms,
    played_out,
    player_of,
    rating_of,
    temper_of,
    turns,
)
from data.preferences import Level
from data.values import SeatRow
from marriage.actions import Action, DeclineTunnelas, Discard, ExposeTunnelas, Show
from marriage.apply import replay
from marriage.arena.ladder import AT_TABLES, EXPERTS, TEMPERED
from marriage.cards import MASTER
from marriage.decide import start
from marriage.errors import Refusal
from marriage.events import ClaimFailed, Settled, TunnelasExposed
from marriage.rules import SEATS_MAX, preset
from marriage.state import Phase
from marriage.strategy.tempers import Temper
from marriage.view import View, view
from tests.marriage.dealing import Script, arranged, deal, play, seed
from tests.marriage.test_resample import OPENS_HANDS, told_anew

UNTEMPERED = {Level.NOVICE, Level.EASY}


@pytest.mark.parametrize("level", Level)
def test_a_computer_plays_at_its_level(level: Level):
    players = [*list(AT_TABLES.values())[:-1], EXPERTS["expert"]]
    assert player_of(SeatRow(1, 0, None, "Sagarmatha", level)) is players[list(Level).index(level)]


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("name", TEMPERS)
def test_a_computer_that_weighs_what_it_does_has_the_temper_of_its_name(level: Level, name: str):
    seat = SeatRow(1, 0, None, name, level)
    plain = player_of(SeatRow(1, 0, None, "Makalu", level))
    assert temper_of(seat) == (None if level in UNTEMPERED else TEMPERS[name])
    assert (player_of(seat) is plain) == (level in UNTEMPERED)
    assert (player_of(seat) in (TEMPERED | EXPERTS).values()) == (level not in UNTEMPERED)


def test_a_person_of_the_same_name_lends_the_stand_in_no_temper():
    person = SeatRow(1, 0, 5, "Laxmi", away=True)
    assert temper_of(person) is None
    assert player_of(person) is AT_TABLES["greedy"]


def test_levels_play_differently_and_their_ratings_rise():
    assert len(set(AT_TABLES.values()) | set(TEMPERED.values())) == len(AT_TABLES) + len(TEMPERED)
    ratings = [rating_of(level) for level in Level]
    assert ratings == sorted(set(ratings))
    assert rating_of(STAND_IN) == 1500


def test_a_table_has_computers_of_every_temper_and_always_the_same_ones():
    for table in range(1, 20):
        names: list[str] = []
        for seat in range(1, SEATS_MAX):
            names.append(free_name(table, seat, names))
        assert len(set(names)) == len(names)
        assert {TEMPERS[name] for name in names[:3]} == set(Temper)
        assert free_name(table, 1, ()) == names[0]
    assert not set(TEMPERS) & set(MOUNTAINS)


def test_a_name_with_an_account_returns_only_if_all_have_one():
    first = free_name(1, 1, ())
    assert free_name(1, 1, (), {first}) == free_name(1, 1, {first}) != first
    assert free_name(1, 1, (), TEMPERS) == first


@pytest.mark.parametrize("window", ["before_first_draw", "own_first_draw"])
@pytest.mark.parametrize("who", [{"away": True}, {"left": True}, {}])
def test_the_computer_exposes_a_computers_tunnelas_and_never_those_of_a_person(window: str, who: dict):
    """Exposed tunnelas stay open for good, and the person has not decided."""
    state = Script(arranged("", "5H 5H 5H", rules=preset("pagat", tunnela_window=window))).state
    computer = SeatRow(1, 1, None, "Sagarmatha", Level.STEADY)
    assert isinstance(answer(computer, view(state, 1)), ExposeTunnelas)
    assert answer(SeatRow(1, 1, 5, "Asha", **who), view(state, 1)) == DeclineTunnelas()


@pytest.mark.parametrize(
    "seat",
    [
        SeatRow(1, 0, 5, "Asha", away=True),
        SeatRow(1, 0, 5, "Asha", left=True),
        SeatRow(1, 0, None, "Sagarmatha", "a level of the past"),
    ],
)
def test_the_stand_in_plays_for_people_and_for_levels_that_are_no_more(seat: SeatRow):
    assert level_of(seat) is STAND_IN
    assert player_of(seat) is AT_TABLES["greedy"]


class Stubborn:
    """A player who always chooses the same action, regardless of the rules."""

    def __init__(self, wanted: Action):
        self.wanted = wanted

    def choose(self, view: View) -> Action:
        return self.wanted


@pytest.mark.parametrize("wanted", [Discard(MASTER), Show(()), ExposeTunnelas(())])
def test_a_table_goes_on_when_the_choice_of_a_computer_is_refused(
    wanted: Action, monkeypatch: pytest.MonkeyPatch
):
    """This holds even if a wrong show would be a foul, and no tunnela is opened."""
    monkeypatch.setattr(computers, "player_of", lambda _: Stubborn(wanted))
    rules = preset("wikipedia", reshuffle_cap=1)
    state = replay(start(rules, 2, 0, seed(3)))
    seats = [SeatRow(1, number, None, "Makalu", Level.STEADY) for number in range(2)]
    events = [event for _, caused in played_out(state, seats) for event in caused]
    assert isinstance(events[-1], Settled)
    assert not [event for event in events if isinstance(event, ClaimFailed | TunnelasExposed)]


def test_a_refused_choice_is_logged_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(computers, "player_of", lambda _: Stubborn(Show(())))
    state = Script(arranged("", "")).close_window().draw().state
    with capture_logs() as logs:
        played = turns(state, [SeatRow(7, 0, None, "Makalu", Level.STEADY), SeatRow(7, 1, 5, "Asha")])
    assert [caused[0].event for _, caused in played] == ["discarded"]
    assert logs == [
        {
            "event": "computer_choice.refused",
            "log_level": "error",
            "table": 7,
            "computer": Level.STEADY,
            "action": "show",
            "why": Refusal.NOT_THREE_GROUPS,
        }
    ]


def test_a_computer_waits_as_long_as_its_turn_is_hard_and_no_longer_than_is_set():
    waits: set[int] = set()
    begun, _ = deal(5, 4)
    for state, _, _, _ in play(begun, AT_TABLES["greedy"].choose):
        if state.phase is Phase.DRAW:
            waits.add(pause_ms(1_000, state))
            assert pause_ms(0, state) == 0
    assert len(waits) > 5
    assert min(waits) >= 500
    assert max(waits) <= 1_000


def test_a_pause_tells_nobody_what_they_cannot_see():
    """The pause is the same with other cards that some seat cannot see, such as the computer's hand."""
    twins = 0
    for number in range(4):
        state, told = deal(number, 4)
        for after, _, _, caused in play(state, AT_TABLES["greedy"].choose):
            told = [*told, *caused]
            if isinstance(caused[-1], OPENS_HANDS):
                break
            if after.phase is Phase.DRAW:
                watching = (after.turn + 1) % len(after.seats)
                twin = replay(told_anew(told, watching, random.Random(len(told))))
                assert twin != after
                assert pause_ms(1_200, twin) == pause_ms(1_200, after)
                twins += 1
    assert twins > 20
