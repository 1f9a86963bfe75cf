"""What is stored under a person's id or names them, and how it is forgotten. `data.privacy.export` collects it for them.

Every column that points to a person is found in the schema itself, so that a new table is covered automatically. Names that others
have typed, and the public messages that show a name, are found as well.
"""

import secrets
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal, cast

import regex
from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Executable,
    Select,
    and_,
    delete,
    func,
    insert,
    or_,
    select,
    union,
    update,
)

from data.dialect import insert_or_keep
from data.ids import ChannelId, MessageId, SeasonId
from data.names import spellings
from data.outbox_keys import (
    DailyAmendmentKey,
    HandAmendmentKey,
    OutboxKey,
    ScoreAmendmentKey,
    SeasonAmendmentKey,
    TableAmendmentKey,
    ThreadAccessKey,
    WeekAmendmentKey,
    season_key,
)
from data.preferences import PersonSettings
from data.privacy.export import PrivacyQueries
from data.privacy.traces import Traces, columns_of_people, guilds_of_people, parsed
from data.repositories.messages import OutboxRequests
from data.repositories.seasons import SeasonRepository
from data.repositories.tables import TableVersions
from data.schema.core import (
    bench,
    daily_try,
    direct_channel,
    erasure,
    game_table,
    guest,
    person,
    pinned,
    practice,
    public_message,
    puzzle_answer,
    puzzle_player,
    result,
    score_keeper,
    score_session,
    seat,
    staff_act,
    week_post,
)
from data.schema.leagues import season, season_draft, season_post
from data.schema.stats import analysis, computer_tally, played_seat, tally
from data.season_posts import CalendarPost, parse_public_post
from league.events import Event, NumbersChanged, RulingNoted, SeasonOpened
from league.ids import GuildId, PersonId
from league.members import MembersWritten, TeamFormed
from league.numbers import LONGEST_DESCRIPTION
from league.settings import SeasonSettings

_AT_ONCE = 200
"""How many namesakes are looked up in one statement, whose parameters are limited."""
MOST_SCORES = 10
"""The most messages of a home game that are kept up to date; older ones are reduced to a link to the newest."""
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


class Called:
    """All names of a person, and their replacement."""

    def __init__(self, person_id: PersonId, names: Iterable[str], by: str) -> None:
        words = sorted({name for name in names if name.strip()}, key=len, reverse=True)
        self._person_id, self._words = person_id, words
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
        return Called(self._person_id, left, self.by)

    def scrubbed(self, text: str) -> str:
        """Return the text without any of the names, where they are whole words.

        A short list of endings of Nepali and Hindi may follow; रेणुका is cut for रेणु, because it also means
        "of Renu". Words in scripts without spaces have no boundary, and words in Korean have none at the end, because
        it has too many endings; there, only a name of one character has to stand alone.

        >>> Called(7, ["Ram", "राम"], "Player 5").scrubbed("ram and Rama, <@7>, रामले रामायण")
        'Player 5 and Rama, Player 5, Player 5ले रामायण'
        """
        return self._pattern.sub(lambda _: self.by, text)


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


class FreeTextRepository(SeasonRepository, Traces):
    """Removes a person's names from text that others have typed."""

    async def called(self, person_id: PersonId, by: str) -> Called:
        """Return the names that a person has and had here, in the spellings of the bot."""
        names: set[str] = set()
        for table in (seat, bench, result, played_seat, daily_try):
            rows = await self._execute(select(table.c.name).where(table.c.person_id == person_id).distinct())
            names |= set(rows.scalars())
        names |= set((await self._execute(select(person.c.name).where(person.c.id == person_id))).scalars())
        return Called(person_id, set[str]().union(*map(spellings, names)), by)

    async def called_in(
        self, person_id: PersonId, seasons: Collection[SeasonId], called: Called
    ) -> dict[GuildId, Called]:
        """Return for each of the person's servers their id and those of their names that can only mean them there.

        `seasons` are those of the person.
        """
        like_them = await self._execute(
            select(person.c.id, person.c.name).where(
                person.c.id != person_id, func.lower(person.c.name).in_(called.spellings)
            )
        )
        names = {other.id: {name.casefold() for name in spellings(other.name)} for other in like_them}
        found = dict.fromkeys(await self.guilds_of(person_id, seasons), called)
        others = list(names)
        for first in range(0, len(others), _AT_ONCE):
            for other in await self._execute(guilds_of_people(others[first : first + _AT_ONCE])):
                if other.guild_id in found:
                    found[other.guild_id] = found[other.guild_id].without(names[other.person_id])
        return found

    async def scrub_reasons(self, guild_id: GuildId, called: Called) -> None:
        """Remove the names from reasons given by the staff of a server."""
        rows = await self._execute(
            select(staff_act.c.id, staff_act.c.reason).where(staff_act.c.guild_id == guild_id)
        )
        for row in rows.all():
            if (reason := called.scrubbed(row.reason)) != row.reason:
                await self._execute(update(staff_act).where(staff_act.c.id == row.id).values(reason=reason))

    async def scrub_rulings(self, guild_id: GuildId, called: Called) -> None:
        """Remove the names from the reasons and notes of a server's leagues, including drafts."""
        for season_row in await self.in_guild(guild_id):
            for event in await self.events(season_row.id):
                reason, body = called.scrubbed(event.reason), _scrubbed(event.body, called)
                if (reason, body) != (event.reason, event.body):
                    await self.reword_season_event(replace(event, reason=reason, body=body))
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

        Open forms of such a game become stale. A refused entry that has one of the names is removed.
        """
        rows = await self._execute(
            select(score_session.c.id, score_session.c.names, score_session.c.draft).where(
                score_session.c.guild_id == guild_id
            )
        )
        found: list[int] = []
        for row in rows.all():
            changed = update(score_session).where(score_session.c.id == row.id)
            if not called.in_home_games.isdisjoint(name.casefold() for name in row.names):
                found.append(row.id)
                await self._execute(
                    changed.values(
                        names=_renamed(row.names, called),
                        draft=None,
                        revision=score_session.c.revision + 1,
                    )
                )
            elif row.draft and any(called.scrubbed(text) != text for text in _texts(parsed(row.draft))):
                await self._execute(changed.values(draft=None))
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


class PublicMessageQueries(Traces):
    """Finds public messages.

    Tables and seasons store the places of their own messages; those of days, weeks and scores are stored
    here.
    """

    async def has_week(self, guild_id: GuildId, week: str) -> bool:
        """Return whether the board of this week was posted in a server."""
        found = select(week_post.c.message_id).where(
            week_post.c.guild_id == guild_id, week_post.c.week == week
        )
        return await self._scalar(found.limit(1)) is not None

    async def scores(self, session_id: int) -> list[ScoreAmendmentKey]:
        """Return the keys that edit the newest `MOST_SCORES` messages of a home game, oldest first."""
        rows = await self._rows(_scores(session_id).limit(MOST_SCORES))
        return [ScoreAmendmentKey(*row) for row in reversed(rows)]

    async def old_score(self, session_id: int) -> ScoreAmendmentKey | None:
        """Return the key that edits a message of a home game that is older than those; None if there is none."""
        rows = await self._rows(_scores(session_id).offset(MOST_SCORES).limit(1))
        return next((ScoreAmendmentKey(*row) for row in rows), None)

    async def naming(
        self, person_id: PersonId, sessions: Iterable[int], seasons: Collection[SeasonId]
    ) -> list[OutboxKey]:
        """Return the keys with which the outbox edits all messages that name this person.

        `seasons` are those of the person. Includes the messages of the given home games, because names in them
        have no id.
        """
        tables = await self._rows(_table_messages(person_id))
        hands = await self._rows(_hands_of_others(person_id))
        posts = await self._rows(_season_posts(seasons))
        tries = select(daily_try.c.set_id).where(daily_try.c.person_id == person_id)
        days = await self._rows(_noted("day").where(public_message.c.about.in_(tries)))
        kept = select(score_keeper.c.session_id).where(score_keeper.c.person_id == person_id)
        shown = or_(public_message.c.about.in_(list(sessions)), public_message.c.about.in_(kept))
        scores = await self._rows(_noted("score").where(shown))
        weeks = await self._rows(_week_messages(person_id))
        return [
            *(WeekAmendmentKey(*row) for row in weeks),
            *(TableAmendmentKey(*row) for row in tables),
            *(HandAmendmentKey(*row) for row in hands),
            *_season_keys(posts),
            *(DailyAmendmentKey(*row) for row in days),
            *(ScoreAmendmentKey(*row) for row in scores),
        ]

    async def in_threads(self, person_id: PersonId) -> list[ThreadAccessKey]:
        """Return the keys that remove this person from the threads of open tables, once they are forgotten there."""
        places = [
            select(table.c.table_id).where(table.c.person_id == person_id) for table in (seat, bench, guest)
        ]
        threads = select(game_table.c.id).where(
            game_table.c.id.in_(union(*places)),
            game_table.c.thread_id.is_not(None),
            game_table.c.closed_at.is_(None),
        )
        return [ThreadAccessKey(row.id, person_id) for row in await self._rows(threads)]

    async def _rows(self, statement: Executable) -> list[Any]:
        return list((await self._execute(statement)).all())


class PublicMessageRepository(PublicMessageQueries):
    """Stores where public messages are."""

    async def note(
        self, kind: Literal["day", "score"], about: int, channel_id: ChannelId, message_id: MessageId
    ) -> None:
        """Store a message that shows a deal of the day or a home game; `about` is its id."""
        values = {"message_id": message_id, "channel_id": channel_id, "kind": kind, "about": about}
        await self._execute(insert_or_keep(public_message, values))

    async def note_week(
        self, guild_id: GuildId, monday: int, week: str, channel_id: ChannelId, message_id: MessageId
    ) -> None:
        """Store the message with a server's board of the week before this Monday, an ordinal."""
        place = {"message_id": message_id, "channel_id": channel_id}
        values = place | {"guild_id": guild_id, "monday": monday, "week": week}
        await self._execute(insert_or_keep(week_post, values))

    async def drop(self, message_id: MessageId) -> None:
        """Follow this message no longer."""
        await self._execute(delete(public_message).where(public_message.c.message_id == message_id))


def _table_messages(person_id: PersonId) -> Executable:
    """Return the messages of the person's tables, and links to their closed threads."""
    place = func.coalesce(game_table.c.thread_id, game_table.c.channel_id)
    messages = select(game_table.c.id, place, game_table.c.message_id).where(
        _is_table_of(person_id), game_table.c.message_id.is_not(None)
    )
    signs = select(game_table.c.id, game_table.c.channel_id, game_table.c.sign_id).where(
        _is_table_of(person_id), game_table.c.sign_id.is_not(None), game_table.c.closed_at.is_not(None)
    )
    return union(messages, signs)


def _hands_of_others(person_id: PersonId) -> Executable:
    """Return the direct messages with the last hands of the others at the person's closed tables; open tables edit theirs."""
    return (
        select(seat.c.table_id, seat.c.dm_channel_id, seat.c.dm_message_id)
        .join(game_table, game_table.c.id == seat.c.table_id)
        .where(
            _is_table_of(person_id),
            game_table.c.closed_at.is_not(None),
            seat.c.person_id != person_id,
            seat.c.dm_channel_id.is_not(None),
            seat.c.dm_message_id.is_not(None),
        )
    )


def _is_table_of(person_id: PersonId) -> ColumnElement[bool]:
    """Return the condition that the person is the host of a table, or has or had a seat or an invitation there."""
    places = [
        select(table.c.table_id).where(table.c.person_id == person_id)
        for table in (seat, bench, guest, result)
    ]
    return or_(game_table.c.host_id == person_id, game_table.c.id.in_(union(*places)))


def _week_messages(person_id: PersonId) -> Executable:
    """Return the boards of the weeks in which the person finished a deal in that server."""
    post = week_post.c
    places = [
        select(post.guild_id, post.channel_id, post.message_id, post.monday).join(
            sums,
            and_(
                sums.c.guild_id == post.guild_id,
                sums.c.period == post.week,
                sums.c.person_id == person_id,
            ),
        )
        for sums in (tally, computer_tally)
    ]
    return union(*places)


def _season_posts(seasons: Collection[SeasonId]) -> Executable:
    """Return the public messages of these seasons."""
    post = season_post.c
    return select(post.season, post.channel_id, post.message_id, post.key).where(
        post.season.in_(seasons), post.player.is_(None)
    )


def _season_keys(rows: Iterable[Any]) -> Iterator[OutboxKey]:
    """Return the keys of a season's messages. Calendar events are not messages and are updated as always."""
    for season_id, channel_id, message_id, text in rows:
        post = parse_public_post(text)
        if isinstance(post, CalendarPost):
            yield season_key(season_id, post)
        elif message_id is not None:
            yield SeasonAmendmentKey(season_id, channel_id, message_id, post)


def _noted(kind: str) -> Select[Any, Any, Any]:
    place = public_message.c.about, public_message.c.channel_id, public_message.c.message_id
    return select(*place).where(public_message.c.kind == kind)


def _scores(session_id: int) -> Select[Any, Any, Any]:
    """Return the messages of a home game, newest first: Discord's ids increase over time."""
    theirs = _noted("score").where(public_message.c.about == session_id)
    return theirs.order_by(public_message.c.message_id.desc())


_OWN_ALONE = (analysis, direct_channel, guest, pinned, practice, puzzle_answer, puzzle_player, score_keeper)
"""Tables whose rows no one else needs."""


class PrivacyRepository(
    TableVersions, PublicMessageQueries, OutboxRequests, FreeTextRepository, PrivacyQueries
):
    """Forgets people."""

    async def add_erasures(self, marks: Iterable[str]) -> None:
        """Record that this database contains the requests with these marks."""
        for mark in marks:
            await self._execute(insert_or_keep(erasure, {"mark": mark}))

    async def forget(self, person_id: PersonId, now: int, called: str) -> bool:
        """Remove everything that names a person. What others need, such as results, gets an anonymous number.

        Edits of messages that show the name are requested. Limits of the person stay (`data.privacy.limits`).
        `called` is the name from now on, with `{number}` for the last part of that number. Returns False,
        without changes, if nothing is stored about the person.
        """
        if await self._scalar(select(person.c.id).where(person.c.id == person_id)) is None:
            return False
        await self._touch_tables(game_table.c.id.in_(_tables_of(person_id)))
        nobody = -secrets.randbelow(2**62) - 1
        name = called.format(number=-nobody % 1000)
        seasons = await self.seasons_of(person_id)
        sessions = await self._scrub(person_id, seasons, name)
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
        for table in _OWN_ALONE:
            await self._execute(delete(table).where(table.c.person_id == person_id))
        await self._execute(
            update(seat).where(seat.c.person_id == person_id).values(dm_channel_id=None, dm_message_id=None)
        )
        for table, column in columns_of_people():
            values: dict[str, int | str] = {column.name: nobody}
            if "name" in table.columns:
                values["name"] = name
            await self._execute(update(table).where(column == person_id).values(values))
        await self._execute(delete(person).where(person.c.id == person_id))
        self._changes.people.add(person_id)
        return True

    async def _scrub(self, person_id: PersonId, seasons: Collection[SeasonId], name: str) -> list[int]:
        """Remove the person's names from text typed by others; return the home games that contained them."""
        called = await self.called(person_id, name)
        sessions: list[int] = []
        for guild_id, called_there in (await self.called_in(person_id, seasons, called)).items():
            await self.scrub_reasons(guild_id, called_there)
            await self.scrub_rulings(guild_id, called_there)
            sessions += await self.scrub_sessions(guild_id, called_there)
        return sessions


def _tables_of(person_id: PersonId) -> CompoundSelect[Any]:
    """Select the ids of the tables of which a kept row names the person."""
    named = [
        (table.c.table_id, column) for table, column in columns_of_people() if "table_id" in table.columns
    ]
    named += [(game_table.c.id, column) for table, column in columns_of_people() if table is game_table]
    return union(*(select(table_id).where(column == person_id) for table_id, column in named))
