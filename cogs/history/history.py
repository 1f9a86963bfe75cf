"""Finished deals: `/history`, `/verify`, `/export` and `/fairplay`.

`/history` lists deals and `/verify` checks the shuffle of one. For staff, `/export` sends deals as files and
`/fairplay` shows figures.
"""

import discord
import structlog
from discord import app_commands
from discord.ext import commands

from bot.errors import UnexpectedInputError
from bot.history.exports import deal_files
from bot.history.fair_play import stored_questions
from bot.history.past_deals import Asked, begin_of, check_deal, past_deal, read_asked, sight_of
from bot.interactions.permissions import require_staff
from bot.interactions.receiver import Pressed, Router
from bot.interactions.reply import AnyInteraction, Kind, Reply
from bot.panels.history.deal_list import deals_panel, history_panel, past_deal_panel, record_panel
from bot.panels.history.fair_play import questions_panel
from bot.people import NamedPerson, guild_of
from bot.services import Services
from bot.ui.items import PRESET_CHOICES
from bot.words.numbers import read_number
from bot.words.texts import texts
from bot.workpool.pool import WorkKind
from league.ids import GuildId, PersonId, TableId
from render.picture import Outcome

log = structlog.get_logger(__name__)


@app_commands.guild_only()
@app_commands.default_permissions(manage_guild=True)
class ExportCommands(
    commands.GroupCog, name="export", description="Deals of this server as files for other programs"
):
    """Answers are private. The commands also refuse non-staff at run time."""

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
                NamedPerson.of(interaction.user).id,
                deal_files,
                self._services.store.place,
                guild_of(interaction) or GuildId(0),
                begin or 0,
            )
            await reply.show(deals_panel(found, texts()))


class VerifyCommands(commands.Cog):
    """Lets people check that no one chose the cards."""

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


class HistoryCommands(commands.Cog):
    """Lists are private and made for the person who asks, so that no one sees another person's deals."""

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
            # Without the cards, which **Hands** shows, it can be read on a phone without zooming.
            end = Outcome(view.tiplu, view.rules, view.sheet, dublee_game=view.dublee_game)
            picture = await self._services.pictures.sheet(end, past.names, past.totals)
            await reply.show(past_deal_panel(past, picture, texts()))


_TURNS = {"history-back", "history-on", "history-own", "history-all"}


class FairPlayCommands(commands.Cog):
    """Answers are private. The command also refuses non-staff at run time."""

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
                NamedPerson.of(interaction.user).id,
                stored_questions,
                self._services.store.place,
                guild_of(interaction) or GuildId(0),
                begin or 0,
                texts().language,
            )
            for error in found.damaged:
                log.error("fair_play.deal_left_out", exc_info=error)
            await reply.show(questions_panel(found, texts()))
