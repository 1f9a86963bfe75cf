"""Files for other programs as messages."""

from collections.abc import Mapping
from io import BytesIO
from typing import Any

import discord
from discord import ui

from bot.history.exports import season_files
from bot.ui.panel import Panel, panel, text
from bot.words.texts import Texts
from league.export import deals_sheet, files_of
from league.results import Player
from league.season import Season
from league.statistics.facts import DealFacts


def deals_panel(deals: list[DealFacts], texts: Texts) -> Panel:
    """The deals as files."""
    if not deals:
        return panel(text(texts("export.none")))
    return _files_panel(texts("export.deals", count=len(deals)), files_of([deals_sheet(deals)]))


def season_panel(season: Season, name: str, names: Mapping[Player, str], now: int, texts: Texts) -> Panel:
    """A season as files; `name` is its title as message text."""
    return _files_panel(texts("export.season", name=name), season_files(season, names, now, texts))


def _files_panel(words: str, contents: Mapping[str, bytes]) -> Panel:
    files = [discord.File(BytesIO(content), filename=name) for name, content in contents.items()]
    shown: list[ui.File[Any]] = [ui.File(file) for file in files]
    return panel(text(words), *shown, files=files)
