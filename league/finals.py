"""Knock-out finals: two players of each table of four go on. A share of the season's points counts in every stage."""

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
    """The place at the table; the season's table breaks ties."""
    carried: int
    won: int
    advances: bool

    @property
    def points(self) -> int:
        """The points that decide the stage."""
        return self.carried + self.won


def tables_of(seeded: Sequence[Player]) -> list[tuple[Player, ...]]:
    """The tables of a stage, from its players in seed order. A snake draft makes them equally strong."""
    count = len(seeded) // _TABLE
    rows = [seeded[first : first + count] for first in range(0, len(seeded), count)]
    folded = [row if place % 2 == 0 else row[::-1] for place, row in enumerate(rows)]
    return [tuple(players) for players in zip(*folded, strict=True)]


def draw_stage(season: Season, players: Sequence[Player], due: int) -> list[RoundDrawn]:
    """The rounds of a stage, one for each of its matches; every second one reverses the order of seats.

    `players` are 16, 8 or 4 in seed order. Raises ValueError for any other number.
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
    """The players who may play the finals, in the order of the season's table: without those who left or were seldom there."""
    rows = standings(season).rows
    return tuple(row.player for row in rows if row.qualified and season.members[row.player].plays)


def stage_tables(season: Season, stage: int) -> list[tuple[StageRow, ...]]:
    """The tables of a stage as they stand, with the rows of each ordered by place."""
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
        staying = [player for player in order if not season.has_left(player)]
        tables.append(
            tuple(
                StageRow(player, place, carried[player], won[player], player in staying[:_GO_ON])
                for place, player in enumerate(order, 1)
            )
        )
    return tables


def stage_over(season: Season, stage: int) -> bool:
    """Whether all matches of a stage are played or ruled on."""
    pods = [pod for pod in season.pods.values() if pod.stage == stage]
    return bool(pods) and all(pod.over for pod in pods)


def next_players(season: Season, stage: int) -> tuple[Player, ...]:
    """The players who go on from a stage, in seed order for the next: by the season's table.

    After the last stage this is the champion alone.
    """
    tables = stage_tables(season, stage)
    if stage == LAST_STAGE:
        return (tables[0][0].player,)
    going = {row.player for table in tables for row in table if row.advances}
    return tuple(row.player for row in standings(season).rows if row.player in going)
