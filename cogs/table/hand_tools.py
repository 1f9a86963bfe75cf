"""The tools of a hand besides its moves: hints, groups, choosing sets, and retrying direct messages."""

from discord.ext import commands

from bot.errors import UserError
from bot.interactions.choices import read_card
from bot.interactions.reply import Kind, Reply
from bot.interactions.router import Pressed, Router
from bot.learning.hint_words import hint_words
from bot.panels.table.arranging import COPY
from bot.panels.table.pile import pile_panel
from bot.services import Services
from bot.table.core.hands import Mode
from bot.table.core.snapshot import Snapshot
from bot.words.numbers import read_number
from bot.words.texts import texts
from cogs.table.replies import TableReplies
from marriage.cards import Cards
from marriage.state import Phase
from marriage.view import View

MODES = {"group": Mode.GROUP, "more": Mode.MORE, "others": Mode.CARDS}


class Tools(commands.Cog):
    """Tools for the holder of a hand. None is a move."""

    def __init__(self, services: Services, router: Router, replies: TableReplies) -> None:
        self._services = services
        self._replies = replies
        for verb in MODES:
            router.add(verb, self._open)
        router.add("pick-pin", self._pin)
        router.add("pick-unpin", self._unpin)
        router.add("hint", self._hint)
        router.add("retry-dms", self._try_messages)
        router.add("pile", self._pile)

    async def _open(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._show_hand(reply, pressed, MODES[pressed.press.verb])

    async def _show_hand(self, reply: Reply, pressed: Pressed, mode: Mode) -> None:
        await self._replies.show_hand(reply, pressed.table_id, pressed.person, mode=mode)

    # What waits for the table's lock does so within the reply, which acknowledges the press meanwhile.

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

    async def _hint(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            snapshot = await self._services.tables.snapshot(pressed.table_id)
            view = _own_view(snapshot, pressed)
            if not snapshot.table.options.hints:
                raise UserError("sorry.no_hints")
            hint = await self._services.pictures.hint(view)
            await reply.tell(hint_words(view, hint, texts()))

    async def _pile(self, pressed: Pressed) -> None:
        """Show the pile in a message of its own, which its buttons turn over."""
        page = pressed.press.argument
        async with Reply(pressed.interaction, Kind.UPDATE if page else Kind.PRIVATE) as reply:
            snapshot = await self._services.tables.snapshot(pressed.table_id)
            view = _own_view(snapshot, pressed)
            await reply.show(pile_panel(snapshot, view, read_number(page, 3) or 0, texts()))

    async def _try_messages(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            is_sent = await self._services.personal.try_messages(
                pressed.person.id, pressed.table_id, reply.lasting
            )
            note = texts()("hand.dms_tried") if is_sent else None
            await self._replies.show_hand(reply, pressed.table_id, pressed.person, note)


def _own_view(snapshot: Snapshot, pressed: Pressed) -> View:
    """The deal as this person's seat sees it; raises UserError without a seat, or without a deal in play."""
    seat = snapshot.seat_of(pressed.person.id)
    if seat is None:
        raise UserError(snapshot.why_no_seat(pressed.person.id), table=snapshot.table.id)
    if not snapshot.private or snapshot.private[seat].phase is Phase.OVER:
        raise UserError("sorry.no_deal")
    return snapshot.private[seat]


def _cards(pressed: Pressed) -> Cards:
    return tuple(read_card(value.partition(COPY)[0]) for value in pressed.values)
