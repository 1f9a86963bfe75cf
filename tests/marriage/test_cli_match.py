"""`python -m marriage match`: the figures of a match, for people and for programs."""

import pytest

from marriage.arena.ladder import LADDER
from marriage.arena.match import ArenaGame, ArenaMatch, Results, Times
from marriage.cli.match import to_json, to_text
from marriage.rules import PRESETS
from tests.marriage.cli_calls import run

PLAYERS = ", ".join(LADDER)
MATCH = ArenaMatch(("bold", "calm", "calm"), PRESETS["pagat"], 2, seed="x", purpose="fit", own_stocks=True)


def game(seated: tuple[str, ...], nets: tuple[int, ...], winner: int | None, shown: set[int]) -> ArenaGame:
    return ArenaGame(seated, nets, winner, frozenset(shown), 12 + len(shown))


RESULTS = Results(
    MATCH,
    (
        (
            game(("bold", "calm", "calm"), (20, -10, -10), 0, {0, 1}),
            game(("calm", "bold", "calm"), (13, -3, -10), 0, {0}),
        ),
        (
            game(("bold", "calm", "calm"), (6, -3, -3), 0, {0, 1, 2}),
            game(("calm", "calm", "bold"), (0, 0, 0), None, {0, 2}),
        ),
    ),
    {"bold": Times([0.001, 0.0023456, 0.5]), "calm": Times()},
)


def estimate(mean: float, error: float) -> dict[str, float]:
    return {"mean": mean, "error": error}


def test_the_figures_are_rounded_for_programs() -> None:
    answer = to_json(("kidnap", RESULTS))
    bold, calm = answer.pop("players")
    assert answer == {
        "deals": 2,
        "seats": 3,
        "preset": "kidnap",
        "seed": "x",
        "purpose": "fit",
        "own_stocks": True,
        "turns": estimate(14.0, 0.5),
        "finished": estimate(0.75, 0.25),
    }
    assert bold == {
        "player": "bold",
        "hands": 4,
        "points": estimate(5.75, 2.75),
        "difference": estimate(8.625, 4.125),
        "wins": estimate(0.5, 0.0),
        "shows": estimate(0.75, 0.25),
        "ms_a_move": {"mean": 167.78, "median": 2.35, "p99": 2.35},
    }
    assert (calm["player"], calm["hands"], calm["points"]) == ("calm", 8, estimate(-2.875, 1.375))
    assert calm["ms_a_move"] == {"mean": 0.0, "median": 0.0, "p99": 0.0}


def test_people_get_a_table() -> None:
    assert to_text(("kidnap", RESULTS)).splitlines() == [
        "deals     2 from each of 3 seats, kidnap",
        "turns     14.0 ± 0.5",
        "finished  75.0% ± 25.0%",
        "",
        "player  hands        points    difference           wins          shows      ms a move",
        "bold        4  +5.75 ± 2.75  +8.62 ± 4.12   50.0% ± 0.0%  75.0% ± 25.0%  167.8 2.4 2.4",
        "calm        8  -2.88 ± 1.38  -8.62 ± 4.12  12.5% ± 12.5%  62.5% ± 12.5%    0.0 0.0 0.0",
    ]


def test_without_arguments_a_match_has_a_hundred_deals_at_four_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[ArenaMatch] = []

    def played(match: ArenaMatch, _clock: object) -> Results:
        asked.append(match)
        return RESULTS

    monkeypatch.setattr("marriage.cli.match.play_match", played)
    assert run("match", "--json", "--players", "greedy, random").answer["preset"] == "pagat"
    run(
        "match",
        "--players",
        "greedy,random",
        "--seed",
        "y",
        "--purpose",
        "fit",
        "--own-stocks",
        "--seats",
        "3",
    )
    pagat = PRESETS["pagat"]
    assert asked == [
        ArenaMatch(("greedy", "random", "random", "random"), pagat, 100),
        ArenaMatch(("greedy", "random", "random"), pagat, 100, seed="y", purpose="fit", own_stocks=True),
    ]


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
        (("--players", "greedy,clever"), f"there is no player 'clever'; there are {PLAYERS}"),
        (("--players", "greedy,beginner,random", "--seats", "2"), "3 players do not fit on 2 seats"),
        (("--players", "greedy,random", "--deals", "x"), "--deals takes a number, not 'x'"),
        (("--players", "greedy,random", "--purpose", "win"), "purpose: "),
    ],
)
def test_matches_that_are_refused(arguments: tuple[str, ...], said: str) -> None:
    status, out, err = run("match", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith(f"python -m marriage match: {said}")
    assert said.endswith(": ") or err.endswith(f"{said}\n")


def test_seats_may_draw_from_stocks_of_their_own() -> None:
    options = ("--players", "beginner,random", "--deals", "1", "--seats", "3")
    own, shared = (run("match", "--json", *options, *more).answer for more in (("--own-stocks",), ()))
    assert (own["own_stocks"], shared["own_stocks"]) == (True, False)
    assert own["turns"] != shared["turns"]


ROUNDED = {
    "turns": (13.33, 0.33),
    "finished": (0.6667, 0.3333),
    "points": (9.333, 5.457),
    "difference": (14.0, 8.185),
    "wins": (0.6667, 0.3333),
    "shows": (0.6667, 0.3333),
}


def test_figures_that_do_not_come_out_even_are_rounded() -> None:
    seated = ("bold", "calm", "calm")
    blocks = (
        (game(seated, (20, -10, -10), 0, {0}),),
        (game(seated, (6, -3, -3), None, {1}),),
        (game(seated, (2, -1, -1), 0, {0, 1}),),
    )
    answer = to_json(("pagat", Results(MATCH, blocks, {"bold": Times(), "calm": Times()})))
    bold, _ = answer["players"]
    assert {
        key: (value["mean"], value["error"]) for key, value in (answer | bold).items() if key in ROUNDED
    } == ROUNDED


def test_the_median_and_the_99th_percentile_of_the_times_are_told_in_milliseconds() -> None:
    times = {"bold": Times([number / 10 for number in range(101)]), "calm": Times()}
    bold, _ = to_json(("pagat", Results(MATCH, RESULTS.blocks, times)))["players"]
    assert bold["ms_a_move"] == {"mean": 5000, "median": 5000, "p99": 9900}
