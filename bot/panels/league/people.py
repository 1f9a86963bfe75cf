"""The people of a season: who plays, as everybody reads it and as the staff see it, and in which team."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import discord
from discord import ui

from bot.errors import UserError
from bot.league.agenda import opens_at
from bot.league.members import MOST_INVITED, Reliability
from bot.league.season import SeasonView
from bot.panels.league.words import points
from bot.panels.pages import listed, page_of, turning
from bot.people import NamedPerson
from bot.ui.items import GREEN, MOST_OPTIONS, RED, Button, Press, Select, field, people_select, row
from bot.ui.panel import Panel, panel, text
from bot.words.names import shown_name
from bot.words.texts import Texts
from data.names import LONGEST
from league.events import Entry, Withdrawn
from league.members import Team, team_of
from league.pairing.drawing import checked_in, left_out, misses_on
from league.results import Player
from league.season import Member, Season, after
from league.statistics.team_standings import TeamRow, team_standings

_ROOM: Final = 1_000
"""The maximum length of one group's names in a message, in characters."""


@dataclass(frozen=True, slots=True)
class _Group:
    """A group of people: players, people who wait, or stand-ins."""

    kind: str
    """The last part of the group's message keys."""
    names: Sequence[str]
    players: Sequence[Player]


def leaving_panel(view: SeasonView, person: NamedPerson, texts: Texts) -> Panel:
    """Show what a member gives up by leaving the season, with the button; raises UserError for others."""
    member, season = view.member(person.id), view.season
    if member is None or member.is_gone:
        raise UserError("league.not_in", league=view.title)
    press = Press("league-leave-now", view.row.id, 0)
    leave = row(Button(press, texts("league.leave"), style=RED))
    if not season.drawn and season.settings.format.has_draw:
        return panel(
            text(texts("league.leaving_signup", league=view.title, join=texts("league.join"))), leave
        )
    waiting = [
        pod
        for pod in season.pods.values()
        if not pod.over and pod.table is None and member.player in pod.players
    ]
    stays = season.settings.stays(season.drawn)
    back = season.settings.open_to_late(season.drawn)
    return panel(
        text(texts("league.leaving", league=view.title, drawn=season.drawn, rounds=season.settings.rounds)),
        text(texts("league.leaving_matches", count=len(waiting))) if waiting else None,
        text(texts("league.leaving_row_stays" if stays else "league.leaving_row_goes")),
        text(texts("league.leaving_absent")) if _would_miss(season, member.player) else None,
        text(
            texts("league.leaving_back", join=texts("league.join"))
            if back
            else texts("league.leaving_for_good")
        ),
        leave,
    )


def _would_miss(season: Season, player: Player) -> bool:
    """Return whether a round would be an absence of this player once they leave."""
    left = after(season, Entry(0, 0, Withdrawn(player)))
    is_drawn_on = season.drawn < season.settings.rounds and misses_on(left, player)
    return is_drawn_on or bool(left_out(left, player))


def people_words(view: SeasonView, number: int, texts: Texts) -> tuple[list[str], bool]:
    """Return a paragraph for each group of a round, or of the season for 0, and whether all names fitted."""
    groups = list(_groups(view, number))
    said = [
        texts(f"league.{group.kind}", count=len(group.names), names=listed(group.names, texts, _ROOM))
        for group in groups
    ]
    return said, not any(page_of(group.names, 0, _ROOM).rest for group in groups)


def people_lines(
    view: SeasonView, number: int, viewer: Player | None, texts: Texts
) -> tuple[list[str], int | None]:
    """Return a line for each person of these groups, and which line is the viewer's."""
    people = [
        (player, texts("league.person", name=name, what=texts(f"league.person_{group.kind}")))
        for group in _groups(view, number)
        for player, name in zip(group.players, group.names, strict=True)
    ]
    position = next((place for place, (player, _) in enumerate(people) if player == viewer), None)
    return [
        texts("league.mine", line=line) if player == viewer else line for player, line in people
    ], position


def people_title(view: SeasonView, number: int, texts: Texts) -> str:
    """Return the heading of the whole list."""
    return texts("league.people_of_round" if number else "league.people", league=view.title, round=number)


def confirming(view: SeasonView) -> bool:
    """Return whether confirmation of sign-ups has opened."""
    settings = view.season.settings
    return settings.checks_in(1) and view.now >= opens_at(view.row, view.season, 1)


def _groups(view: SeasonView, number: int) -> Iterator[_Group]:
    """Return the groups to show; the first one is included even if it is empty."""
    season = view.season
    if number:
        coming = checked_in(season, number)
        yield _group(view, "coming", coming)
        ready = [member for member in _standing_by(view, number) if member not in coming]
        if ready:
            yield _group(view, "ready", ready)
        return
    members = sorted(
        (
            member
            for member in season.members.values()
            if member.status != "removed" and member.withdrawn is None
        ),
        key=lambda member: (member.signed_up, member.player),
    )
    asking = [member for member in members if member.status == "asking"]
    confirmed = [member for member in members if member.status == "confirmed"]
    waiting = [member for member in members if member.status == "waiting"]
    if confirmed or not (waiting or asking):
        yield _group(view, "in" if view.row.closed_at is None else "played", confirmed)
    if waiting:  # there is no waiting list before sign-ups are confirmed
        yield _group(view, "waiting" if season.drawn or confirming(view) else "signed", waiting)
    if asking:
        yield _group(view, "asking", asking)


def _group(view: SeasonView, kind: str, members: Sequence[Member]) -> _Group:
    return _Group(
        kind, [view.name(member.player) for member in members], [member.player for member in members]
    )


def _standing_by(view: SeasonView, number: int) -> list[Member]:
    """Return the members on the waiting list who have offered to take a seat in this round."""
    season = view.season
    return [
        member for member in season.waiting() if number > 1 and (member.player, number) in season.check_ins
    ]


_NAMES: Final = 600
_ORDER: Final = ("asking", "waiting", "confirmed")


def members_panel(view: SeasonView, known: Mapping[Player, Reliability], number: int, texts: Texts) -> Panel:
    """Show a page of members, unapproved ones first, with a menu to approve one and a button for all."""
    members = sorted(
        (member for member in view.season.members.values() if not view.season.has_left(member.player)),
        key=lambda member: (_ORDER.index(member.status), member.signed_up, member.player),
    )
    asking = [member.player for member in members if member.status == "asking"]
    shown = page_of([_member_line(view, member, known, texts) for member in members], number)
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


def _member_line(view: SeasonView, member: Member, known: Mapping[Player, Reliability], texts: Texts) -> str:
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


_MOST_BUTTONS = 5
_HEAD = 1_200
"""The maximum length of the teams in a message about something else, in characters."""


def team_panel(view: SeasonView, player: Player, texts: Texts) -> Panel:
    """Show a player's team or their invitations, with the buttons, and the team table."""
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
    """Return one line for each team after a round (None: the latest), best first."""
    return [_team_line(view, line, texts) for line in team_standings(view.season, through)]


def _team_line(view: SeasonView, line: TeamRow, texts: Texts) -> str:
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
    """Return the team table after a round (None: the latest) for a message; None if there are no teams."""
    if not view.season.settings.team_size or not view.season.teams:
        return None
    table = page_of(team_lines(view, texts, through), 0, _HEAD)
    return "\n".join([texts("team.table"), *table.lines])


def team_button(view: SeasonView, texts: Texts) -> Button:
    """Return the button that opens the teams."""
    return Button(Press("league-team", view.row.id, 0), texts("team.button"))


def found_field(texts: Texts) -> ui.Label[ui.LayoutView]:
    """Return the field of the form that founds a team."""
    return field(texts("team.name"), ui.TextInput(custom_id="name", max_length=LONGEST))


def invitation_panel(view: SeasonView, number: int, player: Player, texts: Texts) -> Panel | None:
    """Show the direct message that invites a player to a team; None if the invitation is no longer open."""
    team = view.season.teams.get(number)
    if team is None or player not in team.invited or view.season.drawn or view.row.closed_at is not None:
        return None
    return panel(
        text(texts("team.asks", league=view.title, name=view.name(team.captain), team=shown_name(team.name))),
        row(_accept(view, team, texts)),
        text(texts("league.no_more_reminders")),
    )


def size_options(chosen: int, texts: Texts) -> list[discord.SelectOption]:
    """Return the options for the size of a team at set-up; 0 for no teams."""
    return [
        discord.SelectOption(
            label=texts("team.size_of", count=size) if size else texts("team.alone"),
            value=str(size),
            default=size == chosen,
        )
        for size in (0, 2, 3, 4, 5)
    ]
