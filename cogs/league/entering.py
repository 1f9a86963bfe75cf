"""Taking part in a league: the buttons to join, leave and check in, and those with which members found, invite to, join and leave a team."""

from collections.abc import Awaitable, Callable

from discord.ext import commands

from bot.interactions.permissions import require_guild
from bot.interactions.receiver import Pressed, Router
from bot.interactions.reply import Kind, Reply
from bot.league.eligibility import Applicant
from bot.panels.league.people import found_field, leaving_panel, team_panel
from bot.people import NamedPerson, guild_of
from bot.services import Services
from bot.ui.items import Press, open_form, typed
from bot.words.texts import texts
from cogs.league.replies import entrant_of

Act = Callable[[Pressed], Awaitable[str]]


class LeagueEntering(commands.Cog):
    """Mixed into the group of `/league`."""

    _services: Services

    def serve_entering(self, router: Router) -> None:
        """Serve the verbs of this part."""
        acts: dict[str, Act] = {
            "league-join": self._join,
            "league-leave-now": self._leave,
            "league-in": self._in,
            "league-out": self._out,
            "league-always": self._always,
            "league-seat": self._take_seat,
        }
        for verb, act in acts.items():
            router.add(verb, lambda pressed, act=act: self._press(pressed, act))
        router.add("league-leave", self._ask_to_leave)

    async def _ask_to_leave(self, pressed: Pressed) -> None:
        """Explain to a member what leaving means, and ask for confirmation."""
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            view = await self._services.leagues.view(pressed.season_id, guild_of(pressed.interaction))
            await reply.show(leaving_panel(view, pressed.person, texts()))

    async def _press(self, pressed: Pressed, act: Act) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            if pressed.interaction.guild_id is not None:
                await self._services.leagues.require_here(pressed.season_id, guild_of(pressed.interaction))
            await reply.tell(texts()(await act(pressed)))

    async def _join(self, pressed: Pressed) -> str:
        return await self._services.entries.join(
            pressed.season_id,
            await self._entrant(pressed),
            pressed.interaction_id,
            by_invitation=pressed.interaction.guild_id is None,
        )

    async def _leave(self, pressed: Pressed) -> str:
        return await self._services.entries.leave(
            pressed.season_id, NamedPerson.of(pressed.interaction.user), pressed.interaction_id
        )

    async def _in(self, pressed: Pressed) -> str:
        return await self._services.entries.check_in(
            pressed.season_id, pressed.press.revision, await self._entrant(pressed), pressed.interaction_id
        )

    async def _out(self, pressed: Pressed) -> str:
        return await self._services.entries.check_out(
            pressed.season_id, pressed.press.revision, pressed.person, pressed.interaction_id
        )

    async def _take_seat(self, pressed: Pressed) -> str:
        press = pressed.press
        await self._services.offers.take(
            pressed.season_id,
            press.revision,
            press.id_argument,
            await self._entrant(pressed),
            pressed.interaction_id,
        )
        return "league.seat_yours"

    async def _entrant(self, pressed: Pressed) -> Applicant:
        """Return the person who presses, with what Discord knows about them in the league's server."""
        view = await self._services.leagues.view(pressed.season_id)
        return await entrant_of(pressed.interaction, view.row.guild_id)

    async def _always(self, pressed: Pressed) -> str:
        return await self._services.entries.always(pressed.season_id, pressed.person, pressed.interaction_id)


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
            require_guild(pressed.interaction)
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
        """Join a team, from the server or from an invitation by direct message."""
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
