"""What the host of a table may do: choose who sits there and by which rules they play, and rule fouls.

Once play has begun, the host still decides who may sit down for later deals: they invite people, and they block people
who came later. The staff of the server may do the same at tables where they have no place: neither a seat nor one on the
bench. Each of their acts is logged.

A ruling is an event of the deal; in a league only the staff rules. Everybody reads who ruled it, against whom, why, and
what it costs. It can be taken back in the same way until the deal is over. A deal with a ruling counts for no leaderboard
and no rating.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from bot.errors import StaleRevisionError, UnexpectedInputError, UserError
from bot.people import NamedPerson
from bot.table.core.change import TableTransaction
from bot.table.core.repository import TableRepository
from bot.table.core.snapshot import Snapshot
from bot.table.core.thread_members import review_members
from bot.table.flow.sealing import draw_seed, reseal
from bot.table.flow.seating import send_away
from bot.table.lobby import COMPUTER_LEVEL, Lobby, computer_seat, require_lobby, require_open
from bot.words.names import person_name, shown_name
from data.ids import InteractionId
from data.preferences import Level, Terms
from data.repositories.tables import Standing
from data.transaction import ReadTransaction
from data.values import BenchRow, SeatRow, TableRow
from league.ids import PersonId, TableId
from marriage.events import Event, FoulReason
from marriage.moves import lift_foul, rule_foul
from marriage.state import State

T = TypeVar("T")
SWITCHES = ("private", "hints", "thread")
"""The options of a table that are simply on or off."""
MOST_GUESTS = 25
"""The maximum number of people who can be invited to a table, and of those whom it notifies, each once."""
MOST_BLOCKED = 100
"""The maximum number of people who can be blocked from a table."""


@dataclass(frozen=True, slots=True)
class Actor:
    """The person who acts, and whether they are staff of the server."""

    person: NamedPerson
    is_staff: bool = False


@dataclass(frozen=True, slots=True)
class Invited:
    """The result of an invitation."""

    names: list[str]
    news: list[PersonId]
    """The people to notify: those who do not sit there and have never been notified by this table."""


class Hosting:
    """Every method raises UserError for people who may not. Once play has begun, only guests can still be chosen."""

    def __init__(self, tables: TableRepository, lobby: Lobby) -> None:
        self._tables = tables
        self._lobby = lobby

    async def governed(self, table_id: TableId, actor: Actor) -> Snapshot:
        """Return the current table, if the actor may change it."""
        snapshot = await self._tables.snapshot(table_id)
        _require_own(snapshot.table)
        require_host(snapshot.table, snapshot.seats, snapshot.bench, actor)
        require_open(snapshot.table)
        return snapshot

    async def _govern(
        self,
        table_id: TableId,
        actor: Actor,
        act: str,
        interaction_id: InteractionId,
        change: Callable[[TableTransaction], Awaitable[T]],
        about: str = "",
        *,
        targets: Sequence[PersonId] = (),
        require: Callable[[TableRow], None] = require_lobby,
    ) -> T:
        """Change the table for an actor who may. Acts of staff who are not its host are logged, one for each target.

        What changes nothing is no act.
        """

        async def command(tx: TableTransaction) -> T:
            _require_own(tx.table)
            require_host(tx.table, tx.seats, tx.bench, actor)
            require(tx.table)
            done = await change(tx)
            table, person = tx.table, actor.person
            if table.host_id != person.id and not tx.is_empty:
                db = await tx.database()
                await person.keep(db, tx.now)
                for target in targets or (None,):
                    await db.staff_log.add(table.guild_id, table.id, person.id, act, about, tx.now, target)
            return done

        return await self._tables.change(table_id, command, interaction_id)

    # The people at the table

    async def kick(
        self, table_id: TableId, actor: Actor, person_id: PersonId, interaction_id: InteractionId
    ) -> str:
        """Remove a person from the table; they may sit down again. Returns their name."""
        name = await self._name(table_id, person_id)
        await self._govern(
            table_id,
            actor,
            "kick",
            interaction_id,
            lambda tx: self._remove(tx, person_id),
            targets=[person_id],
        )
        return name or "–"

    async def block(
        self, table_id: TableId, actor: Actor, person: NamedPerson, interaction_id: InteractionId
    ) -> str:
        """Block a person from the table, and remove them if they sit there. Returns their name.

        Raises UserError if too many are blocked.
        """
        name = person_name(person.id, person.name)

        async def block(tx: TableTransaction) -> None:
            if person.id == tx.table.host_id:
                raise UserError("sorry.host_stays")
            db = await tx.database()
            blocked = await _guests(db, table_id, "blocked")
            if len(blocked | {person.id}) > MOST_BLOCKED:
                raise UserError("sorry.many_blocked", most=MOST_BLOCKED, name=shown_name(name))
            await person.keep(db, tx.now)
            await db.guests.set_standing(table_id, person.id, "blocked")
            review_members(tx, [person.id])
            if tx.table.status != "lobby":
                send_away(tx, person.id, name)
                tx.publish()
            elif any(seat.person_id == person.id for seat in tx.seats):
                await self._remove(tx, person.id)
            else:
                await self._lobby.changed(tx)

        await self._govern(
            table_id, actor, "block", interaction_id, block, targets=[person.id], require=require_open
        )
        return name

    async def _changed(self, tx: TableTransaction) -> None:
        if tx.table.status == "lobby":
            await self._lobby.changed(tx)
        else:
            tx.publish()

    async def _remove(self, tx: TableTransaction, person_id: PersonId) -> None:
        if person_id == tx.table.host_id:
            raise UserError("sorry.host_stays")
        gone = next((seat.seat for seat in tx.seats if seat.person_id == person_id), None)
        if gone is None:
            raise UserError("sorry.gone_already")
        await self._lobby.clear_seat(tx, gone)

    async def forget(
        self,
        table_id: TableId,
        actor: Actor,
        person_id: PersonId,
        standing: Standing,
        interaction_id: InteractionId,
    ) -> str:
        """Lift a block, or take an invitation back: whatever else the person has by now stays. Returns their name."""
        name = await self._name(table_id, person_id)

        async def forget(tx: TableTransaction) -> None:
            guests = (await tx.database()).guests
            if await guests.standing(table_id, person_id) != standing:
                return
            await guests.set_standing(table_id, person_id, None)
            review_members(tx, [person_id])
            await self._changed(tx)

        targets = [person_id] if name else []
        await self._govern(
            table_id, actor, "forget", interaction_id, forget, targets=targets, require=require_open
        )
        return name or "–"

    async def invite(
        self, table_id: TableId, actor: Actor, people: Sequence[NamedPerson], interaction_id: InteractionId
    ) -> Invited:
        """Let these people sit down at a private table. Raises UserError if any is blocked, or there are too many."""
        names = [person_name(person.id, person.name) for person in people]
        targets = [person.id for person in people]

        async def invite(tx: TableTransaction) -> Invited:
            news: list[PersonId] = []
            db = await tx.database()
            seated = {seat.person_id for seat in tx.seats}
            invited = await _guests(db, table_id, "invited")
            if len(invited | set(targets)) > MOST_GUESTS:
                raise UserError("sorry.many_guests", most=MOST_GUESTS)
            known = await db.people.get_many(invited & set(targets))
            for person, name in zip(people, names, strict=True):
                if person.id in known and known[person.id].names.in_server(tx.table.guild_id) == person.name:
                    continue
                standing = await db.guests.standing(table_id, person.id)
                if standing == "blocked":
                    raise UserError("sorry.invited_blocked", name=shown_name(name))
                is_told = await db.limits.is_limited(person.id, "invite", table_id)
                if standing is None and person.id not in seated and not is_told:
                    news.append(person.id)
                await person.keep(db, tx.now)
                await db.guests.set_standing(table_id, person.id, "invited")
            news = news[: max(0, MOST_GUESTS - await db.limits.count("invite", table_id))]
            for person_id in news:
                await db.limits.add_limit(person_id, "invite", table_id)
            await self._changed(tx)
            return Invited(names, news)

        return await self._govern(
            table_id, actor, "invite", interaction_id, invite, targets=targets, require=require_open
        )

    # Computers

    async def add_computer(
        self,
        table_id: TableId,
        actor: Actor,
        interaction_id: InteractionId,
        level: Level = COMPUTER_LEVEL,
        *,
        beside: int | None = None,
    ) -> None:
        """Let a computer player take a free seat `beside` as many computers as the actor saw, if that is known.

        Raises StaleRevisionError if there are more or fewer now.
        """

        async def add(tx: TableTransaction) -> None:
            computers = sum(seat.person_id is None for seat in tx.seats)
            if beside not in {None, computers}:
                raise StaleRevisionError
            await self._lobby.seat(tx, computer_seat(tx, level))

        await self._govern(table_id, actor, "computer", interaction_id, add, level)

    async def remove_computer(
        self, table_id: TableId, actor: Actor, name: str, interaction_id: InteractionId
    ) -> None:
        """Remove the computer player of this name."""

        async def remove(tx: TableTransaction) -> None:
            computers = (seat for seat in tx.seats if seat.person_id is None and seat.name == name)
            gone = next(computers, None)
            if gone is None:
                raise UserError("sorry.gone_already")
            await self._lobby.clear_seat(tx, gone.seat)

        await self._govern(table_id, actor, "computer", interaction_id, remove, name[:40])

    # Rules and options

    async def switch(
        self, table_id: TableId, actor: Actor, option: str, interaction_id: InteractionId, *, on: bool
    ) -> None:
        """Turn one of `SWITCHES` on or off; raises UserError for any other."""
        if option not in SWITCHES:
            raise UnexpectedInputError("no such switch")
        about = f"{option}_{'on' if on else 'off'}"

        async def turn(tx: TableTransaction) -> None:
            if getattr(tx.table.options, option) != on:
                tx.update(options=tx.table.options.model_copy(update={option: on}))
                await self._lobby.changed(tx)

        await self._govern(table_id, actor, "switch", interaction_id, turn, about)

    async def set_terms(
        self, table_id: TableId, actor: Actor, change: Callable[[Terms], Terms], interaction_id: InteractionId
    ) -> tuple[Terms, Terms]:
        """Change the rules, match or clock: `change` maps the present terms to new ones.

        Returns the terms before and after. People who were ready must be ready again. New rules reseal the
        shuffle.
        """

        async def set_terms(tx: TableTransaction) -> tuple[Terms, Terms]:
            table = tx.table
            before = terms_of(table)
            after = change(before)
            if after != before:
                if after.rules != before.rules:
                    reseal(tx, draw_seed(), after.rules)
                options = table.options.model_copy(update={"deals": after.deals, "pace": after.pace})
                tx.update(rules=after.rules, options=options)
                tx.set_seats([replace(seat, ready=False) for seat in tx.seats])
                await self._lobby.changed(tx)
            return before, after

        return await self._govern(table_id, actor, "rules", interaction_id, set_terms)

    async def _name(self, table_id: TableId, person_id: PersonId) -> str | None:
        """Return the name of a player or guest of the table; None for anyone else."""
        snapshot = await self._tables.snapshot(table_id)
        names: dict[int | None, str] = {seat.person_id: seat.name for seat in snapshot.seats}
        names |= {guest.person.id: guest.name for guest in snapshot.guests}
        return names.get(person_id)


async def _guests(db: ReadTransaction, table_id: TableId, standing: Standing) -> set[int]:
    """Return the ids of the people who are invited to a table, or of those who are blocked."""
    return {person_id for person_id, how in (await db.guests.of_table(table_id)).items() if how == standing}


def terms_of(table: TableRow) -> Terms:
    """Return the terms of a table."""
    return Terms(rules=table.rules, deals=table.options.deals, pace=table.options.pace)


def may_govern(table: TableRow, seats: Sequence[SeatRow], bench: Sequence[BenchRow], actor: Actor) -> bool:
    """Return whether this person may change the table: its host may, and server staff who have no place there."""
    if not table.kind.is_hosted:
        return False
    has_place = any(row.person_id == actor.person.id for row in (*seats, *bench))
    return table.host_id == actor.person.id or (actor.is_staff and not has_place)


def require_host(table: TableRow, seats: Sequence[SeatRow], bench: Sequence[BenchRow], actor: Actor) -> None:
    """Raise UserError for all but the host and the server's staff who have no place at the table.

    Those who sit out have one: their points are in the match.
    """
    if table.host_id == actor.person.id:
        return
    here = (*seats, *bench)
    if not actor.is_staff:
        host = next((row.name for row in here if row.person_id == table.host_id), "–")
        raise UserError("sorry.host_only", host=shown_name(host))
    if any(row.person_id == actor.person.id for row in here):
        raise UserError("sorry.staff_seated", table=table.id)


def _require_own(table: TableRow) -> None:
    """Raise UserError for a change to the table of a league, which has no host."""
    if not table.kind.is_hosted:
        raise UserError("league.locked", table=table.id)


class Fouling:
    """Rule fouls. Every method raises UserError for people who may not, and IllegalActionError against the rules."""

    def __init__(self, tables: TableRepository) -> None:
        self._tables = tables

    async def governed(self, table_id: TableId, actor: Actor) -> Snapshot:
        """Return the table with its deal, if the actor may rule a foul in it; raises UserError otherwise."""
        snapshot = await self._tables.snapshot(table_id)
        _require_may_rule(snapshot.table, [seat.person_id for seat in snapshot.seats], actor)
        require_host(snapshot.table, snapshot.seats, snapshot.bench, actor)
        return snapshot

    async def rule(
        self,
        table_id: TableId,
        actor: Actor,
        deal_no: int,
        seat: int,
        why: FoulReason,
        interaction_id: InteractionId,
    ) -> None:
        """Rule a foul; raises StaleRevisionError if another deal than `deal_no` is in play."""

        def ruled(tx: TableTransaction, state: State) -> list[Event]:
            own = (row.seat for row in tx.seats if row.person_id == actor.person.id)
            return rule_foul(state, seat, why, next(own, None))

        await self._enter(table_id, actor, deal_no, f"foul {why}", interaction_id, seat, ruled)

    async def lift(
        self, table_id: TableId, actor: Actor, deal_no: int, seat: int, interaction_id: InteractionId
    ) -> None:
        """Take a ruling back; raises StaleRevisionError as `rule` does."""
        await self._enter(
            table_id,
            actor,
            deal_no,
            "foul lifted",
            interaction_id,
            seat,
            lambda _, state: lift_foul(state, seat),
        )

    async def _enter(
        self,
        table_id: TableId,
        actor: Actor,
        deal_no: int,
        about: str,
        interaction_id: InteractionId,
        seat: int,
        decided: Callable[[TableTransaction, State], list[Event]],
    ) -> None:
        async def command(tx: TableTransaction) -> None:
            table = tx.table
            _require_may_rule(table, [row.person_id for row in tx.seats], actor)
            require_host(table, tx.seats, tx.bench, actor)
            if tx.state is None or table.deal_no != deal_no:
                raise StaleRevisionError
            tx.record(decided(tx, tx.state), actor=None)
            if all(row.person_id != actor.person.id for row in tx.seats):
                person = actor.person
                db = await tx.database()
                await person.keep(db, tx.now)
                await db.staff_log.add(table.guild_id, table.id, person.id, "foul", about, tx.now)
            tx.publish([seat])

        await self._tables.change(table_id, command, interaction_id)


def _require_may_rule(table: TableRow, seated: list[int | None], actor: Actor) -> None:
    if not table.kind.has_fouls or table.status != "playing":
        raise UserError("sorry.no_deal")
    if table.kind.is_hosted:
        return
    if not actor.is_staff:
        raise UserError("sorry.staff_only")
    if actor.person.id in seated:
        raise UserError("sorry.staff_seated", table=table.id)
