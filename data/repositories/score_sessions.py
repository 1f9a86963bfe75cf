"""Home games with real cards: sessions, their scorekeepers, and the recorded deals."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, TypedDict, Unpack

from sqlalchemy import ColumnElement, delete, func, insert, select, update

from data.dialect import insert_or_keep
from data.errors import RevisionConflictError
from data.ids import ChannelId, ScoreSessionId
from data.schema.core import public_message, score_entry, score_keeper, score_session
from data.session import Session
from league.ids import GuildId, PersonId
from league.times import DAY
from marriage.rules import RULES_VERSION, Rules
from marriage.scoring.home_game import HomeDeal

KEPT_MS = 730 * DAY
"""How long a home game is kept after its last change: two years."""


@dataclass(frozen=True, slots=True)
class ScoreSessionRow:
    """An evening of deals with real cards whose score is kept in a channel."""

    id: ScoreSessionId
    guild_id: GuildId
    channel_id: ChannelId
    names: tuple[str, ...]
    revision: int
    """The number of changes; a form opened on an older revision is stale."""
    rules: Rules = field(repr=False)
    rules_version: int
    draft: str | None = field(repr=False)
    """A typed deal that could not be entered yet, as JSON."""
    changed_at: int
    closed_at: int | None


class ScoreSessionChanges(TypedDict, total=False):
    """The columns of a score session that may change."""

    names: tuple[str, ...]
    rules: Rules
    draft: str | None
    closed_at: int | None


@dataclass(frozen=True, slots=True)
class ScoreEntryRow:
    """One recorded deal. An undone deal is kept but does not count."""

    session_id: ScoreSessionId
    number: int
    """1, 2, 3 ... without gaps, including undone deals."""
    deal: HomeDeal
    undone: bool
    at: int


class ScoreSessionQueries(Session):
    """Finds sessions and their deals."""

    async def get(self, session_id: int) -> ScoreSessionRow | None:
        """Return the session of this id, open or closed."""
        return await self._score_session(score_session.c.id == session_id)

    async def open_in_channel(self, channel_id: ChannelId) -> ScoreSessionRow | None:
        """Return the open session of a channel; None if there is none."""
        return await self._score_session(
            score_session.c.channel_id == channel_id, score_session.c.closed_at.is_(None)
        )

    async def keepers(self, session_id: int) -> frozenset[int]:
        """Return the people who may write in a session."""
        rows = await self._execute(
            select(score_keeper.c.person_id).where(score_keeper.c.session_id == session_id)
        )
        return frozenset(rows.scalars())

    async def entries(self, session_id: int) -> list[ScoreEntryRow]:
        """Return all deals of a session in order, including undone ones."""
        return await self._all(
            ScoreEntryRow,
            select(score_entry).where(score_entry.c.session_id == session_id).order_by(score_entry.c.number),
        )

    async def _score_session(self, *conditions: ColumnElement[bool]) -> ScoreSessionRow | None:
        return await self._one(ScoreSessionRow, select(score_session).where(*conditions))


class ScoreSessionRepository(ScoreSessionQueries):
    """Opens sessions and stores their deals."""

    async def open(
        self,
        guild_id: GuildId,
        channel_id: ChannelId,
        names: tuple[str, ...],
        rules: Rules,
        keepers: Iterable[PersonId],
        now: int,
    ) -> ScoreSessionRow:
        """Open a session, with revision 0.

        Its server and keepers must already be stored. No other session may be open in the channel.
        """
        values: dict[str, Any] = {
            "guild_id": guild_id,
            "channel_id": channel_id,
            "names": names,
            "revision": 0,
            "rules": rules,
            "rules_version": RULES_VERSION,
            "draft": None,
            "changed_at": now,
            "closed_at": None,
        }
        number = await self._scalar(insert(score_session).values(values).returning(score_session.c.id))
        for person_id in keepers:
            await self.add_keeper(number, person_id)
        return ScoreSessionRow(id=number, **values)

    async def update(
        self, session: ScoreSessionRow, now: int, **changes: Unpack[ScoreSessionChanges]
    ) -> ScoreSessionRow:
        """Change a session and raise its revision; raises RevisionConflictError if it has changed meanwhile."""
        values: dict[str, Any] = {**changes, "revision": session.revision + 1, "changed_at": now}
        if "rules" in changes:
            values["rules_version"] = RULES_VERSION
        done = await self._execute(
            update(score_session)
            .where(score_session.c.id == session.id, score_session.c.revision == session.revision)
            .values(values)
        )
        if done.rowcount != 1:
            raise RevisionConflictError(f"session {session.id} is no longer at revision {session.revision}")
        return replace(session, **values)

    async def set_draft(self, session_id: int, draft: str) -> None:
        """Store the initial content of the next form. A draft counts for nothing, so the revision stays."""
        await self._execute(update(score_session).where(score_session.c.id == session_id).values(draft=draft))

    async def add_keeper(self, session_id: int, person_id: PersonId) -> None:
        """Let a person, who must already be stored, write in a session."""
        values = {"session_id": session_id, "person_id": person_id}
        await self._execute(insert_or_keep(score_keeper, values))

    async def add_entry(self, session_id: int, deal: HomeDeal, now: int) -> int:
        """Store a deal and return its number."""
        last = await self._scalar(
            select(func.max(score_entry.c.number)).where(score_entry.c.session_id == session_id)
        )
        number = (last or 0) + 1
        await self._execute(
            insert(score_entry).values(session_id=session_id, number=number, deal=deal, undone=False, at=now)
        )
        return number

    async def correct_entry(self, session_id: int, number: int, deal: HomeDeal) -> None:
        """Replace a recorded deal with another."""
        await self._execute(
            update(score_entry)
            .where(score_entry.c.session_id == session_id, score_entry.c.number == number)
            .values(deal=deal)
        )

    async def undo_entry(self, session_id: int, number: int) -> None:
        """Mark a deal as undone: it no longer counts."""
        await self._execute(
            update(score_entry)
            .where(score_entry.c.session_id == session_id, score_entry.c.number == number)
            .values(undone=True)
        )

    async def forget_old(self, now: int) -> None:
        """Delete the sessions that have not changed for `KEPT_MS`, with their deals and where their messages are."""
        is_old = score_session.c.changed_at < now - KEPT_MS
        old = select(score_session.c.id).where(is_old)
        is_theirs = public_message.c.kind == "score", public_message.c.about.in_(old)
        await self._execute(delete(public_message).where(*is_theirs))
        await self._execute(delete(score_entry).where(score_entry.c.session_id.in_(old)))
        await self._execute(delete(score_keeper).where(score_keeper.c.session_id.in_(old)))
        await self._execute(delete(score_session).where(is_old))
