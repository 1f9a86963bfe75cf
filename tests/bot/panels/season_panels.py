"""Panels about whole seasons for the tests of panels: the archive, their files, and the message that sets one up."""

from collections.abc import Iterator
from dataclasses import replace

from bot.history.exports import season_files
from bot.league.leagues import Archive
from bot.panels.history import exports
from bot.panels.league import archive, wizard
from bot.ui.panel import Panel
from bot.words.texts import texts
from data.preferences import GuildSettings
from league.templates import TEMPLATES
from tests.bot.panels.worlds import World


def of_archives(world: World) -> Iterator[Panel]:
    yield archive.archive_panel(Archive((), 0, 1), texts())
    views = [
        replace(view, row=replace(view.row, id=2**40 + at)) for at, view in enumerate(world.seasons[-10:])
    ]
    yield archive.archive_panel(Archive(tuple(views), 0, 9), texts())


def of_wizards(_: World) -> Iterator[Panel]:
    for server in (
        GuildSettings(),
        GuildSettings(staff_role_id=10**18, timezone="America/Argentina/Buenos_Aires"),
    ):
        for template in TEMPLATES.values():
            yield wizard.wizard_panel(wizard.Plan.new(template, server), server, 10**12, texts())


def of_season_files(world: World) -> Iterator[Panel]:
    for view in world.seasons:
        names = {player: view.plain_name(player) for player in view.people}
        yield exports.season_panel(view.title, season_files(view.season, names, 1, texts()), texts())
