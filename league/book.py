"""The book of a season: what every player got in every round, and the matches behind it.

A line never depends on later rounds. So the table of a past round changes only when that round or an earlier
one is corrected.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Final, Literal

from league.events import PodId, Result, Verdict
from league.points import STREAK, MatchRules, SeatPoints, match_points, nearest, place_points
from league.results import Player
from league.season import Pod, Season
from league.statistics.duplicate import BoardScore, compare, gained, match_score

Kind = Literal["match", "average", "average_plus", "no_show", "nothing", "absence"]
NO_SHOW_CONDUCT: Final = 1


@dataclass(frozen=True, slots=True)
class BookLine:
    """What one round gave one player."""

    round: int
    kind: Kind
    points: int
    """League points in hundredths."""
    match: SeatPoints | None = None
    """The match that was played."""
    conduct: int = 0

    @property
    def was_there(self) -> bool:
        """Whether the player played, or came but could not play."""
        return self.kind in {"match", "average", "average_plus"}


@dataclass(frozen=True, slots=True)
class Played:
    """A match that counts, with everyone who was at the table."""

    pod: Pod
    seats: Mapping[Player, SeatPoints]


@dataclass(frozen=True)
class Book:
    """All lines and matches of the rounds that were asked for."""

    lines: Mapping[Player, tuple[BookLine, ...]]
    """The lines by player, in round order."""
    matches: tuple[Played, ...]
    """The matches in round order."""

    def played_by(self, players: Iterable[Player], through: int) -> list[Played]:
        """Return the matches up to a round in which any of these players sat, in order."""
        numbers = sorted({number for player in players for number in self._numbers.get(player, ())})
        return [match for match in map(self.matches.__getitem__, numbers) if match.pod.round <= through]

    @cached_property
    def _numbers(self) -> dict[Player, list[int]]:
        """The positions of each player's matches in the list."""
        found: defaultdict[Player, list[int]] = defaultdict(list)
        for number, match in enumerate(self.matches):
            for player in match.seats:
                found[player].append(number)
        return dict(found)


def book(season: Season, through: int | None = None, stage: int | None = None) -> Book:
    """Return the book of the ordinary rounds up to `through` (None for all), or of one stage of the finals."""
    rounds = range(1, (10**9 if through is None else through) + 1)
    pods = [
        pod
        for pod in sorted(season.pods.values(), key=lambda pod: (pod.round, pod.id))
        if pod.round in rounds
    ]
    pods = [pod for pod in pods if pod.stage == (stage or 0)]
    matches = _counted(_played(season, pods), season.settings.format.day_cap(season.settings))
    by_pod = {match.pod.id: match for match in matches}
    writer = _BookWriter(season)
    absences = sorted(
        (number, player) for player, number in season.absences if number in rounds and stage is None
    )
    numbers = sorted({pod.round for pod in pods} | {number for number, _ in absences})
    for number in numbers:
        for pod in (pod for pod in pods if pod.round == number):
            writer.pod(pod, by_pod.get(pod.id))
        for player in (missing for at, missing in absences if at == number):
            writer.absence(player, number)
    return Book({player: tuple(lines) for player, lines in writer.lines.items()}, tuple(matches))


def rules_of(season: Season, seats: int) -> MatchRules:
    """Return the match rules at so many seats in this season; raises KeyError if it has no par for them."""
    return season.settings.match_rules(season.pars[seats])


@lru_cache(maxsize=16_384)
def _match_points(result: Result, void: frozenset[int], rules: MatchRules) -> tuple[SeatPoints, ...]:
    deals = [points for number, points in enumerate(result.deals) if number not in void]
    left = [seat for seat, player in enumerate(result.players) if player in result.left]
    return match_points(deals, rules, left)


def _played(season: Season, pods: Iterable[Pod]) -> Iterator[Played]:
    """Yield the matches that have a deal that counts."""
    pods = list(pods)
    compared = compared_boards(season, pods)
    for pod in pods:
        result = pod.result
        if result is not None and len(result.deals) > len(pod.void):
            points = _match_points(result, pod.void, rules_of(season, result.seats or len(result.players)))
            if boards := compared.get(pod.id):
                points = _beside_others(season, result, points, boards)
            yield Played(pod, dict(zip(result.players, points, strict=True)))


def compared_boards(season: Season, pods: Iterable[Pod]) -> dict[PodId, dict[int, tuple[BoardScore, ...]]]:
    """Return each seat's score against the same seat at the round's other tables of its size.

    The scores are by pod and board.
    """
    played: defaultdict[tuple[int, int, int], dict[PodId, Sequence[int]]] = defaultdict(dict)
    for pod in pods:
        if pod.result is not None:
            for deal, (board, points) in enumerate(zip(pod.boards, pod.result.deals, strict=False)):
                if board and deal not in pod.void:
                    played[pod.round, len(points), board][pod.id] = points
    found: defaultdict[PodId, dict[int, tuple[BoardScore, ...]]] = defaultdict(dict)
    for (_, seats, board), tables in played.items():
        if len(tables) > 1:
            for pod_id, scores in compare(tables, rules_of(season, seats)).items():
                found[pod_id][board] = scores
    return dict(found)


def _beside_others(
    season: Season,
    result: Result,
    points: tuple[SeatPoints, ...],
    boards: Mapping[int, tuple[BoardScore, ...]],
) -> tuple[SeatPoints, ...]:
    """Return the match with score and gain from its boards' duplicate points; the placing is the table's."""
    found: list[SeatPoints] = []
    for seat, (line, player) in enumerate(zip(points, result.players, strict=True)):
        scores = [score[seat].points for score in boards.values()]
        score = 0 if season.settings.placing_only else match_score(scores)
        found.append(
            replace(line, score=min(score, 0) if player in result.left else score, gain=gained(scores))
        )
    return tuple(found)


def _counted(matches: Iterable[Played], cap: int) -> list[Played]:
    """Return the matches that count if two players may meet at most `cap` times a day; 0 counts all."""
    if not cap:
        return list(matches)
    met: Counter[tuple[int, frozenset[Player]]] = Counter()
    counted: list[Played] = []
    for match in matches:
        pairs = [(match.pod.round, frozenset(pair)) for pair in combinations(match.seats, 2)]
        if all(met[pair] < cap for pair in pairs):
            met.update(pairs)
            counted.append(match)
    return counted


@dataclass(slots=True)
class _BookWriter:
    """Writes the lines round by round."""

    season: Season
    lines: defaultdict[Player, list[BookLine]] = field(
        default_factory=lambda: defaultdict[Player, list[BookLine]](list)
    )

    def pod(self, pod: Pod, played: Played | None) -> None:
        """Add a line for each player who was drawn here, or plays here without being drawn in this round."""
        for player in dict.fromkeys((*pod.drawn, *pod.players)):
            if player in pod.drawn or not self._drawn_elsewhere(player, pod):
                line = self._line(player, pod, played)
                if line is not None:
                    self.lines[player].append(line)

    def absence(self, player: Player, number: int) -> None:
        """Add the absence of a player, unless they took another player's seat in that round.

        A player who had left a match and comes back later is absent from it: the absence replaces what a
        match gives to those who have left.
        """
        kept = [line for line in self.lines[player] if line.round != number or line.kind != "nothing"]
        if any(line.round == number for line in kept):
            return
        self.lines[player] = kept
        settings = self.season.settings
        free = sum(line.kind == "absence" for line in self.lines[player]) < settings.free_absences
        points = self._without(player, 0 if free else settings.absence_points)
        self.lines[player].append(BookLine(number, "absence", points))

    def _drawn_elsewhere(self, player: Player, pod: Pod) -> bool:
        drawn = self.season.rounds.get(pod.round)
        return drawn is not None and any(player in pod.players for pod in drawn.pods)

    def _line(self, player: Player, pod: Pod, played: Played | None) -> BookLine | None:
        """Return what the pod gave a player: by their result, else by the ruling, else as a no-show."""
        if played is not None and player in played.seats:
            seat = played.seats[player]
            if self.season.settings.format.counts_places and not pod.stage:
                seat = replace(seat, score=0, bonus=self._of_places(player, played))
            return BookLine(pod.round, "match", seat.points, seat)
        if pod.result is None and player in pod.verdicts:
            return self._ruled(player, pod.round, pod.verdicts[player])
        if player in pod.no_shows:
            return self._ruled(player, pod.round, "no_show")
        return None

    def _of_places(self, player: Player, played: Played) -> int:
        """Return what a match gives in an arena: points by place, doubled after first places in a row."""
        players = [*played.seats]
        result = played.pod.result
        left = [players.index(gone) for gone in result.left if gone in players] if result else []
        given = place_points([*played.seats.values()], left)[players.index(player)]
        latest = [line.match for line in self.lines[player][-STREAK:]]
        on_streak = len(latest) == STREAK and all(match and match.place == 1 for match in latest)
        return 2 * given if on_streak else given

    def _ruled(self, player: Player, number: int, verdict: Verdict) -> BookLine:
        settings = self.season.settings
        if settings.format.counts_places:
            return BookLine(number, verdict, 0, conduct=NO_SHOW_CONDUCT if verdict == "no_show" else 0)
        match verdict:
            case "average":
                mean = self._mean(player)
                return BookLine(
                    number, "average", min(mean, settings.average_plus) if settings.miss_from_mean else mean
                )
            case "average_plus":
                least = settings.average_plus
                points = least if settings.miss_from_mean else max(self._mean(player), least)
                return BookLine(number, "average_plus", points)
            case "no_show":
                points = self._without(player, settings.no_show_points)
                return BookLine(number, "no_show", points, conduct=NO_SHOW_CONDUCT)
            case "absence":
                return BookLine(number, "absence", self._without(player, settings.absence_points))
            case "nothing":
                return BookLine(number, "nothing", 0)

    def _without(self, player: Player, cost: int) -> int:
        """Return what a missed round gives a player: their mean, at most 0, minus its cost."""
        return cost + min(0, self._mean(player)) if self.season.settings.miss_from_mean else cost

    def _mean(self, player: Player) -> int:
        """Return the mean of the player's matches so far; later matches do not change it."""
        played = [line.points for line in self.lines[player] if line.kind == "match"]
        return nearest(sum(played), len(played)) if played else 0
