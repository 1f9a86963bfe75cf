"""The worker process returns memory that its work has left free."""

import os
import pickle
import threading
from collections.abc import Iterator

import pytest

from bot.workpool import child
from bot.workpool.child import FRAME
from tests.bot.workpool.jobs import double
from tests.waiting import until

pytestmark = pytest.mark.threads

JOB = pickle.dumps((double, (21,)))


@pytest.fixture
def given_back(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A list that grows each time memory is given back."""
    times: list[int] = []
    monkeypatch.setattr(child, "give_back", lambda: times.append(1))
    return times


@pytest.fixture
def pipes() -> Iterator[tuple[int, int]]:
    """The pipes for writing work and reading answers; the process's code runs in a thread meanwhile."""
    (reads_work, writes_work), (reads_answers, writes_answers) = os.pipe(), os.pipe()
    serving = threading.Thread(target=child._Server(reads_work, writes_answers).serve)
    serving.start()
    yield writes_work, reads_answers
    os.close(writes_work)
    serving.join()
    for end in (reads_work, reads_answers, writes_answers):
        os.close(end)


def ask(pipes: tuple[int, int], number: int) -> None:
    """Run one piece of work."""
    work, answers = pipes
    os.write(work, FRAME.pack(number, len(JOB)) + JOB)
    answered, length = FRAME.unpack(os.read(answers, FRAME.size))
    assert (answered, pickle.loads(os.read(answers, length))) == (number, (True, 42))


async def test_memory_is_given_back_once_where_there_is_nothing_to_do(
    pipes: tuple[int, int], given_back: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child, "_REST_S", 0.0)
    ask(pipes, 1)
    await until(lambda: given_back)
    ask(pipes, 2)
    await until(lambda: len(given_back) == 2)
    ask(pipes, 3)
    await until(lambda: len(given_back) == 3)


async def test_memory_is_given_back_now_and_then_while_there_is_much_to_do(
    pipes: tuple[int, int], given_back: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child, "_REST_S", 1_000.0)
    monkeypatch.setattr(child, "_MANY", 5)
    for number in range(1, 14):
        ask(pipes, number)
    assert len(given_back) == 2


def test_it_ends_when_nobody_is_there_to_be_answered() -> None:
    """For example if the bot was killed: nothing of the answer is printed, which may be a whole picture."""
    (reads_work, writes_work), (reads_answers, writes_answers) = os.pipe(), os.pipe()
    os.close(reads_answers)
    os.write(writes_work, FRAME.pack(1, len(JOB)) + JOB)
    child._Server(reads_work, writes_answers).serve()
    for end in (reads_work, writes_work, writes_answers):
        os.close(end)
