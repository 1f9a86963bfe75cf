"""Cards as people read them in chat: the rank and the sign of the suit."""

from collections.abc import Iterable

from marriage.cards import MAN, MASTER, RANKS, Card

_SIGNS = "♠♥♦♣"
_EXTRA = {MAN: "Man", MASTER: "Master"}


def card_name(card: Card) -> str:
    """Such as `10♣`."""
    return RANKS[card.rank] + _SIGNS[card.suit] if card.is_pack else _EXTRA[card]


def cards_name(cards: Iterable[Card]) -> str:
    """Such as `9♣ 10♣ J♣`."""
    return " ".join(map(card_name, cards))
