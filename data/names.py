"""Names that people chose, made safe to show in any script: no markup, no addresses, no changes of direction.

They are stored as they are shown, so forgetting a person (`data.privacy.personal_data`) has to know how.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final

import regex

LONGEST: Final = 24
LONGEST_TO_TYPE: Final = 32
_MARKS_IN_A_ROW: Final = 3
_JOINERS: Final = {"\u200c", "\u200d"}
_FILLERS: Final = set("\u200b\u2060\ufeff\u00ad\u034f\u180e\u115f\u1160\u3164\uffa0")
_UNWANTED: Final = {"Cc", "Cs", "Co", "Cn", "Zl", "Zp", "Cf"}
_ANGLES: Final = str.maketrans({"<": "‹", ">": "›"})


@lru_cache(4096)
def clean_name(name: str, fallback: str, longest: int = LONGEST) -> str:
    """Return a display name as plain text of at most `longest` grapheme clusters; `fallback` if empty."""
    text, before = name, ""
    while text != before:  # what was removed may have kept marks, or the parts of an address, apart
        before = text
        text = canonical("".join(_wanted(canonical(text))))
        text = re.sub(r"\s+", " ", text).strip().translate(_ANGLES)
        text = re.sub(r":+//+", "", text)
    return "".join(regex.findall(r"\X", text)[:longest]).strip() or fallback


def canonical(text: str) -> str:
    """Return the same text in the form of Unicode in which names are stored: keyboards write signs such as ड़ in several ways."""
    return unicodedata.normalize("NFC", text)


def name_to_type(name: str) -> str:
    """Return a name as home games have it: without the signs that separate names from values, cut between two letters."""
    name = clean_name(" ".join(re.sub(r"[:=]", " ", name).split()), fallback="")
    kept = ""
    for cluster in regex.findall(r"\X", name):
        if len(kept) + len(cluster) > LONGEST_TO_TYPE:
            break
        kept += cluster
    return kept.strip()


def spellings(name: str) -> set[str]:
    """Return the spellings in which the bot shows and stores a name, and the name itself, also in canonical form.

    >>> sorted(spellings("Sita:  Devi <3"))
    ['Sita Devi ‹3', 'Sita:  Devi <3', 'Sita: Devi ‹3']
    """
    return {name, canonical(name), clean_name(name, ""), name_to_type(name)} - {""}


def _wanted(text: str) -> list[str]:
    kept: list[str] = []
    marks = 0
    for index, sign in enumerate(text):
        if sign in _JOINERS:
            if _joins(text, index):
                kept.append(sign)
            continue
        category = unicodedata.category(sign)
        if sign in _FILLERS or (category in _UNWANTED and sign not in "\t\n"):
            continue
        marks = marks + 1 if category in {"Mn", "Me"} else 0
        if marks <= _MARKS_IN_A_ROW:
            kept.append(sign)
    return kept


def _joins(text: str, index: int) -> bool:
    """Return whether to keep a joiner: any between Devanagari signs, the zero-width joiner inside emoji."""
    before = text[index - 1] if index else ""
    after = text[index + 1] if index + 1 < len(text) else ""
    if not before or not after:
        return False
    if all("\u0900" <= sign <= "\u097f" for sign in (before, after)):
        return True
    symbols = {"So", "Sk", "Mn"}
    return text[index] == "\u200d" and all(unicodedata.category(sign) in symbols for sign in (before, after))
