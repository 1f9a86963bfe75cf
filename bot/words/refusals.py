"""Refusals of the rules as sentences, and points as people write them."""

from collections.abc import Iterable
from typing import Any, cast

from bot.words.texts import Texts, shown_card, shown_cards
from marriage.cards import Card
from marriage.errors import IllegalActionError
from render.words import decimal, signed

__all__ = ["decimal", "refusal_words", "signed"]


def refusal_words(error: IllegalActionError, texts: Texts) -> str:
    """Explain the broken rule and what to do instead, with the catalogue's sentence for the `Refusal`.

    If the table's rules allow more than usual, a detail that is True selects a sentence that says so.
    """
    allowed = [name for name, value in error.details.items() if value is True]
    key = "_".join((f"illegal.{error.code}", *allowed))
    return texts(key, **{name: _shown(value, texts) for name, value in error.details.items()})


def _shown(value: Any, texts: Texts) -> Any:
    if isinstance(value, Card):
        return shown_card(value, texts)
    if isinstance(value, Iterable) and not isinstance(value, str):
        return shown_cards(cast("Iterable[Card]", value), texts)
    return value
