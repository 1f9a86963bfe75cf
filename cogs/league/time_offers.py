"""Autocompletion of times: shows how the bot reads a time while it is typed."""

from discord import app_commands

from bot.errors import UserError
from bot.league.moments import read_moment
from bot.words.numbers import date_words
from league.times import SECOND

_LONGEST = 100
"""Discord's limit for a choice."""


def offered_reading(typed: str, now: int, timezone: str) -> list[app_commands.Choice[str]]:
    """The typed time as day of the week, date and time; as it is while it cannot be read."""
    try:
        return [offered_moment(read_moment(typed, now, timezone), timezone)]
    except UserError:  # it is said when the command is sent
        return as_typed(typed)


def as_typed(typed: str) -> list[app_commands.Choice[str]]:
    """The typed text as a choice, so that Discord sends it unchanged."""
    return [app_commands.Choice(name=typed, value=typed)] if typed.strip() and len(typed) <= _LONGEST else []


def offered_moment(at: int, timezone: str) -> app_commands.Choice[str]:
    """A moment to choose, by the clocks of that time zone."""
    return app_commands.Choice(name=f"{date_words(at, timezone)} ({timezone})", value=f"<t:{at // SECOND}:f>")
