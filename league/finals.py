"""Knock-out finals: tables of four, two go on, a share of the season's points is carried into every stage."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from league.book import book
from league.events import DrawnPod, RoundDrawn
from league.numbers import LAST_STAGE, STAGES
from league.points import nearest
from league.results import Player
from league.season import Season
from league.standings import standings

_TABLE: Final = 4
_GO_ON: Final = 2


@dataclass(frozen=True, slots=True)
class StageRow:
    """One player's line at a table of a stage; league points are hundredths."""

    player: Player
    place: int
    """At the table; who came before in the season stands before where all else is equal."""
    carried: int
    won: int
    advances: bool

    @property
    def points(self) -> int:
        """What the stage is decided by."""
        return self.carried + self.won


def tables_of(seeded: Sequence[Player]) -> list[tuple[Player, ...]]:
    """The tables of a stage, from its players in the order of their seeds: a snake, so that all are alike."""
    count = len(seeded) // _TABLE
    rows = [seeded[first : first + count] for first in range(0, len(seeded), count)]
    folded = [row if place % 2 == 0 else row[::-1] for place, row in enumerate(rows)]
    return [tuple(players) for players in zip(*folded, strict=True)]


def draw_stage(season: Season, players: Sequence[Player], due: int) -> list[RoundDrawn]:
    """The rounds of a stage, one for each of its matches; the order of seats is turned round for every second one.

    `players` are 16, 8 or 4 in the order of their seeds. Raises ValueError for another number.
    """
    if len(players) not in STAGES:
        raise ValueError("a stage of the finals has 16, 8 or 4 players")
    number, pod = max(season.rounds, default=0) + 1, season.next_pod()
    drawn: list[RoundDrawn] = []
    for leg in range(season.settings.final_matches):
        seated = [table[::-1] if leg % 2 else table for table in tables_of(players)]
        pods = tuple(DrawnPod(place, table) for place, table in enumerate(seated, pod))
        pod += len(pods)
        drawn.append(RoundDrawn(number + leg, pods, due, stage=len(players)))
    return drawn


def seeds(season: Season) -> tuple[Player, ...]:
    """The players of the season's table from the first place on, without those who have left."""
    return tuple(row.player for row in standings(season).rows if season.members[row.player].plays)


def stage_tables(season: Season, stage: int) -> list[tuple[StageRow, ...]]:
    """The tables of a stage as they stand, each by place."""
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
        order = sorted(
            players,
            key=lambda player: (-won[player] - carried[player], ranks.get(player, len(ranks)), player),
        )
        tables.append(
            tuple(
                StageRow(player, place, carried[player], won[player], place <= _GO_ON)
                for place, player in enumerate(order, 1)
            )
        )
    return tables


def stage_over(season: Season, stage: int) -> bool:
    """Whether all matches of a stage are played or ruled on."""
    pods = [pod for pod in season.pods.values() if pod.stage == stage]
    return bool(pods) and all(pod.over for pod in pods)


def next_players(season: Season, stage: int) -> tuple[Player, ...]:
    """Who goes on from a stage, in the order of the seeds of the next: by the season's table.

    After the last stage it is the champion alone.
    """
    tables = stage_tables(season, stage)
    if stage == LAST_STAGE:
        return (tables[0][0].player,)
    going = {row.player for table in tables for row in table if row.advances}
    return tuple(row.player for row in standings(season).rows if row.player in going)
