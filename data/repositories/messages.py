"""What Discord is told: the outbox with the messages still to be published, the files attached to messages, and answered interactions.

Of a message only the newest state is worth sending, so at most one row of each key is pending in the outbox. A row names the message
to draw and contains no cards.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Generic, NamedTuple, TypeVar

from sqlalchemy import (
    ColumnElement,
    Executable,
    Integer,
    Select,
    Text,
    and_,
    bindparam,
    case,
    cast,
    delete,
    exists,
    func,
    insert,
    not_,
    or_,
    select,
    update,
)

from data.dialect import Big, greater, insert_or_keep, lesser, upsert_all
from data.errors import InteractionSeenError
from data.ids import ChannelId, InteractionId, MessageId, SeasonId
from data.outbox_keys import (
    DailyReminderKey,
    EndedMentionKey,
    HandAmendmentKey,
    HandKey,
    OutboxKey,
    RetiredHandKey,
    SeasonPostKey,
    StoredKey,
    Subject,
    TableMessageKey,
    ThreadAccessKey,
    WeekPostKey,
    parse_key,
)
from data.schema.core import OUTBOX_PENDING, attached_file, interaction_seen, outbox, seat
from data.season_posts import EndPost
from data.session import Expected, Session
from data.shards import EVERYTHING, OWNED_MESSAGE, Share
from data.shards import asked as asked_of
from data.values import SeenRow
from league.ids import TableId
from league.times import DAY

Key = TypeVar("Key", bound=OutboxKey, covariant=True)  # noqa: PLC0105 - read as a word


@dataclass(frozen=True, slots=True)
class OutboxRow(Generic[Key]):
    """A message to publish: its subject, and up to which revision. It never contains a card."""

    id: int
    key: Key
    revision: int
    attempts: int
    queued_at: int
    not_before: int

    @property
    def nonce(self) -> str:
        """At most 25 characters, the same for every attempt, but different in a recreated database."""
        return f"{self.queued_at:x}-{self.id:x}"

    def may_have_arrived(self, since: int) -> bool:
        """Return whether an earlier attempt, by a current sender or one before `since`, may have sent it."""
        return self.attempts > 0 or self.queued_at < since


@dataclass(frozen=True, slots=True)
class OutboxRequest:
    """Something to be brought to a revision within `wait_ms`."""

    key: OutboxKey
    revision: int
    wait_ms: int = 0

    def merged(self, later: "OutboxRequest") -> "OutboxRequest":
        """Merge this request with a later one of the same key."""
        revision, wait_ms = max(self.revision, later.revision), min(self.wait_ms, later.wait_ms)
        return OutboxRequest(later.key, revision, wait_ms)


PUBLISHED_KEPT_MS = DAY
ERROR_LENGTH = 200
OTHERS_GAP_MS = 1_500
"""The maximum rest after an edit, except for messages of tables: a player is waiting for their hand."""
RENEWED = "renewed"
"""The error stored for a row that was replaced before it was published."""

_KEY = [outbox.c.subject, outbox.c.about, outbox.c.kind, outbox.c.name, outbox.c.seat]
_STATE = [outbox.c.id, outbox.c.revision, outbox.c.attempts, outbox.c.queued_at, outbox.c.not_before]
_ROW = select(*_KEY, *_STATE).where(OUTBOX_PENDING)

_NOW = bindparam("now", type_=Big)

_END = (
    update(outbox)
    .where(outbox.c.id == bindparam("of"), outbox.c.revision <= bindparam("at"), OUTBOX_PENDING)
    .values(done_at=_NOW, error=bindparam("why"))
)

_OF_PEOPLE = EndedMentionKey, HandAmendmentKey, RetiredHandKey, ThreadAccessKey
"""The keys that hold the id of a person, or may hold that of their direct message channel."""
_IS_OF_A_SEAT = exists().where(
    seat.c.table_id == outbox.c.about,
    outbox.c.name.like(f"{RetiredHandKey.kind}:" + cast(seat.c.dm_channel_id, Text) + ":%"),
)
_FORGET_PEOPLE = delete(outbox).where(
    outbox.c.id == bindparam("of"),
    outbox.c.done_at.is_not(None),
    outbox.c.kind.in_([key.kind for key in _OF_PEOPLE]),
    or_(outbox.c.kind != RetiredHandKey.kind, not_(_IS_OF_A_SEAT)),
)
"""Deletes such a row once it has ended. The old hand of a player who still has the seat may be requested once more."""

_OF_SEASON = outbox.c.subject == Subject.SEASON
_LAST = outbox.c.name == SeasonPostKey(SeasonId(0), EndPost()).name
_ORDER = (
    case((_OF_SEASON, 1), else_=0),
    case((_OF_SEASON, outbox.c.not_before), else_=outbox.c.id),
    case((_OF_SEASON, _LAST)),
    case((_OF_SEASON, outbox.c.name)),
    outbox.c.id,
)
"""Table messages first, in request order; then season messages by time and name, the end last."""
_WAITS_FOR_ITS_TIME = and_(
    outbox.c.kind.in_([DailyReminderKey.kind, WeekPostKey.kind]), outbox.c.attempts == 0
)
_POSTPONE = (
    update(outbox)
    .where(outbox.c.id == bindparam("of"), OUTBOX_PENDING)
    .values(not_before=bindparam("until", type_=Big))
)


class Pending(NamedTuple):
    """The pending rows of an outbox at one moment."""

    due: list[OutboxRow[OutboxKey]]
    next_at: int | None
    """When the first of the other rows may be sent, in milliseconds since 1970; None if nothing is waiting.
    """
    unreadable: frozenset[int] = frozenset()
    """The ids of rows that should be sent too, but that this version cannot read."""


class Backlog(NamedTuple):
    """The number of rows waiting to be sent, and the earliest due time."""

    pending: int
    due_at: int | None
    """When the row that has waited longest may be, or could have been, sent; None if nothing is waiting."""


def _request(revision: Callable[[Any], ColumnElement[int]]) -> Executable:
    """Return the statement that requests keys; `revision` returns that of a pending row, given the new one."""
    return upsert_all(
        outbox,
        [outbox.c.subject, outbox.c.about, outbox.c.name],
        lambda new: {
            "kind": new.kind,
            "seat": new.seat,
            "revision": revision(new),
            "not_before": case(
                (outbox.c.attempts == 0, lesser(outbox.c.not_before, new.not_before)),
                else_=outbox.c.not_before,
            ),
        },
        among=OUTBOX_PENDING,
    )


_PUT = _request(lambda new: greater(outbox.c.revision, new.revision))
_ASK = _request(lambda _: outbox.c.revision + 1)


class OutboxQueries(Session):
    """Finds pending rows."""

    async def look(
        self,
        now: int,
        limit: int,
        beside: Collection[int] = (),
        *,
        kinds: Collection[str] | None = None,
        gap_ms: int = 0,
        share: Share = EVERYTHING,
    ) -> Pending:
        """Return up to `limit` rows of a share that may be sent now, and when to look again.

        The rows come in request order. Leaves out the rows with the ids in `beside` and, if `kinds` is given,
        rows of other kinds. After the message of a table was published, its next row waits for `gap_ms`;
        after any other one, for at most `OTHERS_GAP_MS`.
        """
        asked = {
            "now": now,
            "gap_ms": gap_ms,
            "beside": list(beside),
            "kinds": list(kinds or ()),
            "limit": limit + 1,
        }
        if not share.is_all:
            asked |= asked_of(share)
        statement = _waiting_rows(of_kinds=kinds is not None, rests=gap_ms > 0, is_shared=not share.is_all)
        found = await self._execute(statement, asked)
        due: list[OutboxRow[OutboxKey]] = []
        unreadable: set[int] = set()
        for row in found.mappings():
            values = dict(row)
            ready_at = values.pop("ready_at")
            if ready_at > now or len(due) == limit:
                return Pending(due, ready_at, frozenset(unreadable))
            try:
                due.append(_row(**values))
            except ValueError:  # the others are sent all the same
                unreadable.add(values["id"])
        return Pending(due, None, frozenset(unreadable))

    async def due(self, now: int, limit: int) -> list[OutboxRow[OutboxKey]]:
        """Return the rows of all kinds that may be sent now."""
        return (await self.look(now, limit)).due

    async def count_failing(self, subject: Subject, about: int, kinds: Collection[str]) -> int:
        """Return how many messages about this subject are pending after a failed attempt."""
        failing = OUTBOX_PENDING, outbox.c.attempts > 0, outbox.c.kind.in_(kinds)
        return await self._scalar(
            select(func.count())
            .select_from(outbox)
            .where(outbox.c.subject == subject, outbox.c.about == about, *failing)
        )

    async def backlog(self) -> Backlog:
        """Return the backlog of all kinds."""
        found = await self._execute(
            select(func.count(), func.min(outbox.c.not_before)).select_from(outbox).where(OUTBOX_PENDING)
        )
        return Backlog(*found.one())

    async def next_at(self) -> int | None:
        """Return the earliest time at which a pending row may be sent; None if nothing is waiting."""
        return await self._scalar(select(func.min(outbox.c.not_before)).where(OUTBOX_PENDING))


class OutboxRequests(Session):
    """Requests messages again."""

    async def ask_all(self, keys: Iterable[OutboxKey], now: int) -> None:
        """Request all of these keys again, in one statement; the number of requests serves as the revision of each."""
        rows = [_new_row(key, 1, now, now) for key in dict.fromkeys(keys)]
        if rows:
            self._later(_ASK, rows)

    async def forget_direct(self, channels: Iterable[ChannelId]) -> None:
        """Delete the ended rows with these direct message channels; those that wait do not outlive their end."""
        named = [
            outbox.c.name.startswith(f"{key.kind}:{channel_id}:")
            for channel_id in channels
            for key in _OF_PEOPLE
        ]
        if named:
            await self._execute(delete(outbox).where(outbox.c.done_at.is_not(None), or_(*named)))


class OutboxRepository(OutboxQueries, OutboxRequests):
    """Requests messages and stores the outcome."""

    async def put(self, key: OutboxKey, revision: int, now: int, *, wait_ms: int = 0) -> None:
        """Request that `key` be brought to this revision within `wait_ms`.

        A pending row of the key is raised to this revision, and keeps its place and its nonce. Its time
        becomes the earliest one requested, unless it failed before: a failing channel is not tried more often
        because people keep playing.
        """
        await self.put_all([OutboxRequest(key, revision, wait_ms)], now)

    async def put_all(self, requests: Iterable[OutboxRequest], now: int) -> None:
        """Request all of these as `put` does, in one statement; no key may occur twice."""
        rows = [_new_row(request.key, request.revision, now, now + request.wait_ms) for request in requests]
        if rows:
            self._later(_PUT, rows)

    async def ask(self, key: OutboxKey, now: int) -> None:
        """Request `key` again; the number of requests serves as its revision."""
        await self.ask_all([key], now)

    async def renew(
        self, row: OutboxRow[Key], now: int, *, error: str | None = RENEWED
    ) -> OutboxRow[OutboxKey]:
        """Replace a pending row with a new one that has a new nonce and includes everything requested so far."""
        waiting = await self._waiting(row.id) or row
        await self._end_at(row.id, waiting.revision, now, error)
        wait_ms = max(0, waiting.not_before - now)
        await self.put(waiting.key, waiting.revision, now, wait_ms=wait_ms)
        rows = await self._all(_row, _ROW.where(*_named(row.key)))
        return rows[0]

    async def repeat(self, row: OutboxRow[Key], now: int) -> None:
        """Request a message again that two processes edited: the earlier edit may still arrive.

        If the row itself still waits, it keeps its nonce, which identifies a posted message. For a hand, the
        hands retired since the request are requested as well: one of them may have been the message edited.
        """
        waiting = await self._all(_row, _ROW.where(*_named(row.key)))
        again = list[tuple[StoredKey, int]]()
        if row.id in [one.id for one in waiting]:
            failed = update(outbox).where(outbox.c.id == row.id)
            await self._execute(failed.values(attempts=greater(outbox.c.attempts, 1)))
        else:  # another row of it may be in progress, and ending that one must not end this one
            for one in waiting:
                await self._end_at(one.id, one.revision, now, RENEWED)
            again.append((row.key.stored, max(one.revision for one in [row, *waiting])))
        if isinstance(row.key, HandKey):
            again += await self._retired_since(row.key, row.queued_at)
        new = {"attempts": 1, "queued_at": now, "not_before": now}
        rows = [stored._asdict() | {"revision": revision} | new for stored, revision in again]
        if rows:
            await self._execute(_PUT, rows)

    async def _retired_since(self, key: HandKey, moment: int) -> list[tuple[StoredKey, int]]:
        """Return the table's old hands whose messages were retired since this moment, with their revisions."""
        retired = select(*_KEY, *_STATE).where(
            outbox.c.subject == key.subject,
            outbox.c.about == key.about,
            outbox.c.kind == RetiredHandKey.kind,
            outbox.c.done_at >= moment,
        )
        return [(old.key.stored, old.revision) for old in await self._all(_row, retired)]

    async def done(self, sent: Sequence[tuple[OutboxRow[OutboxKey], int]], now: int) -> bool:
        """Record that each row was published at its revision.

        Return False if a later one was requested meanwhile. The later revision gets its own row: with the
        same nonce, Discord would mistake it for the message already sent.
        """
        asked = [{"of": row.id, "at": revision, "now": now, "why": None} for row, revision in sent]
        are_ended = (await self._execute(_END, asked)).rowcount == len(sent)
        if not are_ended:
            for row in await self._all(_row, _ROW.where(outbox.c.id.in_([row.id for row, _ in sent]))):
                await self.renew(row, now, error=None)
        if of_people := [{"of": row.id} for row, _ in sent if isinstance(row.key, _OF_PEOPLE)]:
            await self._execute(_FORGET_PEOPLE, of_people)
        return are_ended

    async def _waiting(self, outbox_id: int) -> OutboxRow[OutboxKey] | None:
        return await self._one(_row, _ROW.where(outbox.c.id == outbox_id))

    async def send_now(self, key: OutboxKey, now: int) -> None:
        """Make the pending row of this key due now, if there is one."""
        await self._send_now(now, *_named(key))

    async def send_all_now(self, subject: Subject, about: int, now: int) -> None:
        """Make all pending rows about this subject due now."""
        await self._send_now(now, outbox.c.subject == subject, outbox.c.about == about)

    async def _send_now(self, now: int, *which: ColumnElement[bool]) -> None:
        sooner = lesser(outbox.c.not_before, now)
        await self._execute(update(outbox).where(*which, OUTBOX_PENDING).values(not_before=sooner))

    async def advance(self, by_ms: int, share: Share = EVERYTHING) -> None:
        """Make pending rows of a share due earlier, because the clock was ahead when they were requested.

        Those that wait for a time of day keep that time.
        """
        sooner = update(outbox).where(OUTBOX_PENDING, OWNED_MESSAGE, not_(_WAITS_FOR_ITS_TIME))
        await self._execute(sooner.values(not_before=outbox.c.not_before - by_ms), asked_of(share))

    async def reconsider_weeks(self, now: int, share: Share = EVERYTHING) -> None:
        """Let a share's posts of weeks be looked at now that are over a week away: the clock was ahead when they were requested."""
        too_late = outbox.c.kind == WeekPostKey.kind, outbox.c.not_before > now + 7 * DAY
        sooner = update(outbox).where(OUTBOX_PENDING, OWNED_MESSAGE, *too_late)
        await self._execute(sooner.values(not_before=now), asked_of(share))

    async def retry(self, outbox_id: int, not_before: int, error: str) -> None:
        """Record a failed attempt: try again, but not before `not_before`."""
        await self._execute(
            update(outbox)
            .where(outbox.c.id == outbox_id, OUTBOX_PENDING)
            .values(attempts=outbox.c.attempts + 1, not_before=not_before, error=error[:ERROR_LENGTH])
        )

    async def postpone(self, outbox_id: int, not_before: int) -> None:
        """Postpone a row that has not failed until `not_before`, unless it is requested earlier."""
        await self.postpone_all([outbox_id], not_before)

    async def postpone_all(self, outbox_ids: Iterable[int], not_before: int) -> None:
        """Postpone all of these rows as `postpone` does."""
        await self._execute(_POSTPONE, [{"of": of, "until": not_before} for of in outbox_ids])

    async def drop(self, outbox_id: int, revision: int, reason: str, now: int) -> None:
        """Give up a row at this revision. A later revision requested meanwhile is still tried, perhaps elsewhere."""
        await self._end_at(outbox_id, revision, now, reason[:ERROR_LENGTH])

    async def _end_at(self, outbox_id: int, revision: int, now: int, error: str | None) -> None:
        """End a row, unless a later revision was requested."""
        await self._execute(_END, {"of": outbox_id, "at": revision, "now": now, "why": error})
        await self._execute(_FORGET_PEOPLE, {"of": outbox_id})

    async def forget_old(self, now: int) -> None:
        """Delete rows that ended more than a day ago."""
        await self._execute(delete(outbox).where(outbox.c.done_at < now - PUBLISHED_KEPT_MS))


def _new_row(key: OutboxKey, revision: int, now: int, not_before: int) -> dict[str, Any]:
    new = {"revision": revision, "attempts": 0, "queued_at": now, "not_before": not_before}
    return key.stored._asdict() | new


def _row(
    subject: str, about: int, kind: str, name: str, seat: int | None, **state: Any
) -> OutboxRow[OutboxKey]:
    return OutboxRow(key=parse_key(StoredKey(subject, about, kind, name, seat)), **state)


def _named(key: OutboxKey) -> tuple[ColumnElement[bool], ...]:
    stored = key.stored
    return outbox.c.subject == stored.subject, outbox.c.about == stored.about, outbox.c.name == stored.name


@cache
def _waiting_rows(*, of_kinds: bool, rests: bool, is_shared: bool) -> Select[Any]:
    """Select the rows that may be sent `now`, in order, followed by the others by time.

    At most `limit` rows, without the ids in `beside`. The outbox runs this query for every message, so it is
    cached.
    """
    ready_at = _ready_at(rests=rests)
    beside = outbox.c.id.not_in(bindparam("beside", expanding=True))
    rows = select(*_KEY, *_STATE, ready_at.label("ready_at"))
    own = (OWNED_MESSAGE,) if is_shared else ()
    return (
        rows.where(OUTBOX_PENDING, beside, *_of_kinds(of_kinds=of_kinds), *own)
        .order_by(greater(ready_at, _NOW), *_ORDER)
        .limit(bindparam("limit", type_=Integer()))
    )


def _of_kinds(*, of_kinds: bool) -> tuple[ColumnElement[bool], ...]:
    return (outbox.c.kind.in_(bindparam("kinds", expanding=True)),) if of_kinds else ()


def _ready_at(*, rests: bool) -> ColumnElement[int]:
    """Return when a row may be sent: when it is due, but if it `rests`, not too soon after its key was sent.

    A clock that was set back must not make a key rest longer, so times of publication in the future are
    ignored. Only rows whose time has come are checked for rest, because other rows are not sent anyway.
    """
    if not rests:
        return outbox.c.not_before
    before = outbox.alias()
    published = (
        select(func.max(before.c.done_at))
        .where(before.c.subject == outbox.c.subject, before.c.about == outbox.c.about)
        .where(before.c.name == outbox.c.name, before.c.done_at <= _NOW, before.c.error.is_(None))
        .scalar_subquery()
    )
    gap = bindparam("gap_ms", type_=Big)
    rest = case((outbox.c.kind == TableMessageKey.kind, gap), else_=lesser(gap, OTHERS_GAP_MS))
    rested = greater(outbox.c.not_before, func.coalesce(published + rest, 0))
    return case((outbox.c.not_before > _NOW, outbox.c.not_before), else_=rested)


FILES_KEPT_MS: Final = 7 * DAY
_DISCORD_EPOCH_MS: Final = 1_420_070_400_000
"""A Discord id contains the milliseconds since then, in all but its last 22 bits."""


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file of a message: its id in Discord, and its name."""

    id: int
    name: str


_OF_MESSAGE = (
    select(attached_file.c.id, attached_file.c.name)
    .where(attached_file.c.message_id == bindparam("of"))
    .order_by(attached_file.c.id)
)


class AttachedFileQueries(Session):
    """Looks up attached files."""

    async def of_message(self, message_id: MessageId) -> tuple[AttachedFile, ...]:
        """Return the files that a message had when it was last stored, in order."""
        return tuple(await self._all(AttachedFile, _OF_MESSAGE, {"of": message_id}))


class AttachedFileRepository(AttachedFileQueries):
    """Stores attached files."""

    async def set(self, by_message: Mapping[MessageId, Sequence[AttachedFile]]) -> None:
        """Replace the files stored for these messages."""
        await self._execute(delete(attached_file).where(attached_file.c.message_id.in_(by_message)))
        rows = [
            {"message_id": message_id, "id": file.id, "name": file.name}
            for message_id, files in by_message.items()
            for file in files
        ]
        if rows:
            await self._execute(insert(attached_file), rows)

    async def forget_old(self, now: int) -> None:
        """Delete the files of messages that are too old to be edited."""
        oldest = (now - FILES_KEPT_MS - _DISCORD_EPOCH_MS) << 22
        await self._execute(delete(attached_file).where(attached_file.c.message_id < oldest))


ANSWERS_KEPT_MS = 7 * DAY

_FIND = select(interaction_seen).where(interaction_seen.c.interaction_id == bindparam("interaction_id"))
_RECORD = insert_or_keep(interaction_seen)


class InteractionQueries(Session):
    """Looks up answered interactions."""

    async def find(self, interaction_id: InteractionId) -> SeenRow | None:
        """Return the answer to this interaction; None if it was not answered."""
        return await self._one(SeenRow, _FIND, {"interaction_id": interaction_id})


class InteractionRepository(InteractionQueries):
    """Stores answered interactions."""

    async def record(
        self, interaction_id: InteractionId, table_id: TableId | None, revision: int, answer: str, now: int
    ) -> None:
        """Store an answer (without cards); raises InteractionSeenError if there is one already."""
        error = InteractionSeenError(f"interaction {interaction_id} was handled before")
        row = _answer_row(interaction_id, table_id, revision, answer, now)
        self._later(_RECORD, row, expected=Expected(1, error))

    async def keep(
        self, interaction_id: InteractionId, table_id: TableId | None, revision: int, answer: str, now: int
    ) -> None:
        """Store an answer (without cards), unless there is one already."""
        self._later(_RECORD, _answer_row(interaction_id, table_id, revision, answer, now))

    async def forget_old(self, now: int) -> None:
        """Delete answers that are older than `ANSWERS_KEPT_MS`."""
        await self._execute(delete(interaction_seen).where(interaction_seen.c.at < now - ANSWERS_KEPT_MS))


def _answer_row(
    interaction_id: InteractionId, table_id: TableId | None, revision: int, answer: str, now: int
) -> dict[str, Any]:
    return {
        "interaction_id": interaction_id,
        "table_id": table_id,
        "revision": revision,
        "answer": answer,
        "at": now,
    }
