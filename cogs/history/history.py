"""`/history`: finished deals, the person's own and those that everybody in the server could watch."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.errors import UnexpectedInputError
from bot.history.past_deals import past_deal, sight_of
from bot.history.search import Asked, read_asked
from bot.interactions.error_boundary import AnyInteraction
from bot.interactions.reply import Kind, Reply
from bot.interactions.router import Pressed, Router
from bot.panels.history.deal_list import history_panel, past_deal_panel
from bot.services import Services
from bot.ui.presets import PRESET_CHOICES
from bot.words.numbers import read_number
from bot.words.texts import texts
from league.ids import PersonId, TableId
from render.known import Outcome


class History(commands.Cog):
    """Lists are private and made for the person who presses, so that nobody sees a deal that is not for them."""

    def __init__(self, services: Services, router: Router) -> None:
        self._services = services
        for verb in ("history", "history-own", "history-all", "history-back", "history-on"):
            router.add(verb, self._turn)
        router.add("pick-deal", self._look)
        router.add("past-deal", self._open)

    @app_commands.command(description="Finished deals: yours, or all that you may see in this server")
    @app_commands.describe(
        whose="Your own deals, or those of the whole server",
        table="Only deals of the table with this number",
        player="Only deals in which this person also played",
        preset="Only deals with these rules",
        since="Only deals from this period",
    )
    @app_commands.choices(
        whose=[
            app_commands.Choice(name="mine", value="own"),
            app_commands.Choice(name="the whole server", value="all"),
        ],
        preset=PRESET_CHOICES,
        since=[
            app_commands.Choice(name="the last 7 days", value="week"),
            app_commands.Choice(name="the last 30 days", value="month"),
            app_commands.Choice(name="the last year", value="year"),
        ],
    )
    async def history(
        self,
        interaction: AnyInteraction,
        whose: str = "own",
        table: app_commands.Range[int, 1, 2**31] | None = None,
        player: discord.User | None = None,
        preset: str | None = None,
        since: str | None = None,
    ) -> None:
        """List deals."""
        asked = Asked.of(
            whose,
            TableId(table) if table else None,
            PersonId(player.id) if player else None,
            preset,
            since,
        )
        await self._show(interaction, asked, 0, Kind.PRIVATE)

    async def _turn(self, pressed: Pressed) -> None:
        kind = pressed.privately if pressed.press.verb in _TURNS else Kind.PRIVATE
        await self._show(pressed.interaction, read_asked(pressed.press), pressed.press.revision, kind)

    async def _show(self, interaction: AnyInteraction, asked: Asked, number: int, kind: Kind) -> None:
        async with Reply(interaction, kind) as reply:
            page = await self._services.deal_search.page(sight_of(interaction), asked, number)
            await reply.show(history_panel(page, texts()))

    async def _look(self, pressed: Pressed) -> None:
        named = pressed.chosen.partition("-")
        table, deal = (read_number(part, 9) for part in (named[0], named[2]))
        if table is None or deal is None:
            raise UnexpectedInputError("a deal that was never listed")
        await self._open_deal(pressed.interaction, TableId(table), deal)

    async def _open(self, pressed: Pressed) -> None:
        await self._open_deal(pressed.interaction, pressed.table_id, pressed.press.revision)

    async def _open_deal(self, interaction: AnyInteraction, table_id: TableId, deal_no: int) -> None:
        async with Reply(interaction, Kind.PRIVATE) as reply:
            past = await past_deal(self._services.store, sight_of(interaction), table_id, deal_no)
            view = past.view
            # Without the cards, which **Hands** shows, it can be read on a phone without enlarging it.
            end = Outcome(view.tiplu, view.rules, view.sheet, dublee_game=view.dublee_game)
            picture = await self._services.pictures.sheet(end, past.names, past.totals)
            await reply.show(past_deal_panel(past, picture, texts()))


_TURNS = {"history-back", "history-on", "history-own", "history-all"}
