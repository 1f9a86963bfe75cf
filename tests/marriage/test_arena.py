"""Matches between computer players, and the ladder whose lower players never change."""

import time
from hashlib import sha256
from itertools import count
from random import Random
from statistics import fmean
from typing import Any

import pytest

from marriage.arena.ladder import FROZEN, LADDER
from marriage.arena.match import (
    ArenaGame,
    ArenaMatch,
    Results,
    difference,
    lineup,
    play_match,
    points,
    shows,
    wins,
)
from marriage.decide import start
from marriage.events import EVENT, Dealt, Settled
from marriage.rules import PRESETS
from marriage.strategy.players import play_out
from tests.marriage.cli_calls import run
from tests.marriage.dealing import seed

PAGAT = PRESETS["pagat"]

MOVES = {
    "random": "d0b1547338138c56bd5d601d65f75c3dfb0f63e25e24e0b34d8bdd3bfd11df66",
    "novice": "50939f03f794dcd19ca3c4dd79c14e853e7b75450924e7c034eb50143a1bee70",
    "casual": "872ffb631f9108b1a4568215b12064e7cc1ed92b3b9c5d9ba48a7b19c4f5fb92",
    "beginner": "55dc00dbd58f81bcaff688ffa9b1b3af7d768a5ab3636be984cd68a92965cbd4",
    "greedy": "8f1488d018f64961c389bf26ffd0922d4f36fc548f3006eda33d6792adccdd51",
    "greedy+outs": "da0b803fdf40e650efe16331bfc7d24115c69c576039b780ccccab7d2033c680",
    "master": "1a5ed018d273b5bb7ce00d107c1ee9e6149d8ff6005ee5e23a0206498f83a639",
}
"""The hash of each frozen player's moves. A player that plays otherwise gets a new name instead."""


def match(*players: str, seats: int = 4, deals: int = 1, **options: Any) -> Results:
    ticks = count()
    asked = ArenaMatch(lineup(players, seats), PAGAT, deals, **options)
    return play_match(asked, lambda: float(next(ticks)))


@pytest.mark.parametrize("name", FROZEN)
def test_a_frozen_player_plays_as_ever(name: str) -> None:
    digest = sha256()
    for number, preset in enumerate(("pagat", "kathmandu", "wikipedia-2010")):
        dealt = start(PRESETS[preset], 3, number, seed(number))
        players = [LADDER[name](Random(seat)) for seat in range(3)]
        for event in play_out(dealt, players):
            if not isinstance(event, Dealt | Settled):
                digest.update(EVENT.dump_json(event))
    assert digest.hexdigest() == MOVES[name]


@pytest.mark.parametrize("name", LADDER)
def test_a_player_makes_the_same_moves_of_the_same_deal_and_needs_no_clock(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Therefore a deal can be played again from its seed."""

    def stopped() -> float:
        raise AssertionError("a decision asked for the time")

    for clock in ("time", "monotonic", "perf_counter", "process_time"):
        monkeypatch.setattr(time, clock, stopped)
    dealt = start(PAGAT, 3, 0, seed(3))
    once, again = (list(play_out(dealt, [LADDER[name](Random(seat)) for seat in range(3)])) for _ in range(2))
    assert once == again


def test_every_player_holds_every_hand_of_a_deal() -> None:
    [block] = match("greedy", "beginner", "random", seats=3).blocks
    assert [game.seated for game in block] == [
        ("greedy", "beginner", "random"),
        ("random", "greedy", "beginner"),
        ("beginner", "random", "greedy"),
    ]


def test_the_first_player_sits_alone() -> None:
    assert lineup(["a", "b"], 4) == ("a", "b", "b", "b")
    assert lineup(["a", "b", "c"], 5) == ("a", "b", "c", "b", "c")
    with pytest.raises(ValueError, match="3 players do not fit on 2 seats"):
        lineup(["a", "b", "c"], 2)


def test_the_luck_of_the_cards_cancels() -> None:
    """Two players that play alike gain exactly nothing from each other, whatever the cards are."""
    players = {"one": LADDER["beginner"], "other": LADDER["beginner"]}
    results = play_match(ArenaMatch(lineup(["one", "other"], 4), PAGAT, 3), lambda: 0.0, players)
    for name in players:
        assert points(results, name) == pytest.approx((0, 0))


def game(seated: tuple[str, ...], nets: tuple[int, ...], winner: int, shown: set[int]) -> ArenaGame:
    return ArenaGame(seated, nets, winner, frozenset(shown), 12)


def test_the_figures_of_a_match() -> None:
    asked = ArenaMatch(("a", "b", "b"), PAGAT, 2)
    first = (game(("a", "b", "b"), (20, -10, -10), 0, {0, 1}), game(("b", "a", "b"), (13, -3, -10), 0, {0}))
    second = (game(("a", "b", "b"), (6, -3, -3), 0, {0, 1, 2}), game(("b", "b", "a"), (9, -6, -3), 0, {0, 2}))
    results = Results(asked, (first, second), {})
    assert points(results, "a") == pytest.approx((5, 3.5))
    assert difference(results, "a") == pytest.approx((fmean(((30 - 4.5) / 2, (9 - 4.5) / 2)), 5.25))
    assert wins(results, "a").mean == 0.5
    assert wins(results, "b").mean == 0.25
    assert shows(results, "a").mean == 0.75
    assert shows(results, "b").mean == 0.625


def test_deals_to_fit_and_deals_to_judge_are_never_the_same() -> None:
    keys = {
        (key.seed, key.table, key.deal)
        for purpose in ("judge", "fit")
        for text in ("0", "fit", "judge")
        for key in (ArenaMatch((), PAGAT, 1, seed=text, purpose=purpose).key(number) for number in range(3))
    }
    assert len(keys) == 18
    assert {table for _, table, _ in keys} == {"arena/judge", "arena/fit"}


@pytest.mark.parametrize("own_stocks", [False, True])
def test_the_same_match_has_the_same_games(own_stocks: bool) -> None:
    first = match("beginner", "random", deals=2, own_stocks=own_stocks)
    assert match("beginner", "random", deals=2, own_stocks=own_stocks).blocks == first.blocks
    assert match("beginner", "random", deals=2, own_stocks=not own_stocks).blocks != first.blocks


def test_the_time_of_every_decision_is_counted() -> None:
    results = match("beginner", "random", seats=2)
    assert set(results.times) == {"beginner", "random"}
    assert {spent for times in results.times.values() for spent in times.spent} == {1.0}
    assert results.times["beginner"].share(99) == results.times["beginner"].mean == 1.0


def test_a_match_on_the_command_line() -> None:
    options = ("--players", "greedy,random", "--deals", "3", "--seats", "3", "--preset", "kathmandu")
    answer = run("match", "--json", *options).answer
    assert (answer["deals"], answer["seats"], answer["preset"]) == (3, 3, "kathmandu")
    assert (answer["purpose"], answer["own_stocks"]) == ("judge", False)
    greedy, random = answer["players"]
    assert (greedy["player"], greedy["hands"]) == ("greedy", 9)
    assert (random["player"], random["hands"]) == ("random", 18)
    assert greedy["points"]["mean"] > 0 > random["points"]["mean"]
    assert greedy["points"]["mean"] + 2 * random["points"]["mean"] == pytest.approx(0, abs=0.01)
    assert greedy["points"]["error"] > 0
    assert greedy["wins"]["mean"] > random["wins"]["mean"]
    assert set(greedy["ms_a_move"]) == {"mean", "median", "p99"}
    table = run("match", *options).out
    assert table.splitlines()[0] == "deals     3 from each of 3 seats, kathmandu"
    assert f"{greedy['points']['mean']:+.2f} ± " in table


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "the key 'players' is missing"),
        (("--players", "greedy"), "players: "),
        (("--players", "greedy,greedy"), "a match is between different players"),
        (("--players", "greedy,clever"), "there is no player 'clever'; there are random, novice"),
        (("--players", "greedy,beginner,random", "--seats", "2"), "3 players do not fit on 2 seats"),
        (("--players", "greedy,random", "--deals", "x"), "--deals takes a number, not 'x'"),
        (("--players", "greedy,random", "--purpose", "win"), "purpose: "),
    ],
)
def test_matches_that_are_refused(arguments: tuple[str, ...], said: str) -> None:
    status, out, err = run("match", *arguments)
    assert (status, out) == (2, "")
    assert said in err


def test_seats_may_draw_from_stocks_of_their_own() -> None:
    options = ("--players", "beginner,random", "--deals", "1", "--seats", "3")
    own, shared = (run("match", "--json", *options, *more).answer for more in (("--own-stocks",), ()))
    assert (own["own_stocks"], shared["own_stocks"]) == (True, False)
    assert own["turns"] != shared["turns"]
