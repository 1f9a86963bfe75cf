"""The buttons of the table message: sitting down, starting, going on, its shuffles, and the ledger of the match."""

from collections.abc import Awaitable, Callable

from discord.ext import commands

from bot.errors import RepeatedInteractionError, StaleRevisionError, UserError
from bot.history.past_deals import sight_of
from bot.interactions.receiver import Pressed, Router
from bot.interactions.reply import Kind, Reply
from bot.panels.table.lobby import WITH_COMPUTERS
from bot.panels.table.match import ledger_panel
from bot.panels.table.more import NOT_READY, fairness_panel
from bot.services import Services
from bot.table.core.snapshot import Snapshot
from bot.table.lobby import PLAY_NOW_SEATS
from bot.words.numbers import read_number
from bot.words.texts import texts
from cogs.table.replies import TableReplies
from data.transaction import ReadTransaction

BEGINS = frozenset({"ready", "start"})
"""Verbs that may begin a deal, after which the person wants to see their hand."""
NOTES = {"sit": "changing.you_come", "sit-out": "changing.you_rest"}
"""The private confirmations of some verbs. The others have a general one."""
Act = Callable[[Pressed], Awaitable[object]]


class TableButtons(commands.Cog):
    """The public buttons of a table message, which shows the new state at once."""

    def __init__(self, services: Services, router: Router, replies: TableReplies) -> None:
        self._services = services
        self._replies = replies
        self._acts: dict[str, Act] = {
            "join": lambda p: services.lobby.join(p.table_id, p.person, p.interaction_id),
            "leave": lambda p: services.leaving.get_up(p.table_id, p.person.id, p.interaction_id),
            "sit": lambda p: services.changing.sit_down(p.table_id, p.person, p.interaction_id),
            "sit-out": lambda p: services.changing.sit_out(p.table_id, p.person.id, p.interaction_id),
            "computer": self._add_computer,
            "ready": lambda p: services.play.ready(
                p.table_id, p.person.id, p.interaction_id, is_ready=p.press.argument != NOT_READY
            ),
            "start": lambda p: services.play.start(
                p.table_id,
                p.person.id,
                p.interaction_id,
                seats=PLAY_NOW_SEATS if p.press.argument == WITH_COMPUTERS else 0,
            ),
            "next": lambda p: services.play.next_deal(
                p.table_id, p.person.id, p.interaction_id, p.press.revision
            ),
            "rematch": lambda p: services.play.rematch(
                p.table_id, p.person.id, p.interaction_id, p.press.revision
            ),
            "close": lambda p: services.play.finish_table(
                p.table_id, p.person.id, p.interaction_id, p.press.revision
            ),
        }
        for verb in self._acts:
            router.add(verb, self._act)
        router.add("table-more", self._more)

    async def _act(self, pressed: Pressed) -> None:
        verb = pressed.press.verb
        async with Reply(pressed.interaction, Kind.UPDATE) as reply:
            shows_hand = verb in BEGINS
            try:
                await self._acts[verb](pressed)
            except UserError as sorry:
                await reply.refuse(sorry)
                return
            except StaleRevisionError:
                if not pressed.is_private:
                    raise
                await self._replies.show_more(reply, pressed, texts()("hand.stale"))
                return
            except RepeatedInteractionError:
                shows_hand = False  # a repeated click is answered with the current state
            await self._show(reply, pressed, shows_hand=shows_hand)

    async def _show(self, reply: Reply, pressed: Pressed, *, shows_hand: bool) -> None:
        if pressed.is_private:
            await self._answer_in_more(reply, pressed, shows_hand=shows_hand)
            return
        await self._replies.show_table(reply, pressed.table_id)
        if shows_hand:
            await self._replies.show_hand_besides(reply, pressed.table_id, pressed.person)

    async def _answer_in_more(self, reply: Reply, pressed: Pressed, *, shows_hand: bool) -> None:
        """Answer a press in the **More** panel there, with the hand if it began a deal."""
        if shows_hand:
            snapshot = await self._services.tables.snapshot(pressed.table_id)
            if snapshot.table.status == "playing" and snapshot.seat_of(pressed.person.id) is not None:
                await self._replies.show_hand(reply, pressed.table_id, pressed.person)
                return
        note = texts()(NOTES.get(pressed.press.verb, "manage.done"), table=pressed.table_id)
        await self._replies.show_more(reply, pressed, note)

    async def _more(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._replies.show_more(reply, pressed)

    async def _add_computer(self, pressed: Pressed) -> None:
        """Add a computer of the default level; the host's panel has the other levels."""
        actor = await self._replies.actor(pressed)
        beside = read_number(pressed.press.argument, 1)
        await self._services.hosting.add_computer(
            pressed.table_id, actor, pressed.interaction_id, beside=beside
        )


class FairnessButton(commands.Cog):
    """Show privately what a person needs to check that no one chose the cards."""

    def __init__(self, services: Services, router: Router) -> None:
        self._services = services
        router.add("fair", self._show)

    async def _show(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            snapshot = await self._services.tables.snapshot(pressed.table_id)
            await self._check(pressed, snapshot)
            await reply.show(fairness_panel(snapshot, self._services.mentions, texts()))

    async def _check(self, pressed: Pressed, snapshot: Snapshot) -> None:
        """Raise UserError for a person who may not see the deal, since its seed reveals all hands."""
        if snapshot.seat_of(pressed.person.id) is not None:
            return
        table, shuffle = snapshot.table, snapshot.shuffle
        if pressed.interaction.guild_id != table.guild_id:
            raise UserError("sorry.no_table", table=table.id)
        if shuffle is None or shuffle.seed is None:
            return

        async def read(db: ReadTransaction) -> None:
            if not await db.history.may_see(sight_of(pressed.interaction), table.id, shuffle.deal_no):
                raise UserError("sorry.verify_hidden", table=table.id, deal=shuffle.deal_no)

        await self._services.store.read(read)


class LedgerButton(commands.Cog):
    """The button that shows the ledger to anybody who sees the table message, unless others still play its boards."""

    def __init__(self, services: Services, router: Router) -> None:
        self._services = services
        router.add("ledger", self._show)

    async def _show(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            snapshot = await self._services.tables.snapshot(pressed.table_id)
            if pressed.interaction.guild_id != snapshot.table.guild_id:
                raise UserError("sorry.no_table", table=pressed.table_id)
            if not snapshot.shows_ledger_to(pressed.person.id):
                raise UserError("sorry.ledger_hidden", table=pressed.table_id)
            await reply.show(ledger_panel(snapshot, texts()))
