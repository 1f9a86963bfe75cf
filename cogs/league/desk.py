"""The organiser's desk: one private panel, from which every matter leads to the act that mends it."""

from discord import app_commands

from bot.errors import UnexpectedInputError, UserError
from bot.interactions.guard import AnyInteraction
from bot.interactions.reply import Kind, Reply
from bot.interactions.router import Pressed, Router
from bot.interactions.staff import require_staff
from bot.league import ruling_events
from bot.league.agenda import played_within
from bot.league.calendar_acts import extended, paused, resumed
from bot.league.rulings import Make
from bot.league.season_view import SeasonView
from bot.panels.league.desk import desk_panel, matter_panel, reason_field
from bot.panels.league.rulings import draw_panel
from bot.people import guild_of
from bot.ui.custom_id import Press
from bot.ui.form import open_form, typed
from bot.words.texts import texts
from cogs.league.replies import league_offers, season_of
from cogs.league.ruling_steps import LeagueActing
from data.ids import SeasonId
from league.results import Player


class LeagueDesk(LeagueActing):
    """Mixed into the group of `/league-staff`."""

    def serve_desk(self, router: Router) -> None:
        """Serve the verbs of this part."""
        router.add("desk", self._show_again)
        router.add("pick-desk", self._pick_matter)
        router.add("desk-draw", self._ask_to_draw)
        router.add("desk-act", self._ask_why)
        router.add("form-desk", self._prepare_act)

    @app_commands.command(
        description="What needs you: matches, disputes, silent players, and what comes next"
    )
    @app_commands.describe(league="Which league")
    @app_commands.autocomplete(league=league_offers)
    async def desk(self, interaction: AnyInteraction, league: str = "") -> None:
        """Show the desk."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            await require_staff(self._services.store, interaction)
            season_id = await season_of(self._services, interaction, league)
            await reply.show(desk_panel(await self._services.leagues.view(season_id), texts()))

    async def _show_again(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await reply.show(desk_panel(await self._seen(pressed), texts()))

    async def _pick_matter(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            view = await self._seen(pressed)
            kind, _, number = pressed.chosen.partition("-")
            if not number.isdecimal() or len(number) > 18:
                raise UnexpectedInputError("a matter that there is not")
            shown = matter_panel(view, kind, int(number), texts())
            await reply.show(shown or desk_panel(view, texts()))

    async def _ask_to_draw(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            view = await self._seen(pressed)
            draw = await self._services.season_admin.next_draw(pressed.season_id)
            await reply.show(draw_panel(view, draw, texts()))

    async def _ask_why(self, pressed: Pressed) -> None:
        await require_staff(self._services.store, pressed.interaction)
        press, say = pressed.press, texts()
        form = Press("form-desk", press.subject, press.revision, press.argument)
        await open_form(pressed.interaction, form, say("desk.why"), reason_field(say))

    async def _prepare_act(self, pressed: Pressed) -> None:
        """Show what an act of the desk would change, with the button that confirms it."""
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            view = await self._seen(pressed)
            reason = typed(pressed.fields, "reason")
            make = self._make(view, pressed.press.argument, pressed.press.revision)
            await self._preview(reply, pressed.season_id, reason, make)

    async def _seen(self, pressed: Pressed) -> SeasonView:
        """The season as it is now, for its staff alone."""
        await require_staff(self._services.store, pressed.interaction)
        season_id = SeasonId(pressed.press.subject)
        return await self._services.leagues.view(season_id, guild_of(pressed.interaction))

    def _make(self, view: SeasonView, act: str, number: int) -> Make:
        """The ruling that an act of the desk is: about the league, a pod or a player of that number."""
        makes: dict[str, Make] = {
            "pause": lambda season, _, __: paused(season),
            "resume": lambda season, _, __: resumed(season),
            "extend": lambda season, _, __: extended(view.row, season),
            "accept": lambda season, _, __: ruling_events.accepted(season, number),
            "reopen": lambda season, _, __: ruling_events.reopened(
                season, number, self._services.clock.now() + played_within(season)
            ),
            "average": lambda season, _, __: ruling_events.ruled(season, number, ()),
            "withdraw": lambda season, _, __: ruling_events.withdrawn(season, Player(number)),
            "ban": lambda season, _, __: ruling_events.banned(season, Player(number)),
        }
        if act not in makes:
            raise UnexpectedInputError("an act that there is not")
        if act in {"withdraw", "ban"} and number not in view.season.members:
            raise UserError("league.not_a_member")
        return makes[act]
