"""Presets of the rules to choose from, in selects and typed commands."""

from typing import Final

import discord
from discord import app_commands

from bot.words.rules import EVERYDAY, preset_name
from bot.words.texts import Texts, catalogue
from render.words import ENGLISH

PRESET_CHOICES: Final = [
    app_commands.Choice(name=preset_name(preset, catalogue(ENGLISH)), value=preset) for preset in EVERYDAY
]
"""The choices of an option of a command. Discord shows them in English, or as the translated commands call them."""


def preset_options(chosen: str | None, texts: Texts) -> list[discord.SelectOption]:
    """The options of a select, each with what is special about it; `chosen` is marked."""
    return [
        discord.SelectOption(
            label=preset_name(preset, texts),
            value=preset,
            description=texts(f"preset.{preset}"),
            default=preset == chosen,
        )
        for preset in EVERYDAY
    ]
