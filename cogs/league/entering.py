"""Taking part in a league: the buttons to join, leave and check in."""

from collections.abc import Awaitable, Callable

from discord.ext import commands

from bot.interactions.reply import Kind, Reply
from bot.interactions.router import Pressed, Router
from bot.panels.league.people import leaving_panel
from bot.people import Person, guild_of
from bot.services import Services
from bot.words.texts import texts
from cogs.league.replies import entrant_of
from data.ids import InteractionId

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
        """Show a member what leaving means, and ask."""
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            view = await self._services.leagues.view(pressed.season_id, guild_of(pressed.interaction))
            await reply.show(leaving_panel(view, pressed.person, texts()))

    async def _press(self, pressed: Pressed, act: Act) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            if pressed.interaction.guild_id is not None:
                await self._services.leagues.require_here(pressed.season_id, guild_of(pressed.interaction))
            await reply.tell(texts()(await act(pressed)))

    async def _join(self, pressed: Pressed) -> str:
        interaction = pressed.interaction
        return await self._services.entries.join(
            pressed.season_id,
            entrant_of(interaction),
            InteractionId(interaction.id),
            by_invitation=interaction.guild_id is None,
        )

    async def _leave(self, pressed: Pressed) -> str:
        return await self._services.entries.leave(
            pressed.season_id, Person.of(pressed.interaction.user), pressed.interaction_id
        )

    async def _in(self, pressed: Pressed) -> str:
        return await self._check_in(pressed, coming=True)

    async def _out(self, pressed: Pressed) -> str:
        return await self._check_in(pressed, coming=False)

    async def _take_seat(self, pressed: Pressed) -> str:
        press = pressed.press
        await self._services.offers.take(
            pressed.season_id,
            press.revision,
            press.id_argument,
            entrant_of(pressed.interaction),
            pressed.interaction_id,
        )
        return "league.seat_yours"

    async def _check_in(self, pressed: Pressed, *, coming: bool) -> str:
        press, interaction = pressed.press, pressed.interaction
        entrant = entrant_of(interaction)
        return await self._services.entries.check_in(
            pressed.season_id, press.revision, entrant, pressed.interaction_id, coming=coming
        )

    async def _always(self, pressed: Pressed) -> str:
        return await self._services.entries.always(pressed.season_id, pressed.person, pressed.interaction_id)
