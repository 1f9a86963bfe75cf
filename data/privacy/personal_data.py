"""What is stored under a person's id or names them, and how it is forgotten. `data.privacy.export` collects it for them.

Every column that points to a person is found in the schema itself, so that a new table is covered automatically. Names that others
have typed, and the public messages that show a name, are found as well.
"""

import secrets
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple, cast

import regex
from sqlalchemy import (
    CompoundSelect,
    Select,
    Table,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    select,
    union,
    update,
)

from data.dialect import insert_or_keep
from data.ids import SeasonId
from data.names import canonical, spellings
from data.preferences import PersonSettings
from data.privacy.export import PrivacyQueries
from data.privacy.public_messages import PublicMessageQueries
from data.privacy.traces import Traces, columns_of_people, guilds_of_people, parsed
from data.repositories.messages import OutboxRequests
from data.repositories.seasons import SeasonQueries, SeasonRepository
from data.repositories.tables import TableVersions
from data.schema.core import (
    bench,
    daily_try,
    direct_channel,
    erasure,
    game_table,
    guest,
    nickname,
    person,
    pinned,
    practice,
    puzzle_answer,
    puzzle_player,
    result,
    score_entry,
    score_keeper,
    score_session,
    seat,
    staff_act,
)
from data.schema.leagues import season, season_draft, season_event
from data.schema.stats import analysis, played, played_seat
from data.season_rows import SeasonEventRow
from league.events import Event, NumbersChanged, RulingNoted, SeasonOpened
from league.ids import GuildId, PersonId
from league.members import MembersWritten, TeamFormed
from league.numbers import LONGEST_DESCRIPTION
from league.settings import SeasonSettings
from league.times import DAY

_AT_ONCE = 200
"""How many namesakes are looked up in one statement, whose parameters are limited."""
_SHORT = 3
"""Names with fewer characters are matched case-sensitively."""
_SIGN = r"[^\W_]"
"""A character of a word. Markdown puts `_` around words."""
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
"""Scripts without spaces between words. Katakana is not among them: its words end where another script begins."""
_ENDINGS = "हरू|हरु|लाई|लाइ|बाट|सँगै|सँग|संग|सित|द्वारा|भन्दा|ज्यू|जी|ले|को|का|की|कै|मा|मै|नै|पनि|ने|से|में|पर"
"""What Nepali and Hindi attach to a name: the plural, case endings, courtesies and particles."""
_STARTS = rf"(?:(?<!{_SIGN})|(?<=[{_UNSPACED}])|(?=[{_UNSPACED}]))"
_STOPS = (
    rf"(?!\p{{M}})"
    rf"(?:(?=(?:{_ENDINGS})*(?!{_SIGN}))|(?<=[{_UNSPACED}\p{{Hangul}}])|(?=[{_UNSPACED}]))"
)


_RENAME = (
    update(score_session)
    .where(score_session.c.id == bindparam("of"))
    .values(names=bindparam("renamed"), draft=None, revision=score_session.c.revision + 1)
)


_OF_SESSION = score_session.c.id, score_session.c.names, score_session.c.draft, score_session.c.revision
_BEGUN = (
    select(func.min(score_entry.c.at)).where(score_entry.c.session_id == score_session.c.id).scalar_subquery()
)
SETTLED_MS: Final = 7 * DAY
"""How long a person must have had a name for it to count in texts that are older than the name."""


class OwnName(NamedTuple):
    """A name that a person has or had."""

    guild_id: GuildId | None
    """None for their general name, which they have in all servers."""
    name: str
    since: int
    """When the bot first knew it there; of a seat, when its table was opened."""
    is_current: bool = False


class Called:
    """All names of a person, and their replacement."""

    def __init__(
        self, person_id: PersonId, names: Iterable[str], by: str, since: Mapping[str, int] | None = None
    ) -> None:
        """`since` says of some names when the bot first knew them; the others count at any time."""
        self._since = since or {}
        self._by_names: dict[frozenset[str], Called] = {}
        words = sorted({name for name in names if name.strip()}, key=len, reverse=True)
        self.person_id, self._words = person_id, words
        self.in_home_games = {name.casefold() for name in words}
        """The names in lower case as a home game may have them."""
        self.by = by
        self.spellings = {_ascii_lower(spelt) for name in words for spelt in _in_cases(name)}
        """The names in every usual case. Databases lower ASCII letters only, so they compare with these."""
        parts = [rf"<@!?{person_id}>", rf"(?<!\d){person_id}(?!\d)"]
        parts += [_word(name) for name in words]
        self._pattern = regex.compile("|".join(parts))

    def without(self, shared: Collection[str]) -> "Called":
        """Return the same without these names, which are in lower case: they may mean someone else."""
        left = (name for name in self._words if name.casefold() not in shared)
        return Called(self.person_id, left, self.by, self._since)

    def at(self, moment: int) -> "Called":
        """Return those names that count in a text of that moment, so that a name taken later changes nothing in it.

        >>> called = Called(7, ["Ram", "Mum"], "Player 5", {"Mum": 3_000})
        >>> called.at(2_000).scrubbed("Ram, Mum"), called.at(3_000).scrubbed("Ram, Mum")
        ('Player 5, Mum', 'Player 5, Player 5')
        """
        known = frozenset(name for name in self._words if self._since.get(name, 0) <= moment)
        if len(known) == len(self._words):
            return self
        if known not in self._by_names:
            self._by_names[known] = Called(self.person_id, known, self.by)
        return self._by_names[known]

    @property
    def names(self) -> frozenset[str]:
        """The names."""
        return frozenset(self._words)

    def scrubbed(self, text: str) -> str:
        """Return the text without any of the names, where they are whole words.

        A short list of endings of Nepali and Hindi may follow; रेणुका is cut for रेणु, because it also means
        "of Renu". Words in scripts without spaces have no boundary, and words in Korean have none at the end, because
        it has too many endings; there, only a name of one character has to stand alone.

        >>> Called(7, ["Ram", "राम"], "Player 5").scrubbed("ram and Rama, <@7>, रामले रामायण")
        'Player 5 and Rama, Player 5, Player 5ले रामायण'
        """
        same = canonical(text)
        without = self._pattern.sub(lambda _: self.by, same)
        return text if without == same else without


def _in_cases(name: str) -> tuple[str, ...]:
    small = name.lower()
    return name, name.casefold(), small, name.upper(), small.title(), small.capitalize()


def _ascii_lower(text: str) -> str:
    return "".join(sign.lower() if sign.isascii() else sign for sign in text)


def _word(name: str) -> str:
    """Return the pattern of a name as a word of its own."""
    word = regex.escape(name)
    if len(name) == 1:
        return rf"(?<!{_SIGN}){word}(?!{_SIGN})"
    return _STARTS + (word if len(name) < _SHORT else f"(?i:{word})") + _STOPS


def _in_lower_case(name: str) -> set[str]:
    return {spelt.casefold() for spelt in spellings(name)}


def _called_there(
    person_id: PersonId, names: Iterable[OwnName], guild_id: GuildId, by: str, now: int | None
) -> Called:
    """Return the names that a person has and had in this server."""
    since: dict[str, int] = {}
    for own in names:
        if own.guild_id not in (None, guild_id):
            continue
        is_settled = now is None or (own.is_current and own.since <= now - SETTLED_MS)
        for spelt in spellings(own.name):
            since[spelt] = min(since.get(spelt, own.since), 0 if is_settled else own.since)
    return Called(person_id, since, by, since)


class Worded(NamedTuple):
    """The events of a server's leagues that have one of these names."""

    names: frozenset[str]
    events: Sequence[int]
    """Their numbers."""


@dataclass(frozen=True, slots=True)
class LeagueTraces:
    """What the leagues say of a person, so that the transaction that forgets them looks only at what was said since."""

    last: int = 0
    """The number of the last event of all leagues that was looked at."""
    seasons: Collection[SeasonId] = frozenset()
    """The seasons that know the person."""
    worded: Mapping[GuildId, Worded] = field(default_factory=dict[GuildId, Worded])
    """Those that name them in words, by server."""


NOTHING_FOUND = LeagueTraces()


class FreeTextQueries(SeasonQueries, Traces):
    """Finds a person's names in text that others have typed."""

    async def names_of(self, person_id: PersonId) -> list[OwnName]:
        """Return the names that a person has and had."""
        own = select(person.c.name, person.c.updated_at).where(person.c.id == person_id)
        nick = select(nickname.c.guild_id, nickname.c.name, nickname.c.since)
        found = [OwnName(None, *row, is_current=True) for row in await self._execute(own)]
        nicknames = await self._execute(nick.where(nickname.c.person_id == person_id))
        found += [OwnName(*row, is_current=True) for row in nicknames]
        for table in (seat, bench, result, daily_try):
            shown = select(game_table.c.guild_id, table.c.name, func.min(game_table.c.created_at))
            there = table.c.table_id == game_table.c.id
            found += await self._shown(shown.join_from(table, game_table, there), table, person_id)
        shown = select(played.c.guild_id, played_seat.c.name, func.min(played.c.started_at))
        found += await self._shown(shown.join_from(played_seat, played), played_seat, person_id)
        return found

    async def _shown(self, names: Select[Any, Any, Any], table: Table, person_id: PersonId) -> list[OwnName]:
        """Return the names that a person has or had in rows of this table."""
        chosen = names.where(table.c.person_id == person_id).group_by(names.selected_columns[0], table.c.name)
        return [OwnName(*row) for row in await self._execute(chosen)]

    async def called_in(
        self, person_id: PersonId, seasons: Collection[SeasonId], by: str, now: int | None = None
    ) -> dict[GuildId, Called]:
        """Return for each of the person's servers their id and those of their names that can only mean them there.

        `seasons` are those of the person. With `now`, each name counts only in texts since the bot knows it in that server,
        unless the person has had it for `SETTLED_MS`; without, in all.
        """
        own = await self.names_of(person_id)
        called = Called(person_id, set[str]().union(*(spellings(name.name) for name in own)), by)
        like_them = await self._execute(
            select(person.c.id, person.c.name).where(
                person.c.id != person_id, func.lower(person.c.name).in_(called.spellings)
            )
        )
        names = {other.id: _in_lower_case(other.name) for other in like_them}
        found = {
            guild_id: _called_there(person_id, own, guild_id, by, now)
            for guild_id in await self.guilds_of(person_id, seasons)
        }
        others = list(names)
        for first in range(0, len(others), _AT_ONCE):
            for other in await self._execute(guilds_of_people(others[first : first + _AT_ONCE])):
                if other.guild_id in found:
                    found[other.guild_id] = found[other.guild_id].without(names[other.person_id])
        nicknames = await self._execute(
            select(nickname.c.guild_id, nickname.c.name).where(
                nickname.c.person_id != person_id, func.lower(nickname.c.name).in_(called.spellings)
            )
        )
        for other in nicknames:
            if other.guild_id in found:
                found[other.guild_id] = found[other.guild_id].without(_in_lower_case(other.name))
        return found

    async def find(self, person_id: PersonId) -> LeagueTraces:
        """Return what the leagues of the person's servers say of them.

        Raises EventsDamaged or UnreadableValueError if one can't be read, and so the names can't be removed from it.
        """
        last, seasons = await self.last_event(), await self.seasons_of(person_id)
        names = await self.called_in(person_id, seasons, "")
        worded = {
            guild_id: Worded(called.names, [event.id for event in await self._reworded(guild_id, called)])
            for guild_id, called in names.items()
        }
        return LeagueTraces(last, seasons, worded)

    async def _reworded(self, guild_id: GuildId, called: Called, since: int = 0) -> list[SeasonEventRow]:
        """Return the events of a server's leagues after number `since` that have one of the names, without it."""
        is_newer = and_(season_event.c.season == season.c.id, season_event.c.id > since)
        seasons = select(season.c.id).where(season.c.guild_id == guild_id, exists().where(is_newer))
        found: list[SeasonEventRow] = []
        for season_id in (await self._execute(seasons)).scalars().all():
            found += _without(called, await self.events(season_id, since))
        return found


class FreeTextRepository(SeasonRepository, FreeTextQueries):
    """Removes a person's names from text that others have typed."""

    async def scrub_reasons(self, guild_id: GuildId, called: Called) -> None:
        """Remove the names from reasons given by the staff of a server."""
        rows = await self._execute(
            select(staff_act.c.id, staff_act.c.reason, staff_act.c.at).where(staff_act.c.guild_id == guild_id)
        )
        for row in rows.all():
            if (reason := called.at(row.at).scrubbed(row.reason)) != row.reason:
                await self._execute(update(staff_act).where(staff_act.c.id == row.id).values(reason=reason))

    async def scrub_rulings(self, guild_id: GuildId, called: Called, found: LeagueTraces) -> None:
        """Remove the names from the reasons and notes of a server's leagues, including drafts.

        Events that were looked at before are read again only if they had one of the names: there may be very many.
        """
        worded, since = found.worded.get(guild_id), found.last
        known: Sequence[int] = []
        if worded is not None and called.names <= worded.names:
            known = worded.events
        else:  # they have another name by now, or one that nobody else has any more
            since = 0
        reworded = _without(called, await self.events_of(known))
        await self.reword_season_events(reworded + await self._reworded(guild_id, called, since))
        seasons = select(season.c.id).where(season.c.guild_id == guild_id)
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

    async def scrub_sessions(self, guild_id: GuildId, called: Called) -> list[int]:
        """Remove the names from the home games of a server; return the ids of the games that had them.

        Nothing says when a name was typed, so all count as old as the first deal. Those that the person keeps have no age. A
        refused entry that has one of the names is removed. Open forms of all these games become stale.
        """
        rows = await self._execute(
            select(*_OF_SESSION, func.coalesce(_BEGUN, score_session.c.changed_at).label("begun_at")).where(
                score_session.c.guild_id == guild_id
            )
        )
        kept = select(score_keeper.c.session_id).where(score_keeper.c.person_id == called.person_id)
        own = set((await self._execute(kept)).scalars())
        renamed: list[dict[str, Any]] = []
        for row in rows.all():
            there = called if row.id in own else called.at(row.begun_at)
            if not there.in_home_games.isdisjoint(name.casefold() for name in row.names):
                renamed.append({"of": row.id, "renamed": _renamed(row.names, there)})
            elif row.draft and any(called.scrubbed(text) != text for text in _texts(parsed(row.draft))):
                changed = update(score_session).where(score_session.c.id == row.id)
                await self._execute(changed.values(draft=None, revision=row.revision + 1))
        if renamed:
            self._later(_RENAME, renamed)
        return [row["of"] for row in renamed]


def _without(called: Called, events: Iterable[SeasonEventRow]) -> list[SeasonEventRow]:
    """Return those events that have one of the names, without it."""
    found: list[SeasonEventRow] = []
    for event in events:
        there = called.at(event.at)
        after = replace(event, reason=there.scrubbed(event.reason), body=_scrubbed(event.body, there))
        if after != event:
            found.append(after)
    return found


def _texts(value: Any) -> Iterator[str]:
    """Return all texts in a JSON value, without the keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts(list(cast("dict[str, Any]", value).values()))
    elif isinstance(value, list):
        for item in cast("list[Any]", value):
            yield from _texts(item)


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
    """Return the names of a home game after scrubbing, all different."""
    others = {name.casefold() for name in names}
    by, number = called.by, 1
    while by.casefold() in others:
        number += 1
        by = f"{called.by} ({number})"
    return tuple(by if name.casefold() in called.in_home_games else name for name in names)


_OWN_ALONE = (
    analysis,
    direct_channel,
    guest,
    nickname,
    pinned,
    practice,
    puzzle_answer,
    puzzle_player,
    score_keeper,
)
"""Tables whose rows no one else needs."""


class PrivacyRepository(
    TableVersions, PublicMessageQueries, OutboxRequests, FreeTextRepository, PrivacyQueries
):
    """Forgets people."""

    async def add_erasures(self, marks: Iterable[str]) -> None:
        """Record that this database contains the requests with these marks."""
        for mark in marks:
            await self._execute(insert_or_keep(erasure, {"mark": mark}))

    async def forget(
        self, person_id: PersonId, now: int, called: str, found: LeagueTraces = NOTHING_FOUND
    ) -> bool:
        """Remove everything that names a person. What others need, such as results, gets an anonymous number.

        Edits of messages that show the name are requested. Limits of the person stay (`data.privacy.limits`).
        `called` is the name from now on, with `{number}` for the last part of that number. `found` is what an earlier
        transaction has found; all that it lacks is looked for now. Returns False, without changes, if nothing is stored
        about the person.
        """
        if await self._scalar(select(person.c.id).where(person.c.id == person_id)) is None:
            return False
        await self._touch_tables(game_table.c.id.in_(_tables_of(person_id)))
        nobody = -secrets.randbelow(2**62) - 1
        name = called.format(number=-nobody % 1000)
        seasons = {*found.seasons, *await self.seasons_of(person_id, found.last)}
        sessions = await self._scrub(person_id, seasons, name, now, found)
        named = await self.naming(person_id, sessions, seasons)
        await self.ask_all([*named, *await self.in_threads(person_id)], now)
        await self._execute(
            insert(person).values(
                id=nobody,
                name=name,
                dms_open=False,
                updated_at=now,
                settings=PersonSettings(listed=False, hands_by_dm=False, turn_ping=False),
                revision=now,
            )
        )
        await self._forget_direct(person_id)
        for table in _OWN_ALONE:
            await self._execute(delete(table).where(table.c.person_id == person_id))
        for table, column in columns_of_people():
            values: dict[str, int | str] = {column.name: nobody}
            if "name" in table.columns:
                values["name"] = name
            await self._execute(update(table).where(column == person_id).values(values))
        await self._execute(delete(person).where(person.c.id == person_id))
        self._changes.people.add(person_id)
        return True

    async def _forget_direct(self, person_id: PersonId) -> None:
        """Forget the channel of the person's direct messages, wherever it is named."""
        of_seats = select(seat.c.dm_channel_id).where(
            seat.c.person_id == person_id, seat.c.dm_channel_id.is_not(None)
        )
        own = select(direct_channel.c.channel_id).where(direct_channel.c.person_id == person_id)
        channels = (await self._execute(union(own, of_seats))).scalars().all()
        await self.forget_direct(channels)
        mentioned = game_table.c.id.in_(_tables_of(person_id)), game_table.c.mention_channel_id.in_(channels)
        await self._execute(
            update(game_table).where(*mentioned).values(mention_id=None, mention_channel_id=None)
        )
        await self._execute(
            update(seat).where(seat.c.person_id == person_id).values(dm_channel_id=None, dm_message_id=None)
        )

    async def _scrub(
        self, person_id: PersonId, seasons: Collection[SeasonId], name: str, now: int, found: LeagueTraces
    ) -> list[int]:
        """Remove the person's names from text typed by others; return the home games that contained them."""
        sessions: list[int] = []
        for guild_id, called_there in (await self.called_in(person_id, seasons, name, now)).items():
            await self.scrub_reasons(guild_id, called_there)
            await self.scrub_rulings(guild_id, called_there, found)
            sessions += await self.scrub_sessions(guild_id, called_there)
        return sessions


def _tables_of(person_id: PersonId) -> CompoundSelect[Any]:
    """Select the ids of the tables of which a kept row names the person."""
    named = [
        (table.c.table_id, column) for table, column in columns_of_people() if "table_id" in table.columns
    ]
    named += [(game_table.c.id, column) for table, column in columns_of_people() if table is game_table]
    return union(*(select(table_id).where(column == person_id) for table_id, column in named))
