"""The cost of the bot's own calls to Discord: answers to interactions are free, everything else counts."""

from collections import Counter

from data.transaction import ReadTransaction
from playground.recorder import RecordedRequest
from playground.server import Playground
from tests.e2e.running import MovableClock, Running
from tests.waiting import until

FREE = ("/interactions/", "/webhooks/")
MOVES = {
    "exposed",
    "drew",
    "took",
    "showed",
    "showed_dublees",
    "tiplu_cut",
    "discarded",
    "finished",
    "finished_dublees",
}
"""The events caused by people and computers, each by its own press or decision."""


def paid(discord: Playground, since: int = 0) -> list[RecordedRequest]:
    """Return the calls that count against the bot's limit, after the entry with that number."""
    return [
        entry
        for entry in discord.recorder.entries
        if entry.n > since and not any(free in entry.path for free in FREE)
    ]


def kinds(calls: list[RecordedRequest]) -> Counter[str]:
    """Count the calls of each kind, by method and target."""
    return Counter(
        f"{call.method} {call.path.rpartition('/')[0].rpartition('/')[2] or call.path}" for call in calls
    )


async def at_rest(bot: Running, clock: MovableClock) -> None:
    """Wait until all that may be published now is published."""

    async def nothing_is_due() -> bool:
        return not await bot.store.read(lambda db: db.outbox.due(clock.now(), 1))

    await until(nothing_is_due, timeout=20)


async def moves(bot: Running, table_id: int = 1) -> int:
    """Count the moves of all deals of a table so far."""

    async def read(db: ReadTransaction) -> int:
        return sum([await _moves(db, table_id, number) for number in await _deals(db, table_id)])

    return await bot.store.read(read)


async def _deals(db: ReadTransaction, table_id: int) -> range:
    table = await db.tables.get(table_id)
    assert table is not None
    return range(1, table.deal_no + 1)


async def _moves(db: ReadTransaction, table_id: int, deal_no: int) -> int:
    return sum(event.event in MOVES for event in await db.deals.events(table_id, deal_no))
