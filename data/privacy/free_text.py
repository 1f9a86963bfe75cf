"""Names in typed text: reasons of the staff, rulings, the players of home games.

Such a name has no id beside it. So it is searched as a whole word in the servers where the person was met, unless
somebody else of that server has the same name and may be meant.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import regex
from sqlalchemy import CompoundSelect, Select, func, select, union, update

from data.repositories.seasons import SeasonRepository
from data.schema.boards import daily_try
from data.schema.core import (
    bench,
    game_table,
    guest,
    person,
    result,
    score_keeper,
    score_session,
    seat,
    staff_act,
)
from data.schema.leagues import league_player, season, season_draft, season_event, season_post
from data.schema.stats import computer_tally, played_seat, rating, tally
from league.events import Event, NumbersChanged, RulingNoted, SeasonOpened
from league.ids import GuildId, PersonId
from league.members.decisions import MembersWritten
from league.members.teams import TeamFormed
from league.numbers import LONGEST_DESCRIPTION
from league.settings import SeasonSettings

_SHORT = 3
"""Names with fewer characters have to match in upper and lower case."""


class Called:
    """All names of a person, and what replaces them."""

    def __init__(self, person_id: PersonId, names: Iterable[str], by: str) -> None:
        self.names = {name.casefold() for name in names if name.strip()}
        self.by = by
        words = sorted({name for name in names if name.strip()}, key=len, reverse=True)
        parts = [rf"<@!?{person_id}>", rf"(?<!\d){person_id}(?!\d)"]
        parts += [rf"(?<!\w){_cased(name)}(?!\w)" for name in words]
        self._pattern = regex.compile("|".join(parts))

    def scrubbed(self, text: str) -> str:
        """The text without any of the names.

        >>> Called(7, ["Ram"], "Player 5").scrubbed("ram and Rama, <@7>")
        'Player 5 and Rama, Player 5'
        """
        return self._pattern.sub(lambda _: self.by, text)


def _cased(name: str) -> str:
    word = regex.escape(name)
    return word if len(name) < _SHORT else f"(?i:{word})"


class FreeTextRepository(SeasonRepository):
    """Removes a person's names from what others have typed."""

    __slots__ = ()

    async def called(self, person_id: PersonId, by: str) -> Called:
        """The names that a person has and had here."""
        names: set[str] = set()
        for table in (seat, bench, result, played_seat, daily_try):
            rows = await self._execute(select(table.c.name).where(table.c.person_id == person_id).distinct())
            names |= set(rows.scalars())
        names |= set((await self._execute(select(person.c.name).where(person.c.id == person_id))).scalars())
        return Called(person_id, names, by)

    async def guilds_of(self, person_id: PersonId) -> set[GuildId]:
        """The servers where a person was met."""
        return set((await self._execute(_guilds_of(person_id))).scalars())

    async def guilds_to_scrub(self, person_id: PersonId, called: Called) -> set[GuildId]:
        """The servers where these names can only mean this person."""
        namesakes = await self._execute(
            select(person.c.id).where(
                person.c.id != person_id,
                func.lower(person.c.name).in_([name.lower() for name in called.names]),
            )
        )
        guilds = await self.guilds_of(person_id)
        for other in list(namesakes.scalars()):
            guilds -= await self.guilds_of(other)
        return guilds

    async def scrub_reasons(self, guilds: Iterable[GuildId], called: Called) -> None:
        """Remove the names from the reasons of the staff."""
        rows = await self._execute(
            select(staff_act.c.id, staff_act.c.reason).where(staff_act.c.guild_id.in_(list(guilds)))
        )
        for row in rows.all():
            if (reason := called.scrubbed(row.reason)) != row.reason:
                await self._execute(update(staff_act).where(staff_act.c.id == row.id).values(reason=reason))

    async def scrub_rulings(self, guilds: Iterable[GuildId], called: Called) -> None:
        """Remove the names from the reasons and notes of leagues, including drafts."""
        for guild_id in guilds:
            for season_row in await self.in_guild(guild_id):
                for event in await self.events(season_row.id):
                    reason, body = called.scrubbed(event.reason), _scrubbed(event.body, called)
                    if (reason, body) != (event.reason, event.body):
                        await self.reword_season_event(replace(event, reason=reason, body=body))
        seasons = select(season.c.id).where(season.c.guild_id.in_(list(guilds)))
        rows = await self._execute(
            select(season_draft.c.id, season_draft.c.reason, season_draft.c.body).where(
                season_draft.c.season.in_(seasons)
            )
        )
        for row in rows.all():
            reason, body = called.scrubbed(row.reason), _scrubbed(row.body, called)
            if (reason, body) != (row.reason, row.body):
                changed = update(season_draft).where(season_draft.c.id == row.id)
                await self._execute(changed.values(reason=reason, body=body))

    async def scrub_sessions(self, guilds: Iterable[GuildId], called: Called) -> list[int]:
        """Remove the names from home games; returns the ids of the games that had them.

        Open forms of such a game become stale, and its last draft is removed.
        """
        rows = await self._execute(
            select(score_session.c.id, score_session.c.names).where(
                score_session.c.guild_id.in_(list(guilds))
            )
        )
        found: list[int] = []
        for row in rows.all():
            if not called.names.isdisjoint(name.casefold() for name in row.names):
                found.append(row.id)
                await self._execute(
                    update(score_session)
                    .where(score_session.c.id == row.id)
                    .values(
                        names=_renamed(row.names, called),
                        draft=None,
                        revision=score_session.c.revision + 1,
                    )
                )
        return found


def _scrubbed(body: Event, called: Called) -> Event:
    match body:
        case RulingNoted(text=text) | MembersWritten(text=text):
            return replace(body, text=called.scrubbed(text))
        case TeamFormed(name=name):
            return replace(body, name=called.scrubbed(name))
        case SeasonOpened(settings=settings) if settings.description:
            return replace(body, settings=_described(settings, called))
        case NumbersChanged(settings=settings, former=former) if settings.description or former.description:
            return replace(body, settings=_described(settings, called), former=_described(former, called))
        case _:
            return body


def _described(settings: SeasonSettings, called: Called) -> SeasonSettings:
    described = called.scrubbed(settings.description)[:LONGEST_DESCRIPTION]
    return settings.with_options(description=described)


def _renamed(names: Sequence[str], called: Called) -> tuple[str, ...]:
    """The names of a home game after scrubbing, all different."""
    others = {name.casefold() for name in names}
    by, number = called.by, 1
    while by.casefold() in others:
        number += 1
        by = f"{called.by} ({number})"
    return tuple(by if name.casefold() in called.names else name for name in names)


def _guilds_of(person_id: PersonId) -> CompoundSelect[tuple[int]]:
    at_tables = [
        select(game_table.c.guild_id)
        .join(table, table.c.table_id == game_table.c.id)
        .where(table.c.person_id == person_id)
        for table in (seat, bench, guest, result, daily_try)
    ]
    directly = [
        select(table.c.guild_id).where(table.c.person_id == person_id)
        for table in (staff_act, rating, tally, computer_tally)
    ]
    return union(
        *at_tables,
        *directly,
        *_in_leagues(person_id),
        select(game_table.c.guild_id).where(game_table.c.host_id == person_id),
        select(score_session.c.guild_id)
        .join(score_keeper, score_keeper.c.session_id == score_session.c.id)
        .where(score_keeper.c.person_id == person_id),
    )


def _in_leagues(person_id: PersonId) -> list[Select[tuple[int]]]:
    player = select(league_player.c.number).where(league_player.c.person_id == person_id).scalar_subquery()
    return [
        select(season.c.guild_id)
        .join(season_event, season_event.c.season == season.c.id)
        .where(season_event.c.actor == player),
        select(season.c.guild_id)
        .join(season_post, season_post.c.season == season.c.id)
        .where(season_post.c.player == player),
    ]
