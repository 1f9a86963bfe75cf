"""Boards for duplicate play: the same deal is played at several tables, so that the luck of the cards evens out.

The hands are dealt as usual. The rest of the deck is divided beforehand. Its first card of the packs becomes the tiplu,
turned at the first show as usual. The other cards go round, so that each seat draws from a stock of its own, whose order
does not depend on how the others play. As long as no player takes a discard, this is the ordinary deal with that tiplu.
A seat whose stock runs out draws from the reshuffled discards. Cards left over by the division are out of play.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from marriage.cards import Card, Cards
from marriage.rules import Rules

BOARD_SEATS: Final = (3, 4)
"""The numbers of seats for boards. With two seats, boards cancel little luck; with five, the stocks are too short."""


class SharedOut(NamedTuple):
    """A stock divided among the seats."""

    stocks: tuple[Cards, ...]
    """The stock of each seat, the top card first."""
    tiplu: Card
    out: Cards
    """The cards left over, which are out of play."""


def share_out(stock: Cards, order: Sequence[int]) -> SharedOut:
    """Divide a stock (top first) among the seats; `order` lists them in the order of play.

    The stock may be masked, with all cards `UNKNOWN`.
    """
    place = next((place for place, card in enumerate(stock) if card.is_pack), 0)
    rest = stock[:place] + stock[place + 1 :]
    count = len(rest) // len(order)
    stocks = {seat: rest[first :: len(order)][:count] for first, seat in enumerate(order)}
    return SharedOut(
        tuple(stocks[seat] for seat in range(len(order))), stock[place], rest[count * len(order) :]
    )


def board_rules(rules: Rules) -> Rules:
    """These rules adapted to boards, which are independent deals: no better deals, and no fouls carried to the next."""
    options: dict[str, object] = {"better_after": 0}
    if rules.foul == "next":
        options["foul"] = "off"
    return rules.with_options(**options)
