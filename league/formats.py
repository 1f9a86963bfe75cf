"""The formats of a season. Each is a class that describes how a season of that format works.

A new format is a subclass of `Format`, listed in `FORMATS`, with its texts in the message catalogues
(`league.format_<name>`, `league.format_<name>_hint` and `page.format_<name>`). Nothing else names a format.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil
from random import Random
from typing import Any, ClassVar, Final, Literal

from league.numbers import STAGES, SeasonNumbers
from league.pairing.pods import Entrant, History, Pod, swiss_weight
from league.pairing.schedule import draw, draw_next
from league.results import Player

Zone = Literal["final", "up", "down"]
"""The consequence of a place in the standings: the finals, the division above or the one below."""

_TWO: Final = 2
_ONE_TABLE: Final = 3
"""The fewest players that a season can start with, unless the format asks for more."""


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """The players drawn together, in the order of their seats, and the division that they play for."""

    players: Pod
    division: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawInput:
    """The input of a draw."""

    number: int
    """The number of the round to draw."""
    rounds_left: int
    """The number of rounds still to be drawn, including this one."""
    entrants: tuple[Entrant, ...]
    """The players checked in for the round, by player number."""
    divisions: Mapping[Player, int]
    """Everyone who has a place in the season, with their division; 0 if there are none."""
    history: History
    """Who met whom in the rounds so far."""
    ranking: Callable[[], Sequence[Player]]
    """Computes the current standings: the players, first place first."""
    by_strength: Sequence[Player]
    """The players by their ratings in this server, strongest first."""
    apart: Mapping[Player, frozenset[Player]]
    """By player, those whom they must not be drawn with."""
    chance: Callable[[int], Random]
    """The random numbers of the draw with this number, derived from the season's seed."""


class Format:
    """How the matches of a season are made. The defaults here are pods drawn round by round."""

    name: ClassVar[str]
    """The stored name, which is also part of the keys of the format's texts."""
    defaults: ClassVar[Mapping[str, Any]] = {}
    """The season numbers of this format that differ from the usual ones."""

    has_draw: ClassVar[bool] = True
    """Whether rounds are drawn. A draw brings sign-up, tables opened for the pods, deadlines and stand-ins.

    Without a draw, a round is a day of the season, and the calendar has only the season's end.
    """
    draws_all_rounds: ClassVar[bool] = False
    """Whether all rounds are drawn at once, for everyone who has a place."""
    has_divisions: ClassVar[bool] = False
    """Whether everyone gets a division before the draw."""
    takes_reports: ClassVar[bool] = True
    """Whether a match may be played with real cards and reported."""
    counts_open_tables: ClassVar[bool] = False
    """Whether matches count that members play among themselves at tables they open."""
    allows_duplicate: ClassVar[bool] = True
    """Whether all tables of a round may play the same boards."""

    counts_places: ClassVar[bool] = False
    """Whether only the places of matches count: no match lowers the score, and a missed one gives nothing."""
    plays_to_the_end: ClassVar[bool] = False
    """Whether a match may last until the season ends, while further rounds are drawn among the others."""

    def signup_days(self, numbers: SeasonNumbers) -> int:
        """Return how long people may sign up before the season begins."""
        return numbers.signup_days

    def checks_in(self, numbers: SeasonNumbers, number: int) -> bool:
        """Return whether players confirm before this round that they will play; for round 1, their sign-up."""
        if number == 1:
            return numbers.confirm_hours > 0
        return not self.draws_all_rounds and not numbers.is_sitting

    def open_to_late(self, numbers: SeasonNumbers, rounds_drawn: int) -> bool:
        """Return whether people may still join after so many rounds."""
        return 100 * rounds_drawn < numbers.late_entry * numbers.rounds or rounds_drawn == 0

    def least_to_start(self, numbers: SeasonNumbers) -> int:
        """Return the fewest confirmed players that a season can start with."""
        return _ONE_TABLE

    def day_cap(self, numbers: SeasonNumbers) -> int:
        """Return how many matches between the same two players count in one round; 0 for all."""
        return 0

    def is_adjusted(self, numbers: SeasonNumbers) -> bool:
        """Return whether the table ranks by match points adjusted for the opponents.

        See `league.statistics.ladder_points`.
        """
        return False

    def finalists(self, numbers: SeasonNumbers, players: int) -> int:
        """Return with how many of these remaining players the finals begin: 16, 8 or 4; 0 for no finals."""
        return next((stage for stage in STAGES if stage <= min(numbers.cut_to, players)), 0)

    def zones(
        self,
        numbers: SeasonNumbers,
        eligible: Sequence[bool],
        division: int,
        lowest: int,
    ) -> list[Zone | None]:
        """Return the consequence of each place of a division's table.

        `eligible` says by place whether the player is still in the season and came often enough: others play
        no finals and are not promoted, and the next in the table takes their place. A table may be empty.
        `division` is the division of the table, `lowest` the season's lowest division.
        """
        return _first(eligible, self.finalists(numbers, sum(eligible)), "final")

    def seasons_remembered(self, numbers: SeasonNumbers) -> int:
        """Return how many earlier seasons of the league determine the divisions."""
        return 0

    def draw(self, numbers: SeasonNumbers, given: DrawInput) -> list[list[DrawnTable]]:
        """Return the tables of the next round, or of all remaining rounds if they are drawn together.

        A single entrant gets a table alone.
        """
        if len(given.entrants) < _TWO:
            return [_alone(given)]
        pods = draw_next(
            given.entrants,
            given.history,
            given.number,
            given.rounds_left,
            given.chance,
            no_fives=numbers.no_fives,
            usual=numbers.pod_size,
        )
        return [[DrawnTable(pod) for pod in pods]]


class Ladder(Format):
    """No draw: every match that members play among themselves by the league's rules counts."""

    name = "ladder"
    defaults: ClassVar[Mapping[str, Any]] = {
        "rounds": 30,
        "round_days": 1,
        "signup_days": 1,
        "confirm_hours": 0,
        "rest_weeks": 0,
        "least_matches": 0,
        "by_opponents": True,
    }
    has_draw = False
    takes_reports = False
    counts_open_tables = True
    allows_duplicate = False

    def signup_days(self, numbers: SeasonNumbers) -> int:
        """Return 0: a ladder has no sign-up period before it begins."""
        return 0

    def checks_in(self, numbers: SeasonNumbers, number: int) -> bool:
        """Return False: there is nothing to check in for."""
        return False

    def day_cap(self, numbers: SeasonNumbers) -> int:
        """Return the limit, because players choose their opponents."""
        return numbers.day_cap

    def is_adjusted(self, numbers: SeasonNumbers) -> bool:
        """Return True: players choose their opponents, so a sum would reward volume against the weak."""
        return numbers.by_opponents


class Pods(Format):
    """Each round draws tables so that all players meet each other."""

    name = "pods"


class Swiss(Format):
    """Pods of players with close places in the standings."""

    name = "swiss"
    defaults: ClassVar[Mapping[str, Any]] = {"rounds": 6}
    allows_duplicate = False

    def draw(self, numbers: SeasonNumbers, given: DrawInput) -> list[list[DrawnTable]]:
        """Draw by the standings; `swiss_weight` says how much a difference of places counts.

        Before anything is played, every table gets players of all strengths.
        """
        if len(given.entrants) < _TWO:
            return [_alone(given)]
        order = given.ranking() if given.number > 1 else given.by_strength
        places = {player: place for place, player in enumerate(order)}
        ordered = sorted(given.entrants, key=lambda entrant: places.get(entrant.player, len(places)))
        weight = numbers.swiss_weight
        swiss = swiss_weight(len(ordered)) if weight is None else weight / 100
        [pods] = draw(
            ordered,
            given.history,
            given.chance(given.number),
            swiss=swiss if given.number > 1 else 0.0,
            spread=given.number == 1,
            no_fives=numbers.no_fives,
            usual=numbers.pod_size,
        )
        return [[DrawnTable(pod) for pod in pods]]


class Arena(Swiss):
    """An evening without fixed rounds: every few minutes, free players are drawn by the standings."""

    name = "arena"
    defaults: ClassVar[Mapping[str, Any]] = {
        "rounds": 24,
        "round_minutes": 5,
        "rotations": 1,
        "confirm_hours": 1,
        "reminder_hours": (1,),
        "late_entry": 100,
        "no_show_minutes": 4,
        "stays_from": 0,
        "report_hours": 1,
        "dispute_hours": 2,
        "extra_hours": 1,
        "rest_weeks": 0,
        "least_matches": 0,
        "miss_from_mean": False,
        "absence_points": 0,
        "no_show_points": 0,
    }
    counts_places = True
    plays_to_the_end = True

    def draw(self, numbers: SeasonNumbers, given: DrawInput) -> list[list[DrawnTable]]:
        """Draw tables of three or more free players; fewer than three wait for others."""
        return super().draw(numbers, given) if len(given.entrants) >= _ONE_TABLE else [[]]


class Divisions(Format):
    """Groups of similar strength: all rounds are drawn at once, with promotion and relegation at the end."""

    name = "divisions"
    defaults: ClassVar[Mapping[str, Any]] = {"round_days": 6}
    draws_all_rounds = True
    has_divisions = True

    def open_to_late(self, numbers: SeasonNumbers, rounds_drawn: int) -> bool:
        """Return False once all rounds are drawn: no one can join then."""
        return False

    def least_to_start(self, numbers: SeasonNumbers) -> int:
        """Return the smallest size of a division."""
        return ceil(numbers.division_size * 3 / 4)

    def finalists(self, numbers: SeasonNumbers, players: int) -> int:
        """Return 0: divisions end with promotion and relegation, not with finals."""
        return 0

    def zones(
        self, numbers: SeasonNumbers, eligible: Sequence[bool], division: int, lowest: int
    ) -> list[Zone | None]:
        """Return who is promoted, and the last of the table, who are relegated whether or not they have left."""
        places = _first(eligible, numbers.promoted if division > 1 else 0, "up")
        down = numbers.promoted if division < lowest else 0
        for place in range(max(0, len(places) - down), len(places)):
            places[place] = places[place] or "down"
        return places

    def seasons_remembered(self, numbers: SeasonNumbers) -> int:
        """Count the last season, and the seasons before it that a player may have sat out."""
        return 1 + numbers.hiatus_seasons

    def draw(self, numbers: SeasonNumbers, given: DrawInput) -> list[list[DrawnTable]]:
        """Draw all remaining rounds of every division. Raises ValueError if one has fewer than two players."""
        rounds: list[list[DrawnTable]] = [[] for _ in range(given.rounds_left)]
        for division in sorted(set(given.divisions.values())):
            players = sorted(player for player, of in given.divisions.items() if of == division)
            entrants = [Entrant(player, apart=given.apart.get(player, frozenset())) for player in players]
            drawn = draw(
                entrants,
                History(),
                given.chance(division),
                rounds=len(rounds),
                no_fives=numbers.no_fives,
                usual=numbers.pod_size,
            )
            for tables, pods in zip(rounds, drawn, strict=True):
                tables += [DrawnTable(pod, division) for pod in pods]
        return rounds


def _first(eligible: Sequence[bool], count: int, zone: Zone) -> list[Zone | None]:
    """Return the zone for the first `count` eligible places."""
    ranks = accumulate(eligible)
    return [zone if may and rank <= count else None for may, rank in zip(eligible, ranks, strict=True)]


def _alone(given: DrawInput) -> list[DrawnTable]:
    """Return a table for a single entrant."""
    return [DrawnTable((entrant.player,)) for entrant in given.entrants]


FORMATS: Final[dict[str, Format]] = {
    known.name: known for known in (Ladder(), Pods(), Swiss(), Divisions(), Arena())
}
"""Every format by its name, in the order in which they are offered."""
DEFAULT_FORMAT: Final = FORMATS["pods"]


def format_named(name: object) -> Format:
    """Return the format of that name; raises ValueError for an unknown name."""
    if not isinstance(name, str) or name not in FORMATS:
        raise ValueError(f"there is no format {name!r}; known are {', '.join(FORMATS)}")
    return FORMATS[name]
