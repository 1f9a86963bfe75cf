"""Small notes of the bot for its next start: its heartbeat, the hash of its commands."""

from sqlalchemy import bindparam, select

from data.dialect import upsert_many
from data.schema.core import meta
from data.session import Session

_ALIVE = "alive"
_GET = select(meta.c.value).where(meta.c.key == bindparam("name"))


class KeyValueQueries(Session):
    """Reads notes."""

    __slots__ = ()

    async def get(self, key: str) -> str | None:
        """The value noted under this key; None if there is none."""
        return await self._scalar(_GET, {"name": key})

    async def last_alive(self) -> int | None:
        """When the bot was last known to run, in milliseconds since 1970; None before its first start."""
        noted = await self.get(_ALIVE)
        return None if noted is None else int(noted)


class KeyValueRepository(KeyValueQueries):
    """Writes notes."""

    __slots__ = ()

    async def set(self, key: str, value: str) -> None:
        """Note a value under this key, in place of an earlier one."""
        await self._execute(upsert_many(meta), {"key": key, "value": value})

    async def alive(self, now: int) -> None:
        """Note that the bot runs now."""
        await self.set(_ALIVE, str(now))
