"""`/verify`: checking the shuffle of a finished deal that the person may see."""

from discord import app_commands
from discord.ext import commands

from bot.history.deal_record import check_deal
from bot.history.past_deals import sight_of
from bot.interactions.error_boundary import AnyInteraction
from bot.interactions.reply import Kind, Reply
from bot.panels.history.deal_record import record_panel
from bot.services import Services
from bot.words.texts import texts
from league.ids import TableId


class Fair(commands.Cog):
    """Let people check that nobody chose the cards."""

    def __init__(self, services: Services) -> None:
        self._services = services

    @app_commands.command(description="Check the shuffle of a finished deal, card by card")
    @app_commands.describe(
        table="The number of the table", deal="The number of the deal; else its last finished one"
    )
    @app_commands.guild_only()
    async def verify(
        self,
        interaction: AnyInteraction,
        table: app_commands.Range[int, 1, 2**31],
        deal: app_commands.Range[int, 1, 2**31] | None = None,
    ) -> None:
        """Recompute a deal and report the result."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            checked = await check_deal(self._services.store, sight_of(interaction), TableId(table), deal)
            await reply.show(record_panel(checked, texts()))
