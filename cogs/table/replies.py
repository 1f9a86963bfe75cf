"""Answers with a table or a hand, for both buttons and commands."""

from collections.abc import Awaitable, Callable

from bot.delivery.wiring import Delivery
from bot.errors import RepeatedInteractionError, StaleRevisionError, UserError
from bot.interactions.choices import Choice, made_for
from bot.interactions.permissions import is_staff
from bot.interactions.receiver import Pressed
from bot.interactions.reply import AnyInteraction, Reply
from bot.panels.table.lobby import lobby_panel
from bot.panels.table.more import more_panel
from bot.panels.table.table_message import old_panel
from bot.people import NamedPerson, guild_of
from bot.services import Services
from bot.table.core.snapshot import NOTHING_CHOSEN, Chosen, Mode, Snapshot
from bot.table.hosting import Actor
from bot.ui.panel import Panel
from bot.words.rules import refusal_words
from bot.words.texts import catalogue, texts
from data.ids import InteractionId, MessageId
from league.ids import PersonId, TableId
from marriage.errors import IllegalActionError
from render.words import speaking


class TableReplies:
    """Answers with a table or a hand, and reports to the publisher what was shown."""

    def __init__(self, services: Services, delivery: Delivery) -> None:
        self._services = services
        self._publisher = delivery.publisher
        self._live = delivery.live
        self._private = delivery.private

    async def show_hand(
        self,
        reply: Reply,
        table_id: TableId,
        person: NamedPerson,
        note: str | None = None,
        mode: Mode = Mode.PLAY,
        chosen: Chosen = NOTHING_CHOSEN,
    ) -> None:
        """Answer with the person's current hand panel; raises UserError if they have no hand.

        `chosen` are the sets of a show chosen so far. Looking at the hand brings back a player who was away.
        """
        with self._live.answering((table_id, person.id), reply.lasting):
            back = await self._services.presence.back(table_id, person.id)
            notes = [texts()(back) if back else None, note]
            await self._show_hand(
                reply, table_id, person, "\n".join(note for note in notes if note) or None, mode, chosen
            )

    async def _show_hand(
        self,
        reply: Reply,
        table_id: TableId,
        person: NamedPerson,
        note: str | None,
        mode: Mode,
        chosen: Chosen = NOTHING_CHOSEN,
    ) -> None:
        async with self._publisher.showing(reply.updates):
            snapshot = await self._services.tables.snapshot(table_id)
            seat = snapshot.seat_of(person.id)
            if seat is None:
                raise UserError(snapshot.why_no_seat(person.id), table=table_id)
            if snapshot.public is None:
                raise UserError("sorry.no_deal")
            # A direct message has no server, so the hand keeps the language in which it came.
            is_direct = reply.interaction.guild_id is None
            with speaking(snapshot.language_of(seat) if is_direct else texts().language):
                panel = await self._publisher.hand_panel(snapshot, seat, note, mode, chosen)
            message_id = await reply.show(panel)
            if message_id is not None:
                self._private.forget(message_id)
                self._publisher.showed(reply, message_id, snapshot.table.revision, snapshot.holders[seat])
                key = (table_id, person.id)
                self._live.keep(
                    key, message_id, snapshot.table.deal_no, mode, chosen, is_ephemeral=not reply.stays
                )

    async def show_hand_besides(self, reply: Reply, table_id: TableId, person: NamedPerson) -> None:
        """Show the person's hand privately next to a public answer, if a deal is on; it is live at once."""
        key = (table_id, person.id)
        with self._live.answering(key):
            snapshot = await self._services.tables.snapshot(table_id)
            seat = snapshot.seat_of(person.id)
            if seat is None or snapshot.table.status != "playing":
                return
            message_id = await reply.show_besides(await self._publisher.hand_panel(snapshot, seat))
            if message_id is not None:
                holder = snapshot.holders[seat]
                self._publisher.showed_besides(reply, message_id, snapshot.table.revision, holder)
                deal_no = snapshot.table.deal_no
                self._live.keep(key, message_id, deal_no, Mode.PLAY, is_ephemeral=True, is_offered=True)

    async def go_on(
        self, reply: Reply, table_id: TableId, person: NamedPerson, act: Callable[[], Awaitable[object]]
    ) -> None:
        """Ask for the next deal or match, and answer with the hand; a refusal is shown above the unchanged hand."""
        with self._live.answering((table_id, person.id), reply.lasting):
            note = None
            try:
                await act()
            except UserError as sorry:
                note = texts()(sorry.key, **sorry.values)
            except StaleRevisionError:
                note = texts()("hand.stale")
            except RepeatedInteractionError:
                pass  # a repeated click is answered with the current state
            await self.show_hand(reply, table_id, person, note)

    async def show_table(self, reply: Reply, table_id: TableId) -> MessageId | None:
        """Answer with the current table message; return the id of its message if Discord returned one.

        An old message of the table is not reused: it becomes a link to the table's present place.
        """
        async with self._publisher.showing(reply.updates):
            snapshot = await self._services.tables.snapshot(table_id)
            if reply.updates is not None and snapshot.table.message_id not in {None, reply.updates}:
                await reply.show(old_panel(snapshot.table, reply.updates, catalogue(snapshot.language)))
                return None
            message_id = await reply.show(await self._publisher.table_panel(snapshot))
            if message_id is not None:
                self._publisher.showed(reply, message_id, snapshot.table.revision)
            return message_id

    async def actor(self, pressed: Pressed) -> Actor:
        """Return the person who pressed, and whether they are staff of the table's server.

        Raises UserError in another server: nobody governs a table from there.
        """
        table = (await self._services.tables.get(pressed.table_id)).row
        if guild_of(pressed.interaction) not in {None, table.guild_id}:
            raise UserError("sorry.other_server", table=table.id)
        return Actor(pressed.person, await is_staff(self._services.store, pressed.interaction))

    async def show_more(self, reply: Reply, pressed: Pressed, note: str | None = None) -> None:
        """Answer with the **More** panel; raises UserError in another server than the table's."""
        snapshot = await self._services.tables.snapshot(pressed.table_id)
        if pressed.interaction.guild_id != snapshot.table.guild_id:
            raise UserError("sorry.no_table", table=pressed.table_id)
        await self.show_private(
            reply, snapshot, more_panel(snapshot, await self.actor(pressed), texts(), note)
        )

    async def show_private(self, reply: Reply, snapshot: Snapshot, panel: Panel) -> None:
        """Answer with a panel about the table in this snapshot, which closes when the table changes."""
        message_id = await reply.show(panel)
        if message_id is not None and not reply.stays:
            self._private.keep(reply, message_id, snapshot, texts())

    async def show_challenge(self, reply: Reply, table_id: TableId, challenged: int) -> MessageId | None:
        """Answer with a new table and ping the challenged person; return the message id if there is one."""
        snapshot = await self._services.tables.snapshot(table_id)
        with speaking(snapshot.language):
            panel = lobby_panel(snapshot, texts(), challenged)
        message_id = await reply.show(panel, pings=[challenged])
        if message_id is not None:
            self._publisher.showed(reply, message_id, snapshot.table.revision)
        return message_id

    async def move(
        self,
        interaction: AnyInteraction,
        reply: Reply,
        table_id: TableId,
        choice: Choice,
        revision: int | None = None,
    ) -> None:
        """Make a move and answer with the hand after it; a refusal is shown above the unchanged hand.

        A move brings back a player who was away.
        """
        person = NamedPerson.of(interaction.user)
        with self._live.answering((table_id, person.id), reply.lasting):
            await self._move(interaction, reply, table_id, person, choice, revision)

    async def move_thought_out(
        self,
        interaction: AnyInteraction,
        reply: Reply,
        table_id: TableId,
        choice: Choice,
        revision: int | None = None,
    ) -> None:
        """Make a move as `move` does, but compute the choice before locking the table, as it may be slow."""
        snapshot = await self._services.tables.snapshot(table_id)
        seat = snapshot.seat_of(PersonId(interaction.user.id))
        if seat is not None and snapshot.private:
            choice = await made_for(snapshot.private[seat], choice)
        await self.move(interaction, reply, table_id, choice, revision)

    async def _move(
        self,
        interaction: AnyInteraction,
        reply: Reply,
        table_id: TableId,
        person: NamedPerson,
        choice: Choice,
        revision: int | None,
    ) -> None:
        try:
            moved = await self._services.play.move(
                table_id, person.id, choice, revision, InteractionId(interaction.id)
            )
        except IllegalActionError as error:
            await self.show_hand(reply, table_id, person, refusal_words(error, texts()))
        except StaleRevisionError:
            await self.show_hand(reply, table_id, person, texts()("hand.stale"))
        except RepeatedInteractionError:
            await self.show_hand(reply, table_id, person, texts()("hand.repeated"))
        else:
            if moved.computers_at_once:
                await self._services.daily.answer(table_id)
            note = texts()("presence.welcome_back") if moved.back else None
            await self._show_hand(reply, table_id, person, note, Mode.PLAY)
