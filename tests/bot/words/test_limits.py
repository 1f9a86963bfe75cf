"""Discord's limits for labels, titles, options and hints, and what a phone shows of a button, by language."""

import ast
import re
import string
from collections import defaultdict
from typing import Any, Final

import pytest

from bot.words.texts import catalogue
from tests.bot.words.test_texts import KEYS, LANGUAGES, sources

TITLE, LABEL, HINT, OPTION, PLACEHOLDER = 45, 45, 100, 100, 150
BUTTON = 34
"""The letters visible beside an emoji; Discord accepts 80."""
PLACES: Final[dict[str, dict[int | str, int]]] = {
    "Button": {1: BUTTON},
    "SelectOption": {"label": OPTION, "description": OPTION},
    "CheckboxGroupOption": {"label": OPTION, "description": OPTION},
    "RadioGroupOption": {"label": OPTION, "description": OPTION},
    "field": {0: LABEL, 2: HINT},
    "open_form": {2: TITLE},
}
"""Where words go: the called name, then the position or name of its argument."""
BY_WAY_OF_VALUES: Final = {
    "scoreform.title": TITLE,
    "rulesform.title": TITLE,
    **{key: OPTION for key in KEYS if key.startswith(("language.", "setup.preset", "setup.pace", "preset."))},
    **{key: OPTION for key in KEYS if key.startswith(("variation.", "level.", "pace.", "points."))},
    **{key: OPTION for key in KEYS if key.startswith(("unseen_maal.", "foul.", "scoreform.nobody"))},
    **{key: OPTION for key in KEYS if re.fullmatch(r"(settings|setup)\.subject_.*", key)},
    **{
        key: OPTION
        for key in KEYS
        if re.fullmatch(r"settings\.(grouping|deck|theme|draw|tunnelas|language)_.*", key)
    },
    **{key: BUTTON for key in KEYS if key.startswith("button.")},
    **{key: BUTTON for key in KEYS if re.fullmatch(r"(settings|manage|setup)\..*_(on|off)", key)},
    **{key: PLACEHOLDER for key in KEYS if catalogue("en").template(key).endswith("…")},
}
"""Keys whose words reach such a place through a variable; words that ask for a choice end in an ellipsis."""
IN_TEXTS: Final = "board.note_"
"""Keys that look like those of a select's options but are not."""
SHORT: Final[dict[str, Any]] = {"name": "N" * 12, "card": "10♠", "cards": "10♠ 10♠ 10♠"}
"""Values put into a message; every other placeholder gets a two-digit number."""


def keys_in(argument: ast.expr) -> set[str]:
    """Return the keys that an argument names, or that the code completes at run time."""
    found: set[str] = set()
    for node in ast.walk(argument):
        if isinstance(node, ast.Constant) and node.value in KEYS:
            found.add(str(node.value))
        elif isinstance(node, ast.JoinedStr):
            pattern = "".join(map(pattern_of, node.values))
            found |= {key for key in KEYS if re.fullmatch(pattern, key)}
    return found


def pattern_of(part: ast.expr) -> str:
    """Return a pattern for part of a key: its words, either of two alternatives, or one word."""
    if isinstance(part, ast.Constant):
        return re.escape(str(part.value))
    chosen = part.value if isinstance(part, ast.FormattedValue) else part
    if isinstance(chosen, ast.IfExp):
        return f"(?:{pattern_of(chosen.body)}|{pattern_of(chosen.orelse)})"
    return "[a-z0-9-]+"


def limits() -> dict[str, int]:
    """Return the maximum length of each key used where space is limited."""
    most: defaultdict[str, int] = defaultdict(lambda: PLACEHOLDER, BY_WAY_OF_VALUES)
    for node in sources("bot", "cogs"):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        given: dict[int | str, ast.expr] = dict(enumerate(node.args))
        given |= {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
        for place, letters in PLACES.get(name, {}).items():
            for key in keys_in(given[place]) if place in given else ():
                most[key] = min(most[key], letters)
    return {key: letters for key, letters in most.items() if not key.startswith(IN_TEXTS)}


def filled(key: str, language: str) -> str:
    """Return the message with everyday values."""
    template = catalogue(language).template(key)
    names = {name for _, name, _, _ in string.Formatter().parse(template) if name}
    return catalogue(language)(key, **{name: SHORT.get(name, 12) for name in names})


LIMITS: Final = limits()


def test_the_places_are_found():
    assert LIMITS["league.form_name"] == LABEL
    assert LIMITS["league.form_title"] == TITLE
    assert LIMITS["scoreform.seen_hint"] == HINT
    assert LIMITS["settings.large_on"] == BUTTON
    assert LIMITS["settings.deck_four"] == OPTION
    assert LIMITS["league.format_pods_hint"] == OPTION


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_fit_where_letters_are_few(language: str):
    said = {key: filled(key, language) for key in LIMITS}
    assert {key: words for key, words in said.items() if len(words) > LIMITS[key]} == {}
