"""Answers for learners: a page of the rules, or help for a situation."""

from bot.errors import UserError
from bot.interactions.permissions import my_table
from bot.interactions.reply import AnyInteraction, Reply
from bot.learning.lessons import pages
from bot.panels.learning.rules_book import TOPICS, help_panel, page_panel
from bot.panels.table.rules import rules_short
from bot.services import Services
from bot.ui.items import Press
from bot.words.numbers import read_number
from bot.words.texts import texts
from league.ids import GuildId, TableId
from marriage.rules import PRESETS, Rules
from render.picture import Outcome


async def show_page(
    services: Services, reply: Reply, place: Press, number: int, guild_id: GuildId | None
) -> None:
    """Answer with a page, counted from 0, of the rules that `place` names; by default the first page."""
    rules = await _rules(services, place, guild_id)
    book = pages(rules, texts())
    page = book[number] if number < len(book) else book[0]
    known = Outcome(page.tiplu, rules)
    picture = await services.pictures.lesson(page.examples, known) if page.examples else None
    await reply.show(page_panel(book, book.index(page), rules_short(rules, texts()), place, picture, texts()))


async def show_help(services: Services, reply: Reply, topic: str | None) -> None:
    """Answer with help for a situation; None asks which."""
    await reply.show(help_panel(topic if topic in TOPICS else None, services.mentions, texts()))


async def usual_place(services: Services, interaction: AnyInteraction) -> Press:
    """Return the default rules for a person: those of the table where they sit, else their server's."""
    try:
        return Press("rules", await my_table(services.tables, interaction), 0)
    except UserError:
        return Press("rules", 0, 0)


async def _rules(services: Services, place: Press, guild_id: GuildId | None) -> Rules:
    """The rules of a preset, of a table of this server, or of the server."""
    if place.argument in PRESETS:
        return PRESETS[place.argument]
    if place.subject:
        table = await services.store.read(lambda db: db.tables.get(TableId(place.subject)))
        if table is not None and guild_id in (None, table.guild_id):
            return table.rules
    return (await services.store.directory.guild_settings(guild_id)).rules or PRESETS["pagat"]


def page_number(text: str) -> int:
    """The chosen page; the first for an invalid choice."""
    return read_number(text, 2) or 0
