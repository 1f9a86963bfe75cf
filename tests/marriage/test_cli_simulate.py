"""`python -m marriage simulate`: deals between computer players, and their figures."""

from typing import Any

import pytest

from tests.marriage.cli_calls import ask_lines, run

TIMED = "deals_per_second"


def simulate(*arguments: str) -> dict[str, Any]:
    answer = run("simulate", "--json", *arguments).answer
    assert answer.pop(TIMED) > 0
    return answer


def test_the_figures_of_a_few_deals() -> None:
    answer = simulate("--deals", "8", "--seats", "3", "--preset", "kathmandu", "--players", "greedy,random")
    assert (answer["deals"], answer["seats"], answer["preset"]) == (8, 3, "kathmandu")
    assert sum(answer["endings"].values()) == 8
    assert answer["finish_rate"] == 1 - answer["endings"]["dismissed"] / 8
    greedy, random = answer["players"]
    assert [(player["player"], player["hands"]) for player in (greedy, random)] == [
        ("greedy", 16),
        ("random", 8),
    ]
    assert greedy["wins"] + random["wins"] == 8 - answer["endings"]["dismissed"]
    assert 2 * greedy["net_mean"] + random["net_mean"] == pytest.approx(0, abs=0.05)
    assert greedy["net_mean"] > random["net_mean"]
    assert answer["net"]["mean"] == 0
    assert 1 <= answer["show_turn"]["least"] <= answer["finish_turn"]["most"] <= answer["turns"]["most"]
    assert answer["turns"]["least"] <= answer["turns"]["median"] <= answer["turns"]["p90"]


def test_the_same_seed_gives_the_same_deals() -> None:
    first = simulate("--deals", "3", "--seed", "evening", "--players", "random,greedy")
    assert simulate("--deals", "3", "--seed", "evening", "--players", "random,greedy") == first
    assert simulate("--deals", "3", "--seed", "morning", "--players", "random,greedy") != first


def test_deals_that_nobody_wins() -> None:
    options = ("--option", "stock_out=dismiss", "--option", "dublee=no")
    answer = simulate("--deals", "3", "--seats", "5", "--players", "random", *options)
    assert answer["endings"] == {"sets": 0, "dublees": 0, "dismissed": 3}
    assert answer["finish_turn"] is answer["points"] is None
    assert answer["turns"]["least"] >= 50
    assert answer["net"]["deviation"] == 0


def test_the_table_for_people() -> None:
    out = run("simulate", "--deals", "2", "--players", "greedy+outs").out
    figures, spreads, players = out.split("\n\n")
    assert figures.splitlines()[0] == "deals     2 of 4 seats, pagat"
    assert [line.split("  ")[0] for line in spreads.splitlines()][1:] == [
        "turns",
        "finish turn",
        "show turn",
        "points",
        "net",
    ]
    assert players.splitlines()[1].startswith("greedy+outs")


def test_requests_as_lines() -> None:
    good, bad = ask_lines("simulate", [{"deals": 1, "seats": 2}, {"deals": 0}])
    assert good["deals"] == 1
    assert "deals: " in bad["error"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--deals", "0"), "deals: "),
        (("--deals", "-1"), "--deals takes a number, not '-1'"),
        (("--deals", "1.5"), "--deals takes a number"),
        (("--deals", "९"), "--deals takes a number"),
        (("--deals", "10000000"), "deals: "),
        (("--seats", "1"), "seats: "),
        (("--seats", "6"), "seats: "),
        (("--seats", "2", "--players", "greedy,greedy,random"), "3 players do not fit on 2 seats"),
        (("--players", "clever"), "there is no player 'clever'; there are random, novice, beginner"),
        (("--players", ""), "there is no player ''"),
        (("--preset", "none"), "there is no preset 'none'"),
        (("--seed", "x" * 101), "seed: "),
    ],
)
def test_what_is_refused(arguments: tuple[str, ...], said: str) -> None:
    status, out, err = run("simulate", *arguments)
    assert (status, out) == (2, "")
    assert said in err
