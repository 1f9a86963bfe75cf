"""The game as text: cards, groups, actions, whole deals and positions, each with a writer and a reader.

Writers and readers are inverse: a reader accepts what its writer wrote, and the writer reproduces what its reader accepted
in normal form. Readers raise ValueError; for a text of several lines it names the line. Single cards and hands are written
by `str(card)` and `format_cards`, and read by `Card.parse` and `parse_cards`.
"""

from marriage.cards import format_cards, parse_cards
from marriage.notation.actions import read_action, write_action
from marriage.notation.deals import Deal, deal_of, play, read_deal, write_deal
from marriage.notation.lines import read_groups, write_groups
from marriage.notation.positions import read_position, write_position

__all__ = [
    "Deal",
    "deal_of",
    "format_cards",
    "parse_cards",
    "play",
    "read_action",
    "read_deal",
    "read_groups",
    "read_position",
    "write_action",
    "write_deal",
    "write_groups",
    "write_position",
]
