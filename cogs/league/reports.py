"""Reports of players: matches of a league with real cards, and `/report deal`, with which a member asks the staff to look at a deal."""

from dataclasses import replace

from discord import app_commands
from discord.ext import commands

from bot.errors import UserError
from bot.history.past_deals import check_deal, sight_of
from bot.interactions.permissions import my_table, require_guild, require_staff
from bot.interactions.receiver import Pressed, Router
from bot.interactions.reply import AnyInteraction, Kind, Reply
from bot.league.reports import columns, prefilled
from bot.panels.league.reports import LONGEST, answer_fields, report_fields, staff_panel
from bot.people import NamedPerson, channel_of, guild_of
from bot.scorekeeping.scorekeeper import Scorekeeper
from bot.services import Services
from bot.ui.items import Press, chosen, open_form, typed
from bot.words.numbers import read_id
from bot.words.texts import texts
from cogs.league.replies import LeagueOffers, league_offers, season_of
from data.ids import InteractionId
from league.ids import TableId


class LeagueReports(LeagueOffers):
    """Mixed into the group of `/league`."""

    _services: Services

    def serve_reports(self, router: Router) -> None:
        """Serve the verbs of this part."""
        router.add("form-report", self._filled_in)
        router.add("league-confirm", lambda pressed: self._answer(pressed, agrees=True))
        router.add("league-object", lambda pressed: self._answer(pressed, agrees=False))

    @app_commands.command(description="Report a match that you played with real cards")
    @app_commands.describe(league="Which league; otherwise yours, or this channel's")
    @app_commands.autocomplete(league=league_offers)
    @app_commands.guild_only()
    async def report(self, interaction: AnyInteraction, league: str = "") -> None:
        """Open the form, filled in with the deals of the home game recorded in this channel."""
        season_id = await season_of(self._services, interaction, league, playing=True)
        pod_id = await self._services.reports.pod_of(season_id, NamedPerson.of(interaction.user))
        view = await self._services.leagues.view(season_id)
        pod = view.season.pods[pod_id]
        names = [view.plain_name(player) for player in pod.players]
        begun = prefilled(names, await self._kept_deals(interaction, names))
        fields = report_fields(view, pod, begun, texts())
        press = Press("form-report", season_id, pod_id)
        await open_form(interaction, press, texts()("league.form_report", pod=pod_id), *fields)

    async def _kept_deals(self, interaction: AnyInteraction, names: list[str]) -> list[list[int]]:
        """Return the deals of the home game in this channel, if exactly these people play it."""
        scores = Scorekeeper(self._services.store, self._services.clock)
        try:
            evening = await scores.evening(await scores.find(channel_of(interaction)), guild_of(interaction))
        except UserError:  # no home game in this channel
            return []
        seats = columns(evening.session.names, names)
        return [[sheet.lines[seat].net for seat in seats] for sheet in evening.sheets] if seats else []

    async def _filled_in(self, pressed: Pressed) -> None:
        press, fields = pressed.press, pressed.fields
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            await self._services.leagues.require_here(pressed.season_id, guild_of(pressed.interaction))
            absent = [read_id(value) or 0 for value in chosen(fields, "absent")]
            await self._services.reports.report(
                pressed.season_id,
                press.revision,
                pressed.person,
                typed(fields, "deals"),
                absent,
                pressed.interaction_id,
            )
            await reply.tell(texts()("league.report_sent"))

    async def _answer(self, pressed: Pressed, *, agrees: bool) -> None:
        press = pressed.press
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            await self._services.leagues.require_here(pressed.season_id, guild_of(pressed.interaction))
            at = press.id_argument
            said = await self._services.reports.answer(
                pressed.season_id,
                press.revision,
                at,
                pressed.person,
                pressed.interaction_id,
                agrees=agrees,
            )
            await reply.tell(texts()(said))


class DealReporting(commands.GroupCog, name="report", description="Ask the staff to look at something"):
    """Reports and answers are private; the notice to the staff names no one."""

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
        """Store the answer."""
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
