"""The game as text: cards, groups, actions, whole deals and positions, each with a writer and a reader.

They undo each other: what a writer writes its reader reads again, and what a reader accepts its writer reproduces in
the normal form. What a reader refuses it refuses with a ValueError, which for a text of several lines names the line.
Single cards and hands are written by `str(card)`, `format_cards` and read by `Card.parse`, `parse_cards`.
"""

from marriage.cards import format_cards, parse_cards
from marriage.notation.actions import read_action, write_action
from marriage.notation.deals import Deal, deal_of, play, read_deal, write_deal
from marriage.notation.positions import read_position, write_position
from marriage.notation.values import read_groups, write_groups

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
