"""Answers with a page of a season's standings and its picture."""

from bot.history.exports import seen_shares
from bot.interactions.permissions import require_guild
from bot.interactions.reply import AnyInteraction, Kind, Reply
from bot.panels.league.standings import ROWS, last_page, standings_panel
from bot.people import NamedPerson
from bot.services import Services
from bot.ui.items import Press
from bot.words.numbers import read_number
from bot.words.texts import texts
from data.ids import SeasonId
from league.ids import PersonId


async def answer_standings(services: Services, interaction: AnyInteraction, press: Press, kind: Kind) -> None:
    """Show the page and division that the press asks for; by default the viewer's division."""
    async with Reply(interaction, kind) as reply:
        guild_id, _ = require_guild(interaction)
        view = await services.leagues.view(SeasonId(press.subject), guild_id)
        viewer = view.by_person.get(interaction.user.id)
        member = view.member(PersonId(interaction.user.id))
        page, division = press.revision, read_number(press.argument, 9)
        if press.verb == "league-division":
            page, division = 0, press.revision
        if division not in view.divisions:
            is_placed = member is not None and member.division in view.divisions
            division = member.division if member and is_placed else view.divisions[0]
        if press.verb == "league-around" and viewer is not None:
            page = (view.standings(division).index_of(viewer) or 0) // ROWS
        shown = view.standings(division)
        page = min(page, last_page(shown))
        seen_by = None if kind is Kind.PUBLIC else PersonId(interaction.user.id)
        style = await services.personal.style(seen_by)
        draw = services.pictures.standings
        picture = (
            await draw(NamedPerson.of(interaction.user).id, shown, page, ROWS, viewer, style)
            if style
            else None
        )
        seen = await services.store.read(seen_shares, view.row.id, view.season)
        await reply.show(standings_panel(view, page, division, viewer, texts(), picture, seen))
