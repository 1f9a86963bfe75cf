"""The steps of a ruling: drafted, previewed, and confirmed by its author."""

from collections.abc import Sequence

import discord
from discord import app_commands

from bot.interactions.guard import AnyInteraction
from bot.interactions.reply import Kind, Reply
from bot.interactions.router import Pressed
from bot.interactions.staff import require_staff
from bot.league.rulings import Make
from bot.panels.league.rulings import preview_panel
from bot.people import Person, guild_of
from bot.words.texts import texts
from cogs.league.replies import LeagueOffers, season_of

Reason = app_commands.Range[str, 3, 200]
PodNumber = app_commands.Range[int, 1, 9999]


class LeagueActing(LeagueOffers):
    """Mixed into the commands of rulings."""

    async def _prepare(
        self,
        interaction: AnyInteraction,
        league: str,
        reason: str,
        make: Make,
        *,
        named: Sequence[discord.User | discord.Member] = (),
        corrects: int | None = None,
    ) -> None:
        async with Reply(interaction, Kind.PRIVATE) as reply:
            await require_staff(self._services.store, interaction)
            season_id = await season_of(self._services, interaction, league)
            people = [Person.of(user) for user in named]
            staff = Person.of(interaction.user)
            preview = await self._services.rulings.prepare(season_id, staff, reason, make, people, corrects)
            view = await self._services.leagues.view(season_id)
            await reply.show(preview_panel(view, preview, texts()))

    async def _enact(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            await require_staff(self._services.store, pressed.interaction)
            press = pressed.press
            await self._services.leagues.require_here(pressed.season_id, guild_of(pressed.interaction))
            row = await self._services.rulings.enact(
                pressed.season_id, press.revision, pressed.person, pressed.interaction_id
            )
            await reply.tell(texts()("league.enacted", number=row.id))
