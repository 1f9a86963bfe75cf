"""`/profile` and `/leaderboard`: a player's figures, and the ranking of all players."""

import discord
from discord import app_commands

from bot.errors import UnexpectedInputError
from bot.interactions.permissions import require_guild
from bot.interactions.receiver import Pressed, Router
from bot.interactions.reply import AnyInteraction, Kind, Reply
from bot.panels.history.leaderboard import ROWS, BoardChoice, board_panel, last_page, page_of, profile_panel
from bot.people import NamedPerson, guild_of
from bot.services import Services
from bot.ui.items import Press
from bot.words.numbers import read_id
from cogs.league.replies import LeagueOffers, answer_standings, league_offers, season_of
from league.ids import PersonId
from league.statistics.leaderboard import USUAL, BoardOrder
from league.statistics.stats import Company, Span
from render.words import speaking

_TURNS = {"board-company", "board-back", "board-on", "board-me", "pick-order", "pick-span"}


class LeaderboardCommands(LeagueOffers):
    """Both are private unless the person asks for a public one.

    A button on a public one opens a private one.
    """

    def __init__(self, services: Services, router: Router) -> None:
        self._services = services
        for verb in ("board", *sorted(_TURNS)):
            router.add(verb, self._turn)
        router.add("profile", self._tab)

    @app_commands.command(description="See a player's figures: yours, or another person's")
    @app_commands.describe(
        player="Whose profile; else your own", public="Show it to everybody in the channel"
    )
    async def profile(
        self,
        interaction: AnyInteraction,
        player: discord.User | None = None,
        public: bool = False,  # noqa: FBT001, FBT002
    ) -> None:
        """Show a profile."""
        async with Reply(interaction, _kind(public=public)) as reply:
            whose = PersonId(player.id if player else interaction.user.id)
            await self._show_profile(interaction, reply, whose, public=public)

    async def _tab(self, pressed: Pressed) -> None:
        """Show another tab of a profile."""
        who, _, company = pressed.press.argument.partition("-")
        person_id = read_id(who)
        if person_id is None or company not in set(Company):
            raise UnexpectedInputError("no such profile")
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._show_profile(pressed.interaction, reply, PersonId(person_id), Company(company))

    async def _show_profile(
        self,
        interaction: AnyInteraction,
        reply: Reply,
        whose: PersonId,
        company: Company | None = None,
        *,
        public: bool = False,
    ) -> None:
        viewer, guild_id = NamedPerson.of(interaction.user), guild_of(interaction)
        public = public and guild_id is not None
        profile = await self._services.boards.profile(guild_id, whose, viewer.id, company, public=public)
        listed = await self._services.boards.is_listed(whose)
        say = await self._services.languages.words_for(guild_id, public=public)
        style = await self._services.personal.style(None if public else viewer.id)
        with speaking(say.language):
            picture = await self._services.pictures.profile(viewer.id, profile, style) if style else None
        await reply.show(profile_panel(profile, say, listed=listed, picture=picture))

    @app_commands.command(description="See the ranking of this server")
    @app_commands.describe(
        order="What counts",
        span="Of when",
        public="Show it to everybody in the channel",
        league="Show a league's standings instead",
    )
    @app_commands.autocomplete(league=league_offers)
    @app_commands.choices(
        order=[
            app_commands.Choice(name="adjusted points a deal", value=BoardOrder.ADJUSTED.value),
            app_commands.Choice(name="rating", value=BoardOrder.RATING.value),
            app_commands.Choice(name="points", value=BoardOrder.POINTS.value),
        ],
        span=[
            app_commands.Choice(name="this week", value=Span.WEEK.value),
            app_commands.Choice(name="this month", value=Span.MONTH.value),
            app_commands.Choice(name="all time", value=Span.ALL.value),
        ],
    )
    @app_commands.guild_only()
    async def leaderboard(
        self,
        interaction: AnyInteraction,
        order: str = "",
        span: str = Span.ALL.value,
        public: bool = False,  # noqa: FBT001, FBT002 - an option
        league: str = "",
    ) -> None:
        """Show a board."""
        if league:
            place = Press("league-standings", await season_of(self._services, interaction, league), 0)
            await answer_standings(self._services, interaction, place, _kind(public=public))
            return
        choice = _choice(Press("board", 0, 0, f"{order or USUAL.value}-{span}"))
        await self._show(interaction, choice, 0, _kind(public=public), or_filled=not order)

    async def _turn(self, pressed: Pressed) -> None:
        press = pressed.press
        choice = _choice(press, pressed.chosen)
        kind = pressed.privately if press.verb in _TURNS else Kind.PRIVATE
        around = press.verb == "board-me"
        await self._show(pressed.interaction, choice, press.revision, kind, around=around)

    async def _show(
        self,
        interaction: AnyInteraction,
        choice: BoardChoice,
        page: int,
        kind: Kind,
        *,
        around: bool = False,
        or_filled: bool = False,
    ) -> None:
        """Show a page of a board; with `around`, the page of the person who asks, if they are listed.

        `or_filled` shows another board if this one is empty.
        """
        async with Reply(interaction, kind) as reply:
            guild_id, _ = require_guild(interaction)
            boards = self._services.boards
            if or_filled:
                board = await boards.first_filled(guild_id, choice.span)
            else:
                board = await boards.board(guild_id, choice.order, choice.span, choice.company)
            viewer_id = PersonId(interaction.user.id)
            if around and (viewer_page := page_of(board, viewer_id)) is not None:
                page = viewer_page
            page = min(page, last_page(board))
            public = kind is Kind.PUBLIC
            seen_by = None if public else viewer_id
            say = await self._services.languages.words_for(guild_id, public=public)
            style = await self._services.personal.style(seen_by)
            with speaking(say.language):
                draw = self._services.pictures.leaderboard
                picture = (
                    await draw(NamedPerson.of(interaction.user).id, board, page * ROWS, ROWS, seen_by, style)
                    if style
                    else None
                )
            await reply.show(board_panel(board, page, seen_by, say, picture))


def _choice(press: Press, chosen: str = "") -> BoardChoice:
    """Return the board that a component selects; raises UnexpectedInputError for an invalid choice."""
    order, _, rest = press.argument.partition("-")
    span, _, company = rest.partition("-")
    if press.verb == "pick-order":
        order = chosen
    elif press.verb == "pick-span":
        span = chosen
    return BoardChoice.read("-".join(part for part in (order, span, company) if part))


def _kind(*, public: bool) -> Kind:
    return Kind.PUBLIC if public else Kind.PRIVATE
