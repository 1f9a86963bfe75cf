"""The buttons and selects of a hand."""

from collections.abc import Callable, Sequence

from discord.ext import commands

from bot.app import Tiplu
from bot.interactions import choices
from bot.interactions.answers import move, show_hand
from bot.interactions.choices import Choice, read_card, require_number
from bot.interactions.reply import Reply
from bot.interactions.router import Pressed

Reader = Callable[[Sequence[str]], Choice]

BUTTONS: dict[str, Choice] = {
    "draw": choices.draw,
    "take": choices.take,
    "show": choices.show_groups,
    "dublees": choices.show_dublees,
    "cut": choices.cut(None),
    "finish": choices.finish,
    "decline": choices.decline,
}
SELECTS: dict[str, Reader] = {
    "pick-discard": lambda values: choices.discard(read_card(values[0])),
    "pick-expose": lambda values: choices.expose(tuple(map(read_card, values))),
    "pick-cut": lambda values: choices.cut(require_number(values[0])),
}


class Hand(commands.Cog):
    """What the holder of a hand may press. A hand is only ever shown where nobody else sees it."""

    def __init__(self, bot: Tiplu) -> None:
        self._bot = bot
        bot.router.add("hand", self._look)
        bot.router.add("refresh", self._look)
        for verb in BUTTONS:
            bot.router.add(verb, self._button)
        for verb in SELECTS:
            bot.router.add(verb, self._select)

    async def _look(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await show_hand(self._bot, reply, pressed.press.table, pressed.person)

    async def _button(self, pressed: Pressed) -> None:
        await self._move(pressed, BUTTONS[pressed.press.verb])

    async def _select(self, pressed: Pressed) -> None:
        if pressed.values:
            await self._move(pressed, SELECTS[pressed.press.verb](pressed.values))
        else:
            await self._look(pressed)

    async def _move(self, pressed: Pressed, choice: Choice) -> None:
        press = pressed.press
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await move(pressed.interaction, self._bot, reply, press.table, choice, press.revision)


async def setup(bot: Tiplu) -> None:
    """Add the cog."""
    await bot.add_cog(Hand(bot))
