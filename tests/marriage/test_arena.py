"""Matches between computer players."""

from hashlib import sha256
from itertools import count
from random import Random
from statistics import fmean
from typing import Any

import pytest

from marriage.actions import Action
from marriage.arena.ladder import LADDER
from marriage.arena.match import (
    ArenaGame,
    ArenaMatch,
    Results,
    Times,
    difference,
    finished,
    hands,
    lineup,
    play_match,
    points,
    shows,
    turns,
    wins,
)
from marriage.decide import start
from marriage.duplicate_board import board_rules
from marriage.events import Drew, Settled, Showed, ShowedDublees, Took
from marriage.rules import PRESETS
from marriage.shuffle import DealSeed
from marriage.strategy.players import BeginnerPlayer, Player, play_out
from marriage.view import View

PAGAT = PRESETS["pagat"]


def match(*players: str, seats: int = 4, deals: int = 1, **options: Any) -> Results:
    ticks = count()
    asked = ArenaMatch(lineup(players, seats), PAGAT, deals, **options)
    return play_match(asked, lambda: float(next(ticks)))


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


def test_the_other_figures_of_a_match() -> None:
    asked = ArenaMatch(("a", "b"), PAGAT, 2)
    seated = ("a", "b")
    won = ArenaGame(seated, (3, -3), 1, frozenset({1}), 10)
    dismissed = ArenaGame(seated, (0, 0), None, frozenset(), 31)
    results = Results(asked, ((won, won._replace(seated=("b", "a"), turns=12)), (dismissed, won)), {})
    assert turns(results).mean == (11 + 20.5) / 2
    assert finished(results).mean == 0.75
    assert hands(results) == {"a": 4, "b": 4}
    assert wins(results, "a").mean == (0.5 + 0) / 2
    assert wins(results, "b").mean == (0.5 + 0.5) / 2


def test_a_single_deal_has_no_standard_error() -> None:
    games = (game(("a", "b", "b"), (20, -10, -10), 0, {0}), game(("b", "a", "b"), (-5, 10, -5), 1, {1}))
    assert points(Results(ArenaMatch(("a", "b", "b"), PAGAT, 1), (games,), {}), "a") == (15, 0.0)


def test_nobody_leads_where_all_players_are_the_same() -> None:
    same = ArenaGame(("a", "a"), (8, -8), 0, frozenset({0}), 9)
    assert difference(Results(ArenaMatch(("a", "a"), PAGAT, 1), ((same,),), {}), "a") == (0.0, 0.0)


def test_the_times_of_decisions_have_percentiles() -> None:
    times = Times([0.5, 0.1, 0.2, 0.4, 0.3])
    assert [times.share(percent) for percent in (0, 24, 25, 50, 99, 100)] == [0.1, 0.1, 0.2, 0.3, 0.4, 0.5]
    assert times.mean == pytest.approx(0.3)
    assert (Times().mean, Times().share(50)) == (0.0, 0.0)


@pytest.mark.parametrize("own_stocks", [False, True])
def test_a_game_is_told_as_its_deal_was_played(own_stocks: bool) -> None:
    """The dealer moves on with every deal."""
    asked = ArenaMatch(("greedy", "greedy/bold", "novice"), PAGAT, 4, first=5, own_stocks=own_stocks)
    rules = board_rules(PAGAT) if own_stocks else PAGAT
    for number, block in enumerate(play_match(asked, lambda: 0.0).blocks, 5):
        dealt = start(rules, 3, number % 3, asked.key(number), board=own_stocks)
        for played in block:
            events = list(play_out(dealt, [LADDER[name](Random()) for name in played.seated]))
            assert isinstance(events[-1], Settled)
            sheet = events[-1].sheet
            took = [event.seat for event in events if isinstance(event, Took)]
            drew = [event.seat for event in events if isinstance(event, Drew)]
            by_groups = {event.seat for event in events if isinstance(event, Showed)}
            by_dublees = {event.seat for event in events if isinstance(event, ShowedDublees)}
            assert played == ArenaGame(
                played.seated,
                tuple(line.net for line in sheet.lines),
                sheet.winner,
                frozenset(by_groups | by_dublees),
                len(took) + len(drew),
                tuple(line.points for line in sheet.lines),
                tuple(map(took.count, range(3))),
                frozenset(by_dublees),
            )


def test_a_match_may_be_played_in_parts() -> None:
    whole = match("beginner", "novice", seats=2, deals=3).blocks
    assert match("beginner", "novice", seats=2, deals=2, first=1).blocks == whole[1:]


def test_players_that_choose_at_random_choose_otherwise_at_every_seat_of_every_game() -> None:
    def whims(**options: Any) -> list[float]:
        made: list[float] = []

        def player(chance: Random) -> Player:
            made.append(chance.random())
            return BeginnerPlayer()

        play_match(ArenaMatch(("a", "b"), PAGAT, 2, **options), lambda: 0.0, {"a": player, "b": player})
        return made

    usual = whims()
    assert len(set(usual)) == len(usual) == 2 * 2 * 2
    assert whims() == usual
    assert not {*whims(seed="1")} & {*usual}
    assert not {*whims(purpose="fit")} & {*usual}


def test_the_deals_of_a_match_never_change() -> None:
    """Otherwise its figures could not be compared with those of earlier versions."""
    key = ArenaMatch((), PAGAT, 1, seed="x").key(7)
    assert key == DealSeed(sha256(b"tiplu/arena/judge/x").digest(), "arena/judge", 7)


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


@pytest.mark.parametrize(("own_stocks", "foul"), [(False, "next"), (True, "off")])
def test_only_boards_are_played_by_the_rules_of_boards(own_stocks: bool, foul: str) -> None:
    """On a board no foul is carried to the next deal."""
    played: set[str] = set()

    class Watcher(BeginnerPlayer):
        def choose(self, view: View) -> Action:
            played.add(view.rules.foul)
            return super().choose(view)

    asked = ArenaMatch(("a", "a", "a"), PAGAT.with_options(foul="next"), 1, own_stocks=own_stocks)
    assert play_match(asked, lambda: 0.0, {"a": lambda _: Watcher()}).match is asked
    assert played == {foul}


def test_the_time_of_every_decision_is_counted() -> None:
    results = match("beginner", "random", seats=2)
    assert set(results.times) == {"beginner", "random"}
    assert {spent for times in results.times.values() for spent in times.spent} == {1.0}
    assert results.times["beginner"].share(99) == results.times["beginner"].mean == 1.0
