"""The report of a home game: its result, who has confirmed it, and the form to write it."""

from collections.abc import Sequence
from typing import Any

import discord
from discord import ui

from bot.league.season_view import SeasonView
from bot.panels.league.events import totals_words
from bot.panels.league.pods import pod_result
from bot.panels.league.words import staff_mention
from bot.ui.items import GREEN, Button, Press, field, row
from bot.ui.panel import Panel, panel, text
from bot.words.texts import Texts
from data.season_posts import DisputePost
from league.reports import is_limited, to_answer
from league.season import Pod, Report

_LONGEST = 2000


def report_panel(view: SeasonView, pod: Pod, texts: Texts) -> Panel:
    """A report as everybody sees it, with the buttons for the other players of the pod."""
    told = pod.report
    if told is None:
        if not pod.over:
            return panel(text(texts("league.report_gone", league=view.title, pod=pod.id)))
        key = "league.report_over" if pod.result is not None else "league.report_ruled"
        return panel(text(texts(key, league=view.title, pod=pod.id, result=pod_result(view, pod, texts))))
    return panel(text(report_words(view, pod, told, texts)), row(*answers(view, pod, told, texts)))


def dispute_panel(view: SeasonView, pod: Pod, post: DisputePost, texts: Texts) -> Panel:
    """A call to the staff to decide about a report, and what follows otherwise, while it is disputed."""
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
    """The two answers to a report; after an objection the staff decides."""
    at, is_open = str(told.at), told.against is None
    right = Press("league-confirm", view.row.id, pod.id, at)
    wrong = Press("league-object", view.row.id, pod.id, at)
    return [
        Button(right, texts("league.report_right"), style=GREEN, disabled=not is_open),
        Button(wrong, texts("league.report_wrong"), disabled=not is_open),
    ]


def report_fields(view: SeasonView, pod: Pod, begun: str, texts: Texts) -> Sequence[ui.Item[Any]]:
    """The fields of the form: the deals, one on each line, and who did not come."""
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
