"""Small values for the bot's next start.

These are its heartbeat, the shards whose messages show outdated clocks, the hash of its commands, sessions being handed over, and answers in progress.
"""

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
"""How long Discord accepts the token of an interaction."""

_ALIVE = "alive"
_UNSHOWN = "clocks to show of "
_SESSION = "session of shard {}"
_ANSWER = "answer that opens table "
_ANSWER_NOTES = select(meta).where(meta.c.key.startswith(_ANSWER))
_ALIVE_NOTES = select(meta).where(meta.c.key.startswith(_ALIVE))
_UNSHOWN_NOTES = select(meta).where(meta.c.key.startswith(_UNSHOWN))
_REMOVE_ALIVE = delete(meta).where(meta.c.key.startswith(_ALIVE))
_REMOVE_SHARDS = delete(meta).where(meta.c.key.startswith(f"{_ALIVE} "))
_GET = select(meta.c.value).where(meta.c.key == bindparam("name"))
_REMOVE = delete(meta).where(meta.c.key == bindparam("name"))


class KeyValueQueries(Session):
    """Reads stored values."""

    async def get(self, key: str) -> str | None:
        """Return the value of this key; None if there is none."""
        return await self._scalar(_GET, {"name": key})

    async def answer_token(self, table_id: TableId) -> str | None:
        """Return the token of the interaction that opened a table, until the table's message is known."""
        noted = await self.get(f"{_ANSWER}{table_id}")
        return None if noted is None else noted.split()[1]

    async def last_alive(self) -> int | None:
        """Return when the bot last ran, in milliseconds since 1970; None before its first start."""
        return max((await self._alive()).values(), default=None)

    async def last_served(self, share: Share) -> dict[int, int]:
        """Return when each of these shards was last served; empty before the bot's first start.

        Records for another number of shards count for all shards, because they are from another time.
        """
        noted = await self._alive()
        if not noted:
            return {}
        own = {_alive(share.count, shard): shard for shard in range(share.count)}
        by_all = max((at for key, at in noted.items() if key not in own), default=0)
        last = max(noted.values())
        return {shard: max(by_all, noted.get(_alive(share.count, shard), 0)) or last for shard in share.held}

    async def unshown_clocks(self) -> list[Share]:
        """Return the shards, one share each, whose clocks were set, but whose messages were not updated since."""
        notes = [json.loads(row.value) for row in await self._execute(_UNSHOWN_NOTES)]
        return [Share(count, frozenset({shard})) for count, shard in notes]

    async def _alive(self) -> dict[str, int]:
        rows = await self._execute(_ALIVE_NOTES)
        return {row.key: int(row.value) for row in rows}


class KeyValueRepository(KeyValueQueries):
    """Writes stored values."""

    async def set(self, key: str, value: str) -> None:
        """Store a value under this key, replacing an earlier one."""
        await self._execute(upsert_many(meta), {"key": key, "value": value})

    async def alive(self, now: int) -> None:
        """Record that the bot is running now, instead of what was recorded of single shards.

        After the clock was set back, that could lie in the future.
        """
        self._later(_REMOVE_SHARDS)
        await self.set(_ALIVE, str(now))

    async def served(self, share: Share, now: int) -> None:
        """Record that these shards are served now, whatever the state of the others."""
        notes = [{"key": _alive(share.count, shard), "value": str(now)} for shard in sorted(share.held)]
        if notes:
            self._later(upsert_many(meta), notes)

    async def served_only(self, share: Share, now: int) -> None:
        """Record that these shards are served now, and the others not since they last were. No other process serves any.

        What was recorded of all shards is replaced: after the clock was set back, it would be later than what is recorded now.
        """
        away = Share(share.count, frozenset(range(share.count)) - share.held)
        last = await self.last_served(away)
        self._later(_REMOVE_ALIVE)
        for shard, at in last.items():
            await self.served(Share(share.count, frozenset({shard})), at)
        await self.served(share, now)

    async def count_shards(self, count: int) -> None:
        """Turn what was recorded for other numbers of shards into records of each of this many shards.

        After the clock was set back, it would stay later than what is recorded from now on.
        """
        every = Share(count, frozenset(range(count)))
        of_others = (await self._alive()).keys() - {_alive(count, shard) for shard in every.held}
        if not of_others:
            return
        for shard, at in (await self.last_served(every)).items():
            await self.served(Share(count, frozenset({shard})), at)
        self._later(_REMOVE, [{"name": key} for key in of_others])

    def clocks_set(self, share: Share) -> None:
        """Record that the messages of these shards still show their clocks as they were."""
        notes = [
            {"key": _unshown(share.count, shard), "value": json.dumps([share.count, shard])}
            for shard in sorted(share.held)
        ]
        if notes:
            self._later(upsert_many(meta), notes)

    async def clocks_shown(self, share: Share) -> None:
        """Delete that record, because the messages will be updated."""
        for shard in sorted(share.held):
            await self._execute(_REMOVE, {"name": _unshown(share.count, shard)})

    async def answering(self, table_id: TableId, token: str, now: int) -> None:
        """Store the token that finds the message of a new table if its sender ends before storing its id."""
        await self.set(f"{_ANSWER}{table_id}", f"{now} {token}")

    async def answered(self, table_id: TableId) -> None:
        """Delete the token of a table, because its message is known."""
        await self._execute(_REMOVE, {"name": f"{_ANSWER}{table_id}"})

    async def forget_old(self, now: int) -> None:
        """Delete the expired tokens of tables whose message was never found."""
        for row in await self._execute(_ANSWER_NOTES):
            if int(row.value.split()[0]) < now - TOKEN_MS:
                await self._execute(_REMOVE, {"name": row.key})

    async def hand_over(self, session: GatewaySession) -> None:
        """Hand a Discord session over to the process that takes its shard next."""
        await self.set(_SESSION.format(session.shard), json.dumps(asdict(session)))

    async def take_over(self, shard: int, count: int) -> GatewaySession | None:
        """Return the session handed over with a shard, once; None if there is none for this shard count."""
        noted = await self.get(_SESSION.format(shard))
        if noted is None:
            return None
        await self._execute(_REMOVE, {"name": _SESSION.format(shard)})
        session = GatewaySession(**json.loads(noted))
        return session if session.count == count else None


def _alive(count: int, shard: int) -> str:
    return f"{_ALIVE} {shard} of {count}"


def _unshown(count: int, shard: int) -> str:
    return f"{_UNSHOWN}{shard} of {count}"
