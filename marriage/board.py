"""A board: a deal that is played at several tables with the same cards, so that the cards are nobody's luck.

The deck is dealt as ever. What lies under the up-card is shared out beforehand: the first card of the packs is the
tiplu, turned at the first show as usual, and the rest go round, so that every seat draws from a stock of its own in
which nobody else's play moves a card. As long as nobody takes a discard this is the ordinary deal with that tiplu. A
seat whose stock is used up draws from the discards, shuffled anew. Cards that do not go round are out.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from marriage.cards import Card, Cards
from marriage.rules import Rules

BOARD_SEATS: Final = (3, 4)
"""With two seats boards bring little, with five the stocks are too short."""


class SharedOut(NamedTuple):
    """A stock shared out before the deal."""

    stocks: tuple[Cards, ...]
    """By seat, the top card first."""
    tiplu: Card
    out: Cards
    """The cards that do not go round."""


def share_out(stock: Cards, order: Sequence[int]) -> SharedOut:
    """Share a stock (top first) out to the seats, listed in the order in which they act.

    A masked stock, in which all cards are unknown, is shared out as well.
    """
    place = next((place for place, card in enumerate(stock) if card.is_pack), 0)
    rest = stock[:place] + stock[place + 1 :]
    count = len(rest) // len(order)
    stocks = {seat: rest[first :: len(order)][:count] for first, seat in enumerate(order)}
    return SharedOut(
        tuple(stocks[seat] for seat in range(len(order))), stock[place], rest[count * len(order) :]
    )


def board_rules(rules: Rules) -> Rules:
    """The rules for boards: nothing is carried from one deal to another, since a board stands alone."""
    options: dict[str, object] = {"better_after": 0}
    if rules.foul == "next":
        options["foul"] = "off"
    return rules.with_options(**options)
