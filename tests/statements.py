"""Recording the statements that the store sends to its database."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any

from sqlalchemy import event

from data.store import Store


def statements(store: Store) -> list[str]:
    """Return a list that collects every statement from now on, except begins and ends of transactions."""
    made: list[str] = []
    writer, readers = store._database.writer, store._database.readers
    for pool in (writer, readers):
        event.listen(pool.engine, "before_cursor_execute", lambda _conn, _cursor, said, *_: made.append(said))
    for thread in (writer._thread, *readers._threads):

        def run_text(text: Any, rows: Any, really: Any = thread._run_text) -> int:
            made.append(text.sql)
            return really(text, rows)

        thread._run_text = run_text
    return made


def trips(store: Store) -> list[str]:
    """Return a list that collects every call to the writer's thread from now on, by function name."""
    made: list[str] = []
    thread = store._database.writer._thread
    really = thread.run

    def run(work: Callable[..., Any], *args: Any) -> Awaitable[Any]:
        made.append(work.__name__)
        return really(work, *args)

    thread.run = run
    return made


def on_statement(store: Store, call: Callable[[str], object]) -> None:
    """Let `call` receive every statement before it runs, including BEGIN, COMMIT and ROLLBACK.

    It is called in the event loop, and the statement waits for it.
    """
    loop = asyncio.get_running_loop()

    def tell(said: str) -> None:
        told = threading.Event()
        loop.call_soon_threadsafe(lambda: (call(said), told.set()))
        assert told.wait(10)

    writer, readers = store._database.writer, store._database.readers
    for engine in (writer.engine, readers.engine):
        event.listen(engine, "connect", lambda driver, _record: driver.set_trace_callback(tell))
    for thread in (writer._thread, *readers._threads):
        thread.run_unheard(lambda thread=thread: thread.driver.set_trace_callback(tell))
