"""The message catalogues in `bot/words/messages/`: one TOML file for each language."""

from pathlib import Path
from typing import Final

from render.catalogue import Texts, load, speaking, spoken

__all__ = ["CATALOGUES", "Texts", "catalogue", "language_name", "speaking", "texts"]

CATALOGUES: Final = Path(__file__).with_name("messages")


def texts() -> Texts:
    """The catalogue of the current language: English, unless within `speaking`."""
    return catalogue(spoken())


def catalogue(language: str) -> Texts:
    """The catalogue of that language; raises FileNotFoundError when there is none."""
    return load(CATALOGUES, language)


def language_name(language: str) -> str:
    """What a language calls itself, such as "हिन्दी"; raises FileNotFoundError if it has no catalogue."""
    return catalogue(language)("language.name")
