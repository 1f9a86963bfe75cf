"""The computer players by name, and the ratings of the ladder."""

from itertools import pairwise
from random import Random

import pytest

from marriage.arena.ladder import (
    AT_TABLES,
    EXPERTS,
    LADDER,
    TEMPERED,
    MeasuredLadder,
    Rung,
    at_table,
    ladder,
    rated,
    ratings,
    require_players,
    seated,
)
from marriage.strategy.players import RandomPlayer
from marriage.strategy.tempers import Temper


def test_a_rating_is_the_sum_of_the_rungs_from_the_usual_player() -> None:
    rungs = (
        Rung(player="b", below="a", deals=9, gap=2.5, error=0.3),
        Rung(player="c", below="b", deals=9, gap=1.0, error=0.1),
        Rung(player="d", below="c", deals=9, gap=0.5, error=0.4),
    )
    found = rated(MeasuredLadder(version=1, preset="pagat", seats=4, usual="b", rungs=rungs))
    assert found == {"a": (1400, 12), "b": (1500, 0), "c": (1540, 4), "d": (1560, 16)}


def test_every_level_is_surely_above_the_one_before() -> None:
    measured = ladder()
    levels = [seated(name) for name in AT_TABLES]
    assert [(rung.below, rung.player) for rung in measured.rungs] == list(pairwise(levels))
    for rung in measured.rungs:
        assert rung.gap >= 3 * rung.error
    assert ratings()[measured.usual] == (1500, 0)


def test_a_ladder_is_read_only_as_it_was_written() -> None:
    with pytest.raises(ValueError, match="Extra inputs"):
        MeasuredLadder.model_validate({**ladder().model_dump(), "more": 1})


def test_at_tables_the_expert_sits_for_the_master() -> None:
    assert [seated(name) for name in AT_TABLES] == [*list(AT_TABLES)[:-1], "expert"]
    assert at_table("master") is EXPERTS["expert"]
    assert at_table("master", Temper.BOLD) is EXPERTS["expert/bold"]
    assert at_table("novice") is AT_TABLES["novice"]
    assert at_table("greedy", Temper.CAREFUL) is TEMPERED["greedy/careful"]


def test_players_are_found_by_name() -> None:
    assert LADDER["greedy"](Random()) is AT_TABLES["greedy"]
    chance = Random()
    assert LADDER["random"](chance) == RandomPlayer(chance)
    require_players(tuple(LADDER))


def test_who_asks_for_an_unknown_player_is_told_which_there_are() -> None:
    name = 40 * "x"
    with pytest.raises(ValueError, match="there is no player") as refused:
        require_players(("greedy", f"{name}yz"))
    assert str(refused.value) == f"there is no player '{name}'; there are {', '.join(LADDER)}"
