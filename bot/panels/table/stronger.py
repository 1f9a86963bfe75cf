"""After the first deal won against casual computers: whether **Play now** is to seat stronger ones."""

from typing import Any

from discord import ui

from bot.table.core.hands import Hand
from bot.table.core.snapshot import Snapshot
from bot.table.stronger import is_asked
from bot.ui.items import Button, row, table_press
from bot.ui.panel import text
from bot.words.texts import Texts


def stronger_part(snapshot: Snapshot, hand: Hand, texts: Texts) -> list[ui.Item[Any]]:
    """The question with its two answers, in the hand of the player who is asked; nothing in any other."""
    table = snapshot.table
    settings = snapshot.holders[hand.view.viewer or 0].settings
    if table.status != "between" or not is_asked(settings, table.id, table.deal_no):
        return []
    return [
        text(texts("hand.stronger")),
        row(
            Button(table_press(snapshot, "stronger", "yes"), texts("button.stronger_yes")),
            Button(table_press(snapshot, "stronger", "stay"), texts("button.stronger_stay")),
        ),
    ]
