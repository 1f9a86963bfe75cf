"""House rules among the settings of a person or a server, with a button to clear them."""

from typing import Any

from discord import ui

from bot.panels.table.rules_text import house_words
from bot.ui.custom_id import Press
from bot.ui.items import Button
from bot.words.texts import Texts
from data.preferences import Terms


def house_part(terms: Terms | None, key: str, verb: str, texts: Texts) -> ui.Item[Any] | None:
    """The house rules with a button next to them; None if there are none. `key` is the message, `verb` clears them."""
    if terms is None:
        return None
    words: ui.TextDisplay[Any] = ui.TextDisplay(texts(key, rules=house_words(terms, texts)))
    return ui.Section(words, accessory=Button(Press(verb, 0, 0), texts("button.clear_house")))
