"""`/league`: the players' commands of a season. Those of the staff are in `cogs.league.staff`."""

from typing import cast

from discord import app_commands
from discord.ext import commands

from bot.errors import UserError
from bot.interactions.permissions import require_guild
from bot.interactions.receiver import Pressed, Router, Tree
from bot.interactions.reply import AnyInteraction, Kind, Reply
from bot.panels.league.direct_messages import next_panel
from bot.panels.league.lists import archive_panel, list_panel
from bot.panels.league.posts import signup_panel
from bot.services import Services
from bot.ui.items import Press
from bot.words.numbers import read_number
from bot.words.texts import texts
from cogs.league.entering import LeagueEntering, LeagueTeams
from cogs.league.replies import LeagueOffers, answer_standings, league_offers, season_of
from cogs.league.reports import LeagueReports
from cogs.league.times import LeagueTimes
from data.ids import SeasonId


class LeagueSeasons(LeagueOffers):
    """Mixed into the group of `/league`."""

    _services: Services

    def serve_seasons(self, router: Router) -> None:
        """Serve the verbs of this part."""
        router.add("league-older", self._turn_archive)
        router.add("pick-season", self._pick)

    @app_commands.command(description="List past seasons, with their winners and tables")
    @app_commands.guild_only()
    async def archive(self, interaction: AnyInteraction) -> None:
        """Show the archive."""
        await self._archive(interaction, 0, Kind.PRIVATE)

    async def _turn_archive(self, pressed: Pressed) -> None:
        await self._archive(pressed.interaction, pressed.press.revision, pressed.privately)

    async def _archive(self, interaction: AnyInteraction, page: int, kind: Kind) -> None:
        async with Reply(interaction, kind) as reply:
            guild_id, _ = require_guild(interaction)
            await reply.show(archive_panel(await self._services.leagues.archive(guild_id, page), texts()))

    async def _pick(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            guild_id, _ = require_guild(pressed.interaction)
            row = await self._services.leagues.find(guild_id, pressed.chosen or "-")
            view = await self._services.leagues.view(row.id)
            await reply.show(signup_panel(view, texts(), self._services.settings.pages_url))


_TURNS = ("league-back", "league-on", "league-around", "league-division")


class League(
    LeagueEntering,
    LeagueReports,
    LeagueSeasons,
    LeagueTeams,
    LeagueTimes,
    commands.GroupCog,
    name="league",
    description="Leagues: a season of matches",
):
    """Each command or component finds its season, calls one service, and answers in private."""

    def __init__(self, services: Services, router: Router) -> None:
        self._services = services
        for verb in ("league-standings", *_TURNS):
            router.add(verb, self._turn)
        router.add("pick-division", self._pick_division)
        router.add("league-next", self._pressed_next)
        router.add("pick-league", self._picked_league)
        for verb in ("league-all", "league-list"):
            router.add(verb, self._list)
        self.serve_entering(router)
        self.serve_reports(router)
        self.serve_seasons(router)
        self.serve_teams(router)
        self.serve_times(router)

    # Views

    @app_commands.command(description="Show a league: its format, its players and its calendar")
    @app_commands.describe(league="Which league; otherwise yours, or this channel's")
    @app_commands.autocomplete(league=league_offers)
    @app_commands.guild_only()
    async def show(self, interaction: AnyInteraction, league: str = "") -> None:
        """Show the season with its buttons."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            view = await self._services.leagues.view(await season_of(self._services, interaction, league))
            await reply.show(signup_panel(view, texts(), self._services.settings.pages_url))

    @app_commands.command(
        name="next", description="See what comes next for you: your table, its deadline, your opponents"
    )
    @app_commands.describe(league="Which league; otherwise yours, or this channel's")
    @app_commands.autocomplete(league=league_offers)
    @app_commands.guild_only()
    async def coming(self, interaction: AnyInteraction, league: str = "") -> None:
        """Show what comes next."""
        await self._next(interaction, await season_of(self._services, interaction, league, playing=True))

    @app_commands.command(description="Show the standings of a league")
    @app_commands.describe(
        league="Which league; otherwise yours, or this channel's",
        public="Show it to everybody in the channel",
    )
    @app_commands.autocomplete(league=league_offers)
    @app_commands.guild_only()
    async def standings(
        self,
        interaction: AnyInteraction,
        league: str = "",
        public: bool = False,  # noqa: FBT001, FBT002 - an option
    ) -> None:
        """Show the standings."""
        season_id = await season_of(self._services, interaction, league)
        kind = Kind.PUBLIC if public else Kind.PRIVATE
        await answer_standings(self._services, interaction, Press("league-standings", season_id, 0), kind)

    @app_commands.command(description="Show the pods of a round and their results")
    @app_commands.describe(
        league="Which league; otherwise yours, or this channel's", number="Which round; else the latest"
    )
    @app_commands.rename(number="round")
    @app_commands.autocomplete(league=league_offers)
    @app_commands.guild_only()
    async def pods(
        self,
        interaction: AnyInteraction,
        league: str = "",
        number: app_commands.Range[int, 1, 99] | None = None,
    ) -> None:
        """Show a round."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            view = await self._services.leagues.view(await season_of(self._services, interaction, league))
            number = number or view.current_round
            if number not in view.season.rounds and view.season.settings.format.has_draw:
                raise UserError("league.not_drawn", round=number)
            viewer = view.by_person.get(interaction.user.id)
            await reply.show(list_panel(view, f"pods-{number}", None, viewer, texts()))

    @app_commands.command(description="See every setting of a league")
    @app_commands.describe(league="Which league; otherwise yours, or this channel's")
    @app_commands.autocomplete(league=league_offers)
    @app_commands.guild_only()
    async def settings(self, interaction: AnyInteraction, league: str = "") -> None:
        """Show the season's numbers; staff change them with `/league-staff season settings`."""
        await self._show_list(interaction, league, "numbers")

    @app_commands.command(description="See what the staff of a league have decided, and why")
    @app_commands.describe(league="Which league; otherwise yours, or this channel's")
    @app_commands.autocomplete(league=league_offers)
    @app_commands.guild_only()
    async def log(self, interaction: AnyInteraction, league: str = "") -> None:
        """Show the rulings; everybody may read them."""
        await self._show_list(interaction, league, "log")

    async def _show_list(self, interaction: AnyInteraction, league: str, name: str) -> None:
        async with Reply(interaction, Kind.PRIVATE) as reply:
            view = await self._services.leagues.view(await season_of(self._services, interaction, league))
            await reply.show(list_panel(view, name, 0, None, texts()))

    async def _next(self, interaction: AnyInteraction, season_id: SeasonId) -> None:
        async with Reply(interaction, Kind.PRIVATE) as reply:
            guild_id, _ = require_guild(interaction)
            view = await self._services.leagues.view(season_id, guild_id)
            player = view.by_person.get(interaction.user.id, 0)
            await reply.show(next_panel(view, player, texts()))

    async def _pressed_next(self, pressed: Pressed) -> None:
        await self._next(pressed.interaction, pressed.season_id)

    async def _picked_league(self, pressed: Pressed) -> None:
        """Repeat the command that asked which league was meant."""
        tree = cast("Tree", pressed.interaction.client.tree)
        chosen = str(pressed.chosen_number)
        if not await tree.again(pressed.press.id_argument, pressed.interaction, "league", chosen):
            raise UserError("league.which_gone")

    async def _turn(self, pressed: Pressed) -> None:
        kind = pressed.privately if pressed.press.verb in _TURNS else Kind.PRIVATE
        await answer_standings(self._services, pressed.interaction, pressed.press, kind)

    async def _pick_division(self, pressed: Pressed) -> None:
        division = read_number(pressed.chosen, 9)
        press = Press("league-division", pressed.table_id, division or 0)
        await answer_standings(self._services, pressed.interaction, press, pressed.privately)

    async def _list(self, pressed: Pressed) -> None:
        """Show a page of a long list; from a message of the season, the page with the person's own line."""
        press, interaction = pressed.press, pressed.interaction
        page = press.revision if press.verb == "league-list" else None
        async with Reply(interaction, pressed.privately) as reply:
            guild_id, _ = require_guild(interaction)
            view = await self._services.leagues.view(SeasonId(press.subject), guild_id)
            viewer = view.by_person.get(interaction.user.id)
            await reply.show(list_panel(view, press.argument, page, viewer, texts()))
