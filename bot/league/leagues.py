"""The leagues of all servers: seasons are opened, found, looked at and changed here."""

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256

from bot.errors import Repeated, Sorry
from bot.interactions.people import Person
from bot.league.chronicle import Chronicle
from bot.league.view import SeasonView, view_season
from bot.table.desk import Desk
from data.league_rows import SeasonRow
from data.preferences import Pace
from data.store import Store, Writer
from league.events import SeasonOpened
from league.par import pars
from league.season import NEW
from league.settings import SeasonSettings
from marriage.rules import Rules

SEED_BYTES = 32
SEED_TAG = b"tiplu/season/v1"
MOST_OPEN = 10
DAY_MS = 24 * 3600 * 1000


class Leagues:
    """Every change is one transaction; that a person may make it is for the caller to know."""

    def __init__(self, store: Store, desk: Desk) -> None:
        self.store = store
        self.desk = desk

    def now(self) -> int:
        """The time, in milliseconds of UTC."""
        return self.desk.clock.now()

    @asynccontextmanager
    async def writing(self, season_id: int, interaction_id: int | None = None) -> AsyncIterator[Chronicle]:
        """One season within one transaction; raises Repeated for an interaction that was handled before."""
        async with self.store.write() as writer:
            await _once(writer, interaction_id)
            chronicle = await Chronicle.of(writer, season_id, self.now())
            yield chronicle
            if interaction_id is not None:
                await writer.see(interaction_id, None, 0, "", chronicle.now)
        self.desk.committed()

    async def create(
        self,
        guild_id: int,
        channel_id: int,
        staff: Person,
        name: str,
        settings: SeasonSettings,
        rules: Rules,
        pace: Pace,
        interaction_id: int,
        *,
        former: SeasonRow | None = None,
    ) -> int:
        """Open a season for sign-up; its id. Raises Sorry where a league of that name is open."""
        now, seed = self.now(), secrets.token_bytes(SEED_BYTES)
        async with self.store.write() as writer:
            await _once(writer, interaction_id)
            await writer.keep_guild(guild_id)
            await writer.keep_person(staff.id, staff.name, now)
            await _require_free_name(writer, guild_id, name)
            ladder = settings.format == "ladder"
            row = await writer.add_season(
                guild_id=guild_id,
                channel_id=channel_id,
                name=name,
                number=1 if former is None else former.number + 1,
                former=None if former is None else former.id,
                rules=rules,
                pace=pace,
                seed=seed,
                starts_at=now if ladder else now + settings.signup_days * DAY_MS,
                acted_until=now,
                due_at=now,
                created_at=now,
                closed_at=None,
            )
            chronicle = Chronicle(writer, now, row, NEW, 0)
            await open_with(chronicle, settings, await writer.keep_player(staff.id))
            await chronicle.tell("signup")
            await writer.see(interaction_id, None, 0, "", now)
        self.desk.committed()
        return row.id

    async def view(self, season_id: int, guild_id: int | None = None) -> SeasonView:
        """A season as it stands; raises Sorry for one that is not there, or not in this server."""
        async with self.store.read() as reader:
            view = await view_season(reader, season_id, self.now())
        if guild_id is not None and view.row.guild_id != guild_id:
            raise Sorry("league.none")
        return view

    async def seasons(self, guild_id: int) -> list[SeasonRow]:
        """The seasons of a server, those that are open first, the newest first."""
        async with self.store.read() as reader:
            rows = await reader.seasons_of_guild(guild_id)
        return sorted(rows, key=lambda row: (row.closed_at is not None, -row.id))

    async def find(self, guild_id: int, wanted: str = "") -> SeasonRow:
        """The season of that id or name; without one the newest that is open, else the newest. Raises Sorry."""
        rows = await self.seasons(guild_id)
        if wanted:
            rows = [row for row in rows if wanted == str(row.id) or wanted.casefold() == row.name.casefold()]
        if not rows:
            raise Sorry("league.none")
        return rows[0]


async def open_with(chronicle: Chronicle, settings: SeasonSettings, staff: int) -> None:
    """Fix these settings for the season; they may be fixed anew until its first round is drawn."""
    row = chronicle.row
    opened = SeasonOpened(
        name=row.name if row.number == 1 else f"{row.name} {row.number}",
        settings=settings,
        pars=pars(row.rules),
        commitment=sha256(SEED_TAG + row.seed).hexdigest(),
    )
    await chronicle.add(opened, actor=staff)


async def _once(writer: Writer, interaction_id: int | None) -> None:
    if interaction_id is not None and await writer.seen(interaction_id) is not None:
        raise Repeated


async def _require_free_name(writer: Writer, guild_id: int, name: str) -> None:
    rows = [row for row in await writer.seasons_of_guild(guild_id) if row.closed_at is None]
    if any(row.name.casefold() == name.casefold() for row in rows):
        raise Sorry("league.name_taken", league=name)
    if len(rows) >= MOST_OPEN:
        raise Sorry("league.too_many", most=MOST_OPEN)
