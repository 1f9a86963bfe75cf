"""Deals that players have reported to the staff: what everybody reads, what the staff see, and the answer."""

from collections.abc import Sequence
from typing import Any, cast

import discord
from discord import ui

from bot.history.past_deals import Checked
from bot.league.season_view import SeasonView
from bot.panels.history.exports import record_file
from bot.panels.league.words import staff_mention
from bot.ui.items import BLUE, Button, Press, field, row
from bot.ui.panel import Panel, panel, text
from bot.words.names import shown_name, table_address
from bot.words.texts import Texts
from data.season_rows import SeasonEventRow
from data.values import TableRow
from league.matches.deal_reports import DealReportAnswered, DealReported

LONGEST = 500
"""Characters of a reason or an answer."""


def deal_report_panel(view: SeasonView, event: int, texts: Texts) -> Panel:
    """The call to the staff. Everybody reads it, so it says neither who reported the deal nor why."""
    told, answered = _report(view, event)
    key = "dealreport.call" if answered is None else "dealreport.call_over"
    role = staff_mention(view)
    said = texts(key, league=view.title, deal=told.deal, pod=told.pod, role=role)
    button = Button(Press("deal-report", view.row.id, event), texts("dealreport.for_staff"))
    return panel(text(said), row(button))


def staff_panel(view: SeasonView, event: int, table: TableRow, checked: Checked, texts: Texts) -> Panel:
    """The report as the staff see it, with the record of the deal, and its answer or the buttons for it."""
    told, answered = _report(view, event)
    reported = _row(view, event)
    said = [
        texts("dealreport.title", league=view.title, deal=told.deal, pod=told.pod, link=table_address(table)),
        texts("dealreport.by", name=view.name(told.player), at=reported.at),
        texts("dealreport.reason", reason=shown_name(reported.reason)),
    ]
    if answered is not None:
        said.append(_answer_words(view, answered, texts))
    replay = Button(Press("replay", table.id, told.deal), texts("dealreport.replay"))
    answers = [
        Button(Press("deal-report-answer", view.row.id, event, flag), texts(key), style=BLUE)
        for flag, key in (("1", "dealreport.uphold"), ("0", "dealreport.dismiss"))
        if answered is None
    ]
    file = record_file(checked)
    shuffle = (
        texts("verify.right", table=table.id, deal=told.deal)
        if checked.fault is None
        else texts("verify.wrong", table=table.id, deal=told.deal, fault=checked.fault)
    )
    return panel(
        text("\n".join(said)),
        text(shuffle),
        ui.File(file),
        text(texts("dealreport.figures")),
        row(replay, *answers),
        files=[file],
    )


def answer_panel(view: SeasonView, event: int, texts: Texts) -> Panel | None:
    """The answer to a report, for the player who made it; None before there is an answer."""
    told, answered = _report(view, event)
    if answered is None:
        return None
    title = texts("dealreport.your_report", league=view.title, deal=told.deal, pod=told.pod)
    return panel(text(title), text(_answer_words(view, answered, texts)))


def answer_fields(texts: Texts) -> Sequence[ui.Item[Any]]:
    """The form field in which staff write to the player."""
    return [
        field(
            texts("dealreport.form_answer"),
            ui.TextInput(custom_id="answer", style=discord.TextStyle.paragraph, max_length=LONGEST),
            texts("dealreport.form_hint"),
        )
    ]


def _answer_words(view: SeasonView, answered: SeasonEventRow, texts: Texts) -> str:
    upheld = isinstance(answered.body, DealReportAnswered) and answered.body.upheld
    return texts(
        "dealreport.upheld" if upheld else "dealreport.dismissed",
        name=view.name(answered.actor or 0),
        at=answered.at,
        answer=shown_name(answered.reason),
    )


def _report(view: SeasonView, event: int) -> tuple[DealReported, SeasonEventRow | None]:
    """The report, and the staff's answer to it."""
    told = cast("DealReported", _row(view, event).body)
    answers = (row for row in view.told.deal_reports if isinstance(row.body, DealReportAnswered))
    return told, next((row for row in answers if row.corrects == event), None)


def _row(view: SeasonView, event: int) -> SeasonEventRow:
    """The report with that number; raises ValueError for any other event."""
    for told in view.told.deal_reports:
        if told.id == event and isinstance(told.body, DealReported):
            return told
    raise ValueError("no report of a deal")
