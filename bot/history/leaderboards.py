"""Leaderboards, including the weekly one, and profiles, from the statistics.

People who do not want to be listed appear only in their own.
"""

import asyncio
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Final

from bot.clock import Clock
from bot.daily.days import STREAKS_BACK, day_at
from bot.errors import UserError
from bot.words.names import person_name
from data.outbox_keys import WeekPostKey
from data.repositories.people import PersonRow
from data.repositories.stats import Listed
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from league.ids import GuildId, PersonId
from league.results import Player
from league.statistics.duplicate import current_streak
from league.statistics.estimates import Estimates
from league.statistics.leaderboard import USUAL, Board, BoardOrder, adjusted_board, points_board, rating_board
from league.statistics.profile import (
    COURSE,
    FORM,
    LATEST_DEALS,
    Profile,
    Rival,
    ShownRating,
    Streaks,
    decision_quality,
)
from league.statistics.ratings import Rating
from league.statistics.stats import Company, Span, period
from league.times import SECOND, local, on_day
from render.words import spoken

POST_HOUR: Final = 9
"""The hour at which the board is posted, in the server's time zone."""
_WEEK: Final = timedelta(days=7)
_MIDWEEK: Final = timedelta(days=4)


def posted_at(monday: date, timezone: str) -> int:
    """Return when last week's board is posted: on Monday morning, but not before the week is over in UTC.

    >>> posted_at(date(2026, 11, 23), "Asia/Kathmandu")
    1795403700000
    """
    return max(on_day(monday, timezone, POST_HOUR), on_day(monday, "UTC", 0))


def next_monday(now: int, timezone: str) -> date:
    """Return the first Monday whose board is still to be posted.

    >>> next_monday(1_795_403_699_999, "Asia/Kathmandu"), next_monday(1_795_403_700_000, "Asia/Kathmandu")
    (datetime.date(2026, 11, 23), datetime.date(2026, 11, 30))
    """
    today = local(now, timezone).date()
    monday = today - timedelta(days=today.weekday())
    while posted_at(monday, timezone) <= now:
        monday += _WEEK
    return monday


def within_week(monday: date) -> int:
    """Return a moment within the week before this Monday, in milliseconds since 1970."""
    return on_day(monday - _MIDWEEK, "UTC", 12)


def week_before(monday: date) -> str:
    """Return the name of the week before this Monday.

    >>> week_before(date(2026, 11, 23))
    '2026-W47'
    """
    return period(Span.WEEK, within_week(monday))


async def ask_for_next(db: WriteTransaction, guild_id: GuildId, timezone: str, now: int) -> None:
    """Request the next post. It waits in the outbox until it is due; a repeated request changes nothing."""
    monday = next_monday(now, timezone)
    key = WeekPostKey(guild_id, monday.toordinal())
    await db.outbox.put(key, 1, now, wait_ms=posted_at(monday, timezone) - now)


BEST = 3
RICHEST = 1
RIVALS = 5

_NEXT: Final = (BoardOrder.RATING, BoardOrder.POINTS)
"""The boards to try if the default one is empty. Those of deals with computers come last."""


LARGE: Final = 250
"""The players from which on a board is kept in memory: it takes more than some milliseconds of processor time."""
KEPT_MS: Final = 10 * SECOND
"""How long it is kept, in milliseconds. People turn its pages within that time."""
MOST_KEPT: Final = 20
"""The most boards in memory. One of 5,000 players takes about 2 MB."""

_Key = tuple[GuildId, BoardOrder, Span, Company, str]
"""A board in a language, in which people without a readable name have another one."""


class Leaderboards:
    """Read-only access to boards and profiles."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._kept: dict[_Key, tuple[int, Board]] = {}
        """Large boards with the times when they were read, the latest last."""

    def forget(self) -> None:
        """Drop all boards from memory, because a person was forgotten."""
        self._kept = {}  # one that is being built still goes into the old one

    async def board(
        self, guild_id: GuildId, order: BoardOrder, span: Span, company: Company = Company.PEOPLE
    ) -> Board:
        """Return the board of a server: the current one, or for many players one of some seconds ago.

        Deals with computers have a board by points only.
        """
        now, kept, key = self._clock.now(), self._kept, (guild_id, order, span, company, spoken())
        if key in kept and 0 <= now - kept[key][0] < KEPT_MS:
            return kept[key][1]
        board = await self._current(guild_id, order, span, company, now)
        kept.pop(key, None)
        if len(board.rows) >= LARGE:
            kept[key] = now, board
            for oldest in [*kept][:-MOST_KEPT]:
                del kept[oldest]
        return board

    async def _current(
        self, guild_id: GuildId, order: BoardOrder, span: Span, company: Company, now: int
    ) -> Board:
        asked = BoardOrder.POINTS if company is Company.COMPUTERS else order

        async def find_figures(db: ReadTransaction):
            listed = await db.stats.listed(guild_id, period(span, now), company)
            ratings = await db.stats.ratings(guild_id) if asked is BoardOrder.RATING else {}
            kept = await db.estimates.listed(guild_id, span) if asked is BoardOrder.ADJUSTED else None
            return listed, ratings, kept

        listed, ratings, kept = await self._store.read(find_figures)
        if company is Company.COMPUTERS:
            return await asyncio.to_thread(_computers_board, span, listed, now)
        if order is BoardOrder.ADJUSTED and (kept is None or kept.basis.since != span.starts(now)):
            return Board(order, span, (), now)
        return await asyncio.to_thread(_board, order, span, listed, ratings, kept, now)

    async def first_filled(self, guild_id: GuildId, span: Span) -> Board:
        """Return the first board of a server that has players, or the default board if all are empty.

        The default board is tried first.
        """
        usual = await self.board(guild_id, USUAL, span)
        if usual.rows:
            return usual
        now = self._clock.now()

        async def find_points(db: ReadTransaction):
            listed = await db.stats.listed(guild_id, period(span, now))
            ratings = await db.stats.ratings(guild_id) if listed.names else {}
            return listed, ratings

        listed, ratings = await self._store.read(find_points)
        for order in _NEXT if listed.names else ():
            board = await asyncio.to_thread(_board, order, span, listed, ratings, None, now)
            if board.rows:
                return board
        with_computers = await self.board(guild_id, BoardOrder.POINTS, span, Company.COMPUTERS)
        return with_computers if with_computers.rows else usual

    async def of_week(self, guild_id: GuildId, at: int) -> Board:
        """Return the board by points of the week that contains this moment.

        It is the board of deals between people, or of those with computers if that is empty.
        """

        async def find_week(db: ReadTransaction):
            return {
                company: await db.stats.listed(guild_id, period(Span.WEEK, at), company)
                for company in Company
            }

        found = await self._store.read(find_week)
        boards = [
            points_board(listed.tallies, _names(listed), Span.WEEK, at, company)
            for company, listed in found.items()
        ]
        return next((board for board in boards if board.rows), boards[0])

    async def profile(
        self,
        guild_id: GuildId | None,
        person_id: PersonId,
        viewer_id: PersonId,
        company: Company | None = None,
        *,
        public: bool = False,
    ) -> Profile:
        """Return a person's profile in a server, or over all servers for None.

        Raises UserError for another person's profile if they have not played in the server or it is over all
        servers, and for one that is hidden from those who will see it. `viewer_id` is the person who asks for it,
        `public` whether they show it to everyone.
        `company` selects the deals; None means those with people, or those with computers if the person has
        not yet played with people alone.
        """
        now, is_own = self._clock.now(), person_id == viewer_id
        if guild_id is None and not is_own:
            raise UserError("profile.own_only")
        person = await self._store.directory.person(person_id)
        if person is None:
            raise UserError("profile.none_own" if is_own else "profile.none")
        name = person_name(person_id, person.names.in_server(guild_id))
        server = None if guild_id is None else await self._store.directory.guild_settings(guild_id)
        today = day_at(now, server.timezone if server else "UTC").date

        async def find_profile(db: ReadTransaction) -> Profile:
            figures = await db.profiles.figures(person_id, guild_id)
            if not is_own and not figures.deals and not await _is_on_day_boards(db, person, guild_id):
                # Neither what they do in other servers nor that they are hidden is told in this one.
                raise UserError("profile.none")
            if not person.settings.listed and (public or not is_own):
                raise UserError("profile.hidden")
            shown = figures.usual_company if company is None else company
            whose = (person_id, guild_id, shown)
            among_people = shown is Company.PEOPLE
            answerer = await db.puzzles.player(person_id)
            analysed = await db.analyses.latest(person_id, LATEST_DEALS)
            pool = {} if guild_id is None else await db.stats.ratings(guild_id, [person_id])
            return Profile(
                person=person_id,
                name=name,
                tally=figures.of(shown),
                matches=figures.matches if among_people else 0,
                others=figures.others,
                since=figures.since if among_people else None,
                rating=ShownRating.of(pool[person_id], now) if among_people and person_id in pool else None,
                form=await db.profiles.form(*whose, FORM),
                best=await db.profiles.best_deals(*whose, BEST),
                rivals=await _rivals(db, person_id, guild_id) if among_people else (),
                earned=tuple(await db.stats.achievements(person_id)),
                course=await db.profiles.course(*whose, COURSE),
                puzzles=answerer.figures if answerer else None,
                decisions=decision_quality(analysed),
                company=shown,
                richest=await db.profiles.best_deals(*whose, RICHEST, "points"),
                with_viewer=await _with_viewer(db, person_id, guild_id, viewer_id, name)
                if among_people and not public
                else None,
                streaks=await _streaks(db, person_id, guild_id, today),
            )

        return await self._store.read(find_profile)

    async def is_listed(self, person_id: PersonId) -> bool:
        """Return whether others may look a person up."""
        return (await self._store.directory.person_settings(person_id)).listed


def _board(
    order: BoardOrder,
    span: Span,
    listed: Listed,
    ratings: Mapping[Player, Rating],
    kept: Estimates | None,
    now: int,
) -> Board:
    """Build the board from these rows. With many rows it takes some milliseconds: run it in a thread."""
    names = _names(listed)
    if order is BoardOrder.RATING:
        return rating_board(ratings, listed.tallies, names, span, now)
    if order is BoardOrder.POINTS or kept is None:
        return points_board(listed.tallies, names, span, now)
    return adjusted_board(kept, listed.tallies, names, span)


def _computers_board(span: Span, listed: Listed, now: int) -> Board:
    return points_board(listed.tallies, _names(listed), span, now, Company.COMPUTERS)


def _names(listed: Listed) -> dict[int, str]:
    return {person: person_name(PersonId(person), name) for person, name in listed.names.items()}


async def _is_on_day_boards(db: ReadTransaction, person: PersonRow, guild_id: GuildId | None) -> bool:
    """Return whether others in a server may know that a person has finished a deal of the day there."""
    return person.settings.listed and bool(await db.boards.days_finished(person.id, guild_id, ""))


async def _streaks(
    db: ReadTransaction, person_id: PersonId, guild_id: GuildId | None, today: date
) -> Streaks:
    """Return a person's streaks up to this day of the server."""
    career = await db.stats.career(person_id)
    lapsed = career.last_day is None or career.last_day < today.toordinal() - 1
    daily = await db.boards.days_finished(person_id, guild_id, (today - STREAKS_BACK).isoformat())
    puzzles = await db.puzzles.days_answered(person_id)
    return Streaks(
        days=career.days,
        running=0 if lapsed else career.days_running,
        longest=career.most_running,
        daily=current_streak({date.fromisoformat(day) for day in daily}, today),
        puzzle=current_streak({date.fromisoformat(day) for day in puzzles}, today),
    )


async def _rivals(db: ReadTransaction, person_id: PersonId, guild_id: GuildId | None) -> tuple[Rival, ...]:
    """Return the opponents met most often, among those who may be named."""
    meetings = await db.profiles.meetings(person_id, guild_id, RIVALS)
    names = await _listed(db, [met.person for met in meetings], guild_id)
    return tuple(
        Rival(met.person, names[met.person], met.deals, met.ahead, met.behind, met.net) for met in meetings
    )


async def _with_viewer(
    db: ReadTransaction, person_id: PersonId, guild_id: GuildId | None, viewer_id: PersonId, name: str
) -> Rival | None:
    """Return the viewer's record in deals with the other person."""
    if viewer_id == person_id:
        return None
    met = await db.profiles.meeting(viewer_id, guild_id, person_id)
    return None if met is None else Rival(met.person, name, met.deals, met.ahead, met.behind, met.net)


async def _listed(db: ReadTransaction, ids: Iterable[int], guild_id: GuildId | None) -> dict[int, str]:
    """Return the names, in a server or outside of servers, of those who may be shown to others."""
    return {
        person: person_name(PersonId(person), name)
        for person, name in (await db.people.listed_names(ids, guild_id)).items()
    }
