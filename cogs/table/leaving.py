"""Leaving a table, ending it, and moving it elsewhere, by buttons and by commands."""

from discord import app_commands
from discord.ext import commands

from bot.errors import UserError
from bot.interactions.permissions import (
    my_table,
    parent_of,
    require_guild,
    require_permissions,
    require_staff,
    sees_channel,
)
from bot.interactions.receiver import Pressed, Router
from bot.interactions.reply import AnyInteraction, Kind, Reply
from bot.panels.table.presence import ways_out
from bot.people import NamedPerson
from bot.services import Services
from bot.ui.panel import notice_panel
from bot.words.numbers import read_number
from bot.words.texts import texts
from data.ids import InteractionId
from league.ids import PersonId, TableId


class ChangingButtons(commands.Cog):
    """The button during a deal; the others are with the buttons of the table message."""

    def __init__(self, services: Services, router: Router) -> None:
        self._services = services
        router.add("sit-out-next", self._sit_out)

    async def _sit_out(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.UPDATE) as reply:
            table_id = pressed.table_id
            await self._services.changing.sit_out(
                table_id, pressed.person.id, pressed.interaction_id, in_deal=True
            )
            await reply.show(notice_panel(texts()("changing.you_rest", table=table_id)))


class LeavingCommands(commands.Cog):
    """The part of `/marriage` to leave, end and move tables; a base class of that cog."""

    _services: Services

    @app_commands.command(description="Leave your table; during a deal a computer plays on for you")
    async def leave(self, interaction: AnyInteraction) -> None:
        """Leave the table."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            table_id = await my_table(self._services.tables, interaction)
            key = await self._services.leaving.leave(
                table_id, PersonId(interaction.user.id), InteractionId(interaction.id)
            )
            await reply.tell(texts()(key, table=table_id))

    @app_commands.command(description="Ask the others to end the deal; staff may end any table with a reason")
    @app_commands.describe(
        reason="For the server's staff: why the table ends",
        table="For the server's staff: the table's number",
    )
    @app_commands.guild_only()
    async def end(
        self,
        interaction: AnyInteraction,
        reason: app_commands.Range[str, 1, 200] | None = None,
        table: app_commands.Range[int, 1, 2**31] | None = None,
    ) -> None:
        """Ask the others to end the table, or end it as staff."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            if reason is None and table is None:
                table_id = await my_table(self._services.tables, interaction)
                key = await self._services.endings.ask(
                    table_id, PersonId(interaction.user.id), InteractionId(interaction.id)
                )
                await reply.tell(texts()(key))
                return
            guild_id, channel_id = require_guild(interaction)
            await require_staff(self._services.store, interaction)
            if reason is None:
                raise UserError("sorry.reason_needed")
            table_id = TableId(table) if table else await self._services.tables.only_table(channel_id)
            staff = NamedPerson.of(interaction.user)
            await self._services.endings.by_staff(
                table_id, guild_id, staff, reason, InteractionId(interaction.id)
            )
            await reply.tell(texts()("leaving.ended_by_staff", table=table_id))

    @app_commands.command(description="Move your paused table to this channel")
    @app_commands.guild_only()
    async def resume(self, interaction: AnyInteraction) -> None:
        """Move the table here."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            guild_id, channel_id = require_guild(interaction)
            require_permissions(interaction.app_permissions)
            table_id = await my_table(self._services.tables, interaction)
            await self._services.pauses.move(
                table_id,
                guild_id,
                channel_id,
                PersonId(interaction.user.id),
                InteractionId(interaction.id),
                parent_of(interaction),
                sees_channel(interaction),
            )
            await reply.tell(texts()("leaving.moved", table=table_id))


class LeavingButtons(commands.Cog):
    """The buttons to leave a deal."""

    def __init__(self, services: Services, router: Router) -> None:
        self._services = services
        router.add("quit", self._choose)
        router.add("leave-deal", self._leave)
        router.add("leave-there", self._leave_there)
        router.add("end-deal", self._ask)
        router.add("end-match", self._ask_match)
        router.add("agree", self._agree)
        router.add("refuse", self._refuse)

    async def _choose(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            snapshot = await self._services.tables.snapshot(pressed.table_id)
            if snapshot.seat_of(pressed.person.id) is None:
                raise UserError(snapshot.why_no_seat(pressed.person.id), table=pressed.table_id)
            await reply.show(ways_out(snapshot, texts()))

    async def _leave(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.UPDATE) as reply:
            table_id = pressed.table_id
            key = await self._services.leaving.leave(table_id, pressed.person.id, pressed.interaction_id)
            await reply.show(notice_panel(texts()(key, table=table_id)))

    async def _leave_there(self, pressed: Pressed) -> None:
        """Leave the table that prevents a person from joining another one. During a deal they choose how."""
        async with Reply(pressed.interaction, pressed.privately) as reply:
            table_id = pressed.table_id
            snapshot = await self._services.tables.snapshot(table_id)
            if snapshot.table.status == "playing" and snapshot.seat_of(pressed.person.id) is not None:
                await reply.show(ways_out(snapshot, texts()))
                return
            key = await self._services.leaving.leave(table_id, pressed.person.id, pressed.interaction_id)
            words = [texts()(key, table=table_id), texts()("leaving.try_again")]
            await reply.show(notice_panel("\n".join(words)))

    async def _ask(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.UPDATE) as reply:
            deal_no = read_number(pressed.press.argument, 9)
            key = await self._services.endings.ask_to_end_deal(
                pressed.table_id, pressed.person.id, deal_no, pressed.interaction_id
            )
            await reply.show(notice_panel(texts()(key)))

    async def _ask_match(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            key = await self._services.endings.ask_to_end_match(
                pressed.table_id, pressed.person.id, pressed.press.revision, pressed.interaction_id
            )
            await reply.tell(texts()(key))

    async def _agree(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            key = await self._services.endings.agree(
                pressed.table_id, pressed.person.id, pressed.press.revision, pressed.interaction_id
            )
            await reply.tell(texts()(key))

    async def _refuse(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            await self._services.endings.refuse(
                pressed.table_id, pressed.person.id, pressed.press.revision, pressed.interaction_id
            )
            await reply.tell(texts()("leaving.refused"))
