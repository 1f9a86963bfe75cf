"""The words that people read, from the message catalogues in `bot/messages/`: one TOML file a language."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Final

from render.catalogue import ENGLISH, Texts, load

__all__ = ["CATALOGUES", "Texts", "catalogue", "speaking", "texts"]

_spoken: ContextVar[str] = ContextVar("spoken", default=ENGLISH)

CATALOGUES: Final = Path(__file__).with_name("messages")


def texts() -> Texts:
    """The catalogue of the language that is spoken just now: English, unless within `speaking`."""
    return catalogue(_spoken.get())


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak this language to whoever is answered within the block (and the tasks that it starts)."""
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)


def catalogue(language: str) -> Texts:
    """The catalogue of that language; raises FileNotFoundError when there is none."""
    return load(CATALOGUES, language)
