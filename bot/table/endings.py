"""Ending a deal without a winner: by a vote, by the staff of the server, or because no one is there.

The rule is the same for all of them: the deal is dismissed, no one scores or pays, and its seed is shown.
Between two deals a vote ends the match instead, and the points so far count (see `bot.table.flow.matches`).
"""

from bot.errors import StaleRevisionError, UserError
from bot.people import NamedPerson
from bot.table.core.change import TableTransaction
from bot.table.core.repository import TableRepository
from bot.table.core.table import ABANDONED, PAUSED, VOTE
from bot.table.flow.matches import (
    agree_to_end,
    awaits_the_others,
    clear_votes,
    end_is_agreed,
    end_match,
    running_match,
)
from bot.table.lobby import close, require_company
from bot.table.play import Play, require_current
from data.ids import InteractionId
from data.values import Ended
from league.ids import GuildId, PersonId, TableId
from marriage.moves import dismissed

STAFF_ACT = "end"


class Endings:
    """Every way to end a deal except finishing it."""

    def __init__(self, tables: TableRepository, play: Play) -> None:
        self._tables = tables
        self._play = play

    async def ask(self, table_id: TableId, person_id: PersonId, interaction_id: InteractionId) -> str:
        """Ask the others to end the deal or the match, or agree to it; returns a message key.

        Raises UserError if there is nothing to end, or if the person does not play here now.
        """

        async def command(tx: TableTransaction) -> str:
            return await self._ask(tx, _voter(tx, person_id))

        return await self._tables.change(table_id, command, interaction_id)

    async def ask_to_end_deal(
        self, table_id: TableId, person_id: PersonId, deal_no: int | None, interaction_id: InteractionId
    ) -> str:
        """Ask as `ask` does, to end this deal and no other. None stands for a button that names no deal.

        Raises StaleRevisionError if that deal is not in play.
        """

        async def command(tx: TableTransaction) -> str:
            seat = _voter(tx, person_id)
            if tx.table.status != "playing" or tx.deal_no != deal_no:
                raise StaleRevisionError
            return await self._ask(tx, seat)

        return await self._tables.change(table_id, command, interaction_id)

    async def ask_to_end_match(
        self, table_id: TableId, person_id: PersonId, revision: int, interaction_id: InteractionId
    ) -> str:
        """Ask as `ask` does, to end the match. Raises StaleRevisionError if a deal has begun since this revision."""

        async def command(tx: TableTransaction) -> str:
            seat = _voter(tx, person_id)
            if tx.table.status != "between":
                raise StaleRevisionError
            require_current(tx, revision)
            return await self._ask(tx, seat)

        return await self._tables.change(table_id, command, interaction_id)

    async def _ask(self, tx: TableTransaction, seat: int) -> str:
        if awaits_the_others(tx):
            raise UserError("sorry.others_away")
        agree_to_end(tx, seat)
        tx.publish()
        asked = "leaving.asked" if tx.deadline(PAUSED) is None else "leaving.asked_paused"
        return await self.count(tx) or asked

    async def agree(
        self, table_id: TableId, person_id: PersonId, revision: int, interaction_id: InteractionId
    ) -> str:
        """Agree to what was asked in a message of this revision; returns a message key.

        Raises StaleRevisionError if that vote is over.
        """

        async def command(tx: TableTransaction) -> str:
            seat = _voter(tx, person_id)
            _require_vote(tx, revision)
            agree_to_end(tx, seat)
            tx.publish()
            return await self.count(tx) or "leaving.agreed"

        return await self._tables.change(table_id, command, interaction_id)

    async def refuse(
        self, table_id: TableId, person_id: PersonId, revision: int, interaction_id: InteractionId
    ) -> None:
        """Refuse to end it; one refusal is enough. Raises StaleRevisionError if that vote is over."""

        async def command(tx: TableTransaction) -> None:
            _voter(tx, person_id)
            _require_vote(tx, revision)
            clear_votes(tx)
            tx.publish()

        await self._tables.change(table_id, command, interaction_id)

    async def expire(self, table_id: TableId, revision: int) -> None:
        """Let a vote expire without full agreement. Raises StaleRevisionError if that vote is over."""

        async def command(tx: TableTransaction) -> None:
            tx.require_due(VOTE, revision)
            clear_votes(tx)
            tx.publish()

        await self._tables.change(table_id, command)

    async def count(self, tx: TableTransaction) -> str | None:
        """End the deal or the match if everyone present has agreed; return a message key, or None otherwise.

        Call this again whenever a player leaves, because that may complete the vote.
        """
        if tx.deadline(VOTE) is None or not end_is_agreed(tx):
            return None
        if tx.table.status == "playing":
            await self.dismiss(tx, "vote")
            return "leaving.ended"
        clear_votes(tx)
        await end_match(tx, "vote")
        if (
            tx.deadline(PAUSED) is not None
        ):  # it closes at its usual time, whether it can be shown again or not
            self._play.resume_waiting(tx)
            tx.publish_hands(range(len(tx.seats)))  # they say that it is paused
        return "leaving.ended_match"

    async def by_staff(
        self,
        table_id: TableId,
        guild_id: GuildId,
        staff: NamedPerson,
        reason: str,
        interaction_id: InteractionId,
    ) -> None:
        """Close a table of this server, in any state, even a damaged one. The caller checks that the person is staff.

        Raises UserError if the person sits at a table where play can go on, or if the table does not exist or is
        closed already.
        """

        async def command(tx: TableTransaction) -> None:
            if tx.table.guild_id != guild_id or not tx.table.kind.has_message:
                raise UserError("sorry.no_table", table=table_id)
            sits_here = any(row.person_id == staff.id for row in (*tx.seats, *tx.bench))
            if sits_here and not _is_damaged(tx):
                raise UserError("sorry.staff_seated", table=table_id)
            if tx.table.status == "closed":
                raise UserError("sorry.table_closed")
            db = await tx.database()
            await staff.keep(db, tx.now)
            await db.staff_log.add(guild_id, table_id, staff.id, STAFF_ACT, reason, tx.now)
            await self.shut(tx, "staff")

        await self._tables.change(table_id, command, interaction_id, may_be_damaged=True)

    async def abandoned(self, table_id: TableId, revision: int) -> None:
        """Close a table that everyone left long ago. Raises StaleRevisionError if a player has come back."""

        async def command(tx: TableTransaction) -> None:
            tx.require_due(ABANDONED, revision)
            here = tx.bench or any(seat.present for seat in tx.seats)
            if tx.table.status == "closed" or here:
                raise StaleRevisionError
            await self.shut(tx, "abandoned")

        await self._tables.change(table_id, command)

    async def shut(self, tx: TableTransaction, why: Ended) -> None:
        """Close the table, and dismiss the deal in play if there is one."""
        if tx.table.status == "playing":
            if _is_damaged(tx):
                await (await tx.database()).deals.end(tx.table.id, tx.deal_no, tx.now, why)
            else:
                await self.dismiss(tx, why)
        tx.update(ended=why)
        await close(tx)

    async def dismiss(self, tx: TableTransaction, why: Ended) -> None:
        """End the deal in play without a winner."""
        if tx.state is None:
            raise UserError("sorry.no_deal")
        tx.update(ended=why)
        tx.record(dismissed(tx.state), actor=None)
        await self._play.follow(tx, [])


def _is_damaged(tx: TableTransaction) -> bool:
    """Return whether a deal is in play whose events are damaged."""
    return tx.table.status == "playing" and tx.state is None


def _voter(tx: TableTransaction, person_id: PersonId) -> int:
    """Return the seat of a person who may vote.

    The vote is on the deal or, between deals, on a match of fixed length. Raises UserError.
    """
    seat = tx.seat_of(person_id)
    require_company(tx)
    match = running_match(tx) if tx.table.status == "between" else None
    if tx.table.status != "playing" and (match is None or not match.deals):
        raise UserError("sorry.nothing_to_end")
    if not tx.seats[seat].present:
        raise UserError("sorry.away_voter")
    return seat


def _require_vote(tx: TableTransaction, revision: int) -> None:
    vote = tx.deadline(VOTE)
    if vote is None or revision < vote.revision:
        raise StaleRevisionError
