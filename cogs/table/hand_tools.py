"""The tools of a hand besides its moves, which open in its message: hints, the own order, groups, the pile, the ledger.

So does another try at direct messages.
"""

from discord.ext import commands

from bot.errors import UnexpectedInputError, UserError
from bot.interactions.choices import read_card
from bot.interactions.reply import Reply
from bot.interactions.router import Pressed, Router
from bot.panels.table.choosing_cards import COPY, copy_at, place_of
from bot.services import Services
from bot.table.core.snapshot import NOTHING_CHOSEN, Chosen, Mode
from bot.words.numbers import read_number
from bot.words.texts import texts
from cogs.table.replies import TableReplies
from marriage.cards import Card, Cards
from marriage.state import Phase
from render.hand_layout import Step, moved

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

    # Waiting for the table's lock happens within the reply, which acknowledges the press meanwhile.

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
        if step not in set(Step):
            raise UnexpectedInputError("no such step")
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._lay(reply, pressed, moving, Step(step))

    async def _lay(self, reply: Reply, pressed: Pressed, moving: str, to: Step | tuple[Card, int]) -> None:
        """Move a card in the hand as it lies, and show where it is now. A card that is not there does not move."""
        snapshot = await self._services.tables.snapshot(pressed.table_id)
        seat = snapshot.seat_of(pressed.person.id)
        chosen = Chosen(moving=_copy(moving, "-"))
        if seat is not None and snapshot.private and chosen.moving is not None:
            view, holder = snapshot.private[seat], snapshot.holders[seat]
            hand = await self._services.pictures.hand(view, holder, snapshot.names)
            place = place_of(hand.layout.cards, *chosen.moving)
            target = to if isinstance(to, Step) else place_of(hand.layout.cards, *to)
            if place is not None and target is not None:
                heaps, place = moved(hand.layout, place, target)
                await self._services.personal.lay(pressed.table_id, pressed.person.id, heaps)
                chosen = Chosen(moving=copy_at(tuple(card for heap in heaps for card in heap.cards), place))
        await self._show_hand(reply, pressed, Mode.GROUP, chosen)

    async def _hint(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            snapshot = await self._services.tables.snapshot(pressed.table_id)
            if not snapshot.has_hints:
                is_rated = snapshot.table.options.has_hints
                raise UserError("sorry.no_hints_rated" if is_rated else "sorry.no_hints")
            seat = snapshot.seat_of(pressed.person.id)
            if seat is not None and snapshot.private and snapshot.private[seat].phase is not Phase.OVER:
                # It is thought out before the message is held, which then finds it at hand.
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
        """Lay the cards as the best sets, or by suit again; it stays so for the deals to come."""
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
    """A card and which of its copies: `5H#2`; raises UnexpectedInputError."""
    card, _, number = text.partition(between)
    if (copy := read_number(number, 2)) is None:
        raise UnexpectedInputError("no copy of a card")
    return read_card(card), copy


def _cards(pressed: Pressed) -> Cards:
    return tuple(read_card(value.partition(COPY)[0]) for value in pressed.values)
