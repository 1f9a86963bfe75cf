"""Teams of a season: founding one, inviting members, and the team table."""

import discord
from discord import ui

from bot.league.members import MOST_INVITED
from bot.league.season_view import SeasonView
from bot.panels.league.points import points
from bot.panels.pages import page_of
from bot.ui.items import GREEN, Button, Press, field, people_select, row
from bot.ui.panel import Panel, panel, text
from bot.words.names import LONGEST, shown_name
from bot.words.texts import Texts
from league.members.teams import Team, team_of
from league.results import Player
from league.statistics.team_standings import TeamRow, team_standings

_MOST_BUTTONS = 5
_HEAD = 1_200
"""The most characters for the teams in a message about something else."""


def team_panel(view: SeasonView, player: Player, texts: Texts) -> Panel:
    """A player's team or their invitations, with the buttons for them, and the team table."""
    own = team_of(view.season.teams, player)
    asked = [team for team in view.season.teams.values() if player in team.invited]
    may_change = not view.season.drawn and view.row.closed_at is None
    member = view.season.members.get(player)
    is_in = member is not None and not member.is_gone
    table = page_of(team_lines(view, texts), 0)
    return panel(
        text(texts("team.title", league=view.title, size=view.season.settings.team_size)),
        text(_about(view, own, texts) if own else texts("team.none" if is_in else "team.join_first")),
        *(_changing(view, own, asked, player, texts) if may_change and is_in else ()),
        text("\n".join(table.lines) or texts("team.no_team_yet")),
        text(texts("list.and_more", count=table.rest)) if table.rest else None,
        text(texts("team.note" if may_change else "team.note_fixed")),
    )


def _about(view: SeasonView, team: Team, texts: Texts) -> str:
    said = texts("team.own", team=shown_name(team.name), names=view.names(team.members))
    if not team.invited:
        return said
    return said + "\n" + texts("team.invited", names=view.names(sorted(team.invited)))


def _changing(
    view: SeasonView, own: Team | None, asked: list[Team], player: Player, texts: Texts
) -> list[ui.ActionRow[ui.LayoutView]]:
    if own is None:
        accept = [_accept(view, team, texts) for team in asked[: _MOST_BUTTONS - 1]]
        return [row(*accept, Button(Press("team-found", view.row.id, 0), texts("team.found")))]
    leave = row(Button(Press("team-leave", view.row.id, own.id), texts("team.leave")))
    has_room = len(own.members) < view.season.settings.team_size
    if own.captain != player or not has_room:
        return [leave]
    press = Press("pick-team", view.row.id, own.id)
    return [row(people_select(press, texts("team.invite"), MOST_INVITED)), leave]


def _accept(view: SeasonView, team: Team, texts: Texts) -> Button:
    press = Press("team-accept", view.row.id, team.id)
    return Button(press, texts("team.accept", team=team.name), style=GREEN)


def team_lines(view: SeasonView, texts: Texts, through: int | None = None) -> list[str]:
    """One line for each team after a round (None: the latest), best first."""
    return [_line(view, line, texts) for line in team_standings(view.season, through)]


def _line(view: SeasonView, line: TeamRow, texts: Texts) -> str:
    size = view.season.settings.team_size
    begun = any(line.placings) or line.points
    members = " · ".join(
        texts("team.member", name=view.name(player), points=points(made, sign=True))
        if begun
        else view.name(player)
        for player, made in line.members
    )
    said = texts(
        "team.row" if begun else "team.row_before",
        rank=line.rank,
        team=shown_name(line.team.name),
        points=points(line.points, sign=True),
        members=members,
    )
    if not line.complete:
        said += texts("team.incomplete", there=len(line.team.members), size=size)
    if line.parted in {"plain", "places"}:
        said += texts(f"team.by_{line.parted}")
    return said


def teams_words(view: SeasonView, texts: Texts, through: int | None = None) -> str | None:
    """The team table after a round (None: the latest), for a message about the season; None if the season has no teams."""
    if not view.season.settings.team_size or not view.season.teams:
        return None
    table = page_of(team_lines(view, texts, through), 0, _HEAD)
    return "\n".join([texts("team.table"), *table.lines])


def team_button(view: SeasonView, texts: Texts) -> Button:
    """The button that opens the teams."""
    return Button(Press("league-team", view.row.id, 0), texts("team.button"))


def found_field(texts: Texts) -> ui.Label[ui.LayoutView]:
    """The field of the form that founds a team."""
    return field(texts("team.name"), ui.TextInput(custom_id="name", max_length=LONGEST))


def invitation_panel(view: SeasonView, number: int, player: Player, texts: Texts) -> Panel | None:
    """The direct message that invites a player to a team; None if the invitation is no longer open."""
    team = view.season.teams.get(number)
    if team is None or player not in team.invited or view.season.drawn or view.row.closed_at is not None:
        return None
    return panel(
        text(texts("team.asks", league=view.title, name=view.name(team.captain), team=shown_name(team.name))),
        row(_accept(view, team, texts)),
        text(texts("league.no_more_reminders")),
    )


def size_options(chosen: int, texts: Texts) -> list[discord.SelectOption]:
    """The options for the size of a team at set-up; 0 for no teams."""
    return [
        discord.SelectOption(
            label=texts("team.size_of", count=size) if size else texts("team.alone"),
            value=str(size),
            default=size == chosen,
        )
        for size in (0, 2, 3, 4, 5)
    ]
