"""The selects shown under a hand in place of its moves to put cards together in groups."""

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

import discord

from bot.table.core.hands import Hand
from bot.table.core.snapshot import Snapshot
from bot.ui.custom_id import Press
from bot.ui.items import MOST_OPTIONS, Button, Select, row, table_press
from bot.words.card_names import card_emoji, card_name, cards_name
from bot.words.texts import Texts

Rows = list[discord.ui.ActionRow[Any]]

COPY: Final = "#"
"""Separates a card or a set from its copy number in an option's value."""


def group_rows(snapshot: Snapshot, hand: Hand, texts: Texts) -> Rows:
    """A select of all cards, to group some; one of the player's groups, to split them; and a button back."""
    cards = hand.layout.cards[:MOST_OPTIONS]
    options = [
        discord.SelectOption(label=card_name(card, texts), value=value, emoji=card_emoji(card, texts))
        for card, value in zip(cards, numbered(map(str, cards)), strict=True)
    ]
    rows: Rows = []
    if len(options) > 1:
        press = table_press(snapshot, "pick-pin")
        rows.append(row(_select(press, texts("hand.pin"), options, 2, len(options))))
    if hand.pinned:
        groups = [
            discord.SelectOption(label=cards_name(group, texts)[:100], value=str(number))
            for number, group in enumerate(hand.pinned[:MOST_OPTIONS])
        ]
        press = table_press(snapshot, "pick-unpin")
        rows.append(row(_select(press, texts("hand.unpin"), groups, 1, len(groups))))
    return [*rows, _back(snapshot, texts)]


def numbered(names: Iterable[str]) -> list[str]:
    """Each name with the number of its copy, because the values of a select must differ."""
    seen: Counter[str] = Counter()
    values: list[str] = []
    for name in names:
        seen[name] += 1
        values.append(f"{name}{COPY}{seen[name]}")
    return values


def _select(
    press: Press, placeholder: str, options: list[discord.SelectOption], least: int, most: int
) -> Select:
    select: discord.ui.Select[Any] = discord.ui.Select(
        custom_id=str(press), placeholder=placeholder, options=options, min_values=least, max_values=most
    )
    return Select(press, placeholder, select=select)


def _back(snapshot: Snapshot, texts: Texts) -> discord.ui.ActionRow[Any]:
    return row(Button(table_press(snapshot, "refresh"), texts("button.back")))
