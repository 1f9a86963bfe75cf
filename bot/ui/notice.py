"""A plain message: a few words, and mostly nothing to press."""

from typing import Any

import discord
from discord import ui

from bot.errors import SeatedElsewhereError, UserError
from bot.ui.custom_id import Press
from bot.ui.items import Button
from bot.ui.panel import Panel, panel, text
from bot.words.texts import Texts


def notice_panel(words: str) -> Panel:
    """The words in a container."""
    return panel(text(words))


def refusal_panel(sorry: UserError, texts: Texts) -> Panel:
    """Why a request was refused, and the ways out that there are."""
    words = text(texts(sorry.key, **sorry.values))
    if not isinstance(sorry, SeatedElsewhereError):
        return panel(words)
    there: ui.Button[Any] = ui.Button(
        style=discord.ButtonStyle.link, label=texts("button.go_there"), url=sorry.link
    )
    leave = Button(Press("leave-there", sorry.table, 0), texts("button.leave_there"))
    return panel(words, ui.ActionRow(there, leave))
