"""`python -m tests.load.served`: the bot with a gauge and a count of statements per press."""

import sys
from collections import Counter, defaultdict
from contextvars import ContextVar
from typing import Any

from sqlalchemy import Engine, event

from bot import __main__ as program
from bot.table.flow import seating
from data.sqlite.transactions import ConnectionThread
from marriage.decide import start as ordinary
from marriage.events import Event
from marriage.rules import Rules
from marriage.shuffle import DealSeed
from tests.e2e.dealt import quick
from tests.e2e.running import QuickTiplu
from tests.load.gauge import Gauge

BESIDE = "(beside)"
"""The name for work that belongs to no press. A worker's name is in brackets too."""

verb: ContextVar[str] = ContextVar("verb", default=BESIDE)
counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
"""The number of presses, transactions and statements, by verb."""


@event.listens_for(Engine, "before_cursor_execute")
def _count(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
    is_read = statement.lstrip().upper().startswith(("SELECT", "WITH"))
    counts[verb.get()]["reads" if is_read else "writes"] += 1


@event.listens_for(Engine, "begin")
def _count_begun(connection: Any) -> None:
    """Count a transaction on a server; those on a file are counted elsewhere."""
    if connection.dialect.name == "postgresql":
        counts[verb.get()]["transactions"] += 1


def _run_named(run: Any) -> Any:
    """Return `run` such that the connection's thread works in the name of the verb that asked for it."""

    async def named(thread: ConnectionThread, work: Any, *args: Any) -> Any:
        asked_for = verb.get()

        def work_named() -> Any:
            verb.set(asked_for)
            return work(*args)

        return await run(thread, work_named)

    return named


def _text_counted(run_text: Any) -> Any:
    """Return `run_text` such that statements passed to the driver as text are counted."""

    def counted(thread: ConnectionThread, text: Any, rows: Any) -> Any:
        counts[verb.get()]["writes"] += 1
        return run_text(thread, text, rows)

    return counted


def _begin_counted(begin: Any) -> Any:
    """Return `begin` such that transactions are counted. Functions that share a commit count as one."""

    def counted(thread: ConnectionThread, how: str) -> Any:
        counts[verb.get()]["transactions"] += 1
        return begin(thread, how)

    return counted


def _verb(payload: Any) -> str:
    """Return what is pressed: the verb of a custom id, or else the name of the command."""
    data = payload.get("data") or {}
    custom_id = data.get("custom_id")
    return custom_id.split(":")[1] if custom_id else f"/{data.get('name')}"


def _deal(rules: Rules, players: int, dealer: int, key: DealSeed, **terms: Any) -> list[Event]:
    """Return an ordinary deal; at the first table of two, one that ends soon, so that it can be replayed."""
    is_first = players == 2 and int(key.table) == 1
    return (quick() if is_first else ordinary)(rules, players, dealer, key, **terms)


def _start_named(start: Any) -> Any:
    """Return `start` such that a worker works in its own name."""

    def start_named(name: str, work: Any) -> None:
        token = verb.set(f"({name})")
        start(name, work)
        verb.reset(token)

    return start_named


class MeasuredTiplu(QuickTiplu):
    """The bot; everything done for a press is counted for its verb."""

    async def setup_hook(self) -> None:
        for workers in (self.workers, self._relaying):
            workers.start = _start_named(workers.start)
        await super().setup_hook()
        receiver: Any = self._receiver
        answer = receiver._answer

        def answer_counted(payload: Any, bare: Any) -> None:
            """Count it in the process that answers it, whichever received it."""
            token = verb.set(_verb(payload))
            counts[verb.get()]["presses"] += 1
            answer(payload, bare)
            verb.reset(token)

        receiver._answer = answer_counted
        self._gauge = Gauge(lambda: {"statements": counts, "shards": sorted(self.services.shards.held)})
        await self._gauge.open()


if __name__ == "__main__":
    ConnectionThread.run = _run_named(ConnectionThread.run)
    ConnectionThread.begin = _begin_counted(ConnectionThread.begin)
    ConnectionThread._run_text = _text_counted(ConnectionThread._run_text)
    program.TipluBot = MeasuredTiplu
    seating.start = _deal
    sys.exit(program.main([]))
