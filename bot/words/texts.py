"""The words that people read, from the message catalogues in `bot/words/messages/`: one TOML file a language."""

from pathlib import Path
from typing import Final

from render.catalogue import Texts, load, speaking, spoken

__all__ = ["CATALOGUES", "Texts", "catalogue", "speaking", "texts"]

CATALOGUES: Final = Path(__file__).with_name("messages")


def texts() -> Texts:
    """The catalogue of the language that is spoken just now: English, unless within `speaking`."""
    return catalogue(spoken())


def catalogue(language: str) -> Texts:
    """The catalogue of that language; raises FileNotFoundError when there is none."""
    return load(CATALOGUES, language)
