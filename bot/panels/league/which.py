"""The question which league a command means, if there are several."""

from collections.abc import Sequence

import discord

from bot.ui.custom_id import Press
from bot.ui.items import MOST_OPTIONS, Select, row
from bot.ui.panel import Panel, panel, text
from bot.words.texts import Texts
from data.season_rows import SeasonRow


def which_panel(rows: Sequence[SeasonRow], command: int, texts: Texts) -> Panel:
    """A menu of these seasons; the choice gives the command again, which is known by the number of its interaction."""
    options = [
        discord.SelectOption(label=season_label(row), value=str(row.id)) for row in rows[:MOST_OPTIONS]
    ]
    press = Press("pick-league", 0, 0, str(command))
    return panel(
        text(texts("league.which", count=len(rows))), row(Select(press, texts("league.which_pick"), options))
    )


def season_label(row: SeasonRow) -> str:
    """A season as a choice: its league, and which of its seasons it is."""
    return (row.name if row.number == 1 else f"{row.name} {row.number}")[:100]
