"""`/learn`: a practice deal against the computer in a private message, every step explained."""

from discord import app_commands
from discord.ext import commands

from bot.errors import StaleRevisionError, UnexpectedInputError
from bot.interactions import choices
from bot.interactions.choices import Choice, read_card
from bot.interactions.error_boundary import AnyInteraction
from bot.interactions.reply import Kind, Reply
from bot.interactions.router import Pressed, Router
from bot.learning.practice import Practice
from bot.people import Person
from bot.services import Services
from bot.words.refusals import refusal_words
from bot.words.texts import texts
from cogs.learning.replies import show_lesson
from marriage.actions import Action, ExposeTunnelas, Show
from marriage.errors import IllegalActionError
from marriage.legal import tunnelas
from marriage.strategy.practice import preferred
from marriage.view import View


def _show(view: View) -> Action:
    """The sets that the computer would show: they leave the hand nearest to a finish."""
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
    """A practice deal belongs to one person, and only they see its message and press in it."""

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
            person = Person.of(interaction.user)
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
        """Discard the card of a button, or of the select for those who prefer a list."""
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
