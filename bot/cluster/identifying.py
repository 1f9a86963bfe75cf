"""New Discord sessions begin one at a time over all processes: one in five seconds for each shard bucket.

Discord also limits them to about a thousand a day. A bot that begins more loses its token, so the last ones
are never used.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import Final

import discord
import structlog

from bot.cluster.shards import Shards
from data.errors import StoreUnavailableError

IDENTIFY_S = 5.0
"""How long a bucket rests after a session has begun, in seconds."""
MARGIN_S = 0.5
"""A margin, in seconds, because an IDENTIFY does not always take the same time to reach Discord."""
LOOK_S = 0.25
FEWEST_STARTS: Final = 20
"""The number of a day's sessions that are left for the people who repair a bot that keeps restarting."""
STARTS_LOOK_S: Final = 60.0

log = structlog.get_logger(__name__)


async def until_starts_are_left(fetch: Callable[[], Awaitable[discord.SessionStartLimits]]) -> None:
    """Wait until Discord allows enough new sessions. Raises what `fetch` raises."""
    while (limits := await fetch()).remaining <= FEWEST_STARTS:
        log.warning("identify.few_left", remaining=limits.remaining, reset_s=limits.reset_after // 1000)
        await asyncio.sleep(STARTS_LOOK_S)


class IdentifyTurns:
    """Takes a turn before each IDENTIFY.

    A shard's bucket is its number modulo Discord's `max_concurrency`.
    """

    def __init__(self, shards: Shards) -> None:
        self._shards = shards
        self.max_concurrency = 1
        self._here: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        """By bucket, the turn among this process's shards.

        The lock among processes belongs to a whole process.
        """
        self._resting: set[asyncio.Task[None]] = set()

    async def take(self, shard: int) -> None:
        """Wait for the turn of this shard's bucket. The turn ends after five seconds."""
        bucket = shard % self.max_concurrency
        await self._here[bucket].acquire()
        try:
            while not await self._take(bucket):  # noqa: ASYNC110 - other processes let go of a lock without telling
                await asyncio.sleep(LOOK_S)
        except BaseException:
            try:
                await self._end_turn(bucket)  # the turn may have been taken although this is cancelled
            finally:
                self._here[bucket].release()
            raise
        rest = asyncio.create_task(self._rest(bucket), name=f"turn of bucket {bucket}")
        self._resting.add(rest)
        rest.add_done_callback(self._resting.discard)

    async def close(self) -> None:
        """Stop waiting for turns. The locks end with the database connection."""
        for rest in tuple(self._resting):
            rest.cancel()
        await asyncio.gather(*self._resting, return_exceptions=True)

    async def _take(self, bucket: int) -> bool:
        try:
            return await self._shards.take_turn(bucket)
        except StoreUnavailableError as error:
            log.warning("identify.waiting", why=str(error))
            return False

    async def _rest(self, bucket: int) -> None:
        try:
            await asyncio.sleep(IDENTIFY_S + MARGIN_S)
            await self._end_turn(bucket)
        finally:
            self._here[bucket].release()

    async def _end_turn(self, bucket: int) -> None:
        try:
            await self._shards.end_turn(bucket)
        except StoreUnavailableError as error:  # then the lock is lost with its connection
            log.warning("identify.turn_lost", why=str(error))
