"""`/setup`: settings of a server, missing permissions, and the staff log. Also lost and restored channels."""

from typing import Any, Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.errors import UnexpectedInputError, UserError
from bot.interactions.permissions import (
    granted_in,
    is_unseen,
    missing_permissions,
    require_manager,
    require_own_channel,
    require_own_role,
    require_staff,
    sees_channel,
    timezone_choices,
)
from bot.interactions.receiver import Pressed, Router
from bot.interactions.reply import AnyInteraction, Kind, Reply
from bot.panels.server.settings import first_of, subject_of
from bot.panels.server.setup import SUBJECTS, check_panel, daily_panel, setup_panel
from bot.panels.server.staff_log import log_panel
from bot.people import NamedPerson, guild_of
from bot.services import Services
from bot.ui.panel import Panel
from bot.words.texts import texts
from data.ids import ChannelId
from data.preferences import GuildSettings
from league.ids import GuildId
from league.times import timezone_named
from marriage.rules import PRESETS

COMPARE_S: Final = 60.0


class Places(commands.Cog):
    """Pauses tables at once when their channel is gone, and retries them when it may be back.

    Leagues pause with their server.
    """

    def __init__(self, services: Services, client: discord.Client) -> None:
        self._pauses = services.pauses
        self._servers = services.servers
        self._postponing = services.postponing
        self._outages = services.outages
        self._client = client
        self._to_try: set[GuildId] = set()
        """Servers whose paused tables are still to be tried again, because the store refused it."""

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread was deleted, archived or not."""
        await self._pauses.place_gone(ChannelId(payload.thread_id))

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel and its threads were deleted."""
        await self._pauses.place_gone(ChannelId(channel.id))
        await self._servers.channel_gone(GuildId(channel.guild.id), ChannelId(channel.id))

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot was removed from a server, or the server was deleted."""
        await self._pauses.server_gone(GuildId(guild.id))
        await self._postponing.server_gone(GuildId(guild.id))

    @commands.Cog.listener()
    async def on_shard_ready(self, _: int) -> None:
        """Discord has listed the servers of a shard: some may have removed the bot while it was away."""
        await self.compare()

    async def compare(self) -> float:
        """Notice servers that have removed the bot or taken it back, and lost channels, also if an error kept the bot from it before.

        Returns how long to rest, in seconds.
        """
        for guild_id in list(self._to_try):
            await self._try_again(guild_id)
        await self._pauses.compare(lambda: self._outages.listed, self._has_bot, self._sees)
        await self._postponing.compare(lambda: self._outages.listed, self._has_bot)
        return COMPARE_S

    async def _try_again(self, guild_id: GuildId) -> None:
        self._to_try.add(guild_id)
        await self._pauses.try_again(guild_id)
        self._to_try.discard(guild_id)

    def _has_bot(self, guild_id: GuildId) -> bool:
        return self._client.get_guild(guild_id) is not None

    def _sees(self, guild_id: GuildId, place_id: ChannelId) -> bool:
        return not is_unseen(self._client.get_guild(guild_id), place_id)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot was added to a server."""
        await self._try_again(GuildId(guild.id))
        await self._roles_are(guild)
        await self._servers.joined(GuildId(guild.id))
        await self._postponing.server_back(GuildId(guild.id))  # last: it is tried again anyway

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """A server is reachable: after a start, or after an outage."""
        await self._try_again(GuildId(guild.id))
        await self._roles_are(guild)

    @commands.Cog.listener()
    async def on_guild_channel_update(self, _: object, channel: discord.abc.GuildChannel) -> None:
        """The bot may have regained the permissions it needs to show a table."""
        await self._try_again(GuildId(channel.guild.id))

    @commands.Cog.listener()
    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """A thread may have been reopened."""
        await self._try_again(GuildId(payload.guild_id))

    @commands.Cog.listener()
    async def on_guild_role_delete(self, role: discord.Role) -> None:
        """A role was deleted, possibly the staff role."""
        await self._roles_are(role.guild)

    async def _roles_are(self, guild: discord.Guild) -> None:
        await self._servers.roles_are(GuildId(guild.id), {role.id for role in guild.roles})

    @commands.Cog.listener()
    async def on_guild_role_update(self, _: object, role: discord.Role) -> None:
        """The bot may have regained the permissions it needs to show a table."""
        await self._try_again(GuildId(role.guild.id))


@app_commands.guild_only()
@app_commands.default_permissions(manage_guild=True)
class Setup(commands.GroupCog, name="setup", description="Set up Marriage in this server"):
    """Non-staff are refused at run time too, since a server can show the commands to anybody."""

    def __init__(self, services: Services, router: Router) -> None:
        self._services = services
        for name in ("channel", "role", "preset", "pace", "language", "weekly"):
            router.add(f"pick-guild-{name}", self._choose)
        router.add("pick-setup", self._choose_subject)
        router.add("guild-threads", self._threads)
        router.add("guild-house", self._clear_house)
        router.add("guild-weekly-off", self._post_no_week)
        router.add("setup-log", self._turn_log)

    @app_commands.command(description="See and change the settings of this server")
    async def show(self, interaction: AnyInteraction) -> None:
        """Show the settings."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            guild_id = require_manager(interaction)
            await reply.show(_panel(interaction, await self._services.servers.settings(guild_id)))

    @app_commands.command(
        description="The deal of the day: when a day ends here, and where its board is posted"
    )
    @app_commands.describe(
        timezone="The server's time zone, such as Asia/Kathmandu",
        post_in="Where the board is posted at midnight",
        off="Stop posting it",
    )
    async def daily(
        self,
        interaction: AnyInteraction,
        timezone: str | None = None,
        post_in: discord.TextChannel | None = None,
        off: bool = False,  # noqa: FBT001, FBT002 - an option
    ) -> None:
        """Change the given settings, and show them all."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            guild_id = require_manager(interaction)
            changes: dict[str, Any] = {}
            if timezone is not None:
                if (named := timezone_named(timezone)) is None:
                    raise UserError("daily.no_timezone")
                changes["timezone"] = named
            if post_in is not None:
                require_own_channel(interaction.guild, post_in.id)
            if off or post_in is not None:
                changes["daily_channel_id"] = None if off or post_in is None else post_in.id
            person = NamedPerson.of(interaction.user)
            settings = await self._services.servers.change(guild_id, person, **changes)
            await reply.show(daily_panel(settings, self._services.clock.now(), texts()))

    @daily.autocomplete("timezone")
    async def _timezones(self, _: AnyInteraction, typed: str) -> list[app_commands.Choice[str]]:
        return timezone_choices(typed)

    @app_commands.command(
        description="See which permissions I need in this channel, and what fails without them"
    )
    async def check(self, interaction: AnyInteraction) -> None:
        """List the missing permissions, here and in the channel for tables."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            await require_staff(self._services.store, interaction)
            settings = await self._services.servers.settings(guild_of(interaction) or GuildId(0))
            channels: list[tuple[str, discord.Permissions | None]] = []
            channels.append((f"<#{interaction.channel_id}>", interaction.app_permissions))
            if settings.channel_id not in {None, interaction.channel_id}:
                channels.append(
                    (f"<#{settings.channel_id}>", granted_in(interaction.guild, settings.channel_id))
                )
            await reply.show(check_panel(channels, texts(), threads=settings.threads))

    @app_commands.command(description="See what this server's staff did, and why")
    async def log(self, interaction: AnyInteraction) -> None:
        """Show the staff log."""
        await self._log(interaction, 0, Kind.PRIVATE)

    async def _turn_log(self, pressed: Pressed) -> None:
        await self._log(pressed.interaction, pressed.press.revision, pressed.privately)

    async def _log(self, interaction: AnyInteraction, page: int, kind: Kind) -> None:
        async with Reply(interaction, kind) as reply:
            await require_staff(self._services.store, interaction)
            acts = await self._services.servers.acts(guild_of(interaction) or GuildId(0))
            await reply.show(log_panel(acts, page, texts()))

    async def _choose_subject(self, pressed: Pressed) -> None:
        if pressed.chosen not in SUBJECTS:
            raise UnexpectedInputError("no such subject")
        async with Reply(pressed.interaction, pressed.privately) as reply:
            settings = await self._services.servers.settings(require_manager(pressed.interaction))
            await reply.show(_panel(pressed.interaction, settings, pressed.chosen))

    async def _choose(self, pressed: Pressed) -> None:
        name = pressed.press.verb.removeprefix("pick-guild-")
        value = pressed.chosen or None
        match name:
            case "channel":
                await self._change(pressed, channel_id=_channel(pressed))
            case "weekly":
                await self._change(pressed, weekly_channel_id=_channel(pressed))
            case "role":
                await self._change(pressed, staff_role_id=_role(pressed))
            case "preset":
                if value not in PRESETS:
                    raise UnexpectedInputError("no such preset")
                await self._change(pressed, rules=PRESETS[value])
            case "language":
                await self._change(pressed, language=value)
            case _:
                await self._change(pressed, pace=value)

    async def _clear_house(self, pressed: Pressed) -> None:
        await self._change(pressed, rules=None, deals=0)

    async def _post_no_week(self, pressed: Pressed) -> None:
        await self._change(pressed, weekly_channel_id=None)

    async def _threads(self, pressed: Pressed) -> None:
        await self._change(pressed, threads=pressed.press.argument == "on")

    async def _change(self, pressed: Pressed, **changes: Any) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            guild_id = require_manager(pressed.interaction)
            person = NamedPerson.of(pressed.interaction.user)
            settings = await self._services.servers.change(guild_id, person, **changes)
            async with self._services.languages.spoken_to(
                pressed.interaction
            ):  # the server's language may just have changed
                subject = subject_of(SUBJECTS, pressed.press.verb)
                await reply.show(_panel(pressed.interaction, settings, subject))


def _channel(pressed: Pressed) -> int | None:
    """Return the chosen channel of this server; None for no choice. Raises UnexpectedInputError for another channel."""
    if not pressed.chosen:
        return None
    require_own_channel(pressed.interaction.guild, pressed.chosen_id)
    return pressed.chosen_id


def _role(pressed: Pressed) -> int | None:
    """Return the chosen role of this server; None for no choice. Raises UnexpectedInputError for another role."""
    if not pressed.chosen:
        return None
    require_own_role(pressed.interaction.guild, pressed.chosen_id)
    return pressed.chosen_id


def _panel(interaction: AnyInteraction, settings: GuildSettings, subject: str = first_of(SUBJECTS)) -> Panel:
    """Return the panel of the settings, with what is wrong with the chosen channels."""
    chosen = settings.channel_id
    is_gone = chosen is not None and not sees_channel(interaction)(chosen)
    return setup_panel(settings, texts(), subject, _lacking(interaction, settings), is_gone=is_gone)


def _lacking(interaction: AnyInteraction, settings: GuildSettings) -> list[str]:
    """Return the bot's missing permissions in the channel of the weekly board; all of them if it is gone."""
    if settings.weekly_channel_id is None:
        return []
    granted = granted_in(interaction.guild, settings.weekly_channel_id)
    return missing_permissions(granted or discord.Permissions.none(), threads=False)
