"""Panels: the parts of a message, cut to the size that Discord takes, its files, and plain messages of a few words.

Files that the message already has are kept, and cards are named if Discord refuses their emojis. A file's name identifies
its content, so a file of the same name is not sent again.
"""

import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import PurePosixPath
from typing import Any, Final, TypeVar, cast
from urllib.parse import urlsplit

import discord
import structlog
from discord import ui

from bot.errors import SeatedElsewhereError, UserError
from bot.ui.items import Button, Press, row
from bot.words.texts import Texts, card_name, named_cards, read_emoji_name, report_refused_emoji, texts
from data.ids import MessageId
from data.repositories.messages import AttachedFile
from data.store import Store
from render.picture import Picture

ROOM: Final = 4_000
"""The maximum number of characters of all texts of one message."""
BESIDES: Final = 5
"""The overhead of every text: Discord counts 12 more bytes for each."""
_BYTES: Final = 10_169
"""The maximum number of UTF-8 bytes, including the 12 for each text.

Discord answers a message that exceeds it with an internal error.
"""
_CUT: Final = "…"


def taken(content: str) -> int:
    """Return how much of `ROOM` a text takes: its characters, or more if they have many bytes.

    >>> taken("a" * 100), taken("क" * 100)
    (100, 119)
    """
    return max(len(content), -(-len(content.encode()) * ROOM // _BYTES))


def cut(content: str, room: int) -> str:
    r"""Return as much of a text as fits, cut at the end of a line if one ends in the second half.

    >>> cut("one\ntwo\nthree", 12)
    'one\ntwo\n…'
    """
    if taken(content) <= room:
        return content
    low, high = 0, len(content)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if taken(content[:middle] + _CUT) <= room else (low, middle - 1)
    end = content.rfind("\n", low // 2, low)
    return content[: low if end < 0 else end + 1] + _CUT


CRIMSON: Final = discord.Colour(0xB0203A)

log = structlog.get_logger(__name__)


class _Layout(ui.LayoutView):
    """A layout that the library forgets once it is sent, because a press is read by its custom id alone.

    Otherwise the library would hold every private answer, with its pictures, for a quarter of an hour to wait
    for presses.
    """

    def is_finished(self) -> bool:
        return True


@dataclass(frozen=True, slots=True, repr=False)
class Panel:
    """A message ready to be sent or edited once: a layout, and the files that it shows."""

    view: ui.LayoutView
    files: list[discord.File] = field(default_factory=list[discord.File])
    is_cut: bool = False
    """Whether a text had to be cut for Discord to accept it. Paging of long lists prevents this."""


def panel(*parts: ui.Item[Any] | None, files: Sequence[discord.File] = ()) -> Panel:
    """Make a panel of these parts in one container.

    Parts that are None or empty are left out, because Discord refuses them. Raises ValueError if no part is
    left.
    """
    shown = [part for part in parts if part is not None and not _is_empty(part)]
    if not shown:
        raise ValueError("a panel shows something")
    is_cut = _cut_to_size([part for part in shown if isinstance(part, ui.TextDisplay)])
    view = _Layout(timeout=None)
    view.add_item(ui.Container(*shown, accent_colour=CRIMSON))
    return Panel(view, list(files), is_cut)


def _is_empty(part: ui.Item[Any]) -> bool:
    """Return whether a part is empty."""
    match part:
        case ui.TextDisplay():
            return not part.content.strip()
        case ui.ActionRow():
            return all(map(_is_empty, part.children))
        case ui.DynamicItem():
            return _is_empty(part.item)
        case ui.Select():
            return not part.options
        case _:
            return False


def _cut_to_size(displays: list[ui.TextDisplay[Any]]) -> bool:
    """Cut the longest texts until Discord accepts them; returns whether any were cut."""
    excess = _excess(displays)
    if excess > 0:  # an emoji takes ten times as much room as the name of its card
        for display in displays:
            display.content = named_cards(display.content, texts())
        excess = _excess(displays)
    if excess <= 0:
        return False
    log.warning("panel.cut", excess=excess)
    while excess > 0:
        longest = max(displays, key=lambda display: taken(display.content))
        before = taken(longest.content)
        longest.content = cut(longest.content, max(ROOM // len(displays) - BESIDES, before - excess))
        excess -= before - taken(longest.content)
    return True


def _excess(displays: list[ui.TextDisplay[Any]]) -> int:
    """Return by how much the texts are too long for one message; negative if there is room left."""
    return sum(taken(display.content) + BESIDES for display in displays) - ROOM


def text(content: str | None) -> ui.TextDisplay[Any]:
    """Make a paragraph. A panel leaves it out if it is empty."""
    return ui.TextDisplay(content or "")


def picture_file(picture: Picture) -> discord.File:
    """Make an upload of a picture. Its name is a digest, so equal pictures have equal names and nothing else is revealed.

    An edit uses the name to tell whether the message has the picture already.
    """
    return discord.File(BytesIO(picture.png), filename=f"{picture.digest}.png", description=picture.alt)


def pictured(pictures: Sequence[Picture]) -> tuple[list[ui.Item[Any]], list[discord.File]]:
    """Return the pictures, one below the other, and their uploads."""
    files = [picture_file(picture) for picture in pictures]
    return [gallery(file) for file in files], files


def gallery(file: discord.File) -> ui.MediaGallery[Any]:
    """Return the file as a picture with its alt text."""
    return ui.MediaGallery(discord.MediaGalleryItem(file, description=file.description))


def notice_panel(words: str) -> Panel:
    """Return the words in a container."""
    return panel(text(words))


def refusal_panel(sorry: UserError, texts: Texts) -> Panel:
    """Explain why a request was refused, with a link to the person's table and a button that leaves it."""
    words = text(texts(sorry.key, **sorry.values))
    if not isinstance(sorry, SeatedElsewhereError):
        return panel(words)
    return panel(words, row(Button(Press("leave-there", sorry.table, 0), texts("button.leave_there"))))


REMEMBERED: Final = 2_000
"""How many messages are kept in memory: those of about four hundred tables. The others are read from the store."""


class AttachedFiles:
    """The files attached to the messages that are edited again, known across restarts.

    This record may be out of date, for example after a crash. Discord then refuses to keep a file that is not
    there, and the file is sent.
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
        """Forget the records that are already stored, because other processes may have edited any message."""
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
    """Return whether Discord refuses a message because of the emoji of a button or an option."""
    return error.code == _INVALID_FORM and _EMOJI_FIELD.search(error.text) is not None


def name_cards(view: ui.LayoutView) -> None:
    """Replace the emojis of cards everywhere in a view by the names of the cards."""
    for child in view.walk_children():
        item = cast(
            "ui.Item[Any]", getattr(child, "item", child)
        )  # the content of a dynamic item, or the item itself
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
        """Return the file's part of the payload."""
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
    """Post or edit a message through `send` so that it has the panel's files; those `there` are kept.

    If Discord refuses an emoji, `send` is called again with a panel that names the cards. If Discord refuses
    to keep a file, because something else is now attached, all files are sent. Raises what `send` raises.
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
