"""Opening a table and finding players for it, up to the first deal.

The tables of one person or one channel are limited, so that no one floods a server or keeps pinging people.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bot.errors import RepeatedInteractionError, SeatedElsewhereError, StaleRevisionError, UserError
from bot.people import NamedPerson
from bot.settings import Settings
from bot.table.core.change import TableTransaction, close_message
from bot.table.core.repository import TableRepository, open_table_of
from bot.table.core.table import BETWEEN, LOBBY, PAUSED, READY, reseated
from bot.table.flow.computers import free_name
from bot.table.flow.matches import table_closes
from bot.table.flow.sealing import draw_seed, seal_next
from bot.words.names import person_name, shown_name, table_address
from data.ids import ChannelId, InteractionId, MessageId
from data.outbox_keys import ShowAnewKey, TableMessageKey
from data.preferences import GuildSettings, Level, Pace, TableOptions, Terms
from data.privacy.limits import LimitRow
from data.store import Store
from data.transaction import WriteTransaction
from data.values import SeatRow, TableRow
from league.ids import GuildId, PersonId, TableId
from league.times import HOUR, MINUTE
from marriage.rules import SEATS_MAX, SEATS_MIN, Rules

COMPUTER_LEVEL = Level.STEADY
PLAY_NOW_LEVEL = Level.CASUAL
"""The level of the computers that **Play now** seats for new players.

According to its hint, it sometimes beats such players.
"""
PLAY_NOW_SEATS = 4
"""The seats that **Play now** fills: the player's and three of computers, the usual table."""
ANSWERED_BY_MS = 5_000
"""The time after which the answer to `/marriage play`, the table's message, has arrived or never will."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """The host's choices when they open a table.

    None leaves the choice to house rules: the host's, else the server's.
    """

    rules: Rules | None = None
    deals: int | None = None
    """The number of deals in the match; 0 for no fixed number."""
    pace: Pace | None = None


NO_WISHES = Wishes()


class Lobby:
    """What people can do at a table before its first deal. The host's actions are in `bot.table.hosting`."""

    def __init__(self, store: Store, tables: TableRepository, settings: Settings) -> None:
        self._store = store
        self._tables = tables
        self._settings = settings
        self._expiry = settings.lobby_expiry_m * MINUTE

    async def open(
        self,
        guild_id: GuildId,
        channel_id: ChannelId,
        host: NamedPerson,
        interaction_id: InteractionId,
        *,
        parent_id: int | None = None,
        sees: Callable[[ChannelId], bool] = lambda _: True,
        invited: Sequence[NamedPerson] = (),
        wishes: Wishes = NO_WISHES,
        token: str | None = None,
    ) -> TableId:
        """Open a table in this channel, or thread of `parent_id`, with the host in its first seat. Returns its id.

        If people are `invited`, the table is only for them. `sees` says whether the bot sees a channel. The answer
        to the host is the table's message. If that gets lost, the outbox posts another one; by the `token` of the
        interaction it finds one that has arrived.

        Raises RepeatedInteractionError for an interaction that has opened a table before.
        """
        now = self._tables.clock.now()

        async def write(db: WriteTransaction):
            if await db.interactions.find(interaction_id) is not None:
                raise RepeatedInteractionError
            await require_free(db, host.id)
            settings = await db.guilds.settings(guild_id)
            await require_place(db, self._settings, settings, channel_id, parent_id, sees)
            await _require_few_opened(db, self._settings, host.id, now, challenge=bool(invited))
            await db.guilds.keep(guild_id)
            await welcome(db, host, now)
            known = await db.people.get(host.id)
            house_rules = known.settings.house_rules if known else None
            rules, options = new_table(settings, house_rules, wishes, private=bool(invited))
            table = await db.tables.create(
                guild_id, channel_id, host.id, rules, now, options, challenge=bool(invited)
            )
            await db.interactions.record(interaction_id, table.id, table.revision, "", now)
            if token is not None:
                await db.key_values.answering(table.id, token, now)
            await count_opened(db, table, host.id, now)
            for person in invited:
                await person.keep(db, now)
                await db.guests.set_standing(table.id, person.id, "invited")
                await db.limits.add_limit(person.id, "invite", table.id)  # the challenge notifies them
            tx = TableTransaction.of_new(db, now, table, self._tables.hooks)
            tx.set_seats([_seat(table.id, 0, host)])
            seal_next(tx, draw_seed())
            tx.remind(LOBBY, self._expiry)
            tx.publish(wait_ms=ANSWERED_BY_MS)
            await tx.finish()
            return table

        table = await self._store.write(write)
        self._tables.committed()
        return table.id

    async def posted(self, table_id: TableId, channel_id: ChannelId, message_id: MessageId) -> None:
        """Record the message that shows the table."""

        async def amend(tx: TableTransaction) -> None:
            if tx.table.message_id not in {None, message_id}:
                close_message(tx, message_id)  # it was thought lost and posted again
                return
            if tx.table.message_id == message_id:
                # The outbox has found it, and may have shown a newer state before.
                tx.request(ShowAnewKey(table_id))
                return
            tx.update(channel_id=channel_id, message_id=message_id)
            db = await tx.database()
            await db.key_values.answered(table_id)
            await db.outbox.send_now(TableMessageKey(table_id), tx.now)

        await self._tables.amend(table_id, amend)

    async def join(self, table_id: TableId, person: NamedPerson, interaction_id: InteractionId) -> None:
        """Take a free seat; the press contributes to the shuffle. Raises UserError for people who cannot sit here."""

        async def command(tx: TableTransaction) -> None:
            require_lobby(tx.table)
            if any(seat.person_id == person.id for seat in tx.seats):
                raise UserError("sorry.already_seated")
            await require_welcome(tx, person.id)
            db = await tx.database()
            await require_free(db, person.id)
            await welcome(db, person, tx.now)
            place = len(tx.seats)
            await self.seat(tx, _seat(tx.table.id, place, person))
            tx.mix_in(place, interaction_id)

        await self._tables.change(table_id, command, interaction_id)

    async def leave(
        self, table_id: TableId, person_id: PersonId, interaction_id: InteractionId | None = None
    ) -> None:
        """Leave the lobby. If the host leaves, another player becomes host. The table closes with its last person."""

        async def command(tx: TableTransaction) -> None:
            require_lobby(tx.table)
            await self.clear_seat(tx, tx.seat_of(person_id))

        await self._tables.change(table_id, command, interaction_id)

    async def seat(self, tx: TableTransaction, seat: SeatRow) -> None:
        """Let a person or a computer take the next seat; raises UserError if all are taken."""
        if len(tx.seats) >= SEATS_MAX:
            raise UserError("sorry.table_full", seats=SEATS_MAX)
        await self._set_seats(tx, [*tx.seats, seat])

    async def clear_seat(self, tx: TableTransaction, gone: int) -> None:
        """Remove a seat, so that the others move up. The table closes when its last person goes."""
        rest = [seat for seat in tx.seats if seat.seat != gone]
        people = [seat.person_id for seat in rest if seat.person_id is not None]
        if not people and tx.table.kind.closes_when_idle:
            await close(tx)
            return
        if people and tx.table.host_id not in people:
            tx.update(host_id=people[0])
        await self._set_seats(tx, rest)
        tx.set_entropy(reseated(tx.entropy(), [seat.seat for seat in rest]))

    async def _set_seats(self, tx: TableTransaction, seats: Sequence[SeatRow]) -> None:
        """Set and renumber the seats. With too few players for a deal, all are marked as not ready."""
        enough = len(seats) >= SEATS_MIN
        numbered = [replace(row, seat=place, ready=row.ready and enough) for place, row in enumerate(seats)]
        tx.set_seats(numbered)
        await self.changed(tx)

    async def changed(self, tx: TableTransaction) -> None:
        """Follow a change of a lobby: show it, restart its timeout, and start it if all are ready."""
        tx.publish()
        if tx.table.kind.closes_when_idle:  # other tables wait for the deadline of their round
            tx.remind(LOBBY, self._expiry)
        if all_ready(tx.seats) and await everybody_checked_in(tx):
            tx.remind(READY, 0)
        else:
            tx.stop(READY)

    async def expire(self, table_id: TableId, revision: int) -> None:
        """Close a table that has waited too long; raises StaleRevisionError if it has changed since."""

        async def command(tx: TableTransaction) -> None:
            if tx.table.status not in {"lobby", "between"}:
                raise StaleRevisionError
            tx.require_due(LOBBY if tx.table.status == "lobby" else BETWEEN, revision)
            await close(tx)

        await self._tables.change(table_id, command)


async def close(tx: TableTransaction) -> None:
    """Close the table for good, and end the match that it plays."""
    await table_closes(tx)
    tx.update(status="closed", closed_at=tx.now)
    tx.set_bench(())
    is_paused = tx.deadline(PAUSED) is not None
    tx.deadlines.clear()
    tx.publish(range(len(tx.seats)) if is_paused else ())  # hands say that it is paused


def all_ready(seats: Sequence[SeatRow]) -> bool:
    """Return whether a deal is possible and every person is ready. Computers always are."""
    return len(seats) >= SEATS_MIN and all(seat.ready for seat in seats if seat.person_id is not None)


async def everybody_checked_in(tx: TableTransaction) -> bool:
    """Return whether everyone for whom a seat is kept has taken it, and no one else may come.

    Only league tables wait for people.
    """
    if not tx.table.kind.waits_for_invited:
        return True
    guests = await (await tx.database()).guests.of_table(tx.table.id)
    seated = {seat.person_id for seat in tx.seats}
    invited = {person for person, standing in guests.items() if standing == "invited"}
    return invited <= seated and not await tx.hooks.waits(tx)


def require_open(table: TableRow) -> None:
    """Raise UserError for a closed table."""
    if table.status == "closed":
        raise UserError("sorry.table_closed")


def require_lobby(table: TableRow) -> None:
    """Raise UserError for a table whose first deal has begun, or that is closed."""
    require_open(table)
    if table.status != "lobby":
        raise UserError("sorry.deal_is_on" if table.status == "playing" else "sorry.begun")


def require_company(tx: TableTransaction) -> None:
    """Raise UserError for a table where one person plays alone: the deal waits until the day is over."""
    if not tx.table.kind.may_be_left:
        raise UserError("daily.waits")


async def require_free(db: WriteTransaction, person_id: PersonId) -> None:
    """Raise SeatedElsewhereError, which names the other table, for a person who sits at another table."""
    elsewhere = await open_table_of(db, person_id)
    if elsewhere is not None and not await _is_done(db, elsewhere):
        raise SeatedElsewhereError(elsewhere.id, table_address(elsewhere), elsewhere.place_id)


async def _is_done(db: WriteTransaction, table: TableRow) -> bool:
    """Return whether nothing is left to play at a table.

    A match of a league has no rematch, and the next round waits.
    """
    match = await db.matches.latest(table.id) if not table.kind.has_rematch else None
    return match is not None and match.is_over


def new_table(
    settings: GuildSettings, house_rules: Terms | None = None, wishes: Wishes = NO_WISHES, *, private: bool
) -> tuple[Rules, TableOptions]:
    """Return a table's rules and options: the host's wishes, else their house rules, else the server's."""
    terms = house_rules or settings.terms
    options = TableOptions(
        deals=terms.deals if wishes.deals is None else wishes.deals,
        pace=wishes.pace or terms.pace,
        private=private,
        thread=settings.threads,
    )
    return wishes.rules or terms.rules, options


async def require_unblocked(tx: TableTransaction, person_id: PersonId) -> None:
    """Raise UserError for people whom the host has blocked."""
    if await (await tx.database()).guests.standing(tx.table.id, person_id) == "blocked":
        raise UserError("sorry.blocked", table=tx.table.id)


async def require_welcome(tx: TableTransaction, person_id: PersonId) -> None:
    """Raise UserError for people who may not sit at this table.

    They are blocked or, at a private table, not invited and have never played there.
    """
    await require_unblocked(tx, person_id)
    db = await tx.database()
    standing = await db.guests.standing(tx.table.id, person_id)
    if tx.table.kind.by_invitation and standing != "invited":
        if await db.deals.has_played(tx.table.id, person_id):
            return
        if not tx.table.kind.is_hosted:
            raise UserError("league.players_stay", table=tx.table.id)
        here = (*tx.seats, *tx.bench)
        host = next((row.name for row in here if row.person_id == tx.table.host_id), "–")
        raise UserError("sorry.private", table=tx.table.id, host=shown_name(host))


async def welcome(db: WriteTransaction, person: NamedPerson, now: int) -> None:
    """Store a person who sits down, under their current name."""
    await person.keep(db, now)
    await db.people.set_dms(person.id, open_=True)  # try again at every table


def computer_seat(tx: TableTransaction, level: Level = COMPUTER_LEVEL) -> SeatRow:
    """Return the next seat of a table, with a computer in it whose name is not taken."""
    place = len(tx.seats)
    name = free_name(tx.table.id, place, {seat.name for seat in tx.seats})
    return SeatRow(tx.table.id, place, None, name, level)


def _seat(table_id: TableId, place: int, person: NamedPerson) -> SeatRow:
    return SeatRow(table_id, place, person.id, person_name(person.id, person.name))


async def require_place(
    db: WriteTransaction,
    settings: Settings,
    server: GuildSettings,
    channel_id: ChannelId,
    parent_id: int | None,
    sees: Callable[[ChannelId], bool],
) -> None:
    """Raise UserError for a channel, or thread of `parent_id`, that has no room or where the server wants no tables.

    A chosen channel that is gone, or that the bot does not see, is passed over: no table could be opened there.
    """
    chosen = server.channel_id
    if chosen is not None and chosen not in {channel_id, parent_id} and sees(chosen):
        raise UserError("sorry.other_channel", channel=chosen)
    here = len(await db.tables.in_channel(channel_id))
    if here >= settings.tables_per_channel:
        raise UserError("sorry.channel_full", count=here)


async def _require_few_opened(
    db: WriteTransaction, settings: Settings, person_id: PersonId, now: int, *, challenge: bool
) -> None:
    """Raise UserError for one table of a person too many, saying when they may open the next one."""
    opened = await db.limits.limits(person_id, "table", now)
    _require_fewer(opened, settings.tables_per_person_h, "sorry.many_tables")
    if challenge:
        challenges = await db.limits.limits(person_id, "challenge", now)
        _require_fewer(challenges, settings.challenges_per_person_h, "sorry.many_challenges")


async def count_opened(db: WriteTransaction, table: TableRow, person_id: PersonId, now: int) -> None:
    """Count a table that a person has just opened."""
    await db.limits.add_limit(person_id, "table", table.id, now + HOUR)
    if table.challenge:
        await db.limits.add_limit(person_id, "challenge", table.id, now + HOUR)


def _require_fewer(opened: Sequence[LimitRow], most: int, key: str) -> None:
    if len(opened) >= most:
        free_again = opened[-most].until or 0
        raise UserError(key, count=len(opened), at=free_again)
