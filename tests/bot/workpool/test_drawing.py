"""Drawing: in a thread while there is little to draw, and in its own process while there is much."""

import os
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.workpool import drawing as module
from bot.workpool.drawing import BUSY_COUNT, Drawing
from render import words
from render.words import speaking
from tests.bot.workpool.jobs import die, double, fail, process_id
from tests.waiting import until

pytestmark = [
    pytest.mark.threads,
    pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="with one core there are only threads"),
]


@pytest.fixture
async def drawing() -> AsyncIterator[Drawing]:
    drawing = Drawing()
    yield drawing
    await drawing.close()


async def be_busy(drawing: Drawing) -> None:
    """Request many pictures until the process has begun to draw them."""

    async def is_elsewhere() -> bool:
        return await drawing.run(process_id) != os.getpid()

    await until(is_elsewhere, timeout=30)


async def test_little_is_drawn_in_a_thread(drawing: Drawing) -> None:
    threads = {await drawing.run(threading.get_ident) for _ in range(5)}
    assert threading.get_ident() not in threads
    assert await drawing.run(process_id) == os.getpid()


async def test_much_is_drawn_in_another_process_until_that_ends(
    drawing: Drawing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BUSY_S", 1_000.0)
    await be_busy(drawing)
    assert await drawing.run(double, 21) == 42
    with speaking("hi"):
        assert await drawing.run(words.say, "suit.spades") == words.say("suit.spades")
    with pytest.raises(ValueError, match="no ink"):
        await drawing.run(fail, "no ink")
    drawing.renew()
    assert await drawing.run(process_id) == os.getpid()


async def test_the_process_ends_when_pictures_have_become_few(
    drawing: Drawing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BUSY_S", 1_000.0)
    await be_busy(drawing)
    monkeypatch.setattr(module, "BUSY_S", 0.0)
    elsewhere = await drawing.run(process_id)
    assert elsewhere != os.getpid()
    monkeypatch.setattr(module, "QUIET_S", 0.0)
    for _ in range(BUSY_COUNT):
        await drawing.run(double, 21)
    assert await drawing.run(process_id) == os.getpid()
    await until(lambda: not Path(f"/proc/{elsewhere}").exists())


async def test_a_process_that_dies_takes_no_picture_with_it(
    drawing: Drawing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BUSY_S", 1_000.0)
    await be_busy(drawing)
    died: list[int] = []

    def told(_: object, *__: object) -> None:
        died.append(1)

    monkeypatch.setattr(module.log, "warning", told)
    monkeypatch.setattr("tests.bot.workpool.jobs.os._exit", lambda _: None)  # here it does nothing
    assert await drawing.run(die) is None
    assert died == [1]
    assert await drawing.run(process_id) == os.getpid()


async def test_a_process_with_much_to_do_is_helped_by_a_thread(
    drawing: Drawing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BUSY_S", 1_000.0)
    await be_busy(drawing)
    monkeypatch.setattr(module, "MOST_WAITING", 0)
    assert await drawing.run(process_id) == os.getpid()


async def test_pictures_now_and_then_start_no_process(
    drawing: Drawing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BUSY_S", 0.0)
    assert {await drawing.run(process_id) for _ in range(BUSY_COUNT + 1)} == {os.getpid()}
