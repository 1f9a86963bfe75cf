"""Matches between computer players: each deal is played once from every seat, so that the luck of the cards cancels.

A match has a lineup, one player for each seat. The first player sits alone; the others share the remaining
seats. A deal is played as often as there are seats. Each time the lineup moves on by one seat, so that every
player holds every hand. The results of these games depend on each other, so each deal is a block, and
standard errors are computed over the means of blocks.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Literal, NamedTuple

from marriage.actions import Action
from marriage.arena.ladder import LADDER, Factory
from marriage.decide import start
from marriage.duplicate_board import BOARD_SEATS, board_rules
from marriage.events import Drew, Event, Settled, Showed, ShowedDublees, Took
from marriage.rules import Rules
from marriage.shuffle import DealSeed
from marriage.strategy.players import Player, play_out
from marriage.view import View

Purpose = Literal["judge", "fit"]
"""The purpose of a set of deals.

It is part of each deal's key, so deals to fit and deals to judge are never the same.
"""
Clock = Callable[[], float]
"""Return the processor time in seconds."""


@dataclass(frozen=True, slots=True)
class ArenaMatch:
    """The parameters of a match: the players of one table, the rules and the deals."""

    lineup: tuple[str, ...]
    """The name of the player at each seat, before the first rotation."""
    rules: Rules
    deals: int
    seed: str = "0"
    purpose: Purpose = "judge"
    first: int = 0
    """The number of the first deal, so that a match can be played in parts."""
    own_stocks: bool = False
    """Whether each seat draws from a stock of its own (see `marriage.duplicate_board`), which cancels more luck."""

    def key(self, number: int) -> DealSeed:
        """Return the key of the deal with this number."""
        secret = sha256(f"tiplu/arena/{self.purpose}/{self.seed}".encode()).digest()
        return DealSeed(secret, f"arena/{self.purpose}", number)


def lineup(players: Sequence[str], seats: int) -> tuple[str, ...]:
    """Seat the first player once and the others in turn; raises ValueError for too many players.

    >>> lineup(["a", "b"], 4)
    ('a', 'b', 'b', 'b')
    """
    if len(players) > seats:
        raise ValueError(f"{len(players)} players do not fit on {seats} seats")
    others = players[1:] or players
    return (players[0], *(others[place % len(others)] for place in range(seats - 1)))


class ArenaGame(NamedTuple):
    """The result of one game, which is one deal in one rotation."""

    seated: tuple[str, ...]
    """The name of the player at each seat."""
    nets: tuple[int, ...]
    """The points that each seat gained."""
    winner: int | None
    shown: frozenset[int]
    """The seats that showed."""
    turns: int
    """The number of turns of all seats together."""
    counted: tuple[int, ...] = ()
    """The points of each seat's hand."""
    took: tuple[int, ...] = ()
    """The number of cards that each seat took from the pile."""
    dublees: frozenset[int] = frozenset()
    """The seats that showed by dublees."""


@dataclass(slots=True)
class Times:
    """The processor time of each decision of a player, in seconds."""

    spent: list[float] = field(default_factory=list[float])

    @property
    def mean(self) -> float:
        """The mean; 0 if there were no decisions."""
        return fmean(self.spent) if self.spent else 0.0

    def share(self, percent: int) -> float:
        """Return the percentile of the decision times; 0 if there were no decisions."""
        return sorted(self.spent)[(len(self.spent) - 1) * percent // 100] if self.spent else 0.0


@dataclass(frozen=True, slots=True)
class _Timed:
    """A wrapper that times the decisions of a player."""

    player: Player
    times: Times
    clock: Clock

    def choose(self, view: View) -> Action:
        begun = self.clock()
        action = self.player.choose(view)
        self.times.spent.append(self.clock() - begun)
        return action


@dataclass(frozen=True, slots=True)
class Results:
    """The games of a match, and the players' decision times."""

    match: ArenaMatch
    blocks: tuple[tuple[ArenaGame, ...], ...]
    """The games of each deal, one for each rotation."""
    times: dict[str, Times]
    """The decision times by player."""


class MeanEstimate(NamedTuple):
    """A mean over blocks and its standard error."""

    mean: float
    error: float
    """The standard error; 0 for a single block."""


def play_match(match: ArenaMatch, clock: Clock, players: Mapping[str, Factory] = LADDER) -> Results:
    """Play all deals of a match in every rotation. The same match always has the same games; only the times differ."""
    times = {name: Times() for name in dict.fromkeys(match.lineup)}

    def seat_player(name: str, *place: int) -> Player:
        whims = Random(f"{match.purpose}:{match.seed}:{place}")  # noqa: S311 - no secret
        return _Timed(players[name](whims), times[name], clock)

    blocks = tuple(
        _block(match, number, seat_player) for number in range(match.first, match.first + match.deals)
    )
    return Results(match, blocks, times)


def _block(match: ArenaMatch, number: int, seat_player: Callable[..., Player]) -> tuple[ArenaGame, ...]:
    seats = len(match.lineup)
    board = match.own_stocks and seats in BOARD_SEATS
    rules = board_rules(match.rules) if board else match.rules
    dealt = start(rules, seats, number % seats, match.key(number), board=board)
    games: list[ArenaGame] = []
    for rotation in range(seats):
        seated = match.lineup[seats - rotation :] + match.lineup[: seats - rotation]
        players = [seat_player(name, number, rotation, seat) for seat, name in enumerate(seated)]
        games.append(_game(seated, list(play_out(dealt, players))))
    return tuple(games)


def _game(seated: tuple[str, ...], events: Sequence[Event]) -> ArenaGame:
    settled = next(event for event in reversed(events) if isinstance(event, Settled))
    takes = Counter(event.seat for event in events if isinstance(event, Took))
    return ArenaGame(
        seated,
        tuple(line.net for line in settled.sheet.lines),
        settled.sheet.winner,
        frozenset(event.seat for event in events if isinstance(event, Showed | ShowedDublees)),
        sum(isinstance(event, Drew | Took) for event in events),
        tuple(line.points for line in settled.sheet.lines),
        tuple(takes[seat] for seat in range(len(seated))),
        frozenset(event.seat for event in events if isinstance(event, ShowedDublees)),
    )


# Figures


def points(results: Results, name: str) -> MeanEstimate:
    """Return the player's mean points in a deal."""
    return _over_blocks(results, lambda game: fmean(_at_seats(game.nets, game.seated, name)))


def difference(results: Results, name: str) -> MeanEstimate:
    """Return the player's mean lead in points over the other players in a deal; 0 if all players are the same."""

    def gap(game: ArenaGame) -> float:
        others = [net for net, other in zip(game.nets, game.seated, strict=True) if other != name]
        return fmean(_at_seats(game.nets, game.seated, name)) - fmean(others) if others else 0.0

    return _over_blocks(results, gap)


def wins(results: Results, name: str) -> MeanEstimate:
    """Return the share of deals that the player wins from one seat."""
    return _over_blocks(
        results,
        lambda game: (
            float(game.winner is not None and game.seated[game.winner] == name) / game.seated.count(name)
        ),
    )


def shows(results: Results, name: str) -> MeanEstimate:
    """Return the share of deals in which the player shows."""
    return _over_blocks(
        results,
        lambda game: sum(game.seated[seat] == name for seat in game.shown) / game.seated.count(name),
    )


def turns(results: Results) -> MeanEstimate:
    """Return the mean number of turns in a deal, of all seats together."""
    return _over_blocks(results, lambda game: float(game.turns))


def finished(results: Results) -> MeanEstimate:
    """Return the share of deals that have a winner."""
    return _over_blocks(results, lambda game: float(game.winner is not None))


def hands(results: Results) -> Counter[str]:
    """Return how many hands each player has played."""
    return Counter(name for block in results.blocks for game in block for name in game.seated)


def _over_blocks(results: Results, figure: Callable[[ArenaGame], float]) -> MeanEstimate:
    means = [fmean(map(figure, block)) for block in results.blocks]
    return MeanEstimate(fmean(means), stdev(means) / sqrt(len(means)) if len(means) > 1 else 0.0)


def _at_seats(nets: Sequence[int], seated: Sequence[str], name: str) -> list[int]:
    return [net for net, other in zip(nets, seated, strict=True) if other == name]
