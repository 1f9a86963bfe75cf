"""Opening a table and finding players for it, up to the first deal."""

from bot.desk import BETWEEN, LOBBY, Desk, Sitting, table_key
from bot.errors import Sorry, Stale
from bot.fairness import contribute, reseated
from bot.names import clean_name
from bot.people import Person
from bot.settings import Settings
from data.store import Store
from data.values import SeatRow
from marriage.rules import PRESETS, SEATS_MAX

COMPUTER_LEVEL = "steady"
COMPUTER_NAMES = ("Sagarmatha", "Machhapuchhre", "Annapurna", "Dhaulagiri", "Makalu")
_MINUTE = 60_000
_ANSWERED_BY = 5_000
"""When the answer to `/marriage play`, which is the table's message, has come to Discord or never will."""


class Lobby:
    """What people do at a table before its first deal."""

    def __init__(self, store: Store, desk: Desk, settings: Settings) -> None:
        self._store = store
        self._desk = desk
        self._expiry = settings.lobby_expiry_m * _MINUTE

    async def open(self, guild_id: int, channel_id: int, host: Person, interaction_id: int) -> int:
        """A new table in this channel with the host in its first seat; its id.

        The answer to the host is the table's message; should it get lost, the outbox posts one.
        """
        now = self._desk.clock.now()
        async with self._store.write() as writer:
            if await writer.open_table_of_person(host.id) is not None:
                raise Sorry("sorry.already_at_table")
            await writer.keep_guild(guild_id)
            await writer.keep_person(host.id, host.name, now)
            await writer.set_dms(host.id, open_=True)  # tried anew at every table
            await writer.set_dms(host.id, open_=True)
            table = await writer.create_table(guild_id, channel_id, host.id, PRESETS["pagat"], now)
            seats = (_seat(table.id, 0, host),)
            await writer.set_seats(table.id, seats)
            sitting = Sitting(writer, now, table, seats, events=[], state=None)
            await sitting.prepare_deal(contribute([], 0, interaction_id))
            await sitting.remind(LOBBY, self._expiry)
            await writer.put_outbox(
                table.id, "table", table_key(table.id), table.revision + 1, now + _ANSWERED_BY
            )
            await writer.change_table(table)
        self._desk.committed()
        return table.id

    async def posted(self, table_id: int, channel_id: int, message_id: int) -> None:
        """Remember the message that shows the table."""
        async with self._store.write() as writer:
            await writer.set_message(table_id, channel_id, message_id)
            await writer.hasten_outbox(table_id, table_key(table_id), self._desk.clock.now())
        self._desk.committed()

    async def join(self, table_id: int, person: Person, interaction_id: int) -> None:
        """Take a free seat, which mixes the press into the shuffle; raises Sorry for one who cannot sit here."""
        async with self._desk.lock(table_id), self._desk.sitting(table_id, interaction_id) as sitting:
            _require_lobby(sitting)
            if any(seat.person_id == person.id for seat in sitting.seats):
                raise Sorry("sorry.already_seated")
            elsewhere = await sitting.writer.open_table_of_person(person.id)
            if elsewhere is not None:
                raise Sorry("sorry.already_at_table")
            await sitting.writer.keep_person(person.id, person.name, sitting.now)
            await sitting.writer.set_dms(person.id, open_=True)
            await sitting.writer.set_dms(person.id, open_=True)
            place = len(sitting.seats)
            await self._seat(sitting, _seat(table_id, place, person))
            await sitting.mix_in(place, interaction_id)

    async def add_computer(self, table_id: int, person_id: int, interaction_id: int | None = None) -> None:
        """Let a computer player take a free seat."""
        async with self._desk.lock(table_id), self._desk.sitting(table_id, interaction_id) as sitting:
            _require_lobby(sitting)
            sitting.seat_of(person_id)
            taken = {seat.name for seat in sitting.seats}
            name = next(name for name in COMPUTER_NAMES if name not in taken)
            seat = SeatRow(table_id, len(sitting.seats), person_id=None, name=name, computer=COMPUTER_LEVEL)
            await self._seat(sitting, seat)

    async def leave(self, table_id: int, person_id: int, interaction_id: int | None = None) -> None:
        """Get up again: the host's role passes on, and the last person closes the table."""
        async with self._desk.lock(table_id), self._desk.sitting(table_id, interaction_id) as sitting:
            _require_lobby(sitting)
            gone = sitting.seat_of(person_id)
            rest = [seat for seat in sitting.seats if seat.seat != gone]
            people = [seat.person_id for seat in rest if seat.person_id is not None]
            if not people:
                await close(sitting)
                return
            if sitting.table.host_id not in people:
                sitting.changes["host_id"] = people[0]
            await self._set_seats(sitting, rest)
            await sitting.set_entropy(reseated(await sitting.entropy(), [seat.seat for seat in rest]))

    async def _seat(self, sitting: Sitting, seat: SeatRow) -> None:
        if len(sitting.seats) >= SEATS_MAX:
            raise Sorry("sorry.table_full", seats=SEATS_MAX)
        await self._set_seats(sitting, [*sitting.seats, seat])

    async def _set_seats(self, sitting: Sitting, seats: list[SeatRow]) -> None:
        numbered = [
            SeatRow(row.table_id, place, row.person_id, row.name, row.computer, row.dm_channel_id)
            for place, row in enumerate(seats)
        ]
        await sitting.writer.set_seats(sitting.table.id, numbered)
        await sitting.publish()
        await sitting.remind(LOBBY, self._expiry)

    async def expire(self, table_id: int, revision: int) -> None:
        """Close a table that waited too long; raises Stale when it has changed since."""
        async with self._desk.lock(table_id), self._desk.sitting(table_id) as sitting:
            if sitting.table.status not in {"lobby", "between"}:
                raise Stale
            await sitting.require_due(LOBBY if sitting.table.status == "lobby" else BETWEEN, revision)
            await close(sitting)


async def close(sitting: Sitting) -> None:
    """Close the table for good."""
    sitting.changes |= {"status": "closed", "closed_at": sitting.now}
    await sitting.writer.clear_deadlines(sitting.table.id)
    await sitting.publish()


def _require_lobby(sitting: Sitting) -> None:
    if sitting.table.status == "closed":
        raise Sorry("sorry.table_closed")
    if sitting.table.status != "lobby":
        raise Sorry("sorry.deal_is_on")


def _seat(table_id: int, place: int, person: Person) -> SeatRow:
    name = clean_name(person.name, fallback=f"Player {place + 1}")
    return SeatRow(table_id, place, person.id, name)
