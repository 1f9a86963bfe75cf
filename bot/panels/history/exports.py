"""Files for other programs as messages."""

from io import BytesIO
from typing import Any

import discord
from discord import ui

from bot.history.exports import DealFiles, Files
from bot.history.past_deals import Checked, record_json
from bot.ui.panel import Panel, panel, text
from bot.words.texts import Texts


def record_panel(checked: Checked, texts: Texts) -> Panel:
    """The result of the check, the deal's seal, seed and contributions, and the record as a file."""
    record = checked.record
    if checked.fault is not None:
        verdict = texts("verify.wrong", table=record.table, deal=record.deal, fault=checked.fault)
    else:
        key = "verify.right" if checked.dealt else "verify.never_dealt"
        verdict = texts(key, table=record.table, deal=record.deal)
    file = record_file(checked)
    mixed = " ".join(f"`{item}`" for item in record.items) or "–"
    figures = texts("verify.figures", commitment=record.commitment, seed=record.seed.hex(), mixed=mixed)
    return panel(text(verdict), text(figures), ui.File(file), files=[file])


def record_file(checked: Checked) -> discord.File:
    """The record of the shuffle as a file."""
    record = checked.record
    name = f"deal-{record.table}-{record.deal}.json"
    return discord.File(BytesIO(record_json(record).encode()), filename=name)


def deals_panel(found: DealFiles, texts: Texts) -> Panel:
    """The deals of a server as files."""
    if not found.deals:
        return panel(text(texts("export.none")))
    return _files_panel(texts("export.deals", count=found.deals), found.files)


def season_panel(name: str, files: Files, texts: Texts) -> Panel:
    """Everything of a season as files; `name` is its title as it goes into a message."""
    return _files_panel(texts("export.season", name=name), files)


def _files_panel(words: str, contents: Files) -> Panel:
    files = [discord.File(BytesIO(content), filename=name) for name, content in contents.items()]
    shown: list[ui.File[Any]] = [ui.File(file) for file in files]
    return panel(text(words), *shown, files=files)
