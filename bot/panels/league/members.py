"""The members of a season as its staff see them: who waits for approval, how reliable everybody is, who is banned."""

from collections.abc import Iterator, Mapping
from typing import Final

import discord

from bot.league.members import Reliability
from bot.league.season_view import SeasonView
from bot.panels.pages import listed, page_of, turning
from bot.ui.items import GREEN, MOST_OPTIONS, Button, Press, Select, row
from bot.ui.panel import Panel, panel, text
from bot.words.texts import Texts
from league.results import Player
from league.season import Member

_NAMES: Final = 600
_ORDER: Final = ("asking", "waiting", "confirmed")


def members_panel(view: SeasonView, known: Mapping[Player, Reliability], number: int, texts: Texts) -> Panel:
    """A page of the members, those who wait for approval first, with a menu that approves one and a button for all."""
    members = sorted(
        (member for member in view.season.members.values() if not view.season.has_left(member.player)),
        key=lambda member: (_ORDER.index(member.status), member.signed_up, member.player),
    )
    asking = [member.player for member in members if member.status == "asking"]
    shown = page_of([_line(view, member, known, texts) for member in members], number)
    banned = [view.name(player) for player in sorted(view.season.banned)]
    return panel(
        text(texts("league.members", league=view.title, count=len(members))),
        text("\n".join(shown.lines) or texts("league.no_people")),
        text(texts("league.members_banned", names=listed(banned, texts, _NAMES))) if banned else None,
        text(texts("league.members_note")),
        row(
            *turning(shown.number, shown.count, lambda _, to: Press("league-members", view.row.id, to), texts)
        ),
        *_approving(view, asking, texts),
    )


def _line(view: SeasonView, member: Member, known: Mapping[Player, Reliability], texts: Texts) -> str:
    found = known.get(member.player, Reliability(0, 0))
    said = texts(
        "league.member",
        name=view.name(member.player),
        what=texts(f"league.person_{'in' if member.plays else member.status}"),
        percent=found.percent,
        finished=found.finished,
        started=found.started,
    )
    return said + (texts("league.member_seed", seed=member.seed) if member.seed else "")


def _approving(
    view: SeasonView, asking: list[Player], texts: Texts
) -> Iterator[discord.ui.ActionRow[discord.ui.LayoutView]]:
    if not asking:
        return
    options = [
        discord.SelectOption(label=view.plain_name(player)[:100], value=str(player))
        for player in asking[:MOST_OPTIONS]
    ]
    press = Press("pick-approved", view.row.id, 0)
    yield row(Select(press, texts("league.approve_some"), options, max_values=len(options)))
    approve = Press("league-approve", view.row.id, 0)
    yield row(Button(approve, texts("league.approve_all", count=len(asking)), style=GREEN))
