"""The parts that every panel is made of, cut to the room that a message has."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, Final

import discord
import structlog
from discord import ui

from bot.words.card_names import named_cards
from bot.words.texts import texts
from render.picture import Picture

ROOM: Final = 4_000
"""Characters of all texts of one message."""
BESIDES: Final = 5
"""What every text takes besides: Discord counts 12 bytes more for each."""
_BYTES: Final = 10_169
"""Bytes of UTF-8, the 12 of each text among them: of one more Discord makes an error of its own."""
_CUT: Final = "…"


def taken(content: str) -> int:
    """What a text takes of `ROOM`: its characters, or more where they have many bytes.

    >>> taken("a" * 100), taken("क" * 100)
    (100, 119)
    """
    return max(len(content), -(-len(content.encode()) * ROOM // _BYTES))


def cut(content: str, room: int) -> str:
    r"""As much of a text as fits, cut at the end of a line where one ends in the second half of it.

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
    """A layout of which the library keeps nothing once it is sent: a press is read by its custom id alone.

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
    """A panel of these parts in one container, without those that are None or empty: Discord refuses what is empty.

    Raises ValueError where nothing is left.
    """
    shown = [part for part in parts if part is not None and not _is_empty(part)]
    if not shown:
        raise ValueError("a panel shows something")
    is_cut = _cut_to_size([part for part in shown if isinstance(part, ui.TextDisplay)])
    view = _Layout(timeout=None)
    view.add_item(ui.Container(*shown, accent_colour=CRIMSON))
    return Panel(view, list(files), is_cut)


def _is_empty(part: ui.Item[Any]) -> bool:
    """Whether a part says nothing and offers nothing."""
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
    """Cut the longest texts until Discord takes them all; whether any had to be."""
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
    """By how much the texts are too long for one message; negative where there is room."""
    return sum(taken(display.content) + BESIDES for display in displays) - ROOM


def text(content: str | None) -> ui.TextDisplay[Any]:
    """A paragraph; a panel leaves it out where there is nothing to say."""
    return ui.TextDisplay(content or "")


def picture_file(picture: Picture) -> discord.File:
    """A picture as an upload. Its name is a digest: the same picture has the same name, and only that can be told from it.

    So the name tells an edit whether the message has the picture already.
    """
    return discord.File(BytesIO(picture.png), filename=f"{picture.digest}.png", description=picture.alt)


def gallery(file: discord.File) -> ui.MediaGallery[Any]:
    """The file shown as a picture with its alt text."""
    return ui.MediaGallery(discord.MediaGalleryItem(file, description=file.description))
