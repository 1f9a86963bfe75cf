"""The archive: finished seasons with their winners, and a select that opens one."""

import discord

from bot.league.leagues import Archive
from bot.league.season_view import SeasonView
from bot.panels.pages import turning
from bot.ui.custom_id import Press
from bot.ui.items import Select, row
from bot.ui.panel import Panel, panel, text
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
        row(*turning(archive.page, archive.pages, lambda way, to: Press("league-older", 0, to, way), texts)),
    )


def _line(view: SeasonView, texts: Texts) -> str:
    champion = view.champion()
    return texts(
        "league.archive_line",
        league=view.title,
        at=(view.row.closed_at or 0),
        champion=view.name(champion) if champion is not None else "–",
        players=sum(member.status == "confirmed" for member in view.season.members.values()),
        matches=sum(pod.result is not None for pod in view.season.pods.values()),
    )
