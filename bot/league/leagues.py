"""The leagues of all servers: open, find, view and change seasons."""

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import TypeVar

import structlog

from bot.errors import RepeatedInteractionError, UserError
from bot.league.agenda import first_draw
from bot.league.season import SeasonTransaction, SeasonView, read_season, view_season
from bot.people import NamedPerson
from bot.table.core.repository import TableRepository
from bot.words.names import shown_name
from data.errors import EventsDamaged
from data.ids import ChannelId, InteractionId, SeasonId
from data.preferences import Pace
from data.season_posts import InvitationNotice, SignupPost
from data.season_rows import SeasonRow
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from league.events import SeasonOpened
from league.ids import GuildId, PersonId
from league.members import Banned
from league.season import NEW
from league.settings import SeasonSettings
from league.statistics.par import pars, table
from league.succession import invited
from marriage.rules import Rules

T = TypeVar("T")
SEED_BYTES = 32
SEED_TAG = b"tiplu/season/v1"
MOST_OPEN = 10
ARCHIVE_PAGE = 10

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Founding:
    """The choices with which a season is opened."""

    name: str
    settings: SeasonSettings
    rules: Rules
    pace: Pace
    starts_at: int | None = None
    """When the first round is drawn, in milliseconds of UTC; None if that follows from the days of sign-up."""


@dataclass(frozen=True, slots=True)
class Archive:
    """A page of a server's finished seasons, the latest first."""

    views: tuple[SeasonView, ...]
    page: int
    pages: int


@dataclass(frozen=True, slots=True)
class Asker:
    """A person who asks about a league without naming it, and the place where they ask."""

    person_id: PersonId
    place_id: ChannelId
    """The channel or thread."""
    parent_id: ChannelId | None = None
    """The channel of the thread."""


class Leagues:
    """Leagues of the bot. Every change is one transaction. The caller checks that the person may make it."""

    def __init__(self, store: Store, tables: TableRepository) -> None:
        self.store = store
        self.tables = tables

    def now(self) -> int:
        """Return the time, in milliseconds of UTC."""
        return self.tables.clock.now()

    async def write(
        self,
        season_id: SeasonId,
        change: Callable[[SeasonTransaction], Awaitable[T]],
        interaction_id: InteractionId | None = None,
    ) -> T:
        """Change one season in a transaction and return what `change` returns.

        Raises RepeatedInteractionError for an interaction that was handled before.
        """

        async def change_season(db: WriteTransaction, now: int) -> T:
            return await change(await SeasonTransaction.of(db, season_id, now))

        return await self._once(interaction_id, change_season)

    async def _once(
        self,
        interaction_id: InteractionId | None,
        work: Callable[[WriteTransaction, int], Awaitable[T]],
    ) -> T:
        """Run one transaction; raises RepeatedInteractionError for an interaction that was handled before."""
        now = self.now()

        async def work_once(db: WriteTransaction) -> T:
            if interaction_id is not None and await db.interactions.find(interaction_id) is not None:
                raise RepeatedInteractionError
            done = await work(db, now)
            if interaction_id is not None:
                await db.interactions.keep(interaction_id, None, 0, "", now)
            return done

        done = await self.store.write(work_once)
        self.tables.committed()
        return done

    async def create(
        self,
        guild_id: GuildId,
        channel_id: ChannelId,
        staff: NamedPerson,
        founding: Founding,
        interaction_id: InteractionId,
    ) -> SeasonId:
        """Open the first season of a league for sign-up and return its id. Raises UserError if one of that name is open."""

        async def open_first(db: WriteTransaction, now: int) -> SeasonId:
            await db.guilds.keep(guild_id)
            return (await _open(db, guild_id, channel_id, staff, founding, now)).row.id

        return await self._once(interaction_id, open_first)

    async def renew(self, former_id: SeasonId, staff: NamedPerson, interaction_id: InteractionId) -> SeasonId:
        """Open the next season of a league with the last one's settings, and invite its players again.

        Return its id. Raises UserError while the last season is open, or if it already has a next one.
        """

        async def open_next(db: WriteTransaction, now: int) -> SeasonId:
            row, season, _ = await read_season(db, former_id)
            await _require_last_and_over(db, row)
            founding = Founding(row.name, season.settings, row.rules, row.pace)
            season_tx = await _open(db, row.guild_id, row.channel_id, staff, founding, now, former=row)
            for player in sorted(season.banned):
                await season_tx.add(Banned(player))
            await db.limits.carry_on("ban", row.id, season_tx.row.id)
            for player in invited(season):
                await season_tx.request_post(InvitationNotice(player))
            return season_tx.row.id

        return await self._once(interaction_id, open_next)

    async def view(self, season_id: SeasonId, guild_id: GuildId | None = None) -> SeasonView:
        """Return the view of a season; raises UserError if there is no such season in this server."""

        async def view_here(db: ReadTransaction) -> SeasonView:
            await _require_here(db, season_id, guild_id)
            return await view_season(db, season_id, self.now())

        return await self.store.read(view_here)

    async def require_here(self, season_id: SeasonId, guild_id: GuildId | None) -> None:
        """Raise UserError if there is no such season in this server."""
        await self.store.read(_require_here, season_id, guild_id)

    async def seasons(self, guild_id: GuildId) -> list[SeasonRow]:
        """Return the seasons of a server: open ones first, then by age, the newest first."""
        rows = await self.store.read(lambda db: db.seasons.in_guild(guild_id))
        return sorted(rows, key=lambda row: (row.closed_at is not None, -row.id))

    async def find(self, guild_id: GuildId, wanted: str = "") -> SeasonRow:
        """Return the season with that id or name; raises UserError if there is none.

        By default it is the newest open season, else the newest.
        """
        rows = await self.seasons(guild_id)
        if wanted:
            rows = [row for row in rows if wanted == str(row.id) or wanted.casefold() == row.name.casefold()]
        if not rows:
            raise UserError("league.none")
        return rows[0]

    async def meant(self, guild_id: GuildId, asker: Asker, *, playing: bool) -> list[SeasonRow]:
        """Return the seasons meant by someone who names none, newest first; raises UserError if none.

        In a match's thread it is that season; elsewhere, the open seasons of this channel. If someone asks as
        a player (`playing`), their own seasons take precedence over the channel's. If no season is open, it
        is the newest one.
        """
        rows = await self.seasons(guild_id)
        if not rows:
            raise UserError("league.none")

        async def find_seasons(db: ReadTransaction):
            of_thread = await db.seasons.of_thread(asker.place_id)
            found = [row for row in rows if row.id == of_thread]
            found = found or [row for row in rows if row.closed_at is None] or rows[:1]
            return found, [row.id for row in found if await _takes_part(db, row.id, asker.person_id)]

        found, theirs = await self.store.read(find_seasons)
        here = [row.id for row in found if row.channel_id in {asker.place_id, asker.parent_id}]
        for narrower in (theirs, here) if playing else (here,):
            found = [row for row in found if row.id in narrower] or found
        return found

    async def archive(self, guild_id: GuildId, page: int = 0) -> Archive:
        """Return a page of a server's finished seasons; the last page if this one does not exist.

        Damaged seasons are left out.
        """

        async def view_closed(db: ReadTransaction) -> Archive:
            rows = [row for row in await db.seasons.in_guild(guild_id) if row.closed_at is not None]
            rows.sort(key=lambda row: (row.closed_at or 0, row.id), reverse=True)
            last = max(0, len(rows) - 1) // ARCHIVE_PAGE
            shown_page = min(page, last)
            shown = rows[shown_page * ARCHIVE_PAGE : (shown_page + 1) * ARCHIVE_PAGE]
            views = list[SeasonView]()
            for row in shown:
                try:
                    views.append(await view_season(db, row.id, self.now()))
                except EventsDamaged:
                    log.exception("leagues.not_shown", season=row.id)
            return Archive(tuple(views), shown_page, last + 1)

        return await self.store.read(view_closed)

    async def find_last(self, guild_id: GuildId, wanted: str) -> SeasonRow:
        """Return the latest season of the league that is meant; raises UserError if there is none."""
        meant = await self.find(guild_id, wanted)
        rows = await self.seasons(guild_id)
        return max((row for row in rows if row.name == meant.name), key=lambda row: row.id)

    async def over(self, guild_id: GuildId, asker: Asker) -> list[SeasonRow]:
        """Return the seasons that a next one can follow, one per league, latest first.

        They are those of this channel, or all if it has none. Raises UserError if there are none.
        """
        rows = await self.seasons(guild_id)
        latest = {row.name: row for row in sorted(rows, key=lambda row: row.id)}
        found = [row for row in latest.values() if row.closed_at is not None]
        if not found:
            raise UserError("league.none_is_over")
        found.sort(key=lambda row: (row.closed_at or 0, row.id), reverse=True)
        return [row for row in found if row.channel_id in {asker.place_id, asker.parent_id}] or found


async def _open(
    db: WriteTransaction,
    guild_id: GuildId,
    channel_id: ChannelId,
    staff: NamedPerson,
    founding: Founding,
    now: int,
    former: SeasonRow | None = None,
) -> SeasonTransaction:
    """Open a season; its server must be stored already. Raises UserError if one of that name is open."""
    await staff.keep(db, now)
    await require_free_name(db, guild_id, founding.name)
    row = await db.seasons.create(
        guild_id=guild_id,
        channel_id=channel_id,
        name=founding.name,
        number=1 if former is None else former.number + 1,
        former=None if former is None else former.id,
        rules=founding.rules,
        pace=founding.pace,
        seed=new_seed(),
        starts_at=founding.starts_at or first_draw(now, founding.settings, former and former.closed_at),
        acted_until=now,
        due_at=now,
        created_at=now,
        closed_at=None,
    )
    season_tx = SeasonTransaction(db, now, row, NEW, 0)
    await open_with(season_tx, founding.settings, await db.seasons.keep_player(staff.id))
    await season_tx.request_post(SignupPost())
    return season_tx


async def open_with(season_tx: SeasonTransaction, settings: SeasonSettings, staff: int) -> None:
    """Set the season's settings; they can be set again until its first round is drawn."""
    row = season_tx.row
    opened = SeasonOpened(
        name=row.name if row.number == 1 else f"{row.name} {row.number}",
        settings=settings,
        pars=pars(row.rules),
        par_version=table().version,
        commitment=commitment_to(row.seed),
    )
    await season_tx.add(opened, actor=staff)


def new_seed() -> bytes:
    """Return a seed for the draws of a season."""
    return secrets.token_bytes(SEED_BYTES)


def commitment_to(seed: bytes) -> str:
    """Return the commitment to a seed, which is published before the seed is revealed."""
    return sha256(SEED_TAG + seed).hexdigest()


async def _takes_part(db: ReadTransaction, season_id: SeasonId, person_id: PersonId) -> bool:
    """Return whether a person is in the season or is a stand-in. Nobody can say that of a damaged season."""
    player = await db.seasons.player_of(person_id)
    try:
        season = (await db.seasons.projection(season_id)).season
    except EventsDamaged:
        log.exception("leagues.left_out", season=season_id)
        return False
    member = season.members.get(player or 0)
    return member is not None and member.status != "removed" and member.withdrawn is None


async def _require_here(db: ReadTransaction, season_id: SeasonId, guild_id: GuildId | None) -> None:
    row = await db.seasons.get(season_id)
    if row is None or guild_id not in {None, row.guild_id}:
        raise UserError("league.none")


async def require_free_name(db: WriteTransaction, guild_id: GuildId, name: str) -> None:
    """Raise UserError if a league of that name is open in the server, or as many as may be."""
    rows = [row for row in await db.seasons.in_guild(guild_id) if row.closed_at is None]
    if any(row.name.casefold() == name.casefold() for row in rows):
        raise UserError("league.name_taken", league=shown_name(name))
    if len(rows) >= MOST_OPEN:
        raise UserError("league.too_many", most=MOST_OPEN)


async def _require_last_and_over(db: WriteTransaction, row: SeasonRow) -> None:
    if row.closed_at is None:
        raise UserError("league.still_on", league=shown_name(row.name))
    if any(season.former == row.id for season in await db.seasons.in_guild(row.guild_id)):
        raise UserError("league.has_next", league=shown_name(row.name))
