"""`match`: plays one computer player against others, and cancels out the luck of the cards."""

from argparse import ArgumentParser, Namespace
from time import process_time
from typing import Annotated, Any, Final, Self

from pydantic import Field, StrictBool, StrictInt, model_validator

from marriage.arena.ladder import LADDER, require_players
from marriage.arena.match import (
    ArenaMatch,
    MeanEstimate,
    Purpose,
    Results,
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
from marriage.cli.command import CliCommand, WithRules, add_rules, rules_keys, table, whole_number
from marriage.rules import SEATS_MAX, SEATS_MIN

_DESCRIPTION: Final = f"""\
Let one computer player play against others, and print what each gains by a deal.

Players are {", ".join(LADDER)}. The first one sits alone, the others share the remaining seats. Each deal is played
once from every seat, so that every player holds every hand. Standard errors (±) are those of the means of deals.

points      what a player gains by a deal; difference: how much more than the other players
wins, shows how often a player wins and shows, from one seat
ms a move   processor time of a decision: its mean, its median, and what 99 of 100 decisions stay within
"""


class MatchRequest(WithRules):
    """The deals to play."""

    deals: Annotated[StrictInt, Field(ge=1, le=100_000)] = 100
    seats: Annotated[StrictInt, Field(ge=SEATS_MIN, le=SEATS_MAX)] = 4
    seed: Annotated[str, Field(max_length=100)] = "0"
    purpose: Purpose = "judge"
    players: Annotated[tuple[str, ...], Field(min_length=2, max_length=SEATS_MAX)]
    own_stocks: StrictBool = False

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        require_players(self.players)
        if len(set(self.players)) < len(self.players):
            raise ValueError("a match is between different players")
        lineup(self.players, self.seats)
        return self


def run(asked: MatchRequest) -> tuple[str, Results]:
    """Return the name of the rules, and the games."""
    match = ArenaMatch(
        lineup=lineup(asked.players, asked.seats),
        rules=asked.rules(),
        deals=asked.deals,
        seed=asked.seed,
        purpose=asked.purpose,
        own_stocks=asked.own_stocks,
    )
    return asked.preset, play_match(match, process_time)


def to_json(found: tuple[str, Results]) -> dict[str, Any]:
    """Return the answer for programs."""
    preset, results = found
    match = results.match
    return {
        "deals": match.deals,
        "seats": len(match.lineup),
        "preset": preset,
        "seed": match.seed,
        "purpose": match.purpose,
        "own_stocks": match.own_stocks,
        "turns": _rounded(turns(results), 2),
        "finished": _rounded(finished(results), 4),
        "players": [_player(name, results) for name in dict.fromkeys(match.lineup)],
    }


def _player(name: str, results: Results) -> dict[str, Any]:
    times = results.times[name]
    return {
        "player": name,
        "hands": hands(results)[name],
        "points": _rounded(points(results, name), 3),
        "difference": _rounded(difference(results, name), 3),
        "wins": _rounded(wins(results, name), 4),
        "shows": _rounded(shows(results, name), 4),
        "ms_a_move": {
            "mean": round(times.mean * 1000, 2),
            "median": round(times.share(50) * 1000, 2),
            "p99": round(times.share(99) * 1000, 2),
        },
    }


def _rounded(estimate: MeanEstimate, places: int) -> dict[str, float]:
    return {"mean": round(estimate.mean, places), "error": round(estimate.error, places)}


def to_text(found: tuple[str, Results]) -> str:
    """Return the answer for people."""
    answer = to_json(found)
    rows = [
        ("deals", f"{answer['deals']} from each of {answer['seats']} seats, {answer['preset']}"),
        ("turns", _with_error(answer["turns"], "{:.1f}")),
        ("finished", _with_error(answer["finished"], "{:.1%}")),
    ]
    heads = ("player", "hands", "points", "difference", "wins", "shows", "ms a move")
    players = [
        (
            player["player"],
            player["hands"],
            _with_error(player["points"], "{:+.2f}"),
            _with_error(player["difference"], "{:+.2f}"),
            _with_error(player["wins"], "{:.1%}"),
            _with_error(player["shows"], "{:.1%}"),
            " ".join(f"{value:.1f}" for value in player["ms_a_move"].values()),
        )
        for player in answer["players"]
    ]
    return "\n\n".join((table(rows), table([heads, *players], frozenset(range(1, 7)))))


def _with_error(estimate: dict[str, float], form: str) -> str:
    return f"{form.format(estimate['mean'])} ± {form.replace('+', '').format(estimate['error'])}"


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--players", metavar="A,B,...", help="who plays; the first one sits alone")
    parser.add_argument("--deals", metavar="N", help="how many deals; 100 where nothing is said")
    parser.add_argument("--seats", metavar="K", help="how many seats, 2 to 5; 4 where nothing is said")
    parser.add_argument("--seed", metavar="S", help="any text; 0 where nothing is said")
    parser.add_argument(
        "--purpose", metavar="judge|fit", help="what the deals are for; those to fit never judge"
    )
    parser.add_argument(
        "--own-stocks",
        action="store_true",
        help="each of 3 or 4 seats draws from a stock of its own, as in duplicate deals",
    )
    add_rules(parser)


def _read(arguments: Namespace) -> dict[str, Any]:
    keys = rules_keys(arguments)
    for name in ("deals", "seats"):
        text = getattr(arguments, name)
        if text is not None:
            keys[name] = whole_number(name, text)
    for name in ("seed", "purpose"):
        if getattr(arguments, name) is not None:
            keys[name] = getattr(arguments, name)
    if arguments.players is not None:
        keys["players"] = [name.strip() for name in arguments.players.split(",")]
    if arguments.own_stocks:
        keys["own_stocks"] = True
    return keys


COMMAND: Final = CliCommand(
    name="match",
    help="one computer player against others, from every seat",
    description=_DESCRIPTION,
    request=MatchRequest,
    add_arguments=_arguments,
    read=_read,
    run=run,
    to_json=to_json,
    to_text=to_text,
)
