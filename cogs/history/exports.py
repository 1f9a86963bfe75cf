"""`/export`: a server's deals as files for other programs, for staff."""

from discord import app_commands
from discord.ext import commands

from bot.history.exports import deal_files
from bot.history.search import begin_of
from bot.interactions.error_boundary import AnyInteraction
from bot.interactions.reply import Kind, Reply
from bot.interactions.staff import require_staff
from bot.panels.history.exports import deals_panel
from bot.people import Person, guild_of
from bot.services import Services
from bot.words.texts import texts
from bot.workpool.pool import WorkKind
from league.ids import GuildId


@app_commands.guild_only()
@app_commands.default_permissions(manage_guild=True)
class Exports(
    commands.GroupCog, name="export", description="Deals of this server as files for other programs"
):
    """Answers are private. People who are not staff are refused at run time too."""

    def __init__(self, services: Services) -> None:
        self._services = services

    @app_commands.command(description="Export finished deals as CSV and JSON, one row for each seat")
    @app_commands.describe(since="The period; otherwise all time")
    @app_commands.choices(
        since=[
            app_commands.Choice(name="the last 7 days", value="week"),
            app_commands.Choice(name="the last 30 days", value="month"),
            app_commands.Choice(name="the last year", value="year"),
        ]
    )
    async def deals(self, interaction: AnyInteraction, since: str | None = None) -> None:
        """Send the files."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            await require_staff(self._services.store, interaction)
            begin = begin_of(since, self._services.clock.now())
            found = await self._services.workpool.run(
                WorkKind.EXPORT,
                Person.of(interaction.user).id,
                deal_files,
                self._services.store.place,
                guild_of(interaction) or GuildId(0),
                begin or 0,
            )
            await reply.show(deals_panel(found, texts()))
