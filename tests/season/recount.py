"""A second computation of a season's table, from its events and `docs/leagues.md` alone.

It uses none of the league package's arithmetic, so that a fault there cannot hide. An unknown event that
could change points raises ValueError.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import partial
from itertools import combinations
from math import ceil
from typing import Any

from league.events import Entry
from marriage.shuffle import deal_key

_NOTHING_TO_COUNT = {
    *("signup", "checked_in", "always_in", "result_reported", "report_answered"),
    *("deadlines_put_off", "deadline_moved", "ruling_noted", "team_invited"),
}
_LOSSES = {"no_show": -2000, "absence": -1500}
_AVERAGE = 300
_ARENA = (400, 200, 100)
_HELD_BACK = 5
_MOST = Fraction(3)


@dataclass(frozen=True)
class Told:
    """What one round gave one player, in hundredths."""

    round: int
    kind: str
    points: int
    place: int = 0
    deals: int = 0
    gain: Fraction = Fraction()


@dataclass
class Match:
    """A pod after its events."""

    round: int
    drawn: tuple[int, ...]
    players: tuple[int, ...]
    result: Any = None
    missed: set[int] = field(default_factory=set[int])
    verdicts: Mapping[int, str] = field(default_factory=dict[int, str])


@dataclass(frozen=True)
class Place:
    """A row of the table: what people read of it."""

    rank: int
    player: int
    points: int
    matches: int
    deals: int


@dataclass(frozen=True)
class TeamPlace:
    """A row of the teams' table."""

    rank: int
    team: int
    points: int
    plain: int


class Recount:
    """A season with a draw: no finals, no boards, no best rounds, and the usual numbers for points."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.settings: Any = None
        self.pars: Mapping[int, int] = {}
        self.matches: dict[int, Match] = {}
        self.absent: set[tuple[int, int]] = set()
        self.members: dict[int, int] = {}
        """Every player with a place, and their division."""
        self.left: dict[int, int] = {}
        """The round after which a player left."""
        self.teams: dict[int, list[int]] = {}
        self.rounds, self.begun, self.name, self.seed = 0, 0, "", b""
        for entry in sorted(entries, key=lambda entry: entry.id):
            self._read(entry.event)
        self.lines: defaultdict[int, list[Told]] = defaultdict(list)
        self.met: list[Mapping[int, int]] = []
        self.played: list[Mapping[int, Told]] = []
        for number in range(1, self.begun + 1):
            self._round(number)

    @property
    def _is_arena(self) -> bool:
        return self.settings.format.name == "arena"

    def _read(self, event: Any) -> None:
        match event.event:
            case "season_opened":
                self.settings, self.pars, self.name = event.settings, event.pars, event.name
            case "season_closed":
                self.seed = bytes.fromhex(event.seed)
            case "confirmed":
                self.members.setdefault(event.player, 0)
            case "unconfirmed" | "signup_removed":
                self.members.pop(event.player, None)
            case "division_set":
                self.members[event.player] = event.division
            case "withdrawn":
                self.left[event.player] = self.rounds
            case "returned":
                self.left.pop(event.player, None)
            case "absence_booked":
                _set(self.absent, (event.player, event.round), there=event.absent)
            case known if known not in _NOTHING_TO_COUNT:
                (self._read_of_team if known.startswith("team_") else self._read_of_pod)(event)
            case _:
                pass

    def _read_of_team(self, event: Any) -> None:
        match event.event:
            case "team_formed":
                self.teams[event.team] = [event.captain]
            case "team_joined":
                self.teams[event.team].append(event.player)
            case _:
                self.teams[event.team].remove(event.player)

    def _read_of_pod(self, event: Any) -> None:
        match event.event:
            case "round_drawn":
                self.rounds = max(self.rounds, event.round)
                for pod in event.pods:
                    self.matches[pod.id] = Match(event.round, pod.players, pod.players)
            case "match_started" | "match_finished" | "result_corrected" | "adjudicated":
                self.begun = max(self.begun, self.matches[event.pod].round)
                self._decided(event)
            case "no_show_booked":
                _set(self.matches[event.pod].missed, event.player, there=event.missed)
            case "substitute_set":
                pod = self.matches[event.pod]
                names = [event.substitute if player == event.player else player for player in pod.players]
                pod.players = tuple(names)
            case unknown:
                raise ValueError(f"{unknown} is not known to the recount")

    def _decided(self, event: Any) -> None:
        match event.event:
            case "match_finished":
                self.matches[event.pod].result = event.result
            case "result_corrected":
                self.matches[event.pod].result = event.new
            case "adjudicated":
                self.matches[event.pod].verdicts = event.verdicts or {}
            case _:
                pass

    def _round(self, number: int) -> None:
        pods = [pod for _, pod in sorted(self.matches.items()) if pod.round == number]
        for pod in pods:
            told = self._played(pod) if pod.result is not None else {}
            if told:
                self.met.append({player: line.place for player, line in told.items()})
                self.played.append(told)
            for player in dict.fromkeys((*pod.drawn, *pod.players)):
                line = told.get(player) or self._ruled(pod, player)
                if line:
                    self.lines[player].append(line)
        for player, missed in sorted(self.absent):
            told = [line for line in self.lines[player] if (line.round, line.kind) != (number, "nothing")]
            if missed == number and all(line.round != number for line in told):
                self.lines[player] = [*told, Told(number, "absence", self._lost(player, "absence"))]

    def _played(self, pod: Match) -> dict[int, Told]:
        """Return what each player got: the score by the root of the deals, and the placing."""
        result, seats = pod.result, len(pod.result.players)
        par = Fraction(self.pars[seats], 100)
        gains = [Fraction() for _ in range(seats)]
        for deal in result.deals:
            pars = [max(-_MOST, min(_MOST, _millionths(Fraction(points) / par))) for points in deal]
            mean = sum(pars, Fraction()) * Fraction(1, seats)
            gains = [gain + won - mean for gain, won in zip(gains, pars, strict=True)]
        order = [(player in result.left, -gain) for player, gain in zip(result.players, gains, strict=True)]
        bonus = sorted(self.settings.bonus[seats - 2], reverse=True)
        told: dict[int, Told] = {}
        for player, key, gain in zip(result.players, order, gains, strict=True):
            place, equal = 1 + sum(other < key for other in order), order.count(key)
            shared = _whole(Fraction(sum(bonus[place - 1 : place - 1 + equal]), equal))
            root = Decimal(len(result.deals)).sqrt()
            exact = 1000 * Decimal(gain.numerator) / Decimal(gain.denominator) / root
            score = int(exact.quantize(Decimal(1), ROUND_HALF_UP))
            if player in result.left:
                score, shared = min(score, 0), min(shared, bonus[-1])
            points = score + shared
            if self._is_arena:
                points = self._in_arena(player, place, equal, seats) if player not in result.left else 0
            told[player] = Told(pod.round, "match", points, place, len(result.deals), gain)
        return told

    def _in_arena(self, player: int, place: int, equal: int, seats: int) -> int:
        """Return the points of a place in an arena: none for the last, double after two wins in a row."""
        worth = [*_ARENA[: seats - 1], *[0] * seats]
        shared = _whole(Fraction(sum(worth[place - 1 : place - 1 + equal]), equal))
        latest = self.lines[player][-2:]
        return shared * (2 if [(line.kind, line.place) for line in latest] == [("match", 1)] * 2 else 1)

    def _ruled(self, pod: Match, player: int) -> Told | None:
        verdict = pod.verdicts.get(player) if pod.result is None else None
        missed = pod.result.absent if pod.result is not None and pod.result.entered else pod.missed
        if verdict is None and player in missed:
            verdict = "no_show"
        match verdict:
            case None:
                return None
            case kind if self._is_arena:
                return Told(pod.round, kind, 0)
            case "average":
                return Told(pod.round, verdict, min(self._mean(player), _AVERAGE))
            case "average_plus":
                return Told(pod.round, verdict, _AVERAGE)
            case "no_show" | "absence":
                return Told(pod.round, verdict, self._lost(player, verdict))
            case _:
                return Told(pod.round, verdict, 0)

    def _mean(self, player: int) -> int:
        played = [line.points for line in self.lines[player] if line.kind == "match"]
        return _whole(Fraction(sum(played), len(played))) if played else 0

    def _lost(self, player: int, kind: str) -> int:
        return 0 if self._is_arena else _LOSSES[kind] + min(0, self._mean(player))

    # The table

    def table(self, division: int) -> list[Place]:
        """Return everyone in a division by rank. Players who share a place are ordered by their numbers."""
        over = sum(
            all(pod.result or pod.verdicts for pod in self.matches.values() if pod.round == number)
            for number in range(1, self.begun + 1)
        )
        least = ceil(Fraction(self.settings.least_matches * over, 100))
        staying = [
            player
            for player, of in self.members.items()
            if of == division
            and (
                player not in self.left
                or 100 * self.left[player] >= self.settings.stays_from * self.settings.rounds
            )
        ]
        places: list[Place] = []
        for there in (True, False):
            group = [player for player in staying if (self._was_there(player) >= least) is there]
            for equal in self._order(group):
                rank = 1 + len(places)
                places += [self._place(rank, player) for player in sorted(equal)]
        return places

    def _place(self, rank: int, player: int) -> Place:
        played = [line for line in self.lines[player] if line.kind == "match"]
        return Place(rank, player, self._points(player), len(played), sum(line.deals for line in played))

    def _was_there(self, player: int) -> int:
        return sum(line.kind in {"match", "average", "average_plus"} for line in self.lines[player])

    def _points(self, player: int) -> int:
        return sum(line.points for line in self.lines[player])

    def _order(self, players: Sequence[int]) -> list[list[int]]:
        return [
            players
            for group in _classes(players, self._points)
            for players in self._untied(group, self._merits())
        ]

    def _merits(self) -> list[Any]:
        merits = [self._gain, self._placings, self._opponents, self._good_conduct, self._lot]
        return merits[1:] if self._is_arena else merits

    def _untied(self, group: list[int], merits: list[Any]) -> list[list[int]]:
        """Split the group into classes that nothing separates.

        The meetings are considered again within each class, every other criterion once.
        """
        if len(group) == 1:
            return [group]
        duels = self._duels(group)
        asked = [(merits, duels.__getitem__)] if duels else []
        asked += [(merits[place + 1 :], merit) for place, merit in enumerate(merits)]
        for rest, merit in asked:
            classes = _classes(group, merit)
            if len(classes) > 1:
                return [players for inner in classes for players in self._untied(inner, rest)]
        return [group]

    def _duels(self, group: list[int]) -> dict[int, int]:
        """Return twice how often each came before another of the group; empty if some met more often."""
        ahead = dict.fromkeys(group, 0)
        times: defaultdict[tuple[int, ...], int] = defaultdict(int)
        for places in self.met:
            for pair in combinations(sorted(set(places) & set(group)), 2):
                times[pair] += 1
                for one, other in (pair, pair[::-1]):
                    ahead[one] += 2 * (places[one] < places[other]) + (places[one] == places[other])
        pairs = len(group) * (len(group) - 1) // 2
        return ahead if len(times) == pairs and len(set(times.values())) == 1 else {}

    def _lot(self, player: int) -> bytes:
        """Return a hash of the seed and the player once the seed is known; smaller is better."""
        key = deal_key(self.seed, self.name, 0, (str(player),), "lot") if self.seed else b""
        return bytes(255 - part for part in key)

    def _gain(self, player: int) -> int:
        """Return the gain in millionths of par, with each match rounded by itself."""
        return sum(_whole(line.gain * 1_000_000) for line in self.lines[player] if line.kind == "match")

    def _placings(self, player: int) -> tuple[int, ...]:
        places = [line.place for line in self.lines[player]]
        return tuple(map(places.count, range(1, 6)))

    def _opponents(self, player: int) -> int:
        """Return the mean of the opponents' means without the extremes, in thousandths of a hundredth."""
        means = sorted(
            self._fine_mean(other)
            for places in self.met
            if player in places
            for other in places
            if other != player
        )
        counted = means[1:-1] if len(means) > 2 else means
        return _whole(Fraction(sum(counted), len(counted))) if counted else 0

    def _fine_mean(self, player: int) -> int:
        played = [line.points for line in self.lines[player] if line.kind == "match"]
        return _whole(Fraction(1000 * sum(played), len(played)))

    def _good_conduct(self, player: int) -> int:
        return -sum(line.kind == "no_show" for line in self.lines[player])

    # The teams

    def team_table(self) -> list[TeamPlace]:
        """Return the teams by rank. Those that share a place are ordered by their numbers."""
        strengths = self._strengths()
        merits: dict[int, tuple[Any, ...]] = {}
        for team, members in self.teams.items():
            plain = sum(self._points(player) for player in members)
            met = sum(self._of_opponents(player, strengths) for player in members)
            places = [line.place for player in members for line in self.lines[player]]
            complete = len(members) >= self.settings.team_size
            merits[team] = (complete, plain + met, plain, tuple(map(places.count, range(1, 6))))
        return [
            TeamPlace(1 + sum(other > own for other in merits.values()), team, own[1], own[2])
            for team, own in sorted(merits.items(), key=lambda item: ([*_negative(item[1])], item[0]))
        ]

    def _of_opponents(self, player: int, strengths: Mapping[int, int]) -> int:
        """Return the mean strength of the others at the table, summed over all matches of a player."""
        others = [
            [strengths[other] for other in match if other != player]
            for match in self.played
            if player in match
        ]
        return sum(_whole(Fraction(sum(met), len(met))) for met in others)

    def _strengths(self) -> dict[int, int]:
        """Return each player's points in a match against average opponents, by ridge regression."""
        players = sorted({player for match in self.played for player in match})
        row_of = {player: row for row, player in enumerate(players)}
        left = [
            [float(_HELD_BACK * (row == column)) for column in row_of.values()] for row in row_of.values()
        ]
        right = [0.0] * len(players)
        met: defaultdict[tuple[int, ...], int] = defaultdict(int)
        for match in self.played:
            pairs = [*combinations(sorted(match), 2)]
            weight = (1 + sum(met[pair] for pair in pairs) / len(pairs)) ** -0.5
            for pair in pairs:
                met[pair] += 1
            for player, line in match.items():
                right[row_of[player]] += weight * line.points
                left[row_of[player]][row_of[player]] += weight
                for other in match:
                    left[row_of[player]][row_of[other]] -= weight / len(match)
        return {
            player: _whole(Fraction(round(1_000_000 * strength), 1_000_000))
            for player, strength in zip(players, _solved(left, right), strict=True)
        }


def _negative(merits: tuple[Any, ...]) -> Iterable[Any]:
    """Return the same merits, negated so that the greatest sorts first."""
    return ([-count for count in merit] if isinstance(merit, tuple) else -merit for merit in merits)


def _solved(left: list[list[float]], right: list[float]) -> list[float]:
    """Return the solution of these linear equations, whose diagonal is never zero."""
    size = range(len(right))
    for pivot in size:
        for row in size:
            if row != pivot:
                factor = left[row][pivot] / left[pivot][pivot]
                right[row] -= factor * right[pivot]
                for column in range(pivot, len(right)):
                    left[row][column] -= factor * left[pivot][column]
    return [right[row] / left[row][row] for row in size]


def _set(those: set[Any], one: Any, *, there: bool) -> None:
    (those.add if there else those.discard)(one)


def _classes(players: Sequence[int], merit: Any) -> list[list[int]]:
    """Return the players in classes of equal merit, the best first."""
    merits = {player: merit(player) for player in players}
    return [
        [player for player in players if merits[player] == worth]
        for worth in sorted(set(merits.values()), reverse=True)
    ]


def _rounded(value: Fraction, to: int) -> Fraction:
    """Return the value rounded to `to`-ths, with halves away from zero."""
    size = (abs(value) * to + Fraction(1, 2)).__floor__()
    return Fraction(size if value > 0 else -size, to)


_millionths = partial(_rounded, to=1_000_000)


def _whole(value: Fraction) -> int:
    return int(_rounded(value, 1))
