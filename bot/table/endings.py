"""Ending a deal that nobody won: by a vote, by those who look after the server, or because nobody is there.

The rule is the same for all of them: the deal is dismissed, nobody scores and nobody pays, and its seed is shown.
Between two deals a vote ends the match instead, and the points so far count (see `bot.table.matches`).
"""

from bot.errors import Sorry, Stale
from bot.people import Person
from bot.table import matches, votes
from bot.table.lobby import close, require_company
from bot.table.play import Play
from bot.table.repository import ABANDONED, VOTE, Desk, Sitting
from data.values import Ended
from marriage.ending import dismissed

STAFF_ACT = "end"


class Endings:
    """Every way out of a deal but finishing it."""

    def __init__(self, desk: Desk, play: Play) -> None:
        self._desk = desk
        self._play = play

    async def ask(self, table_id: int, person_id: int, interaction_id: int) -> str:
        """Ask the others to end the deal, or the match; or agree to it. The key of what to say.

        Raises Sorry when there is nothing to end, or for one who does not play here now.
        """
        async with self._desk.lock(table_id), self._desk.sitting(table_id, interaction_id) as sitting:
            await votes.agree(sitting, await _voter(sitting, person_id))
            await sitting.publish()
            return await self.count(sitting) or "leaving.asked"

    async def agree(self, table_id: int, person_id: int, revision: int, interaction_id: int) -> str:
        """Agree to what was asked in a message of this revision; the key of what to say.

        Raises Stale when that vote is past.
        """
        async with self._desk.lock(table_id), self._desk.sitting(table_id, interaction_id) as sitting:
            seat = await _voter(sitting, person_id)
            await _require_vote(sitting, revision)
            await votes.agree(sitting, seat)
            await sitting.publish()
            return await self.count(sitting) or "leaving.agreed"

    async def refuse(self, table_id: int, person_id: int, revision: int, interaction_id: int) -> None:
        """One is enough: it goes on. Raises Stale when that vote is past."""
        async with self._desk.lock(table_id), self._desk.sitting(table_id, interaction_id) as sitting:
            await _voter(sitting, person_id)
            await _require_vote(sitting, revision)
            await votes.clear(sitting)
            await sitting.publish()

    async def expire(self, table_id: int, revision: int) -> None:
        """Not all have agreed in time: it goes on. Raises Stale when that vote is past."""
        async with self._desk.lock(table_id), self._desk.sitting(table_id) as sitting:
            await sitting.require_due(VOTE, revision)
            await votes.clear(sitting)
            await sitting.publish()

    async def count(self, sitting: Sitting) -> str | None:
        """End what was voted on if everybody present has agreed, and tell the key of what to say; else None.

        To be asked again whenever somebody goes.
        """
        if await sitting.deadline(VOTE) is None or not votes.is_agreed(sitting):
            return None
        if sitting.table.status == "playing":
            await self.dismiss(sitting, "vote")
            return "leaving.ended"
        await votes.clear(sitting)
        await matches.end(sitting, "vote")
        return "leaving.ended_match"

    async def by_staff(
        self, table_id: int, guild_id: int, staff: Person, reason: str, interaction_id: int
    ) -> None:
        """Close a table of this server, whatever it is doing. That the person may is for the caller to know.

        Raises Sorry for one who sits at the table, or a table that is not there or closed already.
        """
        async with self._desk.lock(table_id), self._desk.sitting(table_id, interaction_id) as sitting:
            if sitting.table.guild_id != guild_id or sitting.table.options.alone:
                raise Sorry("sorry.no_table", table=table_id)
            if any(one.person_id == staff.id for one in (*sitting.seats, *sitting.bench)):
                raise Sorry("sorry.staff_seated", table=table_id)
            if sitting.table.status == "closed":
                raise Sorry("sorry.table_closed")
            writer = sitting.writer
            await writer.keep_person(staff.id, staff.name, sitting.now)
            await writer.add_staff_act(guild_id, table_id, staff.id, STAFF_ACT, reason, sitting.now)
            await self.shut(sitting, "staff")

    async def abandoned(self, table_id: int, revision: int) -> None:
        """Nobody has been there for long: the table closes. Raises Stale when somebody has come back."""
        async with self._desk.lock(table_id), self._desk.sitting(table_id) as sitting:
            await sitting.require_due(ABANDONED, revision)
            here = sitting.bench or any(seat.present for seat in sitting.seats)
            if sitting.table.status == "closed" or here:
                raise Stale
            await self.shut(sitting, "abandoned")

    async def shut(self, sitting: Sitting, why: Ended) -> None:
        """Close the table; a deal that is on is dismissed."""
        if sitting.table.status == "playing":
            await self.dismiss(sitting, why)
        sitting.changes["ended"] = why
        await close(sitting)

    async def dismiss(self, sitting: Sitting, why: Ended) -> None:
        """End the deal in play without a winner."""
        if sitting.state is None:
            raise Sorry("sorry.no_deal")
        sitting.changes["ended"] = why
        await sitting.record(dismissed(sitting.state), actor=None)
        await self._play.follow(sitting, [])


async def _voter(sitting: Sitting, person_id: int) -> int:
    """The seat of one who may vote on the deal, or between deals on the match of so many; raises Sorry."""
    seat = sitting.seat_of(person_id)
    require_company(sitting)
    match = await matches.running(sitting) if sitting.table.status == "between" else None
    if sitting.table.status != "playing" and (match is None or not match.deals):
        raise Sorry("sorry.nothing_to_end")
    if not sitting.seats[seat].present:
        raise Sorry("sorry.away_voter")
    return seat


async def _require_vote(sitting: Sitting, revision: int) -> None:
    vote = await sitting.deadline(VOTE)
    if vote is None or revision < vote.revision:
        raise Stale
