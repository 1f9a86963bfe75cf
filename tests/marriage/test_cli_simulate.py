"""`python -m marriage simulate`: deals between computer players, and their figures."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from random import Random
from types import UnionType
from typing import Any

import pytest

from marriage.arena.ladder import LADDER
from marriage.cli.simulate import Simulate, SimulatedFigures, to_json, to_text
from marriage.decide import start
from marriage.events import Drew, Event, Finished, FinishedDublees, Settled, Showed, ShowedDublees, Took
from marriage.rules import PRESETS, Rules, preset
from marriage.shuffle import DealSeed
from marriage.strategy.players import GreedyPlayer, Player, play_out
from tests.marriage.cli_calls import ask_lines, run
from tests.marriage.dealing import arranged, seed

NAMES = ", ".join(PRESETS)
PLAYERS = ", ".join(LADDER)
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


OWN_TURNS = Drew | Took
SHOWS = Showed | ShowedDublees
FINISHES = Finished | FinishedDublees


def own_turns(events: Sequence[Event], kind: UnionType) -> list[int]:
    """Return, for each event of a kind, how many turns its seat had until then."""
    found: list[int] = []
    for place, event in enumerate(events):
        if isinstance(event, SHOWS | FINISHES) and isinstance(event, kind):
            before = [other.seat for other in events[:place] if isinstance(other, OWN_TURNS)]
            found.append(before.count(event.seat))
    return found


EIGHT_PAIRS = "AS AS 4S 4S 8H 8H QH QH 6D 6D 10C 10C 2H 2H KD JS 6S 9D AC 4C 9S"
SHORT = preset("pagat", stock_out="dismiss", dublee=False)
BEGUN = (
    *(start(preset("kathmandu"), 3, 0, seed(number)) for number in range(3)),
    *(start(SHORT, 3, 0, seed(number)) for number in range(6)),
    (arranged(EIGHT_PAIRS, "2S 2S", "", up="KD"),),
)


@pytest.mark.parametrize("players", [("greedy", "random", "greedy"), ("random", "random", "novice")])
def test_deals_are_counted_as_they_were_played(players: tuple[str, ...]) -> None:
    figures = SimulatedFigures(players, "any")
    deals: list[list[Event]] = []
    for number, begun in enumerate(BEGUN):
        seated = [LADDER[name](Random(number)) for name in players]
        deals.append(list(play_out(begun, seated)))
        figures.count(deals[-1])
    settled = [deal[-1] for deal in deals]
    sheets = [event.sheet for event in settled if isinstance(event, Settled)]
    assert figures.turns == [sum(isinstance(event, OWN_TURNS) for event in deal) for deal in deals]
    assert figures.show_turns == [turn for deal in deals for turn in own_turns(deal, SHOWS)]
    assert figures.finish_turns == [turn for deal in deals for turn in own_turns(deal, FINISHES)]
    won = [sheet for sheet in sheets if sheet.winner is not None]
    assert figures.points == [line.points for sheet in won for line in sheet.lines]
    assert figures.wins == Counter(players[sheet.winner or 0] for sheet in won)
    assert figures.endings == Counter(sheet.ending.value for sheet in sheets)
    assert "groups" in figures.endings
    assert ("dublees" if "greedy" in players else "dismissed") in figures.endings
    for name in players:
        nets = [
            line.net
            for sheet in sheets
            for line, who in zip(sheet.lines, players, strict=True)
            if who == name
        ]
        assert figures.nets[name] == nets


FIGURES = SimulatedFigures(
    seated=("calm", "bold", "calm"),
    preset="kidnap",
    endings=Counter({"groups": 5, "dublees": 2, "dismissed": 1}),
    turns=[7, 12, 9, 30, 14, 11, 8, 10],
    finish_turns=[4, 3, 5, 4, 3, 4, 4],
    show_turns=[2, 3, 2, 3, 4],
    points=[],
    nets={"calm": [3, -4, 5, 0], "bold": [1, -5]},
    wins=Counter({"bold": 2, "calm": 5}),
    seconds=0.3,
)


def test_the_figures_are_rounded_for_programs() -> None:
    assert to_json(FIGURES) == {
        "deals": 8,
        "seats": 3,
        "preset": "kidnap",
        "endings": {"sets": 5, "dublees": 2, "dismissed": 1},
        "finish_rate": 0.875,
        "turns": {"mean": 12.62, "median": 10, "p90": 14, "deviation": 6.89, "least": 7, "most": 30},
        "finish_turn": {"mean": 3.86, "median": 4, "p90": 4, "deviation": 0.64, "least": 3, "most": 5},
        "show_turn": {"mean": 2.8, "median": 3, "p90": 3, "deviation": 0.75, "least": 2, "most": 4},
        "points": None,
        "net": {"mean": 0, "median": 0, "p90": 3, "deviation": 3.56, "least": -5, "most": 5},
        "players": [
            {"player": "calm", "hands": 4, "wins": 5, "net_mean": 1, "net_error": 1.7},
            {"player": "bold", "hands": 2, "wins": 2, "net_mean": -2, "net_error": 2.12},
        ],
        "deals_per_second": 26.7,
    }


def test_a_share_that_does_not_come_out_even_is_rounded_and_points_are_told_if_somebody_won() -> None:
    figures = replace(
        FIGURES,
        endings=Counter({"groups": 2, "dismissed": 1}),
        turns=[7, 8, 9],
        points=[4, 2, 0, 2],
        nets={"calm": [1, 0, 0], "bold": [-1]},
    )
    answer = to_json(figures)
    assert answer["finish_rate"] == 0.6667
    assert answer["players"][0]["net_mean"] == 0.33
    assert answer["points"] == {"mean": 2, "median": 2, "p90": 2, "deviation": 1.41, "least": 0, "most": 4}


def test_people_get_tables() -> None:
    assert to_text(FIGURES).splitlines() == [
        "deals     8 of 3 seats, kidnap",
        "finished  87.5% (5 by sets, 2 by dublees, 1 dismissed)",
        "speed     26.7 deals a second",
        "",
        "              mean  median  p90  deviation  least  most",
        "turns        12.62      10   14       6.89      7    30",
        "finish turn   3.86       4    4       0.64      3     5",
        "show turn      2.8       3    3       0.75      2     4",
        "points           -       -    -          -      -     -",
        "net            0.0       0    3       3.56     -5     5",
        "",
        "player  hands  wins  net a hand     ±",
        "calm        4     5         1.0   1.7",
        "bold        2     2        -2.0  2.12",
    ]


def test_the_deals_of_a_seed_never_change(monkeypatch: pytest.MonkeyPatch) -> None:
    """The deal passes from seat to seat, and players that choose at random choose otherwise at every seat."""
    chances: list[float] = []

    def noted(chance: Random) -> Player:
        chances.append(chance.random())
        return GreedyPlayer(count_outs=False)

    monkeypatch.setitem(LADDER, "noted", noted)
    begun: list[tuple[int, int, DealSeed]] = []

    def dealt(rules: Rules, players: int, dealer: int, key: DealSeed) -> Sequence[Event]:
        begun.append((players, dealer, key))
        return start(rules, players, dealer, key)

    monkeypatch.setattr("marriage.cli.simulate.start", dealt)
    run("simulate", "--seats", "2", "--deals", "3", "--seed", "x", "--players", "noted")
    secret = sha256(b"x").digest()
    assert begun == [(2, number % 2, DealSeed(secret, "simulate", number)) for number in range(3)]
    assert chances == [Random(f"x:{number}:{seat}").random() for number in range(3) for seat in range(2)]


def test_without_arguments_a_hundred_deals_are_played_by_greedy_players() -> None:
    asked = Simulate()
    assert (asked.deals, asked.seated(), asked.seed, asked.preset) == (100, ("greedy",) * 4, "0", "pagat")
    five = Simulate(players=("greedy", "random"), seats=5)
    assert five.seated() == ("greedy", "random", "greedy", "random", "greedy")


def test_requests_as_lines() -> None:
    good, bad = ask_lines("simulate", [{"deals": 1, "seats": 2}, {"deals": 0}])
    assert good["deals"] == 1
    assert "deals: " in bad["error"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--deals", "0"), "deals: "),
        (("--deals", "-1"), "--deals takes a number, not '-1'"),
        (("--deals", "1.5"), "--deals takes a number, not '1.5'"),
        (("--deals", "९"), "--deals takes a number, not '९'"),
        (("--deals", "10000000"), "deals: "),
        (("--seats", "1"), "seats: "),
        (("--seats", "6"), "seats: "),
        (("--seats", "2", "--players", "greedy,greedy,random"), "3 players do not fit on 2 seats"),
        (("--players", "clever"), f"there is no player 'clever'; there are {PLAYERS}"),
        (("--players", ""), f"there is no player ''; there are {PLAYERS}"),
        (("--preset", "none"), f"there is no preset 'none'; there are {NAMES}"),
        (("--seed", "x" * 101), "seed: "),
    ],
)
def test_what_is_refused(arguments: tuple[str, ...], said: str) -> None:
    status, out, err = run("simulate", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith(f"python -m marriage simulate: {said}")
    assert said.endswith(": ") or err.endswith(f"{said}\n")
