"""`simulate`: statistics of many deals between computer players."""

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from math import sqrt
from random import Random
from statistics import fmean, median_low, pstdev
from time import perf_counter
from typing import Annotated, Any, Final, Self

from pydantic import Field, StrictInt, model_validator

from marriage.arena.ladder import LADDER, require_players
from marriage.cli.command import CliCommand, WithRules, add_rules, rules_keys, table, whole_number
from marriage.decide import start
from marriage.events import Drew, Event, Finished, FinishedDublees, Settled, Showed, ShowedDublees, Took
from marriage.rules import SEATS_MAX, SEATS_MIN, Rules
from marriage.sheet import Sheet
from marriage.shuffle import DealSeed
from marriage.strategy.players import play_out

_DESCRIPTION: Final = f"""\
Let computer players play deals against each other, and print statistics.

Players are {", ".join(LADDER)}; with fewer names than seats they are repeated round the table. The deal passes from
seat to seat. The same seed gives the same deals, and so the same figures but for the speed.

turns        how many turns a deal has, of all seats together
finish_turn  in which of their own turns the winner finishes; show_turn: the same for every show
points       the counted points of a hand, in deals with a winner
net          what a seat gains by a deal; by player: its mean and the standard error
"""


class Simulate(WithRules):
    """The deals to play."""

    deals: Annotated[StrictInt, Field(ge=1, le=1_000_000)] = 100
    seats: Annotated[StrictInt, Field(ge=SEATS_MIN, le=SEATS_MAX)] = 4
    seed: Annotated[str, Field(max_length=100)] = "0"
    players: Annotated[tuple[str, ...], Field(min_length=1, max_length=SEATS_MAX)] = ("greedy",)

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        require_players(self.players)
        if len(self.players) > self.seats:
            raise ValueError(f"{len(self.players)} players do not fit on {self.seats} seats")
        return self

    def seated(self) -> tuple[str, ...]:
        """Return the player of every seat."""
        return tuple(self.players[seat % len(self.players)] for seat in range(self.seats))


@dataclass(slots=True)
class SimulatedFigures:
    """The collected results of the deals."""

    seated: tuple[str, ...]
    preset: str
    endings: Counter[str] = field(default_factory=Counter[str])
    turns: list[int] = field(default_factory=list[int])
    finish_turns: list[int] = field(default_factory=list[int])
    show_turns: list[int] = field(default_factory=list[int])
    points: list[int] = field(default_factory=list[int])
    """The counted points of every hand in deals with a winner."""
    nets: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    """The nets by player."""
    wins: Counter[str] = field(default_factory=Counter[str])
    seconds: float = 0.0

    def count(self, events: Sequence[Event]) -> None:
        """Add one deal."""
        own_turns: Counter[int] = Counter()
        for event in events:
            match event:
                case Drew() | Took():
                    own_turns[event.seat] += 1
                case Showed() | ShowedDublees():
                    self.show_turns.append(own_turns[event.seat])
                case Finished() | FinishedDublees():
                    self.finish_turns.append(own_turns[event.seat])
                case Settled():
                    self._count_result(event.sheet)
                case _:
                    pass
        self.turns.append(own_turns.total())

    def _count_result(self, sheet: Sheet) -> None:
        self.endings[sheet.ending.value] += 1
        for name, line in zip(self.seated, sheet.lines, strict=True):
            self.nets.setdefault(name, []).append(line.net)
        if sheet.winner is not None:
            self.points += [line.points for line in sheet.lines]
            self.wins[self.seated[sheet.winner]] += 1


def run(asked: Simulate) -> SimulatedFigures:
    """Play the deals."""
    rules = asked.rules()
    figures = SimulatedFigures(asked.seated(), asked.preset)
    begun = perf_counter()
    for number in range(asked.deals):
        figures.count(list(_deal(asked, rules, number)))
    figures.seconds = perf_counter() - begun
    return figures


def _deal(asked: Simulate, rules: Rules, number: int) -> Iterator[Event]:
    """Yield the events of one deal."""
    key = DealSeed(sha256(asked.seed.encode()).digest(), "simulate", number)
    players = [
        LADDER[name](Random(f"{asked.seed}:{number}:{seat}"))  # noqa: S311 - players' whims, no secret
        for seat, name in enumerate(asked.seated())
    ]
    return play_out(start(rules, asked.seats, number % asked.seats, key), players)


# The answer


def to_json(figures: SimulatedFigures) -> dict[str, Any]:
    """Return the answer for programs."""
    deals = len(figures.turns)
    nets = [net for seats in figures.nets.values() for net in seats]
    return {
        "deals": deals,
        "seats": len(figures.seated),
        "preset": figures.preset,
        "endings": {"sets": figures.endings["groups"]}
        | {ending: figures.endings[ending] for ending in ("dublees", "dismissed")},
        "finish_rate": round(1 - figures.endings["dismissed"] / deals, 4),
        "turns": _spread(figures.turns),
        "finish_turn": _spread(figures.finish_turns),
        "show_turn": _spread(figures.show_turns),
        "points": _spread(figures.points),
        "net": _spread(nets),
        "players": [_player(name, figures) for name in dict.fromkeys(figures.seated)],
        "deals_per_second": round(deals / figures.seconds, 1),
    }


def _spread(values: Sequence[int]) -> dict[str, float] | None:
    """Return the mean, median and so on; None if there are no values."""
    if not values:
        return None
    ordered = sorted(values)
    return {
        "mean": round(fmean(ordered), 2),
        "median": median_low(ordered),
        "p90": ordered[(len(ordered) - 1) * 9 // 10],
        "deviation": round(pstdev(ordered), 2),
        "least": ordered[0],
        "most": ordered[-1],
    }


def _player(name: str, figures: SimulatedFigures) -> dict[str, Any]:
    """Return the results of one player on all its seats. A hand is one seat in one deal."""
    nets = figures.nets[name]
    return {
        "player": name,
        "hands": len(nets),
        "wins": figures.wins[name],
        "net_mean": round(fmean(nets), 2),
        "net_error": round(pstdev(nets) / sqrt(len(nets)), 2),
    }


def to_text(figures: SimulatedFigures) -> str:
    """Return the answer for people."""
    found = to_json(figures)
    endings = ", ".join(f"{count} by {ending}" for ending, count in found["endings"].items())
    rows = [
        ("deals", f"{found['deals']} of {found['seats']} seats, {found['preset']}"),
        ("finished", f"{found['finish_rate']:.1%} ({endings})".replace("by dismissed", "dismissed")),
        ("speed", f"{found['deals_per_second']} deals a second"),
    ]
    spreads = [
        ("", "mean", "median", "p90", "deviation", "least", "most"),
        *(
            (name.replace("_", " "), *(found[name] or dict.fromkeys(range(6), "-")).values())
            for name in ("turns", "finish_turn", "show_turn", "points", "net")
        ),
    ]
    heads = ("player", "hands", "wins", "net a hand", "±")
    players = [tuple(player.values()) for player in found["players"]]
    flush_right = frozenset(range(1, 7))
    return "\n\n".join((table(rows), table(spreads, flush_right), table([heads, *players], flush_right)))


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--deals", metavar="N", help="how many deals; 100 where nothing is said")
    parser.add_argument("--seats", metavar="K", help="how many seats, 2 to 5; 4 where nothing is said")
    parser.add_argument("--seed", metavar="S", help="any text; 0 where nothing is said")
    parser.add_argument("--players", metavar="A,B,...", help="who plays, seat by seat; greedy at all of them")
    add_rules(parser)


def _read(arguments: Namespace) -> dict[str, Any]:
    keys = rules_keys(arguments)
    for name in ("deals", "seats"):
        text = getattr(arguments, name)
        if text is not None:
            keys[name] = whole_number(name, text)
    if arguments.seed is not None:
        keys["seed"] = arguments.seed
    if arguments.players is not None:
        keys["players"] = [name.strip() for name in arguments.players.split(",")]
    return keys


COMMAND: Final = CliCommand(
    name="simulate",
    help="many deals between computer players",
    description=_DESCRIPTION,
    request=Simulate,
    add_arguments=_arguments,
    read=_read,
    run=run,
    to_json=to_json,
    to_text=to_text,
)
