"""A transaction of the store that stays open while the test does other things."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from queue import SimpleQueue
from typing import Any

Ask = Callable[[Callable[[Any], Awaitable[Any]]], Awaitable[Any]]


class _Questions:
    """Questions put on the event loop, and answered there or in a connection's thread."""

    def __init__(self) -> None:
        self._loop, self._home = asyncio.get_running_loop(), threading.get_ident()
        self._here, self._there = asyncio.Queue[Any](), SimpleQueue[Any]()
        self.begun = self._loop.create_future()

    def put(self, question: object) -> None:
        self._here.put_nowait(question)
        self._there.put(question)

    async def answer(self, db: object) -> None:
        """Answer the questions within the transaction."""
        is_here = threading.get_ident() == self._home
        self._loop.call_soon_threadsafe(self.begun.set_result, None)
        while (asked := await self._here.get() if is_here else self._there.get()) is not None:
            question, answer = asked
            try:
                told = await question(db)
            except Exception as error:  # noqa: BLE001 - it is raised where the question is asked
                self._loop.call_soon_threadsafe(answer.set_exception, error)
            else:
                self._loop.call_soon_threadsafe(answer.set_result, told)


@asynccontextmanager
async def held(run: Callable[..., Awaitable[None]]) -> AsyncGenerator[Ask, None]:
    """Keep a transaction of `store.read` or `store.write` open during the block; yield how to query it."""
    questions = _Questions()
    task = asyncio.ensure_future(run(questions.answer))
    await asyncio.wait({questions.begun, task}, return_when=asyncio.FIRST_COMPLETED)

    async def ask(question: Callable[[Any], Awaitable[Any]]) -> Any:
        answer = asyncio.get_running_loop().create_future()
        questions.put((question, answer))
        return await answer

    try:
        yield ask
    finally:
        questions.put(None)
        await task
