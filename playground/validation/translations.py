"""Validation of names and descriptions, and of their translations."""

import unicodedata
from collections.abc import Callable, Sequence

from playground.validation.forms import Form

LOCALES = frozenset(
    [
        "id",
        "da",
        "de",
        "en-GB",
        "en-US",
        "es-ES",
        "es-419",
        "fr",
        "hr",
        "it",
        "lt",
        "hu",
        "nl",
        "no",
        "pl",
        "pt-BR",
        "ro",
        "fi",
        "sv-SE",
        "vi",
        "tr",
        "cs",
        "el",
        "bg",
        "ru",
        "uk",
        "hi",
        "th",
        "zh-CN",
        "ja",
        "zh-TW",
        "ko",
    ]
)
DEVANAGARI_AND_THAI = (range(0x0900, 0x0980), range(0xA8E0, 0xA900), range(0x0E01, 0x0E7F))


def good_name(name: str) -> bool:
    """Return whether this is a valid name of a slash command or option."""
    return name == name.lower() and 1 <= len(name) <= 32 and all(_good_letter(letter) for letter in name)


def _good_letter(letter: str) -> bool:
    return (
        letter in "-_'"
        or unicodedata.category(letter)[0] in "LN"
        or any(ord(letter) in script for script in DEVANAGARI_AND_THAI)
    )


def check_translations(
    form: Form, key: str, most: int, *, proper: Callable[[str], bool] = lambda _: True
) -> None:
    """Check the translations of a name or description: known locales, at most `most` characters, `proper`."""
    translations = form.form(f"{key}_localizations")
    for locale in translations.data if translations else ():
        assert translations is not None  # noqa: S101 - the loop has no keys without it
        if locale not in LOCALES:
            translations.wrong(locale, "Discord does not know this locale.")
        text = translations.text(locale, 1, most)
        if text is not None and not proper(text):
            translations.wrong(locale, "Command name is invalid", "APPLICATION_COMMAND_INVALID_NAME")


def check_unique_translations(named: Sequence[Form], code: str) -> None:
    """Check that the names of siblings differ in every language."""
    seen: set[tuple[str, str]] = set()
    for form in named:
        translations = form.form("name_localizations")
        for locale, name in (translations.data if translations else {}).items():
            if translations is not None and (locale, str(name)) in seen:
                translations.wrong(locale, "Names must be unique in every language", code)
            seen.add((locale, str(name)))
