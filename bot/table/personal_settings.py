"""People's own settings: how they like things shown, how they arrange their cards, and how strong their computers are."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from pydantic import ValidationError

from bot.errors import UnexpectedInputError, UserError
from bot.people import NamedPerson
from bot.table.core.change import TableChange, TableHooks, TableTransaction, retire_hands
from bot.table.core.repository import TableRepository
from bot.table.core.snapshot import Holder
from bot.table.lobby import PLAY_NOW_LEVEL
from data.ids import MessageId
from data.preferences import PersonSettings
from data.store import Store
from data.transaction import WriteTransaction
from data.values import OwnArrangement
from league.ids import PersonId, TableId
from league.times import timezone_named
from marriage.cards import Card, Cards, without
from render.hand_layout import Heap, HeapKind, still_held
from render.style import DEFAULT, Style

_ANSWERED_BY = 1_000
"""The time after which the answer to a press in the direct message, with the same hand, has arrived."""


class PersonalSettings:
    """People's settings and how they arrange their cards. Changing them is not a move, so no table's revision grows."""

    def __init__(self, store: Store, tables: TableRepository) -> None:
        self._store = store
        self._tables = tables

    async def settings(self, person_id: PersonId) -> PersonSettings:
        """Return this person's settings; the defaults if they never changed any."""
        return await self._store.directory.person_settings(person_id)

    async def style(self, person_id: PersonId | None) -> Style | None:
        """Return how this person likes pictures; None if they want words.

        Without a person, return the default style.
        """
        if person_id is None:
            return DEFAULT
        settings = await self.settings(person_id)
        return None if settings.words else Holder(settings).style

    async def change(self, person: NamedPerson, **changes: Any) -> PersonSettings:
        """Change some settings, and show the hand in play that way; raises UserError for an unknown value.

        Another order of the cards replaces the person's own.
        """
        if (zone := changes.get("timezone")) is not None:
            if (named := timezone_named(zone)) is None:
                raise UserError("daily.no_timezone")
            changes["timezone"] = named
        now = self._tables.clock.now()
        sorts = "grouping" in changes

        async def change(db: WriteTransaction) -> PersonSettings:
            await person.keep(db, now)
            kept = await db.people.get(person.id)
            before = PersonSettings() if kept is None else kept.settings
            try:
                settings = PersonSettings.model_validate(before.model_dump() | changes)
            except ValidationError:
                raise UnexpectedInputError("no such setting") from None
            await db.people.set_settings(person.id, settings)
            return settings

        table_id = await self._tables.table_of(person.id)
        if table_id is None:
            return await self._store.write(change)

        async def amend(tx: TableTransaction) -> PersonSettings:
            if sorts and (arrangement := tx.pins.get(person.id)) is not None:
                tx.pins[person.id] = OwnArrangement(arrangement.groups)
            settings = await change(await tx.database())
            _show_anew(tx, person.id)
            return settings

        return await self._tables.amend(table_id, amend)

    async def try_messages(
        self, person_id: PersonId, table_id: TableId, pressed: MessageId | None = None
    ) -> bool:
        """Send the hand by direct message again, even after a failure: in a new message, or the pressed one.

        Returns whether there is a hand to send: there is none while no deal is in play.
        """

        async def amend(tx: TableTransaction) -> bool:
            await (await tx.database()).people.set_dms(person_id, open_=True)
            is_playing = tx.table.status == "playing"
            if is_playing:
                retire_hands(tx, lambda _: pressed, of={person_id})
            _show_anew(tx, person_id)
            return is_playing

        return await self._tables.amend(table_id, amend)

    async def pin(self, table_id: TableId, person_id: PersonId, cards: Cards) -> None:
        """Put these cards together in a group; each card leaves its former group."""
        await self._arrange(
            table_id,
            person_id,
            lambda laid: OwnArrangement((*_without(laid.groups, cards), cards), _without(laid.order, cards)),
        )

    async def unpin(self, table_id: TableId, person_id: PersonId, numbers: Sequence[int]) -> None:
        """Dissolve the groups with these numbers, from 0."""

        def rest(laid: OwnArrangement) -> OwnArrangement:
            kept = tuple(group for number, group in enumerate(laid.groups) if number not in numbers)
            return OwnArrangement(kept, laid.order)

        await self._arrange(table_id, person_id, rest)

    async def lay(self, table_id: TableId, person_id: PersonId, heaps: Sequence[Heap]) -> None:
        """Lay the cards in these heaps, whatever the settings are; groups stay groups."""
        groups = [heap.cards for heap in heaps if heap.kind is HeapKind.OWN and len(heap.cards) > 1]
        others = [heap.cards for heap in heaps if heap.kind is not HeapKind.OWN or len(heap.cards) == 1]
        await self._arrange(table_id, person_id, lambda _: OwnArrangement(tuple(groups), tuple(others)))

    async def _arrange(
        self, table_id: TableId, person_id: PersonId, change: Callable[[OwnArrangement], OwnArrangement]
    ) -> None:
        """Change how the cards lie, and drop those that are no longer in hand."""

        async def amend(tx: TableTransaction) -> None:
            seat = tx.seat_of(person_id)
            if tx.table.status != "playing":
                raise UserError("sorry.no_deal")
            concealed = tx.before.private[seat].own.concealed or ()
            before = _held(tx.pins.get(person_id, OwnArrangement()), concealed)
            tx.pins[person_id] = _held(change(before), concealed)
            _show_anew(tx, person_id, after_ms=_ANSWERED_BY)

        await self._tables.amend(table_id, amend)


def _held(laid: OwnArrangement, concealed: Cards) -> OwnArrangement:
    """Return the arrangement without the cards that have left the hand."""
    groups = still_held(laid.groups, concealed)
    rest = without(concealed, [card for group in groups for card in group])
    return OwnArrangement(groups, still_held(laid.order, rest, fewest=1))


def _show_anew(change: TableChange, person_id: PersonId, after_ms: int = 0) -> None:
    """Request that the hand's direct message be drawn again, although the table has not moved on.

    It is requested at the next revision, so that a message being sent right now is updated again.
    """
    if change.table.status == "playing":
        change.publish_hands(
            [seat.seat for seat in change.seats if seat.person_id == person_id], wait_ms=after_ms
        )


def _without(heaps: tuple[Cards, ...], cards: Cards) -> tuple[Cards, ...]:
    """Return the heaps without these cards. Each card is removed as often as it is given."""
    wanted = Counter(cards)
    rest: list[Cards] = []
    for heap in heaps:
        kept: list[Card] = []
        for card in heap:
            if wanted[card]:
                wanted[card] -= 1
            else:
                kept.append(card)
        rest.append(tuple(kept))
    return tuple(rest)


def ask_about_stronger(hooks: TableHooks) -> None:
    """Ask after the first deal that a player wins against casual computers alone."""
    hooks.deal_ended.append(_ask_winner)


def is_asked_about_stronger(settings: PersonSettings, table_id: TableId, deal_no: int) -> bool:
    """Return whether this person is asked after this deal and has not answered yet."""
    return settings.play_now_level is None and settings.asked_stronger == (table_id, deal_no)


async def _ask_winner(tx: TableTransaction) -> None:
    """Record the deal after which the winner is asked, so that later deals do not ask again."""
    sheet = tx.state.sheet if tx.state is not None else None
    if sheet is None or sheet.winner is None:
        return
    winner = tx.seats[sheet.winner]
    others = [seat for seat in tx.seats if seat is not winner]
    if winner.person_id is None or not winner.present:
        return
    if any(seat.person_id is not None or seat.computer != PLAY_NOW_LEVEL for seat in others):
        return
    db = await tx.database()
    person = await db.people.get(winner.person_id)
    if person is None or person.settings.play_now_level or person.settings.asked_stronger:
        return
    asked = person.settings.model_copy(update={"asked_stronger": (tx.table.id, tx.deal_no)})
    await db.people.set_settings(winner.person_id, asked)
