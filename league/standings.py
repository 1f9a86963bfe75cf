"""The standings of a season or of one of its divisions, after any of its rounds: the order, how ties are broken, how much is luck.

With names they hold everything that their picture and their words need.
"""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import combinations
from math import sqrt
from statistics import fmean
from typing import Final, Literal

from league.book import Book, BookLine, Played, book
from league.formats import Zone
from league.points import nearest
from league.results import Player
from league.season import Member, Season
from league.statistics.ladder_points import HELD_BACK, ladder_points
from marriage.shuffle import deal_key

_ERRORS: Final = 2.0


@dataclass(frozen=True, slots=True)
class Band:
    """The range of places that luck alone could have given a player; 1 is the first."""

    best: int
    worst: int


def spread(match_points: Sequence[Sequence[float]]) -> float:
    """Return the pooled standard deviation of one match's points, from the matches of every player.

    Players with a single match are left out. Returns 0 if no one has played twice.
    """
    squares, freedom = 0.0, 0
    for points_of in match_points:
        if len(points_of) > 1:
            mean = fmean(points_of)
            squares += sum((points - mean) ** 2 for points in points_of)
            freedom += len(points_of) - 1
    return sqrt(squares / freedom) if freedom else 0.0


def bands(totals: Mapping[Player, tuple[float, float]], match_spread: float) -> dict[Player, Band]:
    """Return the band of every player, from their total and its number of matches.

    `match_spread` is the standard deviation of one match's points (see `spread`), in the unit of the totals.
    For a mean instead of a total, the number is 1 divided by the number of matches.
    """
    by_matches: defaultdict[float, list[float]] = defaultdict(list)
    for total, matches in sorted(totals.values()):
        by_matches[matches].append(total)
    return {player: _band(*total, by_matches, match_spread) for player, total in totals.items()}


def _band(
    total: float, matches: float, by_matches: Mapping[float, Sequence[float]], match_spread: float
) -> Band:
    """Return one band. `by_matches` has the sorted totals of all players, by number of matches."""
    above = below = everybody = 0
    for other_matches, totals in by_matches.items():
        margin = _ERRORS * match_spread * sqrt(matches + other_matches)
        above += len(totals) - bisect_right(totals, total + margin)
        below += bisect_left(totals, total - margin)
        everybody += len(totals)
    return Band(best=1 + above, worst=everybody - below)


Criterion = Literal["points", "head_to_head", "gain", "placings", "opponents", "conduct", "lot"]
"""The criteria, in this order. Criteria after the head-to-head are applied only once."""


@dataclass(frozen=True, slots=True)
class Merits:
    """The figures of one player that tie-breaks compare."""

    points: int
    gain: int = 0
    """The sum of the gains of all deals, or of the margins over other tables on boards."""
    placings: tuple[int, ...] = ()
    """The number of firsts, seconds, thirds and so on."""
    opponents: int = 0
    """The strength of the schedule: the mean points of the opponents in a match, in any unit."""
    conduct: int = 0
    lot: int | None = None
    """The player's position in the lots, 0 the first; None before lots are drawn."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A player's rank, 1 the first; players who are equal in everything share a rank."""

    player: Player
    rank: int
    by: Criterion
    """The criterion that separated the player from others with the same points; `points` if there are none.
    """
    parted: Criterion | None = "points"
    """The criterion that separates the player from the one above; None if they share the rank."""


Places = Sequence[Mapping[Player, int]]
"""Match by match: the place of everyone at the table."""
_Key = int | tuple[int, ...]

_ORDER: Final[tuple[tuple[Criterion, Callable[[Merits], _Key]], ...]] = (
    ("gain", lambda merits: -merits.gain),
    ("placings", lambda merits: tuple(-count for count in merits.placings)),
    ("opponents", lambda merits: -merits.opponents),
    ("conduct", lambda merits: merits.conduct),
    ("lot", lambda merits: -1 if merits.lot is None else merits.lot),
)


def ranked(merits: Mapping[Player, Merits], matches: Places) -> list[Ranked]:
    """Return everyone by rank; players who share a rank are in order of their numbers."""
    found: list[Ranked] = []
    numbers: defaultdict[Player, list[int]] = defaultdict(list)
    for number, places in enumerate(matches):
        for player in places:
            numbers[player].append(number)
    for group in _classes(merits, lambda player: -merits[player].points):
        own = [matches[number] for number in {number for player in group for number in numbers[player]}]
        for players, by, parted in _split(group, 0, "points", merits, own):
            found += [Ranked(player, 1 + len(found), by, parted) for player in players[:1]]
            found += [Ranked(player, found[-1].rank, by, None) for player in players[1:]]
    return found


def _classes(players: Iterable[Player], key: Callable[[Player], _Key]) -> list[list[Player]]:
    """Return the players in classes of equal keys, the smallest key first."""
    classes: defaultdict[_Key, list[Player]] = defaultdict(list)
    for player in sorted(players):
        classes[key(player)].append(player)
    return [players for _, players in sorted(classes.items())]


_Class = tuple[list[Player], Criterion, Criterion]
"""Tied players, what separated them from others with their points, and what from those above."""


def _split(
    group: list[Player], asked: int, by: Criterion, merits: Mapping[Player, Merits], matches: Places
) -> list[_Class]:
    """Return the group split into classes that no criterion splits further; the first leads by `points`."""
    if len(group) == 1:
        return [(group, by, "points")]
    met = head_to_head(group, matches)
    if met is not None:
        classes = _classes(group, lambda player: -met[player])
        if len(classes) > 1:
            return _each(classes, asked, "head_to_head", merits, matches)
    for place, (criterion, key) in enumerate(_ORDER[asked:], asked + 1):
        classes = _classes(group, lambda player, key=key: key(merits[player]))
        if len(classes) > 1:
            return _each(classes, place, criterion, merits, matches)
    return [(group, by, "points")]


def _each(
    classes: list[list[Player]], asked: int, by: Criterion, merits: Mapping[Player, Merits], matches: Places
) -> list[_Class]:
    found: list[_Class] = []
    for number, players in enumerate(classes):
        inner = _split(players, asked, by, merits, matches)
        if number:
            inner[0] = (inner[0][0], inner[0][1], by)
        found += inner
    return found


def head_to_head(group: Sequence[Player], matches: Places) -> dict[Player, int] | None:
    """Return twice the number of meetings in which each player came before another of the group.

    A tie counts half. Returns None unless all pairs of the group met equally often.
    """
    met: defaultdict[frozenset[Player], int] = defaultdict(int)
    ahead = dict.fromkeys(group, 0)
    for places in matches:
        for first, second in combinations([player for player in places if player in ahead], 2):
            met[frozenset((first, second))] += 1
            ahead[first] += (places[first] <= places[second]) + (places[first] < places[second])
            ahead[second] += (places[second] <= places[first]) + (places[second] < places[first])
    pairs = len(group) * (len(group) - 1) // 2
    return ahead if len(met) == pairs and len(set(met.values())) == 1 else None


PLACES: Final = 5
_LAST: Final = 5
_FINE: Final = 1000
"""The parts of a hundredth with which means are compared."""


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """One player's line of the standings. League points are hundredths."""

    player: Player
    rank: int
    moved: int
    """The places gained since the previous round; 0 for players who were not in that table."""
    by: Criterion
    """The criterion that separated the player from others with the same points."""
    points: int
    matches: int
    deals: int
    placings: tuple[int, ...]
    """The number of firsts, seconds and so on, to the fifth."""
    net: int
    """The points of the game that the player won or paid in all deals."""
    gain: int
    """The sum of the gains of all deals, or of the margins of all boards, in millionths of par."""
    opponents: int
    """The strength of the schedule: the mean points of the opponents in a match."""
    penalties: int
    """The league points of penalties, already included in the points."""
    conduct: int
    last: tuple[int, ...]
    """The placings of the latest matches, in order."""
    lines: tuple[BookLine, ...]
    dropped: frozenset[int]
    """The dropped rounds if only the best rounds count."""
    band: Band
    """The places that luck alone could have given the player."""
    zone: Zone | None
    qualified: bool = True
    """Whether the player came often enough; others rank below all who did."""
    parted: Criterion | None = "points"
    """The criterion that separates the player from the one above; None if they share the place."""

    @property
    def mean(self) -> int:
        """League points per match played."""
        played = [line.points for line in self.lines if line.kind == "match"]
        return nearest(sum(played), len(played)) if played else 0

    @property
    def a_deal(self) -> int:
        """The points of the game won or paid per deal, in hundredths."""
        return nearest(100 * self.net, self.deals) if self.deals else 0


@dataclass(frozen=True, slots=True)
class Standings:
    """The table of a season or a division."""

    through: int
    """The last round included."""
    division: int
    rows: tuple[StandingsRow, ...]
    match_spread: int
    """The standard deviation of one match's league points in this table, in hundredths."""
    decided: bool = False
    """Whether the finals have decided the first places (`league.finals.final_standings`)."""

    @property
    def digest(self) -> str:
        """The SHA-256 of the table in hexadecimal, so that independent computations can be compared.

        The hashed text has a line `after round,division,rank,player,league points in
        hundredths,matches,deals` for each row.
        """
        lines = (
            f"{self.through},{self.division},{row.rank},{row.player},{row.points},{row.matches},{row.deals}\n"
            for row in self.rows
        )
        return sha256("".join(lines).encode()).hexdigest()


def standings(
    season: Season, through: int | None = None, division: int = 0, *, written: Book | None = None
) -> Standings:
    """Return the table after a round (None: the latest), of the whole field or of one division.

    All tables come from one book. Callers that need several write it once and pass it as `written`.
    """
    written = book(season) if written is None else written
    last = last_round(season) if through is None else through
    rows = _ranked_rows(season, written, last, division)
    earlier = _ranked_rows(season, written, last - 1, division) if last > 1 else []
    before = {row.player: row.rank for row in earlier}
    match_spread = spread([[line.points for line in row.lines if line.kind == "match"] for row in rows])
    within = bands({row.player: (row.points, _weight(season, row.matches)) for row in rows}, match_spread)
    return Standings(
        through=last,
        division=division,
        rows=tuple(
            replace(
                row, moved=before.get(row.player, row.rank) - row.rank, band=within[row.player], zone=zone
            )
            for row, zone in zip(rows, _zones(season, division, rows), strict=True)
        ),
        match_spread=round(match_spread),
    )


def _weight(season: Season, matches: int) -> float:
    """Return the factor of a match's variance in the points of a row with so many matches."""
    return 1 / (matches + HELD_BACK) if season.settings.format.is_adjusted(season.settings) else matches


def last_round(season: Season) -> int:
    """Return the latest ordinary round with a match begun or over, which has standings; 0 before that."""
    begun = (
        pod.round for pod in season.pods.values() if not pod.stage and (pod.over or pod.table is not None)
    )
    return max(begun, default=0)


def _ranked_rows(season: Season, written: Book, through: int, division: int) -> list[StandingsRow]:
    """Return the rows by rank, still without movement, bands and zones."""
    members = (member for member in season.members.values() if member.division == division)
    listed = sorted(member.player for member in members if _listed(member, season, through))
    least = season.settings.least(_rounds_over(season, through))
    rows = {player: _row(player, season, written, through, least) for player in listed}
    matches = written.played_by(listed, through)
    if season.settings.format.is_adjusted(season.settings):
        rows = _adjusted(rows, [match for match in written.matches if match.pod.round <= through])
    lots, opponents = _lots(season, listed), _opponents(matches, written, through)
    merits = {
        player: Merits(
            points=row.points,
            gain=0 if season.settings.format.counts_places else row.gain,
            placings=row.placings,
            opponents=_schedule(opponents[player]),
            conduct=row.conduct,
            lot=lots.get(player),
        )
        for player, row in rows.items()
    }
    places = [{player: seat.place for player, seat in match.seats.items()} for match in matches]
    found: list[StandingsRow] = []
    for qualified in (True, False):
        above = len(found)
        group = {player: merit for player, merit in merits.items() if rows[player].qualified is qualified}
        found += [
            replace(
                rows[place.player],
                rank=above + place.rank,
                by=place.by,
                parted=place.parted,
                opponents=nearest(merits[place.player].opponents, _FINE),
            )
            for place in ranked(group, places)
        ]
    return found


def _adjusted(rows: Mapping[Player, StandingsRow], matches: Sequence[Played]) -> dict[Player, StandingsRow]:
    """Return the rows with points adjusted for the opponents; those who have not played rank last."""
    made = ladder_points([{player: seat.points for player, seat in match.seats.items()} for match in matches])
    return {
        player: replace(row, points=made.get(player, 0) + row.penalties, qualified=row.matches > 0)
        for player, row in rows.items()
    }


def _listed(member: Member, season: Season, through: int) -> bool:
    """Return whether a member has a row after a round: they have a place, and have not left early by then."""
    if member.status != "confirmed":
        return False
    left = member.withdrawn
    return left is None or left > through or season.settings.stays(left)


def _row(player: Player, season: Season, written: Book, through: int, least: int) -> StandingsRow:
    """Return a player's row; a player with fewer than `least` attendances does not qualify."""
    lines = _lines(written, player, through)
    penalties = [
        penalty
        for penalty in season.penalties.values()
        if penalty.player == player and penalty.round <= through
    ]
    gone = dropped(lines, season.settings.best_rounds)
    deducted = sum(penalty.points for penalty in penalties)
    played = [line.match for line in lines if line.match]
    places = Counter(match.place for match in played)
    return StandingsRow(
        player=player,
        rank=0,
        moved=0,
        by="points",
        points=sum(line.points for line in lines if line.round not in gone) + deducted,
        matches=len(played),
        deals=sum(match.deals for match in played),
        placings=tuple(places[place] for place in range(1, PLACES + 1)),
        net=sum(match.net for match in played),
        gain=sum(match.gain for match in played),
        opponents=0,
        penalties=deducted,
        conduct=sum(line.conduct for line in lines) + sum(penalty.conduct for penalty in penalties),
        last=tuple(match.place for match in played[-_LAST:]),
        lines=lines,
        dropped=gone,
        band=Band(0, 0),
        zone=None,
        qualified=sum(line.was_there for line in lines) >= least,
    )


def _rounds_over(season: Season, through: int) -> int:
    """Return how many ordinary rounds up to this one are over; only these can have been missed."""
    waiting = {pod.round for pod in season.pods.values() if not pod.over}
    return sum(
        number <= through and number not in waiting and not drawn.stage
        for number, drawn in season.rounds.items()
    )


def dropped(lines: Sequence[BookLine], best: int) -> frozenset[int]:
    """Return the dropped rounds if only the best count; of equal rounds, the later is dropped."""
    if not best:
        return frozenset()
    by_worth = sorted(lines, key=lambda line: (-line.points, line.round))
    return frozenset(line.round for line in by_worth[best:])


def _lines(written: Book, player: Player, through: int) -> tuple[BookLine, ...]:
    """Return a player's lines up to a round."""
    return tuple(line for line in written.lines.get(player, ()) if line.round <= through)


def _opponents(matches: Sequence[Played], written: Book, through: int) -> defaultdict[Player, list[int]]:
    """Return each player's opponents as mean points in a match, in fine units, once for each meeting."""
    means = {
        player: nearest(_FINE * sum(played), len(played))
        for player in {player for match in matches for player in match.seats}
        if (played := [line.points for line in _lines(written, player, through) if line.kind == "match"])
    }
    met: defaultdict[Player, list[int]] = defaultdict(list)
    for match in matches:
        for player in match.seats:
            met[player] += [means[other] for other in match.seats if other != player and other in means]
    return met


def _schedule(met: Sequence[int]) -> int:
    """Return the mean over the opponents without the best and the worst of them (Median-Buchholz)."""
    counted = sorted(met)[1:-1] if len(met) > 2 else met
    return nearest(sum(counted), len(counted)) if counted else 0


def _lots(season: Season, players: Sequence[Player]) -> dict[Player, int]:
    """Return the lots once the season's seed is revealed: by the shuffle's hash with its own tag."""
    if not season.seed:
        return {}
    seed = bytes.fromhex(season.seed)
    drawn = sorted(players, key=lambda player: deal_key(seed, season.name, 0, (str(player),), "lot"))
    return {player: place for place, player in enumerate(drawn)}


def _zones(season: Season, division: int, rows: Sequence[StandingsRow]) -> list[Zone | None]:
    """Return the consequence of each place.

    Once the finals are drawn, the draw decides who plays in them, because lots may have decided a tie.
    """
    first = next((drawn for drawn in season.rounds.values() if drawn.stage), None)
    if first is not None:
        finalists = {player for pod in first.pods for player in pod.players}
        return ["final" if row.player in finalists else None for row in rows]
    lowest = max((member.division for member in season.members.values()), default=0)
    eligible = [row.qualified and season.members[row.player].plays for row in rows]
    return season.settings.format.zones(season.settings, eligible, division, lowest)


@dataclass(frozen=True, slots=True)
class ShownRow:
    """One line: a player's name and row of the standings."""

    name: str
    row: StandingsRow
    missing: bool = False
    """Whether the player has left the season."""


@dataclass(frozen=True, slots=True)
class ShownStandings:
    """The table of a season, or of one of its divisions, for display."""

    title: str
    through: int
    """The last round included."""
    rounds: int
    """The number of rounds of the season."""
    division: int
    """0 if there are no divisions."""
    rows: tuple[ShownRow, ...]
    final: bool
    """Whether the season is closed."""
    at: int
    """When it was computed, in UTC milliseconds."""
    match_spread: int = 0
    """As in `Standings`."""
    decided: bool = False
    """As in `Standings`."""

    @property
    def table(self) -> Standings:
        """The table without names."""
        return Standings(
            self.through,
            self.division,
            tuple(line.row for line in self.rows),
            self.match_spread,
            self.decided,
        )

    @property
    def names(self) -> dict[Player, str]:
        """The names of all players."""
        return {line.row.player: line.name for line in self.rows}

    def index_of(self, player: Player) -> int | None:
        """Return the place of a player's line in the list, from 0."""
        return next((place for place, line in enumerate(self.rows) if line.row.player == player), None)


def shown(
    table: Standings,
    names: dict[Player, str],
    title: str,
    *,
    rounds: int,
    final: bool,
    at: int,
    left: frozenset[Player],
) -> ShownStandings:
    """Return the table with these names; `left` are the players who have left the season."""
    rows = tuple(ShownRow(names[row.player], row, row.player in left) for row in table.rows)
    return ShownStandings(
        title, table.through, rounds, table.division, rows, final, at, table.match_spread, table.decided
    )
