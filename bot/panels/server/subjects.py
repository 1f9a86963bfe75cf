"""Settings grouped by subject, so that each page has few rows: the select that leads from page to page.

What is changed says which page it is on, so no custom id has to remember the page. House rules are such a row, of a person or a server.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import discord
from discord import ui

from bot.panels.table.rules import house_words
from bot.ui.items import Button, Press, Select
from bot.words.texts import Texts
from data.preferences import Terms


def house_part(terms: Terms | None, key: str, verb: str, texts: Texts) -> ui.Item[Any] | None:
    """The house rules with a button next to them; None if there are none. `key` is the message, `verb` clears them."""
    if terms is None:
        return None
    words: ui.TextDisplay[Any] = ui.TextDisplay(texts(key, rules=house_words(terms, texts)))
    return ui.Section(words, accessory=Button(Press(verb, 0, 0), texts("button.clear_house")))


Subjects = Mapping[str, Sequence[str]]
"""The verbs of the controls on each page, the first page first."""


def first_of(subjects: Subjects) -> str:
    """The page that a command opens."""
    return next(iter(subjects))


def subject_of(subjects: Subjects, verb: str) -> str:
    """The page with the control of this verb; the first one for a verb that is on none."""
    return next((name for name, verbs in subjects.items() if verb in verbs), first_of(subjects))


def subject_select(
    verb: str, placeholder: str, subjects: Mapping[str, tuple[str, Sequence[str]]], chosen: str
) -> Select:
    """The way from page to page. `subjects` says what each page is called, and what is chosen there, in words."""
    options = [
        discord.SelectOption(
            label=label, value=name, description="; ".join(present)[:100] or None, default=name == chosen
        )
        for name, (label, present) in subjects.items()
    ]
    return Select(Press(verb, 0, 0), placeholder, options)
