"""A person's settings: what they see, and how."""

from typing import Any

import discord

from bot.panels.server.house_rules import house_part
from bot.ui.custom_id import Press
from bot.ui.items import GREEN, GREY, Button, Select, row
from bot.ui.panel import Panel, panel, text
from bot.words.texts import Texts, language_name
from data.preferences import LANGUAGES, PersonSettings, choices

AUTOMATIC = "auto"
SWITCHES = {
    "set-large": "large",
    "set-words": "words",
    "set-list": "card_list",
    "set-dms": "hands_by_dm",
    "set-ping": "turn_ping",
    "set-ping-dm": "turn_ping_by_dm",
    "set-reminders": "reminders",
    "set-listed": "listed",
    "set-puzzles": "puzzles",
}
"""The verb of each switch, and the setting that it changes."""
_IN_A_ROW = 5


def settings_panel(settings: PersonSettings, texts: Texts) -> Panel:
    """Every setting with its value."""
    switches = [_switch(verb, getattr(settings, name), texts) for verb, name in SWITCHES.items()]
    return panel(
        text(texts("settings.title")),
        _choice("pick-grouping", "grouping", "grouping", settings, texts),
        _choice("pick-deck", "deck", "suits", settings, texts),
        _choice("pick-theme", "theme", "theme", settings, texts),
        _choice("pick-draw", "draw", "auto_draw", settings, texts),
        _choice("pick-tunnelas", "tunnelas", "tunnelas", settings, texts),
        _languages(settings.language, texts),
        *(row(*switches[start : start + _IN_A_ROW]) for start in range(0, len(switches), _IN_A_ROW)),
        house_part(settings.house_rules, "settings.house", "clear-house", texts),
        text(texts("settings.note")),
    )


def _choice(
    verb: str, name: str, field: str, settings: PersonSettings, texts: Texts
) -> discord.ui.ActionRow[Any]:
    """A select with every value that a field of the settings may have."""
    options = [
        discord.SelectOption(
            label=texts(f"settings.{name}_{value}"),
            value=value,
            default=value == getattr(settings, field),
        )
        for value in choices(PersonSettings, field)
    ]
    return row(Select(Press(verb, 0, 0), texts(f"settings.{name}"), options))


def _languages(chosen: str | None, texts: Texts) -> discord.ui.ActionRow[Any]:
    """A select with every language under its own name, and the language of the person's Discord."""
    options = [
        discord.SelectOption(label=texts("settings.language_auto"), value=AUTOMATIC, default=chosen is None),
        *(
            discord.SelectOption(label=language_name(language), value=language, default=language == chosen)
            for language in LANGUAGES
        ),
    ]
    return row(Select(Press("pick-language", 0, 0), texts("settings.language"), options))


def _switch(verb: str, on: bool, texts: Texts) -> Button:  # noqa: FBT001 - the value of a switch
    """A switch that shows its state; the argument of its press is the new state."""
    key = f"settings.{SWITCHES[verb]}_{'on' if on else 'off'}"
    style = GREEN if on else GREY
    return Button(Press(verb, 0, 0, "off" if on else "on"), texts(key), style=style)
