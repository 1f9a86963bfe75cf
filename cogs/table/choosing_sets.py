"""Choosing the sets of a show: each press chooses one, and the last one shows them all."""

import asyncio

from discord.ext import commands

from bot.interactions.choices import read_card, show_named, show_pairs
from bot.interactions.reply import Reply
from bot.interactions.router import Pressed, Router
from bot.panels.table.choosing_cards import read_chosen, read_set
from bot.services import Services
from bot.table.core.snapshot import Chosen, Mode
from bot.words.numbers import read_number
from bot.words.texts import texts
from cogs.table.replies import TableReplies
from marriage.cards import Cards
from marriage.rules import PRIMARY_GROUPS
from marriage.strategy.showable_sets import best_show, may_show, sets_to_add
from marriage.view import View


class ChoosingSets(commands.Cog):
    """Choose the sets of a show one by one. Nothing is shown before the last one, and then only a legal show."""

    def __init__(self, services: Services, router: Router, replies: TableReplies) -> None:
        self._services = services
        self._replies = replies
        router.add("sets", self._open)
        router.add("pick-sets", self._pick)
        router.add("show-sets", self._show)
        router.add("pick-dublees", self._show_pairs)

    async def _open(self, pressed: Pressed) -> None:
        """Offer the sets, on the page and with the choices that the press says."""
        page, _, argument = pressed.press.argument.partition("-")
        async with Reply(pressed.interaction, pressed.privately) as reply:
            view = await self._view(pressed)
            sets = () if view is None else read_chosen(view, argument)
            await self._offer(reply, pressed, Chosen(sets, read_number(page, 3) or 0))

    async def _pick(self, pressed: Pressed) -> None:
        argument = pressed.press.argument.partition("-")[2]
        async with Reply(pressed.interaction, pressed.privately) as reply:
            view = await self._view(pressed)
            added = None if view is None or not pressed.values else read_set(view, pressed.chosen)
            if view is None or added is None:
                await self._stale(reply, pressed)
                return
            sets = (*read_chosen(view, argument), added)
            if len(sets) < PRIMARY_GROUPS and sets_to_add(view, sets):
                await self._offer(reply, pressed, Chosen(sets))
            else:
                await self._lay(reply, pressed, view, sets)

    async def _show(self, pressed: Pressed) -> None:
        """Lay the best show that contains the chosen sets: the one that the panel names."""
        async with Reply(pressed.interaction, pressed.privately) as reply:
            view = await self._view(pressed)
            chosen = () if view is None else read_chosen(view, pressed.press.argument)
            best = None if view is None else await asyncio.to_thread(best_show, view, chosen)
            if view is None or best is None:
                await self._stale(reply, pressed)
            else:
                await self._lay(reply, pressed, view, best)

    async def _show_pairs(self, pressed: Pressed) -> None:
        press, choice = pressed.press, show_pairs(tuple(map(read_card, pressed.values)))
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._replies.move(pressed.interaction, reply, pressed.table_id, choice, press.revision)

    async def _lay(self, reply: Reply, pressed: Pressed, view: View, sets: tuple[Cards, ...]) -> None:
        """Show these sets if the rules allow it; else nothing is done, because a wrong show may cost the hand."""
        press = pressed.press
        if may_show(view, sets):
            await self._replies.move(
                pressed.interaction, reply, pressed.table_id, show_named(sets), press.revision
            )
        else:
            await self._stale(reply, pressed)

    async def _stale(self, reply: Reply, pressed: Pressed) -> None:
        await self._replies.show_hand(reply, pressed.table_id, pressed.person, texts()("hand.stale"))

    async def _offer(self, reply: Reply, pressed: Pressed, chosen: Chosen) -> None:
        await self._replies.show_hand(reply, pressed.table_id, pressed.person, mode=Mode.SETS, chosen=chosen)

    async def _view(self, pressed: Pressed) -> View | None:
        """Return the view of the person's seat if the press has this revision; else None, because set numbers may have changed."""
        snapshot = await self._services.tables.snapshot(pressed.table_id)
        seat = snapshot.seat_of(pressed.person.id)
        is_current = pressed.press.revision == snapshot.table.revision
        return None if seat is None or not snapshot.private or not is_current else snapshot.private[seat]
