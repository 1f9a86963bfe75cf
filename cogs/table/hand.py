"""The buttons and selects of a hand: its moves, the choice of the sets of a show, and its tools.

Each press on a set chooses it, and the last one shows them all. The tools open in the hand's message: hints, the own order,
groups, the pile, the ledger. So does another try at direct messages.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from discord.ext import commands

from bot.errors import UnexpectedInputError, UserError
from bot.interactions import choices
from bot.interactions.choices import Choice, read_card, show_named, show_pairs
from bot.interactions.receiver import Pressed, Router
from bot.interactions.reply import Reply
from bot.panels.table.choosing_cards import COPY, copy_at, place_of, read_chosen, read_set
from bot.services import Services
from bot.table.core.snapshot import NOTHING_CHOSEN, Chosen, Mode
from bot.words.numbers import read_number
from bot.words.texts import texts
from cogs.table.replies import TableReplies
from marriage.cards import Card, Cards
from marriage.rules import PRIMARY_GROUPS
from marriage.state import Phase
from marriage.strategy.showable_sets import best_show, may_show, sets_to_add
from marriage.view import View
from render.hand_layout import LayoutStep, moved

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


class HandButtons(commands.Cog):
    """The buttons and selects for the holder of a hand. A hand is only shown in private."""

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


class ChoosingSets(commands.Cog):
    """Choose the sets of a show one by one.

    Nothing is shown before the last one, and then only a legal show.
    """

    def __init__(self, services: Services, router: Router, replies: TableReplies) -> None:
        self._services = services
        self._replies = replies
        router.add("sets", self._open)
        router.add("pick-sets", self._pick)
        router.add("show-sets", self._show)
        router.add("pick-dublees", self._show_pairs)

    async def _open(self, pressed: Pressed) -> None:
        """Offer the sets, with the page and the choices in the custom id."""
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
        """Lay the best show that contains the chosen sets: the one named in the panel."""
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
        """Show these sets if the rules allow it; else do nothing, because a wrong show may cost the hand."""
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
        """Return the view of the person's seat, or None if the press has another revision.

        Set numbers may have changed since that revision.
        """
        snapshot = await self._services.tables.snapshot(pressed.table_id)
        seat = snapshot.seat_of(pressed.person.id)
        is_current = pressed.press.revision == snapshot.table.revision
        return None if seat is None or not snapshot.private or not is_current else snapshot.private[seat]


MODES = {
    "group": Mode.GROUP,
    "more": Mode.MORE,
    "others": Mode.CARDS,
    "hand-ledger": Mode.LEDGER,
}


class Tools(commands.Cog):
    """Tools for the holder of a hand. None is a move."""

    def __init__(self, services: Services, router: Router, replies: TableReplies) -> None:
        self._services = services
        self._replies = replies
        for verb in MODES:
            router.add(verb, self._open)
        router.add("pick-pin", self._pin)
        router.add("pick-unpin", self._unpin)
        router.add("pick-move", self._choose_card)
        router.add("pick-before", self._move_before)
        router.add("place", self._move)
        router.add("hint", self._hint)
        router.add("retry-dms", self._try_messages)
        router.add("pile", self._pile)
        router.add("sort", self._sort)
        router.add("unsort", self._sort)
        router.add("ask-discard", lambda pressed: self._ask(pressed, pressed.press.argument))
        router.add("pick-ask-discard", lambda pressed: self._ask(pressed, pressed.chosen))

    async def _open(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._show_hand(reply, pressed, MODES[pressed.press.verb])

    async def _show_hand(
        self, reply: Reply, pressed: Pressed, mode: Mode, chosen: Chosen = NOTHING_CHOSEN
    ) -> None:
        await self._replies.show_hand(reply, pressed.table_id, pressed.person, mode=mode, chosen=chosen)

    # The reply wraps the wait for the table's lock, and acknowledges the press meanwhile.

    async def _pin(self, pressed: Pressed) -> None:
        cards = _cards(pressed)
        async with Reply(pressed.interaction, pressed.privately) as reply:
            if len(cards) > 1:
                await self._services.personal.pin(pressed.table_id, pressed.person.id, cards)
            await self._show_hand(reply, pressed, Mode.GROUP)

    async def _unpin(self, pressed: Pressed) -> None:
        numbers = pressed.chosen_numbers
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._services.personal.unpin(pressed.table_id, pressed.person.id, numbers)
            await self._show_hand(reply, pressed, Mode.GROUP)

    async def _choose_card(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._show_hand(reply, pressed, Mode.GROUP, Chosen(moving=_copy(pressed.chosen, COPY)))

    async def _move_before(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._lay(reply, pressed, pressed.press.argument, _copy(pressed.chosen, COPY))

    async def _move(self, pressed: Pressed) -> None:
        step, _, moving = pressed.press.argument.partition("-")
        if step not in set(LayoutStep):
            raise UnexpectedInputError("no such step")
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._lay(reply, pressed, moving, LayoutStep(step))

    async def _lay(
        self, reply: Reply, pressed: Pressed, moving: str, to: LayoutStep | tuple[Card, int]
    ) -> None:
        """Move a card in the laid-out hand, and show its new place.

        A card that is not there does not move.
        """
        snapshot = await self._services.tables.snapshot(pressed.table_id)
        seat = snapshot.seat_of(pressed.person.id)
        chosen = Chosen(moving=_copy(moving, "-"))
        if seat is not None and snapshot.private and chosen.moving is not None:
            view, holder = snapshot.private[seat], snapshot.holders[seat]
            hand = await self._services.pictures.hand(view, holder, snapshot.names)
            place = place_of(hand.layout.cards, *chosen.moving)
            target = to if isinstance(to, LayoutStep) else place_of(hand.layout.cards, *to)
            if place is not None and target is not None:
                heaps, place = moved(hand.layout, place, target)
                await self._services.personal.lay(pressed.table_id, pressed.person.id, heaps)
                chosen = Chosen(moving=copy_at(tuple(card for heap in heaps for card in heap.cards), place))
        await self._show_hand(reply, pressed, Mode.GROUP, chosen)

    async def _hint(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            snapshot = await self._services.tables.snapshot(pressed.table_id)
            if not snapshot.has_hints:
                among_people = snapshot.table.options.has_hints
                raise UserError("sorry.no_hints_rated" if among_people else "sorry.no_hints")
            seat = snapshot.seat_of(pressed.person.id)
            if seat is not None and snapshot.private and snapshot.private[seat].phase is not Phase.OVER:
                # Computed before the message is held, which then finds it cached.
                await self._services.pictures.hint(snapshot.private[seat])
            await self._show_hand(reply, pressed, Mode.HINT)

    async def _pile(self, pressed: Pressed) -> None:
        chosen = Chosen(page=read_number(pressed.press.argument, 3) or 0)
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._show_hand(reply, pressed, Mode.PILE, chosen)

    async def _ask(self, pressed: Pressed, card: str) -> None:
        """Ask for confirmation before this card is discarded; do nothing if no card is chosen."""
        chosen = Chosen(discard=read_card(card)) if card else NOTHING_CHOSEN
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._show_hand(reply, pressed, Mode.DISCARD, chosen)

    async def _sort(self, pressed: Pressed) -> None:
        """Lay the cards as the best sets, or by suit again; later deals keep the choice."""
        async with Reply(pressed.interaction, pressed.privately) as reply:
            snapshot = await self._services.tables.snapshot(pressed.table_id)
            seat = snapshot.seat_of(pressed.person.id)
            if seat is not None and snapshot.private:
                has_seen = snapshot.private[seat].own.seen
                unsorted = "suit_always" if has_seen else "suit"
                grouping = "best" if pressed.press.verb == "sort" else unsorted
                await self._services.personal.change(pressed.person, grouping=grouping)
            await self._show_hand(reply, pressed, Mode.PLAY)

    async def _try_messages(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            is_sent = await self._services.personal.try_messages(
                pressed.person.id, pressed.table_id, reply.lasting
            )
            note = texts()("hand.dms_tried") if is_sent else None
            await self._replies.show_hand(reply, pressed.table_id, pressed.person, note)


def _copy(text: str, between: str) -> tuple[Card, int]:
    """Return a card and the number of its copy, from text such as `5H#2`; raises UnexpectedInputError."""
    card, _, number = text.partition(between)
    if (copy := read_number(number, 2)) is None:
        raise UnexpectedInputError("no copy of a card")
    return read_card(card), copy


def _cards(pressed: Pressed) -> Cards:
    return tuple(read_card(value.partition(COPY)[0]) for value in pressed.values)
