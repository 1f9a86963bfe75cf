"""The parts that every panel is made of."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, Final

import discord
from discord import ui

from render.picture import Picture

LONGEST_TEXT: Final = 3_300
"""For all texts of one message: Discord takes 4,000 characters, but fails on some 10,000 bytes of UTF-8."""
CRIMSON: Final = discord.Colour(0xB0203A)


@dataclass(frozen=True, slots=True, repr=False)
class Panel:
    """A message ready to be sent or edited once: a layout, and the files that it shows."""

    view: ui.LayoutView
    files: list[discord.File] = field(default_factory=list)


def panel(*parts: ui.Item[Any] | None, files: Sequence[discord.File] = ()) -> Panel:
    """A panel of these parts in one container; parts that are None are left out."""
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.Container(*[part for part in parts if part is not None], accent_colour=CRIMSON))
    return Panel(view, list(files))


def text(content: str) -> ui.TextDisplay[Any]:
    """A paragraph, cut where Discord would refuse it."""
    return ui.TextDisplay(content if len(content) <= LONGEST_TEXT else content[: LONGEST_TEXT - 1] + "…")


def picture_file(picture: Picture) -> discord.File:
    """A picture as an upload. Its name is a random token: file names must say nothing about cards."""
    name = f"{secrets.token_hex(8)}.png"
    return discord.File(BytesIO(picture.png), filename=name, description=picture.alt)


def gallery(file: discord.File) -> ui.MediaGallery[Any]:
    """The file shown as a picture with its alt text."""
    return ui.MediaGallery(discord.MediaGalleryItem(file, description=file.description))
