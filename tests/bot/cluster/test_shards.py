"""Which servers a process handles follows from the shards that it holds."""

import pytest

from bot.cluster.shards import Shards
from data.errors import StoreLockedError
from data.shards import Division, Share, shard_of

FIRST, SECOND = 7 << 22, (8 << 22) + 12345
"""Servers of shard 1 and shard 0 of two."""


class Locks:
    """The locks of one process; `elsewhere` are those of others."""

    def __init__(self, elsewhere: set[int] | None = None) -> None:
        self.held: frozenset[int] = frozenset()
        self.elsewhere = elsewhere or set()

    def on_change(self, tell):
        self.tell = tell

    async def take(self, shard: int, count: int) -> bool:
        if shard in self.elsewhere:
            return False
        self.become(self.held | {shard})
        return True

    async def give_back(self, shard: int) -> None:
        self.become(self.held - {shard})

    def become(self, held: frozenset[int]) -> None:
        self.held = held
        self.tell(held)


def test_one_process_owns_everything():
    shards = Shards()
    assert not shards.are_shared_out
    assert shards.share.is_all
    assert all(shards.owns(guild) for guild in (FIRST, SECOND, None))


def test_discord_says_how_many_shards_a_process_has_that_serves_alone():
    shards, told = Shards(), []
    shards.on_change(lambda before, now: told.append((before, now)))
    shards.are(3)
    shards.are(3)
    assert (shards.count, shards.held) == (3, {0, 1, 2})
    assert told == [(Share(), Share(3, frozenset({0, 1, 2})))]
    assert all(shards.owns(guild) for guild in (FIRST, SECOND, None))


async def test_a_server_belongs_to_its_shard_and_what_has_no_server_to_shard_0():
    shards = Shards(2, Locks())
    assert not any(shards.owns(guild) for guild in (FIRST, SECOND, None))
    assert await shards.take(1)
    assert [shards.owns(guild) for guild in (FIRST, SECOND, None)] == [True, False, False]
    assert await shards.take(0)
    assert [shards.owns(guild) for guild in (FIRST, SECOND, None)] == [True, True, True]
    await shards.give_back(1)
    assert [shards.owns(guild) for guild in (FIRST, SECOND, None)] == [False, True, True]
    assert [shard_of(guild, 2) for guild in (FIRST, SECOND, None)] == [1, 0, 0]


async def test_locks_that_are_lost_are_told_and_taken_again():
    locks = Locks()
    shards, told = Shards(4, locks), []
    shards.on_change(lambda before, now: told.append((set(before.held), set(now.held))))
    await shards.take_all({2, 1})
    locks.become(frozenset())
    await shards.take_all({2, 1})
    assert told == [(set(), {1}), ({1}, {1, 2}), ({1, 2}, set()), (set(), {1}), ({1}, {1, 2})]


async def test_a_shard_of_another_process_is_not_taken():
    shards = Shards(2, Locks({1}))
    with pytest.raises(StoreLockedError, match="shard 1"):
        await shards.take_all({0, 1})
    assert not await shards.take(1)
    assert shards.held == {0}


def test_there_are_only_so_many_shards():
    for count, held in ((2, {2}), (0, set()), (2, {-1})):
        with pytest.raises(ValueError, match="no shards"):
            Share(count, frozenset(held))


@pytest.mark.parametrize(
    ("processes", "taken", "fewest", "held", "missing", "surplus"),
    [
        pytest.param(1, set(), 0, set(), [0, 1, 2, 3, 4, 5, 6, 7], 0, id="alone"),
        pytest.param(2, set(range(8)), 0, set(range(8)), [], 4, id="a second one comes"),
        pytest.param(2, {0, 1, 2, 3}, 0, set(), [4, 5, 6, 7], 0, id="the second one takes its part"),
        pytest.param(2, {0, 1}, 2, {0, 1}, [2, 3], 0, id="another one has died"),
        pytest.param(3, set(range(8)), 0, {0, 1, 2, 3}, [], 1, id="a third one comes"),
        pytest.param(3, {0, 1, 2, 4, 5, 6}, 0, {0, 1, 2}, [], 0, id="what is left over is not taken first"),
        pytest.param(3, {0, 1, 4, 5, 6, 7}, 2, {0, 1}, [2], 0, id="but in the end"),
        pytest.param(5, set(range(8)), 0, {0, 1}, [], 1, id="one has nothing while others have two"),
        pytest.param(9, set(range(8)), 0, {0}, [], 0, id="more processes than shards"),
    ],
)
def test_everybody_gets_a_part(processes, taken, fewest, held, missing, surplus):
    division, share = Division(processes, frozenset(taken), fewest), Share(8, frozenset(held))
    assert (division.missing(share), division.surplus(share)) == (missing, surplus)
