"""The steps of a ruling: it is drafted, previewed, and confirmed by its author."""

from collections.abc import Sequence

import discord
from discord import app_commands

from bot.interactions.permissions import require_staff
from bot.interactions.receiver import Pressed
from bot.interactions.reply import AnyInteraction, Kind, Reply
from bot.league.rulings import Make
from bot.panels.league.rulings import preview_panel
from bot.people import NamedPerson, guild_of
from bot.ui.panel import notice_panel
from bot.words.texts import texts
from cogs.league.replies import LeagueOffers, season_of
from data.ids import SeasonId
from league.events import Event, RoundCancelled
from league.members import MembersWritten
from league.undoing import inverse

Reason = app_commands.Range[str, 3, 200]
PodNumber = app_commands.Range[int, 1, 9999]


class LeagueActing(LeagueOffers):
    """A mixin of the cogs with rulings."""

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
            people = [NamedPerson.of(user) for user in named]
            await self._preview(reply, season_id, reason, make, people, corrects)

    async def _preview(
        self,
        reply: Reply,
        season_id: SeasonId,
        reason: str,
        make: Make,
        people: Sequence[NamedPerson] = (),
        corrects: int | None = None,
    ) -> None:
        """Draft a ruling, and preview its changes with a button to confirm it."""
        staff = NamedPerson.of(reply.interaction.user)
        preview = await self._services.rulings.prepare(season_id, staff, reason, make, people, corrects)
        view = await self._services.leagues.view(season_id)
        await reply.show(preview_panel(view, preview, texts()))

    async def _enact(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await require_staff(self._services.store, pressed.interaction)
            press = pressed.press
            await self._services.leagues.require_here(pressed.season_id, guild_of(pressed.interaction))
            row = await self._services.rulings.enact(
                pressed.season_id, press.revision, pressed.person, pressed.interaction_id
            )
            await reply.show(notice_panel(texts()(_done(row.body), number=row.id)))


def _done(event: Event) -> str:
    """Return the key of the message that confirms an act to the staff."""
    if isinstance(event, MembersWritten):
        return "league.written"
    if isinstance(event, RoundCancelled) or inverse(event) is None:
        return "league.enacted_for_good"
    return "league.enacted"
