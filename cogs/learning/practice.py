"""`/help`, and `/learn`: a practice deal against the computer in a private message, every step explained.

A learner is answered with a page of the rules, or help for a situation.
"""

from discord import app_commands
from discord.ext import commands

from bot.errors import StaleRevisionError, UnexpectedInputError, UserError
from bot.interactions import choices
from bot.interactions.choices import Choice, read_card
from bot.interactions.permissions import my_table
from bot.interactions.receiver import Pressed, Router
from bot.interactions.reply import AnyInteraction, Kind, Reply
from bot.learning.lessons import pages
from bot.learning.practice import Lesson, Practice
from bot.panels.learning.practice import lesson_end, practice_panel
from bot.panels.learning.rules_book import TOPICS, help_panel, page_panel
from bot.panels.table.rules import rules_short
from bot.people import NamedPerson, guild_of
from bot.services import Services
from bot.ui.items import Press
from bot.words.names import shown_name
from bot.words.numbers import read_number
from bot.words.rules import refusal_words
from bot.words.texts import texts
from data.names import clean_name
from data.transaction import ReadTransaction
from data.values import TableRow
from league.ids import TableId
from marriage.actions import Action, ExposeTunnelas, Show
from marriage.errors import IllegalActionError
from marriage.legal import tunnelas
from marriage.rules import PRESETS, Rules
from marriage.strategy.practice import preferred
from marriage.view import View
from render.picture import Outcome


async def show_page(services: Services, reply: Reply, place: Press, number: int) -> None:
    """Answer with a page, counted from 0, of the rules that `place` names; by default, the first page."""
    rules = await _rules(services, place, reply.interaction)
    book = pages(rules, texts())
    page = book[number] if number < len(book) else book[0]
    known = Outcome(page.tiplu, rules)
    picture = await services.pictures.lesson(page.examples, known) if page.examples else None
    await reply.show(page_panel(book, book.index(page), rules_short(rules, texts()), place, picture, texts()))


async def show_help(services: Services, reply: Reply, topic: str | None) -> None:
    """Answer with help for a situation; None asks for the situation."""
    await reply.show(help_panel(topic if topic in TOPICS else None, services.mentions, texts()))


async def usual_place(services: Services, interaction: AnyInteraction) -> Press:
    """Return the default rules for a person: those of their table, else of their server."""
    try:
        return Press("rules", await my_table(services.tables, interaction), 0)
    except UserError:
        return Press("rules", 0, 0)


async def _rules(services: Services, place: Press, interaction: AnyInteraction) -> Rules:
    """Return the rules of a preset, of a table of this server or where the person has a seat, or of the server."""
    guild_id, table_id = guild_of(interaction), TableId(place.subject)
    if place.argument in PRESETS:
        return PRESETS[place.argument]
    if table_id:

        async def find_table(db: ReadTransaction) -> TableRow | None:
            table = await db.tables.get(table_id)
            if table is None or table.guild_id == guild_id:
                return table
            there = (*await db.tables.seats(table_id), *await db.benches.get(table_id))
            return table if any(row.person_id == interaction.user.id for row in there) else None

        table = await services.store.read(find_table)
        if table is not None:
            return table.rules
    return (await services.store.directory.guild_settings(guild_id)).rules or PRESETS["pagat"]


def page_number(text: str) -> int:
    """Return the chosen page; the first for an invalid choice."""
    return read_number(text, 2) or 0


class Help(commands.Cog):
    """Offers help by situation."""

    def __init__(self, services: Services, router: Router) -> None:
        self._services = services
        router.add("pick-help", self._situation)
        router.add("rules", self._open)
        router.add("pick-page", self._choose)
        router.add("page-back", self._turn)
        router.add("page-on", self._turn)

    @app_commands.command(name="help", description="Find out what you can do here")
    async def help(self, interaction: AnyInteraction) -> None:
        """Ask what situation the person is in."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            await show_help(self._services, reply, None)

    async def _situation(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await show_help(self._services, reply, pressed.chosen or None)

    async def _open(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            await self._page(pressed, reply, 0)

    async def _choose(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._page(pressed, reply, page_number(pressed.chosen))

    async def _turn(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._page(pressed, reply, pressed.press.revision)

    async def _page(self, pressed: Pressed, reply: Reply, number: int) -> None:
        await show_page(self._services, reply, pressed.press, number)


async def show_lesson(
    services: Services, reply: Reply, person: NamedPerson, lesson: Lesson, note: str | None = None
) -> None:
    """Show the current step, or the end, to the learner."""
    names = (clean_name(person.name, fallback=texts()("practice.learner")), texts()("practice.teacher"))
    said = tuple(map(shown_name, names))
    if lesson.is_over:
        nets = [line.net for line in lesson.view.sheet.lines] if lesson.view.sheet else [0, 0]
        picture = await services.pictures.sheet(lesson.view, names, nets)
        await reply.show(lesson_end(lesson, picture, said, services.mentions, texts()))
        return
    hand = await services.pictures.hand(lesson.view, lesson.holder)
    hint = await services.pictures.hint(lesson.view)
    await reply.show(practice_panel(lesson, hand, hint, said, texts(), note))


def _show(view: View) -> Action:
    """Return the sets that the computer would show: those that leave the hand nearest to a finish."""
    wanted = preferred(view)
    return wanted if isinstance(wanted, Show) else choices.show_groups(view)


MOVES: dict[str, Choice] = {
    "draw": choices.draw,
    "take": choices.take,
    "show": _show,
    "dublees": choices.show_dublees,
    "cut": choices.cut(None),
    "finish": choices.finish,
    "decline": choices.decline,
    "expose": lambda view: ExposeTunnelas(tunnelas(view)),
}


class Learn(commands.Cog):
    """A practice deal belongs to one person; only they see and use its message."""

    def __init__(self, services: Services, router: Router) -> None:
        self._services = services
        self._practice = Practice(services.store, services.clock)
        router.add("learn", self._open)
        router.add("learn-again", self._again)
        router.add("try", self._try)
        router.add("try-card", self._discard)
        router.add("pick-try", self._discard)

    @app_commands.command(description="Play your first deal against the computer, with every step explained")
    async def learn(self, interaction: AnyInteraction) -> None:
        """Open the practice deal."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            person = NamedPerson.of(interaction.user)
            await show_lesson(self._services, reply, person, await self._practice.open(person))

    async def _open(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            lesson = await self._practice.open(pressed.person)
            await show_lesson(self._services, reply, pressed.person, lesson)

    async def _again(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            lesson = await self._practice.begin(pressed.person)
            await show_lesson(self._services, reply, pressed.person, lesson)

    async def _try(self, pressed: Pressed) -> None:
        choice = MOVES.get(pressed.press.argument)
        if choice is None:
            raise UnexpectedInputError("no such move")
        await self._move(pressed, choice)

    async def _discard(self, pressed: Pressed) -> None:
        """Discard the card of a button, or of the select if the person prefers lists."""
        await self._move(pressed, choices.discard(read_card(pressed.chosen or pressed.press.argument)))

    async def _move(self, pressed: Pressed, choice: Choice) -> None:
        """Make the move; a refusal is shown above the unchanged deal."""
        person = pressed.person
        async with Reply(pressed.interaction, pressed.privately) as reply:
            try:
                lesson, note = await self._practice.act(person, pressed.press.revision, choice)
                words = texts()(note) if note else None
            except IllegalActionError as error:
                lesson, words = await self._practice.open(person), refusal_words(error, texts())
            except StaleRevisionError:
                lesson, words = await self._practice.open(person), texts()("practice.stale")
            await show_lesson(self._services, reply, person, lesson, words)
