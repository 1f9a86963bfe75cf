"""Refusals of the rules as sentences, and points as people write them."""

from collections.abc import Iterable
from typing import Any

from bot.cardnames import card_name, cards_name
from bot.texts import Texts
from marriage.cards import Card
from marriage.errors import IllegalAction


def refusal_words(error: IllegalAction, texts: Texts) -> str:
    """What the broken rule says and what to do instead; the sentence of `Refusal` in the catalogue."""
    return texts(f"illegal.{error.code}", **{name: _shown(value) for name, value in error.details.items()})


def decimal(figure: float, *, sign: bool = False) -> str:
    """A figure with one digit after the point, the minus a real one; `sign` for a plus too.

    >>> decimal(-2.04), decimal(0.04, sign=True), decimal(3, sign=True)
    ('−2.0', '0.0', '+3.0')
    """
    shown = f"{abs(figure):.1f}"
    if float(shown) == 0:
        return shown
    return f"−{shown}" if figure < 0 else f"{'+' * sign}{shown}"


def _shown(value: Any) -> Any:
    if isinstance(value, Card):
        return card_name(value)
    if isinstance(value, Iterable) and not isinstance(value, str):
        return cards_name(value)
    return value


def signed(points: int) -> str:
    """Points with their sign, the minus a real one."""
    return f"+{points}" if points > 0 else str(points).replace("-", "−")
