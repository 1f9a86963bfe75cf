"""Problems of a league that staff can fix, such as missing permissions, disputes, closed tables and unsent messages."""

from typing import Final, Literal

import discord

from bot.interactions.permissions import (
    missing_for_posts,
    missing_for_thread,
    missing_permissions,
    permission_words,
    post_words,
)
from bot.league.season_view import SeasonView
from bot.panels.pages import listed, page_of
from bot.ui.panel import Panel, panel, text
from bot.words.texts import Texts
from league.reports import is_limited

_NAMES: Final = 1_000
"""The most characters that a list of names takes."""


def check_panel(
    view: SeasonView,
    granted: discord.Permissions | None,
    texts: Texts,
    *,
    plans: bool,
    silent_role: int | None = None,
    forum: Literal["forum", "tags"] | None = None,
) -> Panel:
    """List the problems of a league.

    `granted` are the bot's permissions in its channel, None if the channel is gone. `silent_role` is the
    staff role, if mentions of it notify nobody. `forum` is whether its channel is a forum, and whether that
    requires tags.
    """
    found = [
        *_permissions(view, granted, texts, plans=plans, forum=forum is not None),
        *(["- " + texts("sorry.forum_tags", forum=view.row.channel_id)] if forum == "tags" else []),
        *([] if silent_role is None else [texts("league.check_silent_role", role=silent_role)]),
        *_pods(view, texts),
        *_unreached(view, texts),
        *_posts(view, texts),
    ]
    page = page_of(found, 0)
    return panel(
        text(texts("league.check_title", league=view.title)),
        text("\n".join(page.lines) or texts("league.check_well")),
        text(texts("league.check_more", count=page.rest)) if page.rest else None,
    )


def _permissions(
    view: SeasonView, granted: discord.Permissions | None, texts: Texts, *, plans: bool, forum: bool
) -> list[str]:
    channel = f"<#{view.row.channel_id}>"
    if granted is None:
        return [texts("league.check_no_channel", channel=channel)]
    lacking = missing_permissions(granted, threads=False)
    if forum:
        lacking = list(dict.fromkeys([*lacking, *missing_for_posts(granted)]))
    elif view.season.settings.tables == "threads" and view.season.settings.format.has_draw:
        lacking += missing_for_thread(granted, private=True)
    missing = (post_words if forum else permission_words)(lacking, texts)
    said = [texts("league.check_missing", channel=channel, missing=missing)] if missing else []
    return said if plans else [*said, texts("league.check_no_events")]


def _pods(view: SeasonView, texts: Texts) -> list[str]:
    said: list[str] = []
    for pod in sorted(view.season.pods.values(), key=lambda pod: pod.id):
        table = view.tables.get(pod.id)
        if pod.report is not None and pod.report.against is not None:
            limit = is_limited(pod, view.season.settings)
            until = texts("league.check_until", at=pod.report.due) if limit else ""
            name = view.name(pod.report.against)
            said.append(texts("league.check_disputed", pod=pod.id, name=name, until=until))
        elif not pod.over and table is not None and table.status == "closed":
            said.append(texts("league.check_closed_table", pod=pod.id))
    return said


def _unreached(view: SeasonView, texts: Texts) -> list[str]:
    """The players whom no reminder reaches, because they accept no direct messages."""
    names = [
        view.name(member.player)
        for member in view.season.members.values()
        if member.status != "removed"
        and member.withdrawn is None
        and (person := view.people.get(member.player)) is not None
        and not person.dms_open
    ]
    return [texts("league.check_unreached", names=listed(names, texts, _NAMES))] if names else []


def _posts(view: SeasonView, texts: Texts) -> list[str]:
    waiting = view.failing_posts
    return [texts("league.check_posts", count=waiting)] if waiting else []
