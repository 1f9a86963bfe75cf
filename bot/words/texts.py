"""The message catalogues in `bot/words/messages/`: one TOML file for each language."""

from pathlib import Path
from typing import Final

from bot.words.card_emojis import NONE, CardEmojis, known_emojis
from render.catalogue import Texts as Messages
from render.catalogue import load, speaking, spoken

__all__ = ["CATALOGUES", "Texts", "catalogue", "language_name", "speaking", "texts"]

CATALOGUES: Final = Path(__file__).with_name("messages")


class Texts(Messages):
    """One language's catalogue, with the emojis that may stand for cards in its texts."""

    def __init__(self, messages: Messages, emojis: CardEmojis = NONE) -> None:
        super().__init__(messages.templates, messages.language)
        self.emojis = emojis

    def without_emojis(self) -> "Texts":
        """Return the same catalogue for places that cannot show emojis: notifications, labels, files."""
        return Texts(self)


def texts() -> Texts:
    """The catalogue of the current language: English, unless within `speaking`."""
    return catalogue(spoken())


def catalogue(language: str) -> Texts:
    """Return the catalogue of that language; raises FileNotFoundError if there is none."""
    return Texts(load(CATALOGUES, language), known_emojis())


def language_name(language: str) -> str:
    """Return a language's own name, such as "हिन्दी"; raises FileNotFoundError if it has no catalogue."""
    return catalogue(language)("language.name")
