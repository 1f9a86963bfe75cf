"""What a message has attached already is kept in an edit, and not sent again: the name of a file tells what is in it."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar, cast

import discord

from bot.ui.panel import Panel
from data.repositories.attached_files import AttachedFile

T = TypeVar("T")
Files = list[discord.File | discord.Attachment]
_REFUSED = 400


class _Kept:
    """A file that stays, as discord.py puts it into a request."""

    def __init__(self, file_id: int) -> None:
        self._id = file_id

    def to_dict(self) -> dict[str, Any]:
        """The part of the payload."""
        return {"id": self._id}


def files_of(message: Any) -> tuple[AttachedFile, ...]:
    """What is attached to a message of discord.py; nothing where there is no message."""
    attachments: Sequence[discord.Attachment] = getattr(message, "attachments", ())
    return tuple(AttachedFile(file.id, file.filename) for file in attachments)


async def sent_once(panel: Panel, there: Sequence[AttachedFile], send: Callable[[Files], Awaitable[T]]) -> T:
    """Edit a message by `send` so that it has the panel's files, of which those that are `there` are kept.

    If Discord refuses that, because something else is attached by now, all files are sent. Raises what `send` raises.
    """
    ids = {file.name: file.id for file in there}
    files: Files = [
        cast("discord.Attachment", _Kept(ids[file.filename])) if file.filename in ids else file
        for file in panel.files
    ]
    try:
        return await send(files)
    except discord.HTTPException as error:
        if error.status != _REFUSED or files == panel.files:
            raise
    for file in panel.files:
        file.reset()
    return await send([*panel.files])
