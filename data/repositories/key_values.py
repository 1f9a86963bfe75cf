"""Small notes of the bot for its next start: its heartbeat, the hash of its commands, sessions that are handed over, answers under way."""

import json
from dataclasses import asdict

from sqlalchemy import bindparam, delete, select

from data.dialect import upsert_many
from data.schema.core import meta
from data.session import Session
from data.shards import GatewaySession, Share
from league.ids import TableId
from league.times import MINUTE

TOKEN_MS = 15 * MINUTE
"""How long Discord takes the token of an interaction."""

_ALIVE = "alive"
_SESSION = "session of shard {}"
_ANSWER = "answer that opens table "
_ANSWER_NOTES = select(meta).where(meta.c.key.startswith(_ANSWER))
_ALIVE_NOTES = select(meta).where(meta.c.key.startswith(_ALIVE))
_GET = select(meta.c.value).where(meta.c.key == bindparam("name"))
_REMOVE = delete(meta).where(meta.c.key == bindparam("name"))


class KeyValueQueries(Session):
    """Reads notes."""

    async def get(self, key: str) -> str | None:
        """The value noted under this key; None if there is none."""
        return await self._scalar(_GET, {"name": key})

    async def answer_token(self, table_id: TableId) -> str | None:
        """The token of the interaction that opened a table, until the message of the table is known."""
        noted = await self.get(f"{_ANSWER}{table_id}")
        return None if noted is None else noted.split()[1]

    async def last_alive(self) -> int | None:
        """When the bot was last known to run, in milliseconds since 1970; None before its first start."""
        return max((await self._alive()).values(), default=None)

    async def last_served(self, share: Share) -> dict[int, int]:
        """When each of these shards was last known to be served. None of them is there before the bot's first start."""
        noted = await self._alive()
        last = max(noted.values(), default=None)
        if last is None:
            return {}
        by_all = noted.get(_ALIVE, 0)
        return {shard: max(by_all, noted.get(_alive(share.count, shard)) or last) for shard in share.held}

    async def _alive(self) -> dict[str, int]:
        rows = await self._execute(_ALIVE_NOTES)
        return {row.key: int(row.value) for row in rows}


class KeyValueRepository(KeyValueQueries):
    """Writes notes."""

    async def set(self, key: str, value: str) -> None:
        """Note a value under this key, in place of an earlier one."""
        await self._execute(upsert_many(meta), {"key": key, "value": value})

    async def alive(self, now: int) -> None:
        """Note that the bot runs now."""
        await self.set(_ALIVE, str(now))

    async def served(self, share: Share, now: int) -> None:
        """Note that these shards are served now, whatever becomes of the others."""
        notes = [{"key": _alive(share.count, shard), "value": str(now)} for shard in sorted(share.held)]
        if notes:
            self._later(upsert_many(meta), notes)

    async def answering(self, table_id: TableId, token: str, now: int) -> None:
        """Note by which token the message of a new table can be found, if its sender ends before it has noted it."""
        await self.set(f"{_ANSWER}{table_id}", f"{now} {token}")

    async def answered(self, table_id: TableId) -> None:
        """The message of a table is known."""
        await self._execute(_REMOVE, {"name": f"{_ANSWER}{table_id}"})

    async def forget_old(self, now: int) -> None:
        """Delete the tokens that nothing can be found by any more: tables whose message was never known have them."""
        for row in await self._execute(_ANSWER_NOTES):
            if int(row.value.split()[0]) < now - TOKEN_MS:
                await self._execute(_REMOVE, {"name": row.key})

    async def hand_over(self, session: GatewaySession) -> None:
        """Leave a session at Discord to the process that takes its shard next."""
        await self.set(_SESSION.format(session.shard), json.dumps(asdict(session)))

    async def take_over(self, shard: int, count: int) -> GatewaySession | None:
        """The session that was left with a shard, once; None if there is none, or one for another number of shards."""
        noted = await self.get(_SESSION.format(shard))
        if noted is None:
            return None
        await self._execute(_REMOVE, {"name": _SESSION.format(shard)})
        session = GatewaySession(**json.loads(noted))
        return session if session.count == count else None


def _alive(count: int, shard: int) -> str:
    return f"{_ALIVE} {shard} of {count}"
