"""Drawing rounds, and opening a table for every pod in the same transaction."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from bot.league.agenda import draw_at
from bot.league.free_seats import nobody_to_play, offer, still_playing
from bot.league.leagues import Leagues
from bot.league.pod_tables import open_tables
from bot.league.season import SeasonTransaction, read_former, read_season
from data.ids import SeasonId
from data.season_posts import CheckInPost, RoundPost, SignupPost, TableNotice
from data.season_rows import PodTimeRow, SeasonRow
from data.transaction import ReadTransaction
from league.events import (
    CheckedIn,
    Confirmed,
    DivisionSet,
    Entry,
    Event,
)
from league.finals import draw_stage, next_finalists
from league.matches.times import Proposal
from league.pairing.drawing import checked_in, draw_rounds, gone_away, moving_up
from league.results import Player
from league.season import Member, Pod, Season, after
from league.standins import may_fill
from league.statistics.ratings import NEWCOMER
from league.succession import placed
from marriage.rules import SEATS_MIN


class Draws:
    """Draws are computed before the transaction begins, and again if the season has changed meanwhile."""

    def __init__(self, leagues: Leagues) -> None:
        self._leagues = leagues

    async def draw(self, season_id: SeasonId, number: int) -> None:
        """Draw a round, if it is not drawn yet, and open its tables."""
        while True:
            row, season, last, former, by_strength = await self._leagues.store.read(_known, season_id)
            if row.closed_at is not None:
                return
            events = await asyncio.to_thread(_drawn, row, season, number, former, by_strength)
            if await self._leagues.write(season_id, partial(_enter, number, events, last)):
                return


async def _known(
    db: ReadTransaction, season_id: SeasonId
) -> tuple[SeasonRow, Season, int, list[Season], list[Player]]:
    """A season with its last event, its earlier seasons, and its members by strength."""
    row, season, last = await read_season(db, season_id)
    return row, season, last, await _remembered(db, row, season), await _by_strength(db, row, season)


async def _enter(number: int, events: Sequence[Event], last: int, season_tx: SeasonTransaction) -> bool:
    """Enter a draw that was computed after the event `last`; returns False if there is a later one."""
    if season_tx.last != last:
        return False
    await season_tx.add(*events)
    await open_round(season_tx, number)
    return True


async def draw_finals(season_tx: SeasonTransaction, due: int) -> bool:
    """Draw the next stage of the finals and open its tables; returns whether there are players for one."""
    players = next_finalists(replace(season_tx.season, seed=season_tx.row.seed.hex()))
    rounds = draw_stage(season_tx.season, players, due) if players else []
    await season_tx.add(*rounds)
    for drawn in rounds:
        await open_round(season_tx, drawn.round)
    return bool(rounds)


async def open_round(season_tx: SeasonTransaction, number: int) -> None:
    """Open the tables of a round, post its pods, and tell all players where they play.

    In one sitting, everybody has to be there when the table opens.
    """
    season, settings = season_tx.season, season_tx.season.settings
    tables = await season_tx.db.seasons.pod_tables(season_tx.row.id)
    to_open = [
        (pod, still_playing(pod, season_tx.season))
        for pod in sorted(season_tx.season.pods.values(), key=lambda pod: pod.id)
        if pod.round == number and not pod.over and pod.id not in tables
    ]
    matches = [
        pod_and_players for pod_and_players in to_open if _may_play(season_tx.season, *pod_and_players)
    ]
    for pod, playing in to_open:
        if (pod, playing) not in matches:
            await season_tx.add(nobody_to_play(pod, playing))
    await open_tables(season_tx, matches)
    opened = await season_tx.db.seasons.pod_tables(season_tx.row.id) if number in season.cancelled else {}
    for pod, playing in matches:
        await offer(season_tx, pod)
        if settings.is_sitting:
            at_once = Proposal(season_tx.now, season_tx.now, pod.players)
            await season_tx.db.seasons.set_pod_time(PodTimeRow(season_tx.row.id, pod.id, at_once))
        for player in playing:
            if not settings.format.plays_to_the_end or _is_first(season_tx.season, pod, player):
                await season_tx.request_post(TableNotice(number, player, opened.get(pod.id)))
    if to_open or not settings.format.plays_to_the_end:
        await season_tx.request_post(RoundPost(number))
    if await season_tx.db.seasons.post(season_tx.row.id, CheckInPost(number)) is not None:
        await season_tx.request_post(CheckInPost(number))
    await season_tx.request_post(SignupPost())


def _may_play(season: Season, pod: Pod, playing: Sequence[Player]) -> bool:
    """Return whether a pod has enough players left, or could have them once a substitute takes a seat."""
    return len(playing) >= SEATS_MIN or (bool(playing) and may_fill(season, pod))


def _is_first(season: Season, pod: Pod, player: Player) -> bool:
    """Return whether this is the player's first pod. Later pods of an evening mention them at the table instead."""
    return not any(other.id < pod.id and player in other.players for other in season.pods.values())


async def _remembered(db: ReadTransaction, row: SeasonRow, season: Season) -> list[Season]:
    """The earlier seasons that a player may have a division from."""
    count = 0 if season.drawn else season.settings.format.seasons_remembered(season.settings)
    return await read_former(db, row, count) if count else []


async def _by_strength(db: ReadTransaction, row: SeasonRow, season: Season) -> list[Player]:
    """Before the first draw: the members by their ratings in this server, and then in the order of sign-up."""
    if season.drawn:
        return []
    members = sorted(season.members.values(), key=lambda member: (member.signed_up, member.player))
    people = await db.seasons.persons_of(season.members)
    ratings = await db.stats.ratings(row.guild_id, list(people.values()))

    def strength(member: Member) -> float:
        rating = ratings.get(people[member.player], NEWCOMER)
        return rating.order(row.starts_at)

    return [member.player for member in sorted(members, key=strength, reverse=True)]


def _drawn(
    row: SeasonRow, season: Season, number: int, former: Sequence[Season], by_strength: Sequence[Player]
) -> list[Event]:
    """The events of a draw; empty if the round is already drawn."""
    if season.drawn >= number:
        return []
    settings = season.settings
    dues = [draw_at(row, season, later + 1) for later in range(number, settings.rounds + 1)]
    before: list[Event] = [*map(Confirmed, moving_up(season, at_the_draw=True))]
    if settings.format.has_divisions:
        before += _divided(_foreseen(season, before), former, by_strength)
    if not settings.format.draws_all_rounds and not settings.checks_in(number):
        before += _taken_for_granted(_foreseen(season, before), number)
    return [*before, *draw_rounds(_foreseen(season, before), row.seed, dues, by_strength)]


def _foreseen(season: Season, events: Sequence[Event]) -> Season:
    """The season after these events."""
    for event in events:
        season = after(season, Entry(0, 0, event))
    return season


def _taken_for_granted(season: Season, number: int) -> list[Event]:
    """Check in everybody who has a place, in rounds without check-in; in one sitting, unless they missed their last match."""
    coming = {member.player for member in checked_in(season, number)}
    gone = gone_away(season)
    return [
        CheckedIn(member.player, number)
        for member in season.members.values()
        if member.plays and member.player not in coming and member.player not in gone
    ]


def _divided(season: Season, former: Sequence[Season], by_strength: Sequence[Player]) -> list[Event]:
    """A division for everybody: by the earlier seasons; newcomers by the seeds of the staff, then by strength."""
    playing = [player for player in by_strength if season.members[player].plays]
    playing.sort(key=lambda player: season.members[player].seed or 10**6)
    return [
        DivisionSet(player, division) for player, division in placed(former, playing, season.settings).items()
    ]
