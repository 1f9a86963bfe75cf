"""Panels about whole seasons for the tests of panels: the archive, the seasons' files, the setup message."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from bot.history.exports import season_files
from bot.league.leagues import Archive
from bot.league.members import Reliability
from bot.league.season import SeasonView
from bot.league.season_admin import NextDraw
from bot.panels.history import deal_list
from bot.panels.league import desk, lists, people, posts, reports, rulings, standings, wizard
from bot.people import NamedPerson
from bot.ui.panel import Panel
from bot.words.texts import texts
from data.preferences import GuildSettings
from data.season_posts import DisputePost
from data.season_rows import SeasonEventRow, SeasonProjection
from league.events import DealReportAnswered, DealReported, Result
from league.members import Team
from league.season import Report
from league.templates import TEMPLATES
from tests.bot.panels.worlds import World


def of_archives(world: World) -> Iterator[Panel]:
    yield lists.archive_panel(Archive((), 0, 1), texts())
    views = [
        replace(view, row=replace(view.row, id=2**40 + at)) for at, view in enumerate(world.seasons[-10:])
    ]
    yield lists.archive_panel(Archive(tuple(views), 0, 9), texts())


def of_wizards(_: World) -> Iterator[Panel]:
    for server in (
        GuildSettings(),
        GuildSettings(staff_role_id=10**18, timezone="America/Argentina/Buenos_Aires"),
    ):
        for template in TEMPLATES.values():
            plan = wizard.LeaguePlan.new(template, server)
            own = wizard.Own(10**12 // 60_000 + 1440, 30, 5, 500, "America/Argentina/ComodRivadavia")
            for chosen in (plan, replace(plan, own=own)):
                yield wizard.wizard_panel(chosen, server, 10**12, texts())


def of_members(world: World) -> Iterator[Panel]:
    """Yield members as they are, and with everyone awaiting approval and banned."""
    for view in world.seasons:
        known = dict.fromkeys(view.season.members, Reliability(9_999, 9_998))
        asking = {
            player: replace(member, status="asking", seed=999)
            for player, member in view.season.members.items()
        }
        season = replace(view.season, members=asking, banned=frozenset(asking))
        for shown in (view.season, season):
            for page in (0, 9):
                seen = replace(view, told=replace(view.told, season=shown))
                yield people.members_panel(seen, known, page, texts())


def of_disputes(world: World) -> Iterator[Panel]:
    """Yield calls to the staff, with and without their role, and the remains of a settled one."""
    for view in world.seasons:
        for pod in list(view.season.pods.values())[:2]:
            result = Result(pod.players, ((0,) * len(pod.players),))
            told = Report(result, pod.players[0], 1, frozenset(), 10**12, against=pod.players[0])
            for role, at in ((None, 1), (2**62, 1), (None, 0)):
                seen = replace(view, staff_role_id=role, told=replace(view.told, founder=1))
                for call in (None, 2):
                    post = DisputePost(pod.id, at, call)
                    yield reports.dispute_panel(seen, replace(pod, report=told), post, texts())


def reported(world: World) -> Iterator[SeasonView]:
    """Yield seasons with a reported deal: the longest reason, unanswered, and with the longest answer."""
    for view in world.seasons:
        player = min(view.season.members, default=1)
        report = SeasonEventRow(
            2**40, view.row.id, player, 1, "*" * 500, False, None, DealReported(1, 1, 50, player)
        )
        answer = replace(
            report, id=2**40 + 1, corrects=report.id, body=DealReportAnswered(report.id, upheld=True)
        )
        for told in ((report,), (report, answer)):
            yield replace(view, staff_role_id=2**62, told=replace(view.told, deal_reports=told))


def of_reported_deals(world: World) -> Iterator[Panel]:
    for view in reported(world):
        yield reports.deal_report_panel(view, 2**40, texts())


def of_staff_reports(world: World) -> Iterator[Panel]:
    for view in reported(world):
        for checked in (world.checked, replace(world.checked, fault="f" * 100)):
            yield reports.staff_panel(view, 2**40, world.tables[0].table, checked, texts())


def of_answers(world: World) -> Iterator[Panel]:
    panels = (reports.answer_panel(view, 2**40, texts()) for view in reported(world))
    yield from (panel for panel in panels if panel is not None)


def of_draws(world: World) -> Iterator[Panel]:
    """Yield draws with all members and with half of them, as the first draw and as a later one."""
    for view in world.seasons:
        members = tuple(view.season.members.values())
        for coming in (members, members[::2]) if len(members) > 3 else ():
            for number in (1, 2):
                yield rulings.draw_panel(view, NextDraw(number, coming, 2**40), texts())


def of_leavers(world: World) -> Iterator[Panel]:
    for view in world.seasons:
        for player, row in list(view.people.items())[:3]:
            member = view.season.members.get(player)
            if member is not None and not member.is_gone:
                yield people.leaving_panel(view, NamedPerson(row.id, view.name(player)), texts())


def of_desks(world: World) -> Iterator[Panel]:
    for view in world.seasons:
        paused = replace(view, told=replace(view.told, season=replace(view.season, paused_at=1)))
        for seen in (view, paused):
            yield desk.desk_panel(seen, texts())


def of_matters(world: World) -> Iterator[Panel]:
    for view in world.seasons:
        found = desk.matters(view, texts())
        panels = (
            desk.matter_panel(view, matter.kind, matter.number, texts())
            for matter in (*found[:5], *found[-5:])
        )
        yield from (shown for shown in panels if shown is not None)
        yield from _anything(view)


def _anything(view: SeasonView) -> Iterator[Panel]:
    """Yield pods and players that need nothing, and a player awaiting approval."""
    members = {
        player: replace(member, status="asking", division=99)
        for player, member in view.season.members.items()
    }
    asking = replace(view, told=replace(view.told, season=replace(view.season, members=members)))
    chosen = (
        *((view, desk.POD, number) for number in sorted(view.season.pods)[:2]),
        *((seen, desk.PLAYER, player) for seen in (view, asking) for player in sorted(members)[:2]),
    )
    for seen, kind, number in chosen:
        shown = desk.matter_panel(seen, kind, number, texts())
        if shown is not None:
            yield shown


def in_teams(world: World) -> Iterator[SeasonView]:
    """Yield seasons with the most teams, with the longest names, before and after the first draw."""
    for view in world.seasons:
        if not view.season.settings.format.has_draw or view.season.settings.format.plays_to_the_end:
            continue
        members = sorted(view.season.members)
        made = [members[first : first + 5] for first in range(0, len(members), 5)]
        grouped = {
            number: Team(number, "*" * 24, group[0], tuple(group[:4]), frozenset(group[4:]))
            for number, group in enumerate(made, 1)
        }
        settings = view.season.settings.with_options(team_size=5)
        for rounds in ({}, view.season.rounds):
            season = replace(view.season, teams=grouped, settings=settings, rounds=rounds)
            yield replace(view, told=SeasonProjection(season=season, acts=view.acts))


def of_teams(world: World) -> Iterator[Panel]:
    """Yield team panels for a captain, an invited player and an outsider, and messages with the teams."""
    for view in in_teams(world):
        for player in (*sorted(view.season.members)[:5], 0):
            yield people.team_panel(view, player, texts())
        yield posts.signup_panel(view, texts())
        yield posts.after_round_panel(view, view.season.drawn or 1, texts())
        yield posts.closed_panel(replace(view, row=replace(view.row, closed_at=1)), texts())
        yield standings.standings_panel(view, 0, 0, None, texts())


def of_invitations(world: World) -> Iterator[Panel]:
    for view in in_teams(world):
        asked = [(team.id, player) for team in view.season.teams.values() for player in team.invited][:2]
        shown = (people.invitation_panel(view, number, player, texts()) for number, player in asked)
        yield from (panel for panel in shown if panel is not None)


def of_choices(world: World) -> Iterator[Panel]:
    rows = [replace(view.row, id=2**40 + at) for at, view in enumerate(world.seasons[-10:])]
    yield lists.which_panel(rows, 2**62, texts())


def of_season_files(world: World) -> Iterator[Panel]:
    for view in world.seasons:
        names = {player: view.plain_name(player) for player in view.people}
        yield deal_list.season_panel(view.title, season_files(view.season, names, {}, 1, texts()), texts())


SEASON_CASES: dict[str, Callable[[World], Iterator[Panel]]] = {
    "league.reports.answer_panel": of_answers,
    "league.reports.deal_report_panel": of_reported_deals,
    "league.reports.staff_panel": of_staff_reports,
    "league.desk.desk_panel": of_desks,
    "league.desk.matter_panel": of_matters,
    "league.people.team_panel": of_teams,
    "league.people.invitation_panel": of_invitations,
    "league.people.members_panel": of_members,
    "league.people.leaving_panel": of_leavers,
    "league.rulings.draw_panel": of_draws,
    "league.reports.dispute_panel": of_disputes,
    "league.lists.which_panel": of_choices,
}
