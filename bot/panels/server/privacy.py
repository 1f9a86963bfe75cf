"""A person's stored data, and how they can download it or have it deleted."""

from io import BytesIO

import discord
from discord import ui

from bot.ui.custom_id import Press
from bot.ui.items import RED, Button, row
from bot.ui.panel import Panel, panel, text
from bot.words.texts import Texts


def privacy_panel(texts: Texts) -> Panel:
    """The privacy policy, with buttons to download and to delete."""
    return panel(
        text(texts("privacy.policy")),
        row(
            Button(Press("export", 0, 0), texts("privacy.export")),
            Button(Press("forget", 0, 0), texts("privacy.forget"), style=RED),
        ),
    )


def export_panel(content: bytes | None, now: int, texts: Texts) -> Panel:
    """Everything stored about a person as a file, or the notice that there is nothing."""
    if content is None:
        return panel(text(texts("privacy.nothing")))
    file = discord.File(BytesIO(content), filename="tiplu.json")
    return panel(text(texts("privacy.exported", at=now)), ui.File(file), files=[file])


def forget_panel(texts: Texts) -> Panel:
    """What being forgotten means, and the button for it."""
    sure = Button(Press("forget-sure", 0, 0), texts("privacy.yes"), style=RED)
    return panel(text(texts("privacy.sure")), row(sure))
