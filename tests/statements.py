"""Hearing what the store says to its database."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any

from sqlalchemy import event

from data.store import Store


def statements(store: Store) -> list[str]:
    """Every statement from now on, without the beginnings and ends of transactions."""
    made: list[str] = []
    for pool in (store._database.writer, store._database.readers):
        event.listen(pool.engine, "before_cursor_execute", lambda _conn, _cursor, said, *_: made.append(said))
    return made


def trips(store: Store) -> list[str]:
    """Every trip from now on to the thread that writes, by the name of what was done there."""
    made: list[str] = []
    for link in store._database.writer._links:

        def run(work: Callable[..., Any], *args: Any, really: Any = link.run) -> Awaitable[Any]:
            made.append(work.__name__)
            return really(work, *args)

        link.run = run
    return made


def on_statement(store: Store, call: Callable[[str], object]) -> None:
    """Have `call` hear of every statement before it is run, BEGIN, COMMIT and ROLLBACK included.

    It is called in the event loop, and the statement waits for it.
    """
    loop = asyncio.get_running_loop()

    def tell(said: str) -> None:
        told = threading.Event()
        loop.call_soon_threadsafe(lambda: (call(said), told.set()))
        assert told.wait(10)

    for pool in (store._database.writer, store._database.readers):
        event.listen(pool.engine, "connect", lambda driver, _record: driver.set_trace_callback(tell))
        for link in pool._links:
            if link._thread is not None:
                link._thread.run_unheard(lambda driver=link.driver: driver().set_trace_callback(tell))
