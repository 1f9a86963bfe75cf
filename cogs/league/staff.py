"""Staff commands to open, start, change, move, close and export a league."""

from discord import app_commands

from bot.history.exports import stored_season_files
from bot.history.season_pages import calendar_file
from bot.interactions.permissions import require_league_place, require_staff, timezone_choices
from bot.interactions.receiver import Pressed, Router
from bot.interactions.reply import AnyInteraction, Kind, Reply
from bot.league.number_settings import ROLE, bad_setting, changed, described
from bot.league.ruling_events import closing, renumbered
from bot.panels.history.deal_list import season_panel
from bot.panels.league.lists import SHOWN, list_panel, number_panel
from bot.panels.league.rulings import draw_panel
from bot.people import NamedPerson, guild_of
from bot.services import Services
from bot.ui.items import MOST_OPTIONS, Press, open_form
from bot.ui.panel import notice_panel
from bot.words.names import shown_name
from bot.words.texts import texts
from bot.workpool.pool import WorkKind
from cogs.league.replies import (
    create_fields,
    last_season_of,
    league_offers,
    read_create,
    read_pace,
    season_of,
)
from cogs.league.ruling_steps import LeagueActing
from data.ids import InteractionId, SeasonId
from data.preferences import Pace
from league.ids import GuildId
from league.settings import SeasonSettings

_CLOCKS = [
    app_commands.Choice(name=name, value=pace.value)
    for pace, name in {
        Pace.FAST: "30 seconds a move",
        Pace.NORMAL: "90 seconds a move",
        Pace.SLOW: "5 minutes a move",
        Pace.DAILY: "a day a move",
        Pace.NONE: "no clock",
    }.items()
]


season_commands = app_commands.Group(
    name="season", description="Open a league, start it, change it, move it, close it or export it"
)
"""`/league-staff season`: a group of its own, because Discord allows 25 commands in a group."""


class LeagueStaff(LeagueActing):
    """Mixed into the group of `/league-staff`. Non-staff are refused at run time."""

    _services: Services

    def serve_staff(self, router: Router) -> None:
        """Serve the verbs of this part."""
        router.add("form-league", self._create)
        router.add("league-draw", self._draw_now)

    @season_commands.command(description="Open a league in this channel: a form asks for the rest")
    @app_commands.describe(clock="How long a move may take; otherwise 90 seconds")
    @app_commands.choices(clock=_CLOCKS)
    async def create(self, interaction: AnyInteraction, clock: str = Pace.NORMAL.value) -> None:
        """Open the form for a new league."""
        await require_staff(self._services.store, interaction)
        require_league_place(interaction)
        say, server = texts(), await self._services.servers.settings(guild_of(interaction) or GuildId(0))
        await open_form(
            interaction,
            Press("form-league", 0, 0, clock),
            say("league.form_title"),
            *create_fields(say, server),
        )

    async def _create(self, pressed: Pressed) -> None:
        interaction = pressed.interaction
        async with Reply(interaction, Kind.PRIVATE) as reply:
            await require_staff(self._services.store, interaction)
            guild_id, channel_id = require_league_place(interaction)
            server = await self._services.servers.settings(guild_id)
            founding = read_create(pressed.fields, server, read_pace(pressed.press.argument))
            await self._services.leagues.create(
                guild_id, channel_id, pressed.person, founding, InteractionId(interaction.id)
            )
            await reply.tell(texts()("league.created", league=shown_name(founding.name)))

    @season_commands.command(description="Draw the next round now; the first draw ends the sign-up")
    @app_commands.describe(league="Which league; otherwise yours, or this channel's")
    @app_commands.autocomplete(league=league_offers)
    async def start(self, interaction: AnyInteraction, league: str = "") -> None:
        """Preview who would be drawn, and ask for confirmation."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            await require_staff(self._services.store, interaction)
            season_id = await season_of(self._services, interaction, league)
            draw = await self._services.season_admin.next_draw(season_id)
            await reply.show(draw_panel(await self._services.leagues.view(season_id), draw, texts()))

    async def _draw_now(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await require_staff(self._services.store, pressed.interaction)
            await self._services.leagues.require_here(pressed.season_id, guild_of(pressed.interaction))
            await self._services.season_admin.start(
                pressed.season_id, pressed.press.revision, pressed.interaction_id
            )
            await reply.show(notice_panel(texts()("league.started")))

    @season_commands.command(description="Change a number of a league; what was played stays as it is")
    @app_commands.describe(
        setting="Which number",
        value="Its new value",
        reason="Why, once the season has begun",
        league="Which league; else the one of this channel",
    )
    @app_commands.autocomplete(league=league_offers)
    async def settings(
        self,
        interaction: AnyInteraction,
        setting: str = "",
        value: str = "",
        reason: app_commands.Range[str, 0, 200] = "",
        league: str = "",
    ) -> None:
        """Change a number: at once before the first draw, afterwards with a preview.

        Without a value, show it.
        """
        async with Reply(interaction, Kind.PRIVATE) as reply:
            await require_staff(self._services.store, interaction)
            season_id, say = await season_of(self._services, interaction, league), texts()
            if value and await self._change(reply, season_id, setting, value, reason):
                return
            view = await self._services.leagues.view(season_id)
            await reply.show(
                number_panel(view, setting, say)
                if setting in SHOWN
                else list_panel(view, "numbers", 0, None, say)
            )

    async def _change(self, reply: Reply, season_id: SeasonId, setting: str, value: str, reason: str) -> bool:
        """Change a number. Return True if a preview was shown, which its author must confirm."""
        staff, view = NamedPerson.of(reply.interaction.user), await self._services.leagues.view(season_id)
        if setting == ROLE:
            _require_known_role(reply.interaction, view.season.settings, value)
        if not (view.season.drawn or view.season.pods):
            interaction_id = InteractionId(reply.interaction.id)
            await self._services.season_admin.set_number(season_id, staff, setting, value, interaction_id)
            return False
        pace = view.row.pace
        await self._preview(
            reply, season_id, reason, lambda season, _, __: renumbered(season, pace, setting, value)
        )
        return True

    @settings.autocomplete("setting")
    async def _offer_settings(self, _: AnyInteraction, current: str) -> list[app_commands.Choice[str]]:
        wanted = current.casefold()
        known = [(name, described(name, texts())) for name in SHOWN]
        return [
            app_commands.Choice(name=f"{name}: {what}"[:100], value=name)
            for name, what in known
            if wanted in name or wanted in what.casefold()
        ][:MOST_OPTIONS]

    @settings.autocomplete("value")
    async def _offer_values(
        self, interaction: AnyInteraction, current: str
    ) -> list[app_commands.Choice[str]]:
        """Suggest time zones; every other value is typed in full."""
        wanted = interaction.namespace.setting == "timezone"
        return timezone_choices(current) if wanted else []

    @season_commands.command(description="Move a league's announcements to this channel")
    @app_commands.describe(league="Which league; otherwise yours, or this channel's")
    @app_commands.autocomplete(league=league_offers)
    async def here(self, interaction: AnyInteraction, league: str = "") -> None:
        """Move to another channel."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            await require_staff(self._services.store, interaction)
            _, channel_id = require_league_place(interaction)
            season_id = await season_of(self._services, interaction, league)
            await self._services.season_admin.set_place(season_id, channel_id, InteractionId(interaction.id))
            await reply.tell(texts()("league.moved"))

    @season_commands.command(description="End a league for good, with the table as it stands")
    @app_commands.describe(
        league="Which league; otherwise yours, or this channel's", reason="Why; everybody can read it"
    )
    @app_commands.autocomplete(league=league_offers)
    async def close(
        self, interaction: AnyInteraction, reason: app_commands.Range[str, 1, 200], league: str = ""
    ) -> None:
        """Preview what closing the season early would end, and ask for confirmation."""
        await self._prepare(interaction, league, reason, lambda season, _, __: closing(season))

    @season_commands.command(name="next", description="Open the next season of a league that is over")
    @app_commands.describe(league="Which league; otherwise the one that ended here")
    @app_commands.autocomplete(league=league_offers)
    async def next_season(self, interaction: AnyInteraction, league: str = "") -> None:
        """Open the next season."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            await require_staff(self._services.store, interaction)
            former = await last_season_of(self._services, interaction, league)
            staff = NamedPerson.of(interaction.user)
            season_id = await self._services.leagues.renew(former, staff, InteractionId(interaction.id))
            view = await self._services.leagues.view(season_id)
            await reply.tell(texts()("league.renewed", league=view.title))

    @season_commands.command(
        description="Export a league: results, standings and deals as CSV and JSON, a page, a calendar"
    )
    @app_commands.describe(league="Which league; otherwise yours, or this channel's")
    @app_commands.autocomplete(league=league_offers)
    async def export(self, interaction: AnyInteraction, league: str = "") -> None:
        """Send the files of a season."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            await require_staff(self._services.store, interaction)
            view = await self._services.leagues.view(await season_of(self._services, interaction, league))
            names = {player: view.plain_name(player) for player in view.people}
            files = await self._services.workpool.run(
                WorkKind.EXPORT,
                NamedPerson.of(interaction.user).id,
                stored_season_files,
                self._services.store.place,
                view.row.id,
                names,
                view.now,
                texts().language,
            )
            calendar = {"calendar.ics": calendar_file(view, texts())}
            await reply.show(season_panel(view.title, {**files, **calendar}, texts()))


def _require_known_role(interaction: AnyInteraction, settings: SeasonSettings, typed: str) -> None:
    """Raise UserError for a role that this server does not have."""
    role_id, guild = changed(settings, ROLE, typed).role, interaction.guild
    if role_id and (guild is None or guild.get_role(role_id) is None):
        raise bad_setting(settings, ROLE)
