"""Messages whose emojis Discord refuses: the same message again with the names of the cards instead.

Discord refuses a message with a button or an option whose emoji it does not know: one that was deleted, and now and then one
that it had forgotten for a moment (discord/discord-api-docs, issue 7128). In a text it shows the name of an unknown emoji.
"""

import re
from typing import Any, Final, cast

import discord
from discord import ui

from bot.words.card_emojis import read_emoji_name
from bot.words.card_names import card_name, named_cards
from bot.words.texts import texts

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
