"""The buttons and selects of a hand."""

from collections.abc import Awaitable, Callable
from functools import partial

from discord.ext import commands

from bot.interactions import choices
from bot.interactions.choices import Choice, read_card
from bot.interactions.reply import Reply
from bot.interactions.router import Pressed, Router
from bot.services import Services
from bot.words.texts import texts
from cogs.table.replies import TableReplies

Reader = Callable[[Pressed], Choice]

BUTTONS: dict[str, Reader] = {
    "draw": lambda _: choices.draw,
    "take": lambda _: choices.take,
    "discard": lambda pressed: choices.discard(read_card(pressed.press.argument)),
    "dublees": lambda _: choices.show_dublees,
    "cut": lambda _: choices.cut(None),
    "finish": lambda _: choices.finish,
    "decline": lambda _: choices.decline,
}
SELECTS: dict[str, Reader] = {
    "pick-discard": lambda pressed: choices.discard(read_card(pressed.chosen)),
    "pick-expose": lambda pressed: choices.expose(tuple(map(read_card, pressed.values))),
    "pick-cut": lambda pressed: choices.cut(pressed.chosen_number),
}


class Hand(commands.Cog):
    """The presses of the holder of a hand. A hand is only shown in private."""

    def __init__(self, services: Services, router: Router, replies: TableReplies) -> None:
        self._services = services
        self._replies = replies
        router.add("hand", self._look)
        router.add("refresh", self._look)
        for verb in BUTTONS:
            router.add(verb, self._button)
        router.add("show", self._show)
        router.add("expose", self._expose)
        for verb in SELECTS:
            router.add(verb, self._select)
        router.add("hand-next", lambda pressed: self._go_on(pressed, services.play.next_deal))
        router.add("hand-rematch", lambda pressed: self._go_on(pressed, services.play.rematch))

    async def _look(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            if pressed.press.verb == "hand":
                snapshot = await self._services.tables.snapshot(pressed.table_id)
                if snapshot.table.status == "between" and snapshot.seat_of(pressed.person.id) is None:
                    why = texts()(snapshot.why_no_seat(pressed.person.id), table=pressed.table_id)
                    await self._replies.show_more(reply, pressed, why)  # which has the button to sit down
                    return
            await self._replies.show_hand(reply, pressed.table_id, pressed.person)

    async def _button(self, pressed: Pressed) -> None:
        await self._move(pressed, BUTTONS[pressed.press.verb](pressed))

    async def _show(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._replies.move_thought_out(
                pressed.interaction, reply, pressed.table_id, choices.show_groups, pressed.press.revision
            )

    async def _expose(self, pressed: Pressed) -> None:
        await self._move(pressed, choices.expose_numbered(pressed.press.argument))

    async def _select(self, pressed: Pressed) -> None:
        if pressed.values:
            await self._move(pressed, SELECTS[pressed.press.verb](pressed))
        else:
            await self._look(pressed)

    async def _go_on(self, pressed: Pressed, ask: Callable[..., Awaitable[None]]) -> None:
        press, person = pressed.press, pressed.person
        act = partial(ask, pressed.table_id, person.id, pressed.interaction_id, press.revision)
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._replies.go_on(reply, pressed.table_id, person, act)

    async def _move(self, pressed: Pressed, choice: Choice) -> None:
        press = pressed.press
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._replies.move(pressed.interaction, reply, pressed.table_id, choice, press.revision)
