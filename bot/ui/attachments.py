"""Send panels. Files that the message already has are kept, and cards are named if Discord refuses their emojis.

A file's name identifies its content, so a file of the same name is not sent again.
"""

import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any, Final, TypeVar, cast
from urllib.parse import urlsplit

import discord
from discord import ui

from bot.ui.panel import Panel
from bot.words.texts import card_name, named_cards, read_emoji_name, report_refused_emoji, texts
from data.ids import MessageId
from data.repositories.attached_files import AttachedFile
from data.store import Store

REMEMBERED: Final = 10_000


class AttachedFiles:
    """Knows what the messages that are edited again have attached, across restarts.

    What it knows may be out of date, after a crash for example. Then Discord refuses to keep a file that is not there,
    and it is sent.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: OrderedDict[MessageId, tuple[AttachedFile, ...]] = OrderedDict()
        self._unsaved: set[MessageId] = set()

    async def of_message(self, message_id: MessageId) -> tuple[AttachedFile, ...]:
        """Return the files attached to a message, as far as they are known."""
        if message_id not in self._known:
            found = await self._store.read(lambda db: db.attached_files.of_message(message_id))
            self._known.setdefault(message_id, found)
        self._known.move_to_end(message_id)
        return self._known[message_id]

    def note(self, message_id: MessageId, files: Sequence[AttachedFile]) -> None:
        """Record the files that a message has now."""
        if self._known.get(message_id) != tuple(files):
            self._known[message_id] = tuple(files)
            self._unsaved.add(message_id)
        self._known.move_to_end(message_id)
        while len(self._known) > REMEMBERED:
            dropped, _ = self._known.popitem(last=False)
            self._unsaved.discard(dropped)

    def forget_known(self) -> None:
        """Other processes may have edited any message meanwhile: what is not written down yet is this process's own."""
        for message_id in self._known.keys() - self._unsaved:
            del self._known[message_id]

    async def save(self) -> None:
        """Store the changes, if there are any."""
        if not self._unsaved:
            return
        changed = {message_id: self._known[message_id] for message_id in self._unsaved}
        self._unsaved.clear()
        await self._store.write(lambda db: db.attached_files.set(changed))


_INVALID_FORM: Final = 50035
_EMOJI_FIELD: Final = re.compile(r"\.emoji(?:\.(?:id|name))?: ")


def refuses_emoji(error: discord.HTTPException) -> bool:
    """Whether Discord refuses a message because of the emoji of a button or an option."""
    return error.code == _INVALID_FORM and _EMOJI_FIELD.search(error.text) is not None


def name_cards(view: ui.LayoutView) -> None:
    """Replace the emojis of cards everywhere in a view by the names of the cards."""
    for child in view.walk_children():
        item = cast(
            "ui.Item[Any]", getattr(child, "item", child)
        )  # what a dynamic item holds, or the item itself
        if isinstance(item, ui.TextDisplay):
            item.content = named_cards(item.content, texts())
        elif isinstance(item, ui.Button):
            _name_button(item)
        elif isinstance(item, ui.Select):
            for option in item.options:
                option.emoji = None if _is_card(option.emoji) else option.emoji


def _name_button(button: ui.Button[Any]) -> None:
    emoji = button.emoji
    said = None if emoji is None else read_emoji_name(emoji.name)
    if said is not None:
        button.label = button.label or card_name(said.card, texts())
        button.emoji = None


def _is_card(emoji: discord.PartialEmoji | discord.Emoji | None) -> bool:
    return emoji is not None and read_emoji_name(emoji.name) is not None


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
    """Return the files attached to a discord.py message that its components show; empty without a message.

    Discord does not list such files among the message's attachments.
    """
    return tuple(_shown_files(getattr(message, "components", ())))


def _shown_files(components: Sequence[discord.Component]) -> Iterator[AttachedFile]:
    for component in components:
        match component:
            case discord.Container():
                yield from _shown_files(component.children)
            case discord.MediaGalleryComponent():
                for item in component.items:
                    yield from _file(item.media)
            case discord.FileComponent():
                yield from _file(component.media)
            case _:
                pass


def _file(media: discord.UnfurledMediaItem) -> Iterator[AttachedFile]:
    if media.attachment_id is not None:
        yield AttachedFile(media.attachment_id, PurePosixPath(urlsplit(media.url).path).name)


async def sent_once(panel: Panel, there: Sequence[AttachedFile], send: Callable[[Files], Awaitable[T]]) -> T:
    """Post or edit a message through `send` so that it has the panel's files; those that are `there` are kept.

    If Discord refuses an emoji, `send` is called again with a panel that names the cards. If Discord refuses
    to keep a file, because something else is attached by now, all files are sent. Raises what `send` raises.
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
    """Rewind the files, so that they can be sent again."""
    for file in panel.files:
        file.reset()
