"""Settings of servers, and the log of their staff's actions."""

from collections.abc import Callable, Collection, Hashable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from pydantic import ValidationError

from bot.clock import Clock
from bot.errors import UnexpectedInputError
from bot.history.leaderboards import ask_for_next
from bot.people import NamedPerson
from bot.table.hosting import MOST_GUESTS
from bot.words.names import person_name
from data.ids import ChannelId
from data.outbox_keys import GreetingKey
from data.preferences import GuildSettings
from data.repositories.people import StaffActRow
from data.store import Store
from data.transaction import WriteTransaction
from league.ids import GuildId
from marriage.rules import Rules, nearest_preset

SETUP_ACT = "setup"
MOST_ACTS = 15


@dataclass(frozen=True, slots=True)
class Act:
    """One act of the staff log, with the names of its author and of the people whom it concerns.

    It is stored in one row for each of these people, of which `row` is one.
    """

    row: StaffActRow
    name: str
    targets: tuple[str, ...] = ()


class Servers:
    """Settings of servers, with a log of every change. The caller checks that the person is staff."""

    def __init__(self, store: Store, clock: Clock, announce: Callable[[], None]) -> None:
        self._store = store
        self._clock = clock
        self._announce = announce
        """Called when there may be something new to send."""

    async def settings(self, guild_id: GuildId) -> GuildSettings:
        """Return the settings of this server, or the defaults."""
        return await self._store.directory.guild_settings(guild_id)

    async def change(self, guild_id: GuildId, person: NamedPerson, **changes: Any) -> GuildSettings:
        """Change some settings and log each change. Raises UserError for a value that does not exist."""
        now = self._clock.now()

        async def write(db: WriteTransaction):
            before = await db.guilds.settings(guild_id)
            try:
                after = GuildSettings.model_validate(before.model_dump() | changes)
            except ValidationError:
                raise UnexpectedInputError("no such setting") from None
            if after != before:
                await db.guilds.keep(guild_id)
                await person.keep(db, now)
                await db.guilds.set_settings(guild_id, after)
                for name in changes:
                    value = getattr(after, name)
                    if value != getattr(before, name):
                        note = f"{name} {_noted(value)}"
                        await db.staff_log.add(guild_id, None, person.id, SETUP_ACT, note, now)
                if after.weekly_channel_id is not None:
                    await ask_for_next(db, guild_id, after.timezone, now)
            return after

        after = await self._store.write(write)
        self._announce()
        return after

    async def joined(self, guild_id: GuildId) -> None:
        """Greet a server to which the bot was added, unless it was greeted before."""

        async def write(db: WriteTransaction) -> None:
            settings = await db.guilds.settings(guild_id)
            if settings.greeted:
                return
            await db.guilds.keep(guild_id)
            await db.guilds.set_settings(guild_id, settings.model_copy(update={"greeted": True}))
            await db.outbox.put(GreetingKey(guild_id), 1, self._clock.now())

        await self._store.write(write)
        self._announce()

    async def channel_gone(self, guild_id: GuildId, channel_id: ChannelId) -> None:
        """Stop automatic posts to a channel that was deleted."""

        async def write(db: WriteTransaction) -> None:
            settings = await db.guilds.settings(guild_id)
            if settings.weekly_channel_id == channel_id:
                await db.guilds.set_settings(
                    guild_id, settings.model_copy(update={"weekly_channel_id": None})
                )

        await self._store.write(write)

    async def roles_are(self, guild_id: GuildId, role_ids: Collection[int]) -> None:
        """Clear the staff role if the server no longer has it, so that calls reach someone else."""
        staff = (await self.settings(guild_id)).staff_role_id
        if staff is None or staff in role_ids:
            return

        async def write(db: WriteTransaction) -> None:
            settings = await db.guilds.settings(guild_id)
            if settings.staff_role_id == staff:
                await db.guilds.set_settings(guild_id, settings.model_copy(update={"staff_role_id": None}))

        await self._store.write(write)

    async def acts(self, guild_id: GuildId) -> list[Act]:
        """Return the latest acts of the staff log, the newest first."""
        rows = await self._store.read(lambda db: db.staff_log.latest(guild_id, MOST_ACTS * MOST_GUESTS))
        acts = [list(same) for _, same in groupby(rows, _act_of)][:MOST_ACTS]
        shown = [row for same in acts for row in same]
        concerned = {row.person_id for row in shown} | {row.target_id for row in shown if row.target_id}
        people = await self._store.directory.people(concerned)
        names: dict[int | None, str] = {
            person.id: person_name(person.id, person.names.in_server(guild_id)) for person in people.values()
        }
        return [
            Act(
                same[0],
                names.get(same[0].person_id, "–"),
                tuple(names[row.target_id] for row in reversed(same) if row.target_id in names),
            )
            for same in acts
        ]


def _act_of(row: StaffActRow) -> Hashable:
    """Return what the rows of one act have in common."""
    return row.at, row.person_id, row.table_id, row.act, row.reason


def _noted(value: Any) -> str:
    """Return a value in the log's language-neutral form: rules by their nearest preset, None as ""."""
    match value:
        case None:
            return ""
        case bool():
            return "on" if value else "off"
        case Rules():
            return nearest_preset(value)[0]
        case _:
            return str(value)
