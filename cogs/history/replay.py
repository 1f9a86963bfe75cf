"""The replay of a finished deal: a button of its score sheet, and `/marriage replay`."""

from dataclasses import replace

import discord
from discord import app_commands
from discord.ext import commands

from bot.errors import UserError
from bot.history.replays import ALL, Place, Replay, read_eyes, shared_once
from bot.interactions.permissions import my_table
from bot.interactions.receiver import Pressed, Router
from bot.interactions.reply import AnyInteraction, Kind, Reply
from bot.people import NamedPerson, channel_of, guild_of
from bot.services import Services
from bot.words.names import person_name
from cogs.history.replies import find_replay, show_animation, show_step
from data.ids import ChannelId
from league.ids import GuildId, TableId
from render.words import speaking


class ReplayCommand(commands.Cog):
    """The part of `/marriage` that opens a replay; a base class of that cog."""

    _services: Services

    @app_commands.command(description="Replay a finished deal, step by step, from any seat")
    @app_commands.describe(
        deal="The deal's number; otherwise the last finished one",
        table="The table's number; otherwise yours, or the last one in this channel",
    )
    async def replay(
        self,
        interaction: AnyInteraction,
        deal: app_commands.Range[int, 1, 2**31] | None = None,
        table: app_commands.Range[int, 1, 2**31] | None = None,
    ) -> None:
        """Open a private replay."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            table_id = await _usual_table(self._services, interaction) if table is None else TableId(table)
            found = await find_replay(self._services, interaction, table_id, deal)
            place = Place(table_id, found.deal_no)
            await show_step(self._services, reply, NamedPerson.of(interaction.user), found, place)


async def _usual_table(services: Services, interaction: AnyInteraction) -> TableId:
    """Return the default table of a person who names none; raises UserError if there is none."""
    try:
        return await my_table(services.tables, interaction)
    except UserError:
        table_id = await services.store.read(
            lambda db: db.tables.latest_played(channel_of(interaction) or ChannelId(0))
        )
        if table_id is None:
            raise
        return table_id


class ReplayCog(commands.Cog):
    """The panel of a replay, whose state is all in its custom ids."""

    def __init__(self, services: Services, router: Router) -> None:
        self._services = services
        router.add("replay", self._step)
        router.add("hands", self._hands)
        router.add("pick-replay-eye", self._choose_eyes)
        router.add("pick-replay-turn", self._choose_turn)
        router.add("animate", self._animate)
        router.add("share-replay", self._share)

    async def _step(self, pressed: Pressed) -> None:
        """Open a replay, or show another step of it."""
        await self._show(pressed, Place.of(pressed.press), opens=not pressed.press.argument)

    async def _hands(self, pressed: Pressed) -> None:
        """Show the end of a deal with every hand open."""
        place = Place.of(pressed.press)
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            found = await self._found(pressed, place)
            end = replace(place, step=len(found.steps) - 1, eyes=ALL)
            await show_step(self._services, reply, pressed.person, found, end)

    async def _choose_eyes(self, pressed: Pressed) -> None:
        eyes = read_eyes(pressed.chosen)
        await self._show(pressed, replace(Place.of(pressed.press), eyes=eyes))

    async def _choose_turn(self, pressed: Pressed) -> None:
        step = pressed.chosen_number
        await self._show(pressed, replace(Place.of(pressed.press), step=step))

    async def _show(self, pressed: Pressed, place: Place, *, opens: bool = False) -> None:
        kind = Kind.PRIVATE if opens else pressed.privately
        async with Reply(pressed.interaction, kind) as reply:
            await show_step(self._services, reply, pressed.person, await self._found(pressed, place), place)

    async def _animate(self, pressed: Pressed) -> None:
        place = Place.of(pressed.press)
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            found = await self._found(pressed, place)
            await show_animation(self._services, reply, pressed.interaction, found, found.eyes_of(place))

    async def _share(self, pressed: Pressed) -> None:
        """Post the replay for everybody, once for each deal, in the server's language."""
        place, interaction = Place.of(pressed.press), pressed.interaction
        found = await self._found(pressed, place)
        eyes = found.eyes_of(place)
        _require_may_post(interaction, found.table.guild_id)
        async with (
            shared_once(self._services.store, found, self._services.clock.now()),
            Reply(interaction, Kind.PUBLIC) as reply,
        ):
            with speaking(await self._services.languages.of_server(guild_of(interaction))):
                await show_animation(
                    self._services,
                    reply,
                    interaction,
                    found,
                    eyes,
                    shared_by=person_name(pressed.person.id, pressed.person.name),
                )

    async def _found(self, pressed: Pressed, place: Place) -> Replay:
        return await find_replay(self._services, pressed.interaction, place.table, place.deal)


def _require_may_post(interaction: AnyInteraction, guild_id: GuildId) -> None:
    """Raise UserError outside the table's server, or if the person could not post a picture themselves."""
    rights, thread = interaction.permissions, isinstance(interaction.channel, discord.Thread)
    may = rights.send_messages_in_threads if thread else rights.send_messages
    if interaction.guild_id != guild_id or not may:
        raise UserError("sorry.replay_not_here")
