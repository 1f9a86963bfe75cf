"""The record of a finished deal, with the file that lets anyone check it without the bot."""

from io import BytesIO

import discord
from discord import ui

from bot.history.deal_record import Checked, record_json
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
    name = f"deal-{record.table}-{record.deal}.json"
    file = discord.File(BytesIO(record_json(record).encode()), filename=name)
    mixed = " ".join(f"`{item}`" for item in record.items) or "–"
    figures = texts("verify.figures", commitment=record.commitment, seed=record.seed.hex(), mixed=mixed)
    return panel(text(verdict), text(figures), ui.File(file), files=[file])
