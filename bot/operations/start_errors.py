"""Messages for operators when the bot does not start: what happened, why, and what to do next."""

from datetime import UTC, datetime
from math import ceil
from pathlib import Path

import discord
from sqlalchemy import URL

from bot.command_name import program
from bot.commands import CommandsRefusedError
from data.errors import (
    Holdings,
    RestoreInterrupted,
    StoreBusyError,
    StoreDamagedError,
    StoreError,
    StoreForbidden,
    StoreForeign,
    StoreFull,
    StoreLockedError,
    StoreLost,
    StoreTooNewError,
    StoreTooOldError,
    StoreUnreachable,
    StoreUnsuitable,
)
from data.store import Place

_COPY_AGAIN = "Copy the token again from the application's Bot page on https://discord.com/developers/applications into .env."
_REVOKED = 4004
_TOO_MANY, _FORBIDDEN = 429, 403
_TOO_MANY_COMMANDS = 30034


def store_fault(error: StoreError, place: Place) -> str:
    """Return why the database at this place cannot be used."""
    return _file_fault(error, place) if isinstance(place, Path) else _server_fault(error, place)


def _server_fault(error: StoreError, url: URL) -> str:
    match error:
        case StoreLockedError():
            return (
                f"Another Tiplu serves the database {url.database}: {error}. Stop it first, or let DATABASE_URL name "
                "another database for this one."
            )
        case StoreUnsuitable() | StoreBusyError():
            return f"{error}. Nothing was changed."
        case StoreTooNewError():
            return (
                f"A newer version of Tiplu has written the database {url.database}, and this version can't read it: "
                f"{error}. Start the newer version. Nothing was changed."
            )
        case StoreTooOldError():
            return (
                f"A version of Tiplu from before its first release has written the database {url.database}: {error}. "
                "Let DATABASE_URL name a new one. Nothing was changed."
            )
        case StoreForeign():
            return (
                f"The database {url.database} is not Tiplu's: {error}. Make one of its own, and let DATABASE_URL name "
                "it. Nothing was changed."
            )
        case StoreUnreachable():
            return (
                f"The database can't be reached: {error}. Start the server, and look whether DATABASE_URL has the right "
                "address and a firewall lets this machine through; then start again. Nothing has been lost."
            )
        case _:
            return f"Tiplu can't use the database {url.database} now: {error}. Look into the server's log, then start again."


def _file_fault(error: StoreError, path: Path) -> str:
    match error:
        case StoreLockedError():
            return (
                f"Another process uses {path}: Tiplu is running already. Stop it first, or let DATABASE_PATH name "
                "another file for this one."
            )
        case StoreFull():
            return f"The disk with {path} is full. Make room on it and start again; nothing has been lost."
        case StoreForbidden():
            return (
                f"Tiplu can't read and write {path}: {error}. Give the user who runs it the right to read and write "
                "this file and its folder, or let DATABASE_PATH name another place."
            )
        case StoreTooNewError():
            return (
                f"A newer version of Tiplu has written {path}, and this version can't read it: {error}. Start the "
                "newer version. Nothing was changed."
            )
        case StoreTooOldError():
            return (
                f"A version of Tiplu from before its first release has written {path}: {error}. Keep it where it is, "
                "and let DATABASE_PATH name a new one. Nothing was changed."
            )
        case StoreForeign():
            return (
                f"{path} is no database of Tiplu: {error}. Let DATABASE_PATH name the right file. If this was the right "
                f"one, it is damaged: {_restore()}. Nothing was changed."
            )
        case StoreDamagedError():
            return f"{path} is damaged: {error}. Nothing was changed. To go on, {_restore()}."
        case RestoreInterrupted():
            return _half_restored(path)
        case StoreLost():
            return _lost(error, path)
        case _:
            return f"Tiplu can't use {path} now: {error}. Another program may be holding it; try again in a moment."


def discord_fault(error: Exception, url: str) -> str:
    """Return why Discord at `url` cannot be used."""
    match error:
        case discord.LoginFailure():
            return f"Discord refuses the token in DISCORD_TOKEN. {_COPY_AGAIN}"
        case discord.ConnectionClosed(code=code) if code == _REVOKED:
            return f"Discord has ended the connection, because the token is no longer valid. {_COPY_AGAIN}"
        case discord.ConnectionClosed(code=code):
            return f"Discord has ended the connection with code {code}. Start again in a moment."
        case discord.PrivilegedIntentsRequired():
            return "Discord refuses the connection, because it takes Tiplu to ask for more than it may. Update Tiplu."
        case CommandsRefusedError():
            return _commands_fault(error.__cause__)
        case discord.RateLimited(retry_after=seconds):
            return (
                f"Discord at {url} answers no more calls for {_span(seconds)}, because there were too many with this "
                "token. Start again after that time."
            )
        case discord.HTTPException(status=status) if status == _TOO_MANY:
            return (
                f"Discord at {url} has blocked this machine's address for a while (429), because too many calls came from it. "
                "Leave Tiplu and whatever else calls Discord from here stopped for an hour, then start again."
            )
        case discord.HTTPException(status=status) if status == _FORBIDDEN:
            return (
                f"Discord at {url} lets Tiplu in no more ({_answer(error)}): it may have disabled the application, or "
                "something before it may refuse this machine's address. Look at the application on "
                "https://discord.com/developers/applications, then start again."
            )
        case discord.HTTPException() if not isinstance(error, discord.DiscordServerError):
            return (
                f"Discord at {url} refuses what Tiplu asks at its start: {_answer(error)}. Look whether DISCORD_API_URL "
                "and DISCORD_PROXY_URL are right, and update Tiplu; then start again."
            )
        case _:
            why = str(error) or type(error).__name__
            return (
                f"Discord can't be reached at {url}: {why}. Check this machine's network, then start again."
            )


def _commands_fault(error: BaseException | None) -> str:
    """Return why Discord registers no commands."""
    match error:
        case discord.HTTPException(code=code) if code == _TOO_MANY_COMMANDS:
            return (
                "Discord registers no commands of this application now, because too many were made within a day "
                f"({_TOO_MANY_COMMANDS}). Start again tomorrow."
            )
        case discord.RateLimited(retry_after=seconds):
            return (
                "Discord registers no commands of this application now, because it was asked to too often. Start again "
                f"in {_span(seconds)}."
            )
        case discord.HTTPException(status=status) if status == _TOO_MANY:
            return (
                "Discord registers no commands of this application now, because it was asked to too often (429). Start "
                "again in an hour."
            )
        case _:
            return (
                f"Discord does not let this application register commands ({_answer(error)}), so nobody could use "
                "Tiplu. Look whether DISCORD_TOKEN is that of the right application, add the application to your server "
                "again with the scope applications.commands, then start again."
            )


def _answer(error: BaseException | None) -> str:
    """Return a short form of Discord's answer."""
    if not isinstance(error, discord.HTTPException):
        return str(error)
    known = f"{error.status}, code {error.code}" if error.code else str(error.status)
    is_page = error.text.lstrip().startswith("<")  # from something in front of Discord
    return known if is_page or not error.text else f"{known}: {'; '.join(error.text.splitlines())}"


def _span(seconds: float) -> str:
    """Format a duration, rounded up to minutes."""
    hours, minutes = divmod(ceil(seconds / 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def _lost(error: StoreLost, path: Path) -> str:
    known = f"On {_when(error.known_at)} it" if error.known_at else "It"
    before = f" {known} held at least {_counted(error.before)}." if error.before else ""
    now = f" Now it holds {_counted(error.now)}." if error.now else ""
    return (
        f"Games may be missing from {path}: {error}.{before}{now} Usually its log, {path.name}-wal, was removed or cut, "
        f"or another file was put in its place. Put the missing files back, or {_restore()}. To go on without what is "
        f"missing, start once with `{program()} run --accept-loss`. Nothing was changed."
    )


def _half_restored(path: Path) -> str:
    return (
        f"Restoring a copy to {path} was interrupted, so what is there now may be incomplete: {_restore()} again. What it "
        f"has replaced by then is kept beside it, as {path.name}.replaced-*. Nothing was changed."
    )


def _restore() -> str:
    return f"put back a copy with `{program()} restore COPY`"


def _when(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d at %H:%M UTC}"


def _counted(held: Holdings) -> str:
    return (
        f"{held.tables} tables with {held.deals} deals and {held.events} events, "
        f"and {held.seasons} seasons with {held.season_events} events"
    )
