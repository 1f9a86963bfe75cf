"""A person's settings and data: what they see and how, by subject, and what is stored about them.

Settings are grouped by subject, so that each page has few rows. A select leads from page to page. What is changed says which
page it is on, so no custom id has to remember the page.
"""

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any, Final, get_args

import discord
from discord import ui

from bot.panels.table.rules import house_words
from bot.ui.items import GREEN, GREY, RED, Button, Press, Select, row
from bot.ui.panel import Panel, panel, text
from bot.words.texts import Texts, language_name
from data.preferences import LANGUAGES, Level, PersonSettings, PlayHours, Terms, choices


def house_part(terms: Terms | None, key: str, verb: str, texts: Texts) -> ui.Item[Any] | None:
    """Return the house rules with a button next to them; None if there are none.

    `key` is the message; `verb` clears the house rules.
    """
    if terms is None:
        return None
    words: ui.TextDisplay[Any] = ui.TextDisplay(texts(key, rules=house_words(terms, texts)))
    return ui.Section(words, accessory=Button(Press(verb, 0, 0), texts("button.clear_house")))


Subjects = Mapping[str, Sequence[str]]
"""The verbs of the controls on each page, the first page first."""


def first_of(subjects: Subjects) -> str:
    """Return the page that a command opens."""
    return next(iter(subjects))


def subject_of(subjects: Subjects, verb: str) -> str:
    """Return the page with the control of this verb; the first page if no page has it."""
    return next((name for name, verbs in subjects.items() if verb in verbs), first_of(subjects))


def subject_select(
    verb: str, placeholder: str, subjects: Mapping[str, tuple[str, Sequence[str]]], chosen: str
) -> Select:
    """Return the select that leads from page to page.

    `subjects` has each page's name and, in words, what is chosen there.
    """
    options = [
        discord.SelectOption(
            label=label, value=name, description="; ".join(present)[:100] or None, default=name == chosen
        )
        for name, (label, present) in subjects.items()
    ]
    return Select(Press(verb, 0, 0), placeholder, options)


def privacy_panel(texts: Texts) -> Panel:
    """Show the privacy policy, with buttons to download and to delete."""
    return panel(
        text(texts("privacy.policy")),
        row(
            Button(Press("export", 0, 0), texts("privacy.export")),
            Button(Press("forget", 0, 0), texts("privacy.forget"), style=RED),
        ),
    )


def export_panel(contents: Mapping[str, bytes], now: int, texts: Texts) -> Panel:
    """Attach everything stored about a person as a file, or say that there is nothing."""
    files = [discord.File(BytesIO(content), filename=name) for name, content in contents.items()]
    if not files:
        return panel(text(texts("privacy.nothing")))
    shown: list[ui.File[Any]] = [ui.File(file) for file in files]
    return panel(text(texts("privacy.exported", at=now)), *shown, files=files)


def forget_panel(texts: Texts) -> Panel:
    """Explain what being forgotten means, with the button for it."""
    sure = Button(Press("forget-sure", 0, 0), texts("privacy.yes"), style=RED)
    return panel(text(texts("privacy.sure")), row(sure))


AUTOMATIC = "auto"
SELECTS: Final = {
    "pick-grouping": "grouping",
    "pick-deck": "suits",
    "pick-theme": "theme",
    "pick-draw": "auto_draw",
    "pick-tunnelas": "tunnelas",
    "pick-computers": "play_now_level",
    "pick-language": "language",
    "pick-zone": "timezone",
    "pick-hours": "play_hours",
}
"""The verb of each select, and the setting that it changes."""
SWITCHES: Final = {
    "set-large": "large",
    "set-words": "words",
    "set-list": "card_list",
    "set-confirm": "confirm_discard",
    "set-dms": "hands_by_dm",
    "set-ping": "turn_ping",
    "set-ping-dm": "turn_ping_by_dm",
    "set-reminders": "reminders",
    "set-day-reminders": "daily_reminders",
    "set-listed": "listed",
    "set-puzzles": "puzzles",
}
"""The verb of each switch, and the setting that it changes."""
SUBJECTS: Final[Subjects] = {
    "general": ("pick-language", "set-listed", "set-puzzles"),
    "cards": ("pick-grouping", "pick-deck", "pick-theme", "set-large", "set-words"),
    "playing": ("pick-draw", "pick-tunnelas", "pick-computers", "set-list", "set-confirm"),
    "time": ("pick-zone", "pick-hours"),
    "messages": ("set-dms", "set-reminders", "set-ping", "set-ping-dm", "set-day-reminders"),
}
TIMEZONES: Final = (
    "Asia/Kathmandu",
    "Asia/Kolkata",
    "Asia/Dhaka",
    "Asia/Dubai",
    "Asia/Qatar",
    "Asia/Kuala_Lumpur",
    "Asia/Singapore",
    "Asia/Hong_Kong",
    "Asia/Seoul",
    "Asia/Tokyo",
    "Australia/Perth",
    "Australia/Adelaide",
    "Australia/Brisbane",
    "Australia/Sydney",
    "Pacific/Auckland",
    "Europe/London",
    "Europe/Lisbon",
    "Europe/Berlin",
    "America/New_York",
    "America/Chicago",
    "America/Denver",
    "America/Los_Angeles",
    "UTC",
)
"""The time zones that can be chosen without typing: Nepal's, and those of places where many Nepalis live."""
_IN_A_ROW: Final = 2
"""The number of buttons in a row: more would not fit next to each other on a phone."""


def settings_panel(settings: PersonSettings, texts: Texts, subject: str = first_of(SUBJECTS)) -> Panel:
    """Show the settings of one subject with their values."""
    verbs = SUBJECTS[subject]
    switches = [_switch(verb, settings, texts) for verb in verbs if verb in SWITCHES]
    subjects = {
        name: (
            texts(f"settings.subject_{name}"),
            [_present(verb, settings, texts) for verb in SUBJECTS[name]],
        )
        for name in SUBJECTS
    }
    general = subject == first_of(SUBJECTS)
    return panel(
        text(texts("settings.title")),
        row(subject_select("pick-settings", texts("settings.choose_subject"), subjects, subject)),
        *(_select(verb, settings, texts) for verb in verbs if verb in SELECTS),
        *(row(*switches[start : start + _IN_A_ROW]) for start in range(0, len(switches), _IN_A_ROW)),
        house_part(settings.house_rules, "settings.house", "clear-house", texts) if general else None,
        text(texts(note)) if (note := f"settings.note_{subject}") in texts else None,
    )


def _present(verb: str, settings: PersonSettings, texts: Texts) -> str:
    """Format the present choice of a select or switch."""
    if verb in SWITCHES:
        return _switched(verb, settings, texts)
    chosen = getattr(settings, SELECTS[verb])
    return _value(verb, chosen, texts)


def _value(verb: str, value: str | None, texts: Texts) -> str:
    """Name a value of this select; None is the value that leaves the choice to others."""
    if value is not None and verb == "pick-language":
        return language_name(value)
    if value is not None and verb == "pick-zone":
        return texts("settings.zone_named", timezone=value)
    if value is not None and verb == "pick-computers":
        return texts("settings.computers_level", level=texts(f"level.{value}"))
    return texts(f"settings.{verb.removeprefix('pick-')}_{value or AUTOMATIC}")


def _values(verb: str, chosen: str | None) -> Sequence[str | None]:
    """Return every value that this select offers, in order."""
    if verb == "pick-language":
        return (None, *LANGUAGES)
    if verb == "pick-zone":
        return (None, *TIMEZONES) if chosen is None or chosen in TIMEZONES else (None, chosen, *TIMEZONES)
    if verb == "pick-hours":
        return (None, *get_args(PlayHours))
    if verb == "pick-computers":
        return (None, *Level)
    return choices(PersonSettings, SELECTS[verb])


def _select(verb: str, settings: PersonSettings, texts: Texts) -> ui.ActionRow[Any]:
    """Return a select with every possible value of a setting."""
    chosen = getattr(settings, SELECTS[verb])
    options = [
        discord.SelectOption(
            label=_value(verb, value, texts), value=value or AUTOMATIC, default=value == chosen
        )
        for value in _values(verb, chosen)
    ]
    return row(Select(Press(verb, 0, 0), texts(f"settings.{verb.removeprefix('pick-')}"), options))


def _switch(verb: str, settings: PersonSettings, texts: Texts) -> Button:
    """Return a switch that shows its state; the argument of its press is the new state."""
    on = getattr(settings, SWITCHES[verb])
    style = GREEN if on else GREY
    return Button(Press(verb, 0, 0, "off" if on else "on"), _switched(verb, settings, texts), style=style)


def _switched(verb: str, settings: PersonSettings, texts: Texts) -> str:
    name = SWITCHES[verb]
    return texts(f"settings.{name}_{'on' if getattr(settings, name) else 'off'}")
