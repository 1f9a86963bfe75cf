"""`/fairplay`: figures that may give staff a reason to ask questions."""

from discord import app_commands
from discord.ext import commands

from bot.history.fair_play import stored_questions
from bot.history.search import begin_of
from bot.interactions.error_boundary import AnyInteraction
from bot.interactions.reply import Kind, Reply
from bot.interactions.staff import require_staff
from bot.panels.history.fair_play import questions_panel
from bot.people import Person, guild_of
from bot.services import Services
from bot.words.texts import texts
from bot.workpool.pool import WorkKind
from league.ids import GuildId


class FairPlay(commands.Cog):
    """Answers are private. People who are not staff are refused at run time too."""

    def __init__(self, services: Services) -> None:
        self._services = services

    @app_commands.command(
        description="See what in points, boards and moves deserves a question, and what chance alone would do"
    )
    @app_commands.describe(since="The period; otherwise all time")
    @app_commands.choices(
        since=[
            app_commands.Choice(name="the last 30 days", value="month"),
            app_commands.Choice(name="the last year", value="year"),
        ]
    )
    @app_commands.guild_only()
    @app_commands.default_permissions(manage_guild=True)
    async def fairplay(self, interaction: AnyInteraction, since: str | None = None) -> None:
        """Show the figures."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            await require_staff(self._services.store, interaction)
            begin = begin_of(since, self._services.clock.now())
            found = await self._services.workpool.run(
                WorkKind.FOLD,
                Person.of(interaction.user).id,
                stored_questions,
                self._services.store.place,
                guild_of(interaction) or GuildId(0),
                begin or 0,
                texts().language,
            )
            await reply.show(questions_panel(found, texts()))
