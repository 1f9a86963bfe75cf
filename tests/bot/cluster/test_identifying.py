"""Sessions of one bucket start one after another, within one process and across processes."""

import asyncio

import pytest

from bot.cluster.identifying import IdentifyTurns
from bot.cluster.shards import Shards
from data.cancellation import to_the_end
from data.errors import StoreUnavailableError
from tests.waiting import until


class Turns(Shards):
    """The turns on the server; `others` has the buckets of other processes."""

    def __init__(self, others: set[int]) -> None:
        super().__init__()
        self.others = others
        self.asked: list[int] = []
        self.is_down = False

    async def take_turn(self, bucket: int) -> bool:
        self.asked.append(bucket)
        if self.is_down:
            raise StoreUnavailableError("no server")
        return bucket not in self.others


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.cluster.identifying.LOOK_S", 0)


async def test_a_bucket_rests_after_a_session_has_begun(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("bot.cluster.identifying.IDENTIFY_S", 3600)
    turns = IdentifyTurns(Turns(set()))
    turns.max_concurrency = 2
    await turns.take(0)
    await turns.take(1)
    third = asyncio.create_task(turns.take(2))
    await asyncio.sleep(0.01)
    assert not third.done()
    await turns.close()
    await third
    await turns.close()


async def test_the_rest_ends_by_itself(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("bot.cluster.identifying.IDENTIFY_S", 0)
    monkeypatch.setattr("bot.cluster.identifying.MARGIN_S", 0)
    turns = IdentifyTurns(Turns(set()))
    for shard in range(3):
        await turns.take(shard)
    await turns.close()


async def test_the_turn_of_another_process_and_a_server_that_is_down_are_waited_for():
    server = Turns({0})
    turns = IdentifyTurns(server)
    waiting = asyncio.create_task(turns.take(5))
    await until(lambda: len(server.asked) > 2)
    server.is_down = True
    seen = len(server.asked)
    await until(lambda: len(server.asked) > seen + 2)
    server.is_down, server.others = False, set()
    await waiting
    assert set(server.asked) == {0}
    await turns.close()


async def test_a_turn_that_was_taken_for_somebody_who_is_cancelled_is_free_again():
    server = Turns(set())
    given, ended = asyncio.Event(), []

    async def take_turn(bucket: int) -> bool:
        given.set()
        await to_the_end(asyncio.sleep(0.01))
        return True

    async def end_turn(bucket: int) -> None:
        ended.append(bucket)

    server.take_turn, server.end_turn = take_turn, end_turn
    turns = IdentifyTurns(server)
    taking = asyncio.create_task(turns.take(3))
    await given.wait()
    taking.cancel()
    await asyncio.wait([taking])
    assert taking.cancelled()
    assert ended == [0]
