"""Taking back a ruling or a result; autocomplete offers what can be taken back."""

from discord import app_commands
from discord.utils import remove_markdown

from bot.errors import UserError
from bot.interactions.error_boundary import AnyInteraction
from bot.league import ruling_events
from bot.panels.league.events import event_words
from bot.ui.items import MOST_OPTIONS
from bot.words.texts import texts
from cogs.league.replies import league_offers, season_of
from cogs.league.ruling_steps import LeagueActing, Reason


class LeagueUndo(LeagueActing):
    """Mixed into the group of `/league-staff`."""

    @app_commands.command(description="Take back an earlier act, or a result")
    @app_commands.describe(number="Which one: choose from the list", reason="Why", league="Which league")
    @app_commands.autocomplete(league=league_offers)
    async def undo(
        self,
        interaction: AnyInteraction,
        number: app_commands.Range[int, 1, 2**31],
        reason: Reason,
        league: str = "",
    ) -> None:
        """Undo."""
        await self._prepare(
            interaction,
            league,
            reason,
            lambda _, entries, __: ruling_events.undone(entries, number),
            corrects=number,
        )

    @undo.autocomplete("number")
    async def _offer(self, interaction: AnyInteraction, current: int | str) -> list[app_commands.Choice[int]]:
        """Offer everything that can be taken back, the latest first."""
        typed = str(current or "")
        try:
            season_id = await season_of(self._services, interaction, interaction.namespace.league or "")
        except UserError:  # there is no such league
            return []
        view = await self._services.leagues.view(season_id)
        async with self._services.store.reading() as db:
            rows = ruling_events.undoable(await db.seasons.events(season_id))
        found = [(row.id, remove_markdown(event_words(view, row.body, texts()))) for row in rows]
        return [
            app_commands.Choice(name=f"#{number} {said}"[:100], value=number)
            for number, said in found
            if typed in f"{number} {said}"
        ][:MOST_OPTIONS]
