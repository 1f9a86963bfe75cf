"""Presses by direct message go on to the process that serves their table.

Discord delivers all of them on shard 0, whichever server the table is in. So the process with shard 0 reads only which table a
press is about, and passes the press on to the holder of the shard of the table's server. That process answers it as if Discord
had delivered it there: an answer needs the press's token, and no gateway connection. What is about no table stays.

The process that takes the row of a press out of the database answers it. If none has after a quarter of a second, the sender does.
"""

import asyncio
import json
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import structlog

from bot.cluster.shards import Shards
from bot.errors import UnexpectedInputError
from bot.interactions.payload import Json, an_object, read_message_id, read_press
from bot.metrics import PASSED_ON
from data.cancellation import undisturbed
from data.errors import StoreUnavailableError
from data.ids import MessageId
from data.shards import PassedPress, shard_of
from data.store import Store
from league.ids import GuildId, TableId

if TYPE_CHECKING:
    from data.postgres.lines import PressLine

WAIT_S: Final = 0.25
"""How long a press may wait for the other process, in seconds. Discord gives up after 3 seconds."""
LOOK_S: Final = 0.05
"""The shortest time, in seconds, between two checks for taken presses: one statement checks several."""
SILENT_S: Final = 5.0
"""How long, in seconds, a shard's presses are not passed on after one was not taken."""
LATEST_MS: Final = 2_500
"""A press that has waited longer, in milliseconds, is not answered: its sender has ended."""
MOST_TABLES: Final = 20_000
MOST_TOLD: Final = 1_000
"""The most announced presses that wait at once. Other clients of the database can announce anything."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Sent:
    """A press that was passed on, and that may still be waiting."""

    payload: Json
    shard: int
    due: float
    """When the sender takes it back, by the loop's clock."""


class PressRelay:
    """Passes presses on to other processes, and takes those that others pass on."""

    def __init__(
        self,
        line: "PressLine",
        store: Store,
        shards: Shards,
        is_of_table: Callable[[str], bool],
        is_replayed: Callable[[], bool],
        answer: Callable[[Json], None],
        leave: Callable[[TableId, MessageId], None],
    ) -> None:
        """`is_of_table` says whether a verb is about a table, and `answer` answers a press in this process.

        `leave` is called with the table and the message of a press that is passed on: the other process edits that message from
        then on. `is_replayed` says whether presses arrive late, as after a lost connection: only this process knows how late.
        """
        self._line = line
        self._store = store
        self._shards = shards
        self._is_of_table = is_of_table
        self._is_replayed = is_replayed
        self._answer = answer
        self._leave = leave
        self._guilds: OrderedDict[TableId, GuildId] = OrderedDict()
        """The servers of tables. A table stays in its server, so these never become outdated."""
        self._queue: list[tuple[TableId, Json]] = []
        self._queued = asyncio.Event()
        self._sent: dict[int, _Sent] = {}
        """By interaction, the oldest first."""
        self._looked_at = 0.0
        self._silent: dict[int, float] = {}
        """By shard, until when its presses are not passed on."""
        self._told: set[int] = set()
        self._gained: set[int] = set()
        self._is_told = asyncio.Event()
        self._is_closed = False
        line.follow(self._hear)
        shards.on_change(lambda before, now: self._gain(now.held - before.held))

    # Passing on

    def passes_on(self, payload: Json) -> bool:
        """Return whether this interaction is passed on. If it is not, the caller answers it at once."""
        if self._is_closed or self._shards.share.is_all or self._is_replayed():
            return False
        table_id = self._table_of(payload)
        if table_id is None or self._is_here(table_id):
            return False
        self._queue.append((table_id, payload))
        self._queued.set()
        return True

    async def pass_on(self) -> None:
        """Pass presses on, and take back those that no process takes, until cancelled."""
        while True:
            await self._wait()
            await undisturbed(self._work())

    async def keep_all(self) -> None:
        """Answer the waiting presses, and pass on no more. Call this when `pass_on` no longer runs."""
        self._is_closed = True
        await self._take_back(list(self._sent))
        queue, self._queue = self._queue, []
        for _, payload in queue:
            self._answer(payload)

    async def _wait(self) -> None:
        oldest = next(iter(self._sent.values()), None)
        at = None if oldest is None else max(oldest.due, self._looked_at + LOOK_S)
        with suppress(TimeoutError):
            async with asyncio.timeout_at(at):
                await self._queued.wait()
        self._queued.clear()

    async def _work(self) -> None:
        now = self._now()
        if due := [number for number, sent in self._sent.items() if sent.due <= now]:
            self._looked_at = now
            await self._take_back(due)
        queue, self._queue = self._queue, []
        if queue:
            await self._sort(queue)

    async def _sort(self, queue: Sequence[tuple[TableId, Json]]) -> None:
        """Answer this process's presses, and pass on the rest. The order of presses at one table is kept."""
        await self._find({table_id for table_id, _ in queue})
        held = self._shards.held
        await self._take_back([number for number, sent in self._sent.items() if sent.shard in held])
        passed: dict[int, _Sent] = {}
        due = self._now() + WAIT_S
        for table_id, payload in queue:
            shard = self._shard_of(table_id)
            if shard is None or shard in held or self._is_silent(shard):
                self._answer(payload)
            else:
                passed[int(payload["id"])] = _Sent(payload, shard, due)
                if (message_id := read_message_id(payload)) is not None:
                    self._leave(table_id, message_id)
        if passed:
            await self._pass(passed)

    async def _pass(self, passed: dict[int, _Sent]) -> None:
        self._sent |= passed
        presses = [
            PassedPress(number, sent.shard, json.dumps(sent.payload)) for number, sent in passed.items()
        ]
        try:
            async with asyncio.timeout(WAIT_S):
                await self._line.pass_on(presses)
        except (StoreUnavailableError, TimeoutError) as error:
            log.warning("press.not_passed_on", why=str(error), count=len(passed))
            await self._take_back(list(passed), in_doubt=True)
        else:
            PASSED_ON.labels("passed on").inc(len(passed))

    async def _take_back(self, numbers: Sequence[int], *, in_doubt: bool = False) -> None:
        """Answer those of these presses that no process has taken, and all others of the same shards.

        If that cannot be found out, they are answered in doubt. Discord accepts one answer, and the store each interaction once.
        """
        back = await self._recalled(numbers)
        sent = {number: self._sent.pop(number) for number in numbers}
        mine = {number: sent[number] for number in (numbers if in_doubt else back)}
        shards = {one.shard for one in mine.values()}
        if rest := [number for number, one in self._sent.items() if one.shard in shards]:
            back = await self._recalled(rest)
            sent = {number: self._sent.pop(number) for number in rest}
            mine |= {number: sent[number] for number in back}
        until = self._now() + SILENT_S
        self._silent |= dict.fromkeys(shards - self._shards.held, until)
        for number in sorted(mine):
            log.info("press.came_back", interaction=number, shard=mine[number].shard)
            PASSED_ON.labels("came back").inc()
            self._answer(mine[number].payload)

    async def _recalled(self, numbers: Sequence[int]) -> Collection[int]:
        if not numbers:
            return ()
        try:
            async with asyncio.timeout(WAIT_S):
                return {press.id for press in await self._line.take(numbers)} & set(numbers)
        except (StoreUnavailableError, TimeoutError) as error:
            log.warning("press.in_doubt", why=str(error), count=len(numbers))
            return numbers

    def _table_of(self, payload: Json) -> TableId | None:
        """Return the table that a press in a direct message is about."""
        press = read_press(payload) if payload.get("guild_id") is None else None
        return None if press is None or not self._is_of_table(press.verb) else TableId(press.subject)

    def _is_here(self, table_id: TableId) -> bool:
        """Return whether a press at this table is answered here and no earlier one is waiting."""
        shard = self._shard_of(table_id)
        is_waiting = bool(self._queue) or any(sent.shard == shard for sent in self._sent.values())
        return shard in self._shards.held and not is_waiting

    def _shard_of(self, table_id: TableId) -> int | None:
        guild_id = self._guilds.get(table_id)
        return None if guild_id is None else shard_of(guild_id, self._shards.count)

    async def _find(self, table_ids: Collection[TableId]) -> None:
        """Look up the servers of these tables. If the store refuses, they stay unknown."""
        if unknown := {table_id for table_id in table_ids if table_id not in self._guilds}:
            try:
                self._guilds |= await self._store.read(lambda db: db.tables.guilds_of(unknown))
            except StoreUnavailableError as error:
                log.warning("press.table_not_found", why=str(error))
        while len(self._guilds) > MOST_TABLES:
            self._guilds.popitem(last=False)

    def _is_silent(self, shard: int) -> bool:
        return self._silent.get(shard, 0.0) > self._now()

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()

    # Taking

    async def take(self) -> None:
        """Take and answer what other processes pass on, until cancelled."""
        while True:
            await self._is_told.wait()
            self._is_told.clear()
            await undisturbed(self._take())

    async def _take(self) -> None:
        told, self._told = self._told, set()
        gained, self._gained = self._gained, set()
        presses: list[PassedPress] = []
        try:
            if gained:
                presses += await self._line.take_all(gained)
            if told:
                presses += await self._line.take(told)
        except StoreUnavailableError as error:  # then the senders take them back
            log.warning("press.not_taken", why=str(error))
        for press in presses:
            self._answer_passed(press)

    def _answer_passed(self, press: PassedPress) -> None:
        """Answer a press of another process. Only presses that a process passes on are accepted."""
        if press.age_ms > LATEST_MS:
            PASSED_ON.labels("late").inc()
            log.info("press.left_behind", interaction=press.id, age_ms=press.age_ms)
            return
        payload = _parsed(press.content)
        if payload is None or self._table_of(payload) is None:
            log.warning("press.forged", interaction=press.id)
            return
        PASSED_ON.labels("taken").inc()
        self._answer(payload)

    def _hear(self, shard: int, number: int) -> None:
        if shard in self._shards.held and len(self._told) < MOST_TOLD:
            self._told.add(number)
            self._is_told.set()

    def _gain(self, shards: Collection[int]) -> None:
        """Answer the presses that were passed on to these shards' previous holder but not taken."""
        if shards:
            self._gained.update(shards)
            self._is_told.set()


def _parsed(content: str) -> Json | None:
    try:
        return an_object(json.loads(content), "a press")
    except (ValueError, RecursionError, UnexpectedInputError):
        return None
