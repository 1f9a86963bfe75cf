"""The files attached to messages. The name of a file identifies its content, so a file is not uploaded twice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import bindparam, delete, insert, select

from data.ids import MessageId
from data.schema.core import attached_file
from data.session import Session
from league.times import DAY

KEPT_MS: Final = 7 * DAY
_DISCORD_EPOCH_MS: Final = 1_420_070_400_000
"""An id of Discord holds the milliseconds since then, in all but its last 22 bits."""


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file of a message: its id in Discord, and its name."""

    id: int
    name: str


_OF_MESSAGE = (
    select(attached_file.c.id, attached_file.c.name)
    .where(attached_file.c.message_id == bindparam("of"))
    .order_by(attached_file.c.id)
)


class AttachedFileQueries(Session):
    """Looks up attached files."""

    __slots__ = ()

    async def of_message(self, message_id: MessageId) -> tuple[AttachedFile, ...]:
        """The files that a message had when it was last noted, in order."""
        return tuple(await self._all(AttachedFile, _OF_MESSAGE, {"of": message_id}))


class AttachedFileRepository(AttachedFileQueries):
    """Stores attached files."""

    __slots__ = ()

    async def set(self, by_message: Mapping[MessageId, Sequence[AttachedFile]]) -> None:
        """Replace the files stored for these messages."""
        await self._execute(delete(attached_file).where(attached_file.c.message_id.in_(by_message)))
        rows = [
            {"message_id": message_id, "id": file.id, "name": file.name}
            for message_id, files in by_message.items()
            for file in files
        ]
        if rows:
            await self._execute(insert(attached_file), rows)

    async def forget_old(self, now: int) -> None:
        """Delete the files of messages that are too old to be edited."""
        oldest = (now - KEPT_MS - _DISCORD_EPOCH_MS) << 22
        await self._execute(delete(attached_file).where(attached_file.c.message_id < oldest))
