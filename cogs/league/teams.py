"""Teams: the buttons with which members found, invite to, join and leave a team."""

from discord.ext import commands

from bot.interactions.receiver import Pressed, Router
from bot.interactions.reply import Kind, Reply
from bot.panels.league.teams import found_field, team_panel
from bot.people import guild_of
from bot.services import Services
from bot.ui.items import Press, open_form, typed
from bot.words.texts import texts


class LeagueTeams(commands.Cog):
    """Mixed into the group of `/league`."""

    _services: Services

    def serve_teams(self, router: Router) -> None:
        """Serve the verbs of this part."""
        router.add("league-team", self._show_team)
        router.add("team-found", self._ask_team_name)
        router.add("form-team", self._found_team)
        router.add("pick-team", self._invite_to_team)
        router.add("team-accept", self._enter_team)
        router.add("team-leave", self._leave_team)

    async def _show_team(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            await self._show_teams(reply, pressed)

    async def _ask_team_name(self, pressed: Pressed) -> None:
        say = texts()
        form = Press("form-team", pressed.press.subject, 0)
        await open_form(pressed.interaction, form, say("team.found"), found_field(say))

    async def _found_team(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._services.leagues.require_here(pressed.season_id, guild_of(pressed.interaction))
            await self._services.teams.found(
                pressed.season_id, pressed.person, typed(pressed.fields, "name"), pressed.interaction_id
            )
            await self._show_teams(reply, pressed)

    async def _invite_to_team(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._services.leagues.require_here(pressed.season_id, guild_of(pressed.interaction))
            await self._services.teams.invite(
                pressed.season_id, pressed.person, pressed.people, pressed.interaction_id
            )
            await self._show_teams(reply, pressed)

    async def _enter_team(self, pressed: Pressed) -> None:
        """Join a team, in the server or from the invitation by direct message."""
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._services.leagues.view(pressed.season_id, guild_of(pressed.interaction))
            await self._services.teams.accept(
                pressed.season_id, pressed.person, pressed.press.revision, pressed.interaction_id
            )
            await self._show_teams(reply, pressed)

    async def _leave_team(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._services.leagues.require_here(pressed.season_id, guild_of(pressed.interaction))
            await self._services.teams.leave(pressed.season_id, pressed.person, pressed.interaction_id)
            await self._show_teams(reply, pressed)

    async def _show_teams(self, reply: Reply, pressed: Pressed) -> None:
        view = await self._services.leagues.view(pressed.season_id, guild_of(pressed.interaction))
        player = view.by_person.get(pressed.interaction.user.id, 0)
        await reply.show(team_panel(view, player, texts()))
