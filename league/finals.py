"""Knock-out finals: two players of each table of four advance.

Part of the season's points carries over into every stage. Players who came to no match of the stage do not
advance: the next players are invited instead. Those who missed a match come behind those who missed fewer, and last
if they have left the season. There is no champion without a match of the final.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from league.book import Book, book
from league.events import DrawnPod, RoundDrawn
from league.numbers import LAST_STAGE, STAGES
from league.points import nearest
from league.results import Player
from league.season import Season
from league.standings import Criterion, Standings, standings

_TABLE: Final = 4
_GO_ON: Final = 2


@dataclass(frozen=True, slots=True)
class StageRow:
    """One player's line at a table of a stage; league points are hundredths."""

    player: Player
    place: int
    """The place at the table: by matches missed, then by points; the season's table breaks ties."""
    carried: int
    won: int
    advances: bool
    missed: int = 0
    """The number of the stage's matches to which the player did not come."""
    came: bool = True
    """Whether the player came to a match of the stage."""

    @property
    def points(self) -> int:
        """The points that decide the stage."""
        return self.carried + self.won


def tables_of(seeded: Sequence[Player]) -> list[tuple[Player, ...]]:
    """Return the tables of a stage for its players in seed order. A snake draft makes them equally strong."""
    count = len(seeded) // _TABLE
    rows = [seeded[first : first + count] for first in range(0, len(seeded), count)]
    folded = [row if place % 2 == 0 else row[::-1] for place, row in enumerate(rows)]
    return [tuple(players) for players in zip(*folded, strict=True)]


def draw_stage(season: Season, players: Sequence[Player], due: int) -> list[RoundDrawn]:
    """Return the rounds of a stage, one for each of its matches; every second one reverses the seat order.

    In one sitting, where a match begins when it is drawn, it is the first alone (`draw_next_match`). `players` are 16, 8 or 4
    in seed order. Raises ValueError for any other number.
    """
    if len(players) not in STAGES:
        raise ValueError("a stage of the finals has 16, 8 or 4 players")
    number, pod = max(season.rounds, default=0) + 1, season.next_pod()
    drawn: list[RoundDrawn] = []
    for leg in range(1 if season.settings.is_sitting else season.settings.final_matches):
        seated = [table[::-1] if leg % 2 else table for table in tables_of(players)]
        pods = tuple(DrawnPod(place, table) for place, table in enumerate(seated, pod))
        pod += len(pods)
        drawn.append(RoundDrawn(number + leg, pods, due, stage=len(players), leavers_miss=True))
    return drawn


def draw_next_match(season: Season, due: int) -> list[RoundDrawn]:
    """Return the round of the next match of the latest stage, in one sitting, once the one before it is over; else none."""
    stage = min((drawn.stage for drawn in season.rounds.values() if drawn.stage), default=0)
    if not _left_to_draw(season, stage) or not all(pod.over for pod in season.pods.values()):
        return []
    number, pod = max(season.rounds), season.next_pod()
    seated = [table.players[::-1] for table in season.rounds[number].pods]
    pods = tuple(DrawnPod(place, table) for place, table in enumerate(seated, pod))
    return [RoundDrawn(number + 1, pods, due, stage=stage, leavers_miss=True)]


def _left_to_draw(season: Season, stage: int) -> bool:
    """Return whether a match of a stage is still to be drawn: in one sitting, only one is drawn at a time."""
    drawn = sum(drawn.stage == stage for drawn in season.rounds.values())
    return bool(stage) and season.settings.is_sitting and drawn < season.settings.final_matches


def seeds(season: Season) -> tuple[Player, ...]:
    """Return the players eligible for the finals in the season's table order.

    Players who left or seldom came are not eligible.
    """
    rows = standings(season).rows
    return tuple(row.player for row in rows if row.qualified and season.members[row.player].plays)


@dataclass(frozen=True, slots=True)
class Cut:
    """The last qualifying place for the finals, if at least two players had the points for it."""

    tied: tuple[Player, ...]
    """All players with these points who are eligible for the finals, in table order."""
    going: frozenset[Player]
    """Those of them who play in the finals."""
    points: int
    by: Criterion
    """The criterion between the last player in and the first one out."""


def cut_of(season: Season) -> Cut | None:
    """Return who was tied for the last place in the finals, and the deciding criterion.

    Return None before the finals are drawn and without a tie. The answer comes from the draw itself, so it
    cannot differ from what was drawn.
    """
    first = next((drawn for _, drawn in sorted(season.rounds.items()) if drawn.stage), None)
    if first is None:
        return None
    finalists = {player for pod in first.pods for player in pod.players}
    rows = [row for row in standings(season).rows if row.qualified]
    least = min((row.points for row in rows if row.player in finalists), default=0)
    tied = [
        row
        for row in rows
        if row.points == least and (row.player in finalists or not season.has_left(row.player))
    ]
    out = next((row for row in tied if row.player not in finalists), None)
    if out is None:
        return None
    going = frozenset(row.player for row in tied if row.player in finalists)
    shared = any(row.rank == out.rank for row in tied if row.player in going)
    by = "lot" if shared or out.parted is None else out.parted
    return Cut(tuple(row.player for row in tied), going, least, by)


def final_standings(season: Season, division: int = 0, *, written: Book | None = None) -> Standings:
    """Return the final table: once the final is over, the finalists come first, in the order of the final.

    Next come those who were eliminated, the later the better: by their place at that table, then by their
    points in it. All others follow as in the season's table. `written` is as in `standings`.
    """
    table = standings(season, division=division, written=written)
    if division or not stage_over(season, LAST_STAGE) or not next_players(season, LAST_STAGE):
        return table
    listed = {row.player for row in table.rows}
    placed: dict[Player, int] = {}
    for stage in sorted({drawn.stage for drawn in season.rounds.values() if drawn.stage}):
        rows = [row for rows in stage_tables(season, stage) for row in rows]
        for row in sorted(rows, key=lambda row: (row.place, -row.points)):
            if row.player in listed and row.player not in placed:
                placed[row.player] = len(placed) + 1
    found = [
        replace(row, rank=placed[row.player], moved=row.rank - placed[row.player], by="points", zone=None)
        for row in sorted(table.rows, key=lambda row: placed.get(row.player, 0))
        if row.player in placed
    ]
    others = [row for row in table.rows if row.player not in placed]
    for row in others:
        rank = len(found) + 1 - sum(other.rank == row.rank for other in others[: others.index(row)])
        found.append(replace(row, rank=rank, moved=row.rank - rank))
    return replace(table, rows=tuple(found), decided=True)


def stage_tables(season: Season, stage: int) -> list[tuple[StageRow, ...]]:
    """Return the current tables of a stage, with the rows of each ordered by place.

    If the points alone decided, a finalist with a lead would do better by staying away or leaving than by playing: so
    those who missed fewer matches of the stage come first, and those last who missed one because they have left.
    """
    rows = standings(season).rows
    ranks = {row.player: place for place, row in enumerate(rows)}
    totals = {row.player: row.points for row in rows}
    written = book(season, stage=stage)
    tables: list[tuple[StageRow, ...]] = []
    for players in dict.fromkeys(frozenset(pod.drawn) for pod in season.pods.values() if pod.stage == stage):
        won = {player: sum(line.points for line in written.lines.get(player, ())) for player in players}
        carried = {
            player: nearest(totals.get(player, 0) * season.settings.carry_over, 100) for player in players
        }
        without = {player: _went_without(season, stage, player, written) for player in players}
        missed = {
            player: without[player] + sum(line.kind == "no_show" for line in written.lines.get(player, ()))
            if season.settings.miss_from_mean
            else 0
            for player in players
        }
        order = sorted(
            players,
            key=lambda player: (
                without[player] > 0 and season.has_left(player),
                missed[player],
                -won[player] - carried[player],
                ranks.get(player, len(ranks)),
                player,
            ),
        )
        came = {player for player in players if any(line.was_there for line in written.lines.get(player, ()))}
        staying = [player for player in order if player in came and not season.has_left(player)]
        tables.append(
            tuple(
                StageRow(
                    player,
                    place,
                    carried[player],
                    won[player],
                    player in staying[:_GO_ON],
                    missed[player],
                    player in came,
                )
                for place, player in enumerate(order, 1)
            )
        )
    return tables


def _went_without(season: Season, stage: int, player: Player, written: Book) -> int:
    """Return how many matches of a stage went on without a player who had left; none in a season or stage before this rule."""
    rounds = {
        number for number, drawn in season.rounds.items() if drawn.stage == stage and drawn.leavers_miss
    }
    if not season.settings.miss_from_mean:
        return 0
    lines = written.lines.get(player, ())
    known = {line.round for line in lines}
    without = [
        pod
        for pod in season.pods.values()
        if pod.round in rounds and player in pod.drawn and pod.round not in known
        if pod.over and pod.result is not None and player not in pod.result.players
    ]
    return len(without) + sum(line.kind == "nothing" and line.round in rounds for line in lines)


def stage_over(season: Season, stage: int) -> bool:
    """Return whether all matches of a stage are drawn, and played or ruled on."""
    pods = [pod for pod in season.pods.values() if pod.stage == stage]
    return bool(pods) and all(pod.over for pod in pods) and not _left_to_draw(season, stage)


def champion(season: Season) -> Player | None:
    """Return the champion once the season is closed, by the finals or else by the table.

    Returns None before that, and if no one has won.
    """
    if season.open:
        return None
    if any(drawn.stage == LAST_STAGE for drawn in season.rounds.values()):
        won = next_players(season, LAST_STAGE) if stage_over(season, LAST_STAGE) else ()
        return won[0] if won else None
    if any(drawn.stage for drawn in season.rounds.values()):
        return None
    divisions = sorted({member.division for member in season.members.values() if member.division}) or [0]
    rows = final_standings(season, divisions[0]).rows
    return rows[0].player if any(row.matches for row in rows) else None


def next_finalists(season: Season) -> tuple[Player, ...]:
    """Return the players of the next stage of the finals, in seed order; empty if there is none.

    Ties need the season's seed.
    """
    played = [drawn.stage for drawn in season.rounds.values() if drawn.stage]
    if played:
        stage = min(played)
        return next_players(season, stage) if stage != LAST_STAGE and stage_over(season, stage) else ()
    ranked = seeds(season)
    return tuple(ranked[: season.settings.finalists(len(ranked))])


def next_players(season: Season, stage: int) -> tuple[Player, ...]:
    """Return the players who advance from a stage, in seed order for the next: by the season's table.

    If fewer than two players of a table came, the next are invited: first those who came and were eliminated,
    best place first, then the next of the season's table who have not played in the finals. If they are too
    few for the next stage, the largest possible stage is played; the result is empty if none is possible.
    After the last stage it is the champion alone, or empty if no match of it was played.
    """
    rows = [row for table in stage_tables(season, stage) for row in table]
    if stage == LAST_STAGE:
        played = any(pod.stage == LAST_STAGE and pod.result is not None for pod in season.pods.values())
        return tuple(row.player for row in rows if row.came and played)[:1]
    ranks = {row.player: place for place, row in enumerate(standings(season).rows)}
    seen = {player for pod in season.pods.values() if pod.stage for player in pod.players}
    staying = [row for row in rows if row.came and not season.has_left(row.player)]
    staying.sort(key=lambda row: (not row.advances, row.place, ranks.get(row.player, len(ranks))))
    asked = [row.player for row in staying] + [player for player in seeds(season) if player not in seen]
    size = next((smaller for smaller in STAGES if smaller < stage and smaller <= len(asked)), 0)
    return tuple(sorted(asked[:size], key=lambda player: ranks.get(player, len(ranks))))
