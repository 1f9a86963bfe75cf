"""Drawing: who plays whom, and a table opened for every pod in the same transaction."""

import asyncio
from collections.abc import Sequence

from bot.league.agenda import draw_at
from bot.league.free_seats import offer
from bot.league.leagues import Leagues
from bot.league.pod_tables import open_tables
from bot.league.season_transaction import SeasonTransaction, read_former, read_season
from bot.league.vacancies import nobody_to_play, still_playing
from data.season_rows import SeasonRow
from data.transaction import ReadTransaction
from league.drawing import absent, draw_divisions, draw_round, there
from league.events import (
    AbsenceBooked,
    CheckedIn,
    DivisionSet,
    DrawnPod,
    Entry,
    Event,
    RoundDrawn,
)
from league.finals import draw_stage
from league.results import Player
from league.season import Pod, Season, after
from league.standins import may_fill
from league.succession import placed
from marriage.rules import SEATS_MIN


class Draws:
    """Draws are worked out before the transaction begins, and anew where the season has changed meanwhile."""

    def __init__(self, leagues: Leagues) -> None:
        self._leagues = leagues

    async def draw(self, season_id: int, number: int) -> None:
        """Draw a round, if it is not drawn yet, and open its tables."""
        while True:
            async with self._leagues.store.read() as db:
                row, season, last = await read_season(db, season_id)
                former = await _remembered(db, row, season)
            if row.closed_at is not None:
                return
            events = await asyncio.to_thread(_drawn, row, season, number, former)
            async with self._leagues.writing(season_id) as season_tx:
                if season_tx.last == last:
                    await season_tx.add(*events)
                    await open_round(season_tx, number)
                    return

    async def stage(self, season_tx: SeasonTransaction, players: Sequence[Player]) -> None:
        """Draw a stage of the finals among these players and open its tables."""
        due = season_tx.now // 1000 + season_tx.season.settings.round_days * 24 * 3600
        rounds = draw_stage(season_tx.season, players, due)
        await season_tx.add(*rounds)
        for drawn in rounds:
            await open_round(season_tx, drawn.round)


async def open_round(season_tx: SeasonTransaction, number: int) -> None:
    """Open the tables of a round, post its pods, and tell everybody where he plays."""
    tables = await season_tx.db.seasons.pod_tables(season_tx.row.id)
    to_open = [
        (pod, still_playing(pod, season_tx.season))
        for pod in sorted(season_tx.season.pods.values(), key=lambda own: own.id)
        if pod.round == number and not pod.over and pod.id not in tables
    ]
    matches = [own for own in to_open if _may_play(season_tx.season, *own)]
    for pod, playing in to_open:
        if (pod, playing) not in matches:
            await season_tx.add(nobody_to_play(pod, playing))
    await open_tables(season_tx, matches)
    for pod, playing in matches:
        await offer(season_tx, pod)
        for player in playing:
            await season_tx.tell(f"open:{number}:{player}", player)
    await season_tx.tell(f"round:{number}")
    if await season_tx.db.seasons.post(season_tx.row.id, f"checkin:{number}") is not None:
        await season_tx.tell(f"checkin:{number}")
    await season_tx.tell("signup")


def _may_play(season: Season, pod: Pod, playing: Sequence[Player]) -> bool:
    """Whether enough are left of a pod, or may be once somebody who stands by has taken a seat."""
    return len(playing) >= SEATS_MIN or (bool(playing) and may_fill(season, pod))


async def _remembered(db: ReadTransaction, row: SeasonRow, season: Season) -> list[Season]:
    """The seasons before this one from which somebody may have a division."""
    settings = season.settings
    if settings.format != "divisions" or season.drawn:
        return []
    return await read_former(db, row, 1 + settings.hiatus_seasons)


def _drawn(row: SeasonRow, season: Season, number: int, former: Sequence[Season]) -> list[Event]:
    """The events of a draw; none where the round is drawn already."""
    settings = season.settings
    if season.drawn >= number:
        return []
    dues = [draw_at(row, settings, own + 1) // 1000 for own in range(1, settings.rounds + 1)]
    if settings.format == "divisions":
        divided = _divided(season, former)
        return [*divided, *draw_divisions(_foreseen(season, divided), row.seed, dues)]
    came = _taken_for_granted(season) if number == 1 and not settings.confirm_hours else []
    return [*came, *_one_round(_foreseen(season, came), row.seed, number, dues[number - 1])]


def _foreseen(season: Season, events: Sequence[Event]) -> Season:
    """The season as it will be."""
    for event in events:
        season = after(season, Entry(0, 0, event))
    return season


def _taken_for_granted(season: Season) -> list[Event]:
    """Where nobody had to confirm, whoever has signed up is there for the first round."""
    coming = {own.player for own in there(season, 1)}
    return [
        CheckedIn(own.player, 1) for own in season.members.values() if own.plays and own.player not in coming
    ]


def _one_round(season: Season, seed: bytes, number: int, due: int) -> list[Event]:
    coming = there(season, number)
    if len(coming) >= SEATS_MIN:
        return draw_round(season, seed, due)
    alone = tuple(DrawnPod(season.next_pod(), (own.player,)) for own in coming)
    return [
        RoundDrawn(number, alone, due),
        *(AbsenceBooked(player, number) for player in absent(season, number)),
    ]


def _divided(season: Season, former: Sequence[Season]) -> list[Event]:
    """A division for everybody: by the seasons before, in a first one by the order of sign-up."""
    members = sorted(season.members.values(), key=lambda own: (own.signed_up, own.player))
    found = placed(former, [own.player for own in members if own.plays], season.settings)
    return [DivisionSet(player, division) for player, division in found.items()]
