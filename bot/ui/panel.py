"""Panels: the parts of a message, cut to the size that Discord takes, and plain messages of a few words."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, Final

import discord
import structlog
from discord import ui

from bot.errors import SeatedElsewhereError, UserError
from bot.ui.items import Button, Press, row
from bot.words.texts import Texts, named_cards, texts
from render.picture import Picture

ROOM: Final = 4_000
"""The most characters of all texts of one message."""
BESIDES: Final = 5
"""The overhead of every text: Discord counts 12 more bytes for each."""
_BYTES: Final = 10_169
"""The most bytes of UTF-8, including the 12 for each text. Discord answers an internal error to one more."""
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

    The library would hold every private answer, its pictures included, for a quarter of an hour, to wait for presses.
    """

    def is_finished(self) -> bool:
        return True


@dataclass(frozen=True, slots=True, repr=False)
class Panel:
    """A message ready to be sent or edited once: a layout, and the files that it shows."""

    view: ui.LayoutView
    files: list[discord.File] = field(default_factory=list[discord.File])
    is_cut: bool = False
    """Whether a text had to be cut for Discord to take it. Long lists are paged, so that this never happens."""


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
    """The pictures one below the other, and their uploads."""
    files = [picture_file(picture) for picture in pictures]
    return [gallery(file) for file in files], files


def gallery(file: discord.File) -> ui.MediaGallery[Any]:
    """The file shown as a picture with its alt text."""
    return ui.MediaGallery(discord.MediaGalleryItem(file, description=file.description))


def notice_panel(words: str) -> Panel:
    """The words in a container."""
    return panel(text(words))


def refusal_panel(sorry: UserError, texts: Texts) -> Panel:
    """Explain why a request was refused, with a link to the person's present table and a button that leaves it."""
    words = text(texts(sorry.key, **sorry.values))
    if not isinstance(sorry, SeatedElsewhereError):
        return panel(words)
    return panel(words, row(Button(Press("leave-there", sorry.table, 0), texts("button.leave_there"))))
