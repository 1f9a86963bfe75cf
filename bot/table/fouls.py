"""Fouls ruled at a table by its host or by the staff of the server; in a league by the staff alone.

A ruling is an event of the deal. Everybody reads who ruled it, against whom, why, and what it costs. It can be taken
back in the same way until the deal is over. A deal with a ruling counts for no leaderboard and no rating.
"""

from collections.abc import Callable

from bot.errors import StaleRevisionError, UserError
from bot.table.core.change import TableTransaction
from bot.table.core.repository import TableRepository
from bot.table.core.snapshot import Snapshot
from bot.table.hosting import Actor, require_host
from data.ids import InteractionId
from data.values import TableRow
from league.ids import TableId
from marriage.events import Event, FoulReason
from marriage.moves.ruled_fouls import lift_foul, rule_foul
from marriage.state import State


class Fouling:
    """Rule fouls. Every method raises UserError for people who may not, and IllegalActionError against the rules."""

    def __init__(self, tables: TableRepository) -> None:
        self._tables = tables

    async def governed(self, table_id: TableId, actor: Actor) -> Snapshot:
        """The table with its deal, if the actor may rule a foul in it; raises UserError otherwise."""
        snapshot = await self._tables.snapshot(table_id)
        _require_may_rule(snapshot.table, [seat.person_id for seat in snapshot.seats], actor)
        require_host(snapshot.table, snapshot.seats, actor)
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
        """Rule a foul; raises StaleRevisionError if another deal than the meant one is in play."""

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
            require_host(table, tx.seats, actor)
            if tx.state is None or table.deal_no != deal_no:
                raise StaleRevisionError
            tx.record(decided(tx, tx.state), actor=None)
            if all(row.person_id != actor.person.id for row in tx.seats):
                person = actor.person
                db = await tx.database()
                await db.people.keep(person.id, person.name, tx.now)
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
