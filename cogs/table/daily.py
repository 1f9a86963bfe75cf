"""`/daily`: the deal of the day, played alone; the board of yesterday, and the list of the month."""

from discord import app_commands
from discord.ext import commands

from bot.errors import UnexpectedInputError
from bot.interactions.guard import AnyInteraction
from bot.interactions.places import require_guild
from bot.interactions.reply import Kind, Reply
from bot.panels.daily import day_panel, month_panel
from bot.panels.table.fairness import seal
from bot.people import Person
from bot.services import Services
from bot.words.texts import texts
from cogs.table.replies import TableReplies
from data.ids import InteractionId
from league.ids import GuildId


class DailyDeal(commands.Cog):
    """Everything is answered in private."""

    def __init__(self, services: Services, replies: TableReplies) -> None:
        self._services = services
        self._replies = replies

    @app_commands.command(description="The deal of the day: the same cards for everybody here, one attempt")
    @app_commands.describe(show="Else your own attempt at today's deal")
    @app_commands.choices(
        show=[
            app_commands.Choice(name="the board of the last day", value="board"),
            app_commands.Choice(name="the list of this month", value="month"),
        ]
    )
    @app_commands.guild_only()
    async def daily(self, interaction: AnyInteraction, show: str | None = None) -> None:
        """Open or continue today's deal; or show the results of earlier days."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            guild_id, _ = require_guild(interaction)
            match show:
                case None:
                    await self._play(interaction, reply, guild_id)
                case "board":
                    await reply.show(day_panel(await self._services.daily.last_board(guild_id), texts()))
                case "month":
                    await reply.show(month_panel(await self._services.daily.month(guild_id), texts()))
                case _:
                    raise UnexpectedInputError("nothing to show")

    async def _play(self, interaction: AnyInteraction, reply: Reply, guild_id: GuildId) -> None:
        person = Person.of(interaction.user)
        table_id, begun = await self._services.daily.open(guild_id, person, InteractionId(interaction.id))
        note = None
        if begun:
            async with self._services.store.read() as db:
                deal = await db.deals.get(table_id, 1)
            note = texts()("daily.begun", seal=seal(deal.commitment) if deal else "")
        await self._replies.show_hand(reply, table_id, person, note)
