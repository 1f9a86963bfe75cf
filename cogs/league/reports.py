"""Home games of a league: reporting and confirming matches played with real cards."""

from discord import app_commands

from bot.errors import UserError
from bot.interactions.receiver import Pressed, Router
from bot.interactions.reply import AnyInteraction, Kind, Reply
from bot.league.reports import columns, prefilled
from bot.panels.league.reports import report_fields
from bot.people import NamedPerson, channel_of, guild_of
from bot.scorekeeping.scorekeeper import Scorekeeper
from bot.services import Services
from bot.ui.items import Press, chosen, open_form, typed
from bot.words.numbers import read_id
from bot.words.texts import texts
from cogs.league.replies import LeagueOffers, league_offers, season_of


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
        """Open the form, filled in with the deals of the evening kept in this channel."""
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
        """The deals of the home game kept in this channel, if exactly these people play it."""
        scores = Scorekeeper(self._services.store, self._services.clock)
        try:
            evening = await scores.evening(await scores.find(channel_of(interaction)), guild_of(interaction))
        except UserError:  # no evening is kept here
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
