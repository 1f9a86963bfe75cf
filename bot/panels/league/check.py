"""What staff can fix in a league: missing permissions, disputed reports, closed tables, messages that could not be sent."""

import discord

from bot.interactions.permissions import missing_permissions, permission_words
from bot.league.season_view import SeasonView
from bot.panels.pages import page_of
from bot.ui.panel import Panel, panel, text
from bot.words.texts import Texts


def check_panel(view: SeasonView, granted: discord.Permissions | None, texts: Texts, *, plans: bool) -> Panel:
    """The problems of a league. `granted`: the bot's permissions in its channel, None if the channel is gone."""
    found = [*_permissions(view, granted, texts, plans=plans), *_pods(view, texts), *_posts(view, texts)]
    page = page_of(found, 0)
    return panel(
        text(texts("league.check_title", league=view.title)),
        text("\n".join(page.lines) or texts("league.check_well")),
        text(texts("league.check_more", count=page.rest)) if page.rest else None,
    )


def _permissions(
    view: SeasonView, granted: discord.Permissions | None, texts: Texts, *, plans: bool
) -> list[str]:
    channel = f"<#{view.row.channel_id}>"
    if granted is None:
        return [texts("league.check_no_channel", channel=channel)]
    missing = permission_words(missing_permissions(granted, threads=False), texts)
    said = [texts("league.check_missing", channel=channel, missing=missing)] if missing else []
    return said if plans else [*said, texts("league.check_no_events")]


def _pods(view: SeasonView, texts: Texts) -> list[str]:
    said: list[str] = []
    for pod in sorted(view.season.pods.values(), key=lambda pod: pod.id):
        table = view.tables.get(pod.id)
        if pod.report is not None and pod.report.against is not None:
            said.append(texts("league.check_disputed", pod=pod.id, name=view.name(pod.report.against)))
        elif not pod.over and table is not None and table.status == "closed":
            said.append(texts("league.check_closed_table", pod=pod.id))
    return said


def _posts(view: SeasonView, texts: Texts) -> list[str]:
    waiting = view.failing_posts
    return [texts("league.check_posts", count=waiting)] if waiting else []
