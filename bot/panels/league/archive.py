"""The archive: seasons that are over, each with its winner, and a select that opens one."""

import discord

from bot.interactions.ids import Press
from bot.league.leagues import Archive
from bot.league.view import SeasonView
from bot.panels.items import Button, Select, row
from bot.panels.panel import Panel, panel, text
from bot.words.texts import Texts

_LABEL = 100


def archive_panel(archive: Archive, texts: Texts) -> Panel:
    """One page of the archive."""
    if not archive.views:
        return panel(text(texts("league.archive_empty")))
    options = [
        discord.SelectOption(label=view.plain_title[:_LABEL], value=str(view.row.id))
        for view in archive.views
    ]
    return panel(
        text(texts("league.archive_title")),
        text("\n".join(_line(view, texts) for view in archive.views)),
        row(Select(Press("pick-season", 0, 0), texts("league.archive_pick"), options)),
        _turning(archive, texts) if archive.pages > 1 else None,
    )


def _line(view: SeasonView, texts: Texts) -> str:
    champion = view.champion()
    return texts(
        "league.archive_line",
        league=view.title,
        at=(view.row.closed_at or 0) // 1000,
        champion=view.name(champion) if champion is not None else "–",
        players=sum(own.status == "confirmed" for own in view.season.members.values()),
        matches=sum(pod.result is not None for pod in view.season.pods.values()),
    )


def _turning(archive: Archive, texts: Texts) -> discord.ui.ActionRow:
    back, on = max(0, archive.page - 1), archive.page + 1
    return row(
        Button(Press("league-older", 0, back, "back"), texts("board.back"), disabled=not archive.page),
        Button(Press("league-older", 0, on, "on"), texts("board.on"), disabled=on >= archive.pages),
    )
