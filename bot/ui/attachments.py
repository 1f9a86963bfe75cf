"""Sending a panel: what the message has attached already is kept, and cards are named where Discord refuses their emojis.

The name of a file tells what is in it, so a file of the same name is not sent again.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar, cast

import discord

from bot.ui.naming_cards import name_cards, refuses_emoji
from bot.ui.panel import Panel
from bot.words.card_emojis import report_refused_emoji
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
    """Post or edit a message by `send` so that it has the panel's files, of which those that are `there` are kept.

    `send` is called again, with the panel changed, where Discord refuses an emoji: cards are named then. If it refuses a
    file that is to be kept, because something else is attached by now, all files are sent. Raises what `send` raises.
    """
    try:
        return await _with_kept(panel, there, send)
    except discord.HTTPException as error:
        if not refuses_emoji(error):
            raise
    report_refused_emoji()
    name_cards(panel.view)
    _rewind(panel)
    return await _with_kept(panel, there, send)


async def sent_again(panel: Panel, send: Callable[[Files], Awaitable[T]]) -> T:
    """Post a panel by `send`, with all its files, after another attempt to send it failed. Raises what `send` raises."""
    _rewind(panel)
    return await sent_once(panel, (), send)


async def _with_kept(panel: Panel, there: Sequence[AttachedFile], send: Callable[[Files], Awaitable[T]]) -> T:
    ids = {file.name: file.id for file in there}
    files: Files = [
        cast("discord.Attachment", _Kept(ids[file.filename])) if file.filename in ids else file
        for file in panel.files
    ]
    try:
        return await send(files)
    except discord.HTTPException as error:
        if error.status != _REFUSED or files == panel.files or refuses_emoji(error):
            raise
    _rewind(panel)
    return await send([*panel.files])


def _rewind(panel: Panel) -> None:
    """Let the files be read once more from their beginning."""
    for file in panel.files:
        file.reset()
