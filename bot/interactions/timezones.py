"""Completing the name of a time zone."""

from discord import app_commands

from bot.ui.items import MOST_OPTIONS
from league.wall_clock import timezones


def timezone_choices(typed: str) -> list[app_commands.Choice[str]]:
    """The time zones with these letters in their names, in the order of the alphabet."""
    wanted = typed.casefold().replace(" ", "_")
    names = [name for name in sorted(timezones()) if wanted in name.casefold()]
    return [app_commands.Choice(name=name, value=name) for name in names[:MOST_OPTIONS]]
