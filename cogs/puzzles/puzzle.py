"""`/puzzle`: a moment of a real deal with one best answer, shown and answered in private."""

from discord import app_commands
from discord.ext import commands

from bot.interactions.permissions import require_may_share
from bot.interactions.receiver import Pressed, Router
from bot.interactions.reply import AnyInteraction, Kind, Reply
from bot.panels.puzzles import nameless, puzzle_panel, shared_panel
from bot.people import NamedPerson, guild_of
from bot.puzzles.asking import AskedPuzzle
from bot.services import Services
from bot.table.core.snapshot import Holder
from bot.words.names import person_name
from bot.words.texts import texts
from render.words import speaking


class PuzzleCommand(commands.Cog):
    """A puzzle belongs to the person who asked for it.

    Only they see it, and only their first answer counts.
    """

    def __init__(self, services: Services, router: Router) -> None:
        self._services = services
        router.add("puzzle-next", self._next)
        router.add("puzzle-day", self._day)
        router.add("puzzle-answer", self._answer)
        router.add("puzzle-share", self._share)

    @app_commands.command(description="Solve a puzzle from a real deal, near your strength")
    @app_commands.describe(day="The puzzle of the day, the same for everybody")
    async def puzzle(self, interaction: AnyInteraction, day: bool = False) -> None:  # noqa: FBT001, FBT002
        """Show a puzzle."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            person, puzzles = NamedPerson.of(interaction.user), self._services.puzzles
            await self._show(reply, await (puzzles.of_today(person) if day else puzzles.next(person)))

    async def _next(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._show(reply, await self._services.puzzles.next(pressed.person))

    async def _day(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._show(reply, await self._services.puzzles.of_today(pressed.person))

    async def _answer(self, pressed: Pressed) -> None:
        press = pressed.press
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._show(
                reply, await self._services.puzzles.answer(pressed.person, press.subject, press.revision)
            )

    async def _share(self, pressed: Pressed) -> None:
        """Post the person's result in the channel, in the server's language.

        The post reveals nothing of the puzzle itself.
        """
        interaction = pressed.interaction
        require_may_share(interaction)
        name = person_name(pressed.person.id, pressed.person.name)
        async with Reply(interaction, Kind.PUBLIC) as reply:  # the store may take longer than Discord waits
            language = await self._services.languages.of_server(guild_of(interaction))
            asked = await self._services.puzzles.share(pressed.person, pressed.table_id)
            try:
                with speaking(language):
                    await reply.show(shared_panel(asked, name, self._services.mentions, texts()))
            except BaseException:
                await self._services.puzzles.unshare(pressed.person, pressed.table_id)
                raise

    async def _show(self, reply: Reply, asked: AskedPuzzle) -> None:
        holder = Holder(asked.settings, plain=True)
        hand = await self._services.pictures.hand(asked.view, holder, nameless(asked.view))
        await reply.show(puzzle_panel(asked, hand, texts()))
