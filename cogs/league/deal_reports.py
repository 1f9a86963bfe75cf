"""`/report deal`: a member of a league asks its staff to look at a deal, and hears what came of it."""

from dataclasses import replace

from discord import app_commands
from discord.ext import commands

from bot.errors import UserError
from bot.history.past_deals import check_deal, sight_of
from bot.interactions.permissions import my_table, require_guild, require_staff
from bot.interactions.receiver import Pressed, Router
from bot.interactions.reply import AnyInteraction, Kind, Reply
from bot.panels.league.deal_reports import LONGEST, answer_fields, staff_panel
from bot.people import NamedPerson, guild_of
from bot.services import Services
from bot.ui.items import Press, open_form, typed
from bot.words.texts import texts
from data.ids import InteractionId
from league.ids import TableId


class DealReporting(commands.GroupCog, name="report", description="Ask the staff to look at something"):
    """Reports and answers are private; the call to the staff names no one."""

    def __init__(self, services: Services, router: Router) -> None:
        self._services = services
        router.add("deal-report", self._look)
        router.add("deal-report-answer", self._ask)
        router.add("form-deal-report", self._answer)

    @app_commands.command(
        description="Ask the staff of a league to look at a deal; only they see who asks, and why"
    )
    @app_commands.describe(
        reason="What looked wrong",
        deal="The deal's number; otherwise the last finished one",
        table="The table's number; otherwise yours, or the last one in this channel",
    )
    @app_commands.guild_only()
    async def deal(
        self,
        interaction: AnyInteraction,
        reason: app_commands.Range[str, 3, LONGEST],
        deal: app_commands.Range[int, 1, 2**31] | None = None,
        table: app_commands.Range[int, 1, 2**31] | None = None,
    ) -> None:
        """Report a deal."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            guild_id, channel_id = require_guild(interaction)
            table_id = None if table is None else TableId(table)
            if table_id is None:
                table_id = await self._services.store.read(lambda db: db.tables.latest_played(channel_id))
            told = await self._services.deal_reports.report(
                guild_id,
                NamedPerson.of(interaction.user),
                table_id or await my_table(self._services.tables, interaction),
                deal,
                reason,
                InteractionId(interaction.id),
            )
            await reply.tell(texts()("dealreport.sent", deal=told.deal, pod=told.pod))

    async def _look(self, pressed: Pressed) -> None:
        """Show a report to the staff."""
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            await self._require_staff(pressed)
            event = pressed.press.revision
            table, deal = await self._services.deal_reports.look(pressed.season_id, event)
            sight = replace(sight_of(pressed.interaction), reported=(table.id, deal))
            checked = await check_deal(self._services.store, sight, table.id, deal)
            view = await self._services.leagues.view(pressed.season_id)
            await reply.show(staff_panel(view, event, table, checked, texts()))

    async def _ask(self, pressed: Pressed) -> None:
        """Open the form for an answer."""
        await self._require_staff(pressed)
        press = pressed.press
        await self._services.deal_reports.require_impartial(pressed.season_id, press.revision, pressed.person)
        form = Press("form-deal-report", press.subject, press.revision, press.argument)
        upheld = press.argument == "1"
        title = texts()("dealreport.uphold" if upheld else "dealreport.dismiss")
        await open_form(pressed.interaction, form, title, *answer_fields(texts()))

    async def _answer(self, pressed: Pressed) -> None:
        """Enter the answer."""
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            await self._require_staff(pressed)
            answer = typed(pressed.fields, "answer").strip()
            if not answer:
                raise UserError("dealreport.say_something")
            await self._services.deal_reports.answer(
                pressed.season_id,
                pressed.press.revision,
                pressed.person,
                answer[:LONGEST],
                pressed.interaction_id,
                upheld=pressed.press.argument == "1",
            )
            await reply.tell(texts()("dealreport.answered"))

    async def _require_staff(self, pressed: Pressed) -> None:
        await require_staff(self._services.store, pressed.interaction)
        await self._services.leagues.require_here(pressed.season_id, guild_of(pressed.interaction))
