"""Reports of players: the result of a home game, with who has confirmed it and the form to write it; and deals reported to the staff."""

from collections.abc import Sequence
from typing import Any, cast

import discord
from discord import ui

from bot.history.past_deals import Checked
from bot.league.season import SeasonView
from bot.panels.history.deal_list import record_file, verdict
from bot.panels.league.pods import pod_result
from bot.panels.league.words import staff_mention, totals_words
from bot.ui.items import BLUE, GREEN, Button, Press, field, row
from bot.ui.panel import Panel, panel, text
from bot.words.names import shown_name, table_address
from bot.words.texts import Texts
from data.season_posts import DisputePost
from data.season_rows import SeasonEventRow
from data.values import TableRow
from league.events import DealReportAnswered, DealReported
from league.rulings import is_limited, to_answer
from league.season import Pod, Report

_LONGEST = 2000


def report_panel(view: SeasonView, pod: Pod, texts: Texts) -> Panel:
    """Show a report to everyone, with the buttons for the other players of the pod."""
    told = pod.report
    if told is None:
        if not pod.over:
            return panel(text(texts("league.report_gone", league=view.title, pod=pod.id)))
        key = "league.report_over" if pod.result is not None else "league.report_ruled"
        return panel(text(texts(key, league=view.title, pod=pod.id, result=pod_result(view, pod, texts))))
    return panel(text(report_words(view, pod, told, texts)), row(*answers(view, pod, told, texts)))


def dispute_panel(view: SeasonView, pod: Pod, post: DisputePost, texts: Texts) -> Panel:
    """Ask the staff to decide a disputed report, and say what happens otherwise."""
    told = pod.report
    if told is None or told.at != post.at or told.against is None:
        return panel(text(texts("league.dispute_over", league=view.title, pod=pod.id)))
    role = staff_mention(view)
    key = "league.dispute" if post.call is None else "league.dispute_again"
    limit = "league.dispute_until" if is_limited(pod, view.season.settings) else "league.dispute_unlimited"
    return panel(
        text(texts(key, league=view.title, pod=pod.id, name=view.name(told.against), role=role)),
        text(totals_words(view, told.result, texts)),
        text(texts(limit, at=told.due)),
    )


def report_words(view: SeasonView, pod: Pod, told: Report, texts: Texts) -> str:
    """Describe a report, and name the players whose answers are awaited."""
    lines = [
        texts(
            "league.reported",
            league=view.title,
            pod=pod.id,
            name=view.name(told.by),
            deals=len(told.result.deals),
            totals=totals_words(view, told.result, texts),
        )
    ]
    absent = [player for player in pod.players if player not in told.result.players]
    if absent:
        lines.append(texts("league.reported_absent", names=view.names(absent)))
    if told.against is not None:
        lines.append(texts("league.report_against", name=view.name(told.against), pod=pod.id))
        if is_limited(pod, view.season.settings):
            lines.append(texts("league.dispute_until", at=told.due))
    else:
        lines.append(texts("league.report_waits", names=view.names(to_answer(pod)), at=told.due))
    return "\n".join(lines)


def answers(view: SeasonView, pod: Pod, told: Report, texts: Texts) -> list[Button]:
    """Return the two answers to a report; after an objection the staff decides."""
    at, is_open = str(told.at), told.against is None
    right = Press("league-confirm", view.row.id, pod.id, at)
    wrong = Press("league-object", view.row.id, pod.id, at)
    return [
        Button(right, texts("league.report_right"), style=GREEN, disabled=not is_open),
        Button(wrong, texts("league.report_wrong"), disabled=not is_open),
    ]


def report_fields(view: SeasonView, pod: Pod, begun: str, texts: Texts) -> Sequence[ui.Item[Any]]:
    """Return the fields of the form: the deals, one on each line, and who did not come."""
    people = [
        discord.SelectOption(label=view.plain_name(player)[:100], value=str(player)) for player in pod.players
    ]
    return [
        field(
            texts("league.form_deals"),
            ui.TextInput(
                custom_id="deals",
                style=discord.TextStyle.paragraph,
                default=begun[:_LONGEST],
                max_length=_LONGEST,
            ),
            texts("league.form_deals_hint"),
        ),
        field(
            texts("league.form_absent"),
            ui.Select(
                custom_id="absent",
                options=people,
                min_values=0,
                max_values=max(1, len(people) - 2),
                required=False,
            ),
        ),
    ]


LONGEST = 500
"""The maximum length of a reason or an answer, in characters."""


def deal_report_panel(view: SeasonView, event: int, texts: Texts) -> Panel:
    """Call the staff. Everyone reads this, so it says neither who reported the deal nor why."""
    told, answered = _report(view, event)
    key = "dealreport.call" if answered is None else "dealreport.call_over"
    role = staff_mention(view)
    said = texts(key, league=view.title, deal=told.deal, pod=told.pod, role=role)
    button = Button(Press("deal-report", view.row.id, event), texts("dealreport.for_staff"))
    return panel(text(said), row(button))


def staff_panel(view: SeasonView, event: int, table: TableRow, checked: Checked, texts: Texts) -> Panel:
    """Show the report to the staff, with the record of the deal and its answer or the buttons for it."""
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
    return panel(
        text("\n".join(said)),
        text(verdict(checked, texts)),
        ui.File(file),
        text(texts("dealreport.figures")),
        row(replay, *answers),
        files=[file],
    )


def answer_panel(view: SeasonView, event: int, texts: Texts) -> Panel | None:
    """Show the answer to a report to the player who made it; None before there is an answer."""
    told, answered = _report(view, event)
    if answered is None:
        return None
    title = texts("dealreport.your_report", league=view.title, deal=told.deal, pod=told.pod)
    return panel(text(title), text(_answer_words(view, answered, texts)))


def answer_fields(texts: Texts) -> Sequence[ui.Item[Any]]:
    """Return the form field in which staff write to the player."""
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
    """Return the report, and the staff's answer to it."""
    told = cast("DealReported", _row(view, event).body)
    answers = (row for row in view.told.deal_reports if isinstance(row.body, DealReportAnswered))
    return told, next((row for row in answers if row.corrects == event), None)


def _row(view: SeasonView, event: int) -> SeasonEventRow:
    """Return the report with that number; raises ValueError for any other event."""
    for told in view.told.deal_reports:
        if told.id == event and isinstance(told.body, DealReported):
            return told
    raise ValueError("no report of a deal")
