"""Messages for operators when the bot does not start: what happened, why, and what to do next."""

from datetime import UTC, datetime
from pathlib import Path

import discord
from sqlalchemy import URL

from bot.version import program
from data.database import Place
from data.errors import (
    Holdings,
    StoreDamagedError,
    StoreError,
    StoreForbidden,
    StoreForeign,
    StoreFull,
    StoreLockedError,
    StoreLost,
    StoreTooNewError,
    StoreUnreachable,
    StoreUnsuitable,
)

_COPY_ANEW = "Copy the token anew from the application's Bot page on https://discord.com/developers/applications into .env."
_REVOKED = 4004


def store_fault(error: StoreError, place: Place) -> str:
    """Why the database at this place can't be used."""
    return _file_fault(error, place) if isinstance(place, Path) else _server_fault(error, place)


def _server_fault(error: StoreError, url: URL) -> str:
    match error:
        case StoreLockedError():
            return (
                f"Another Tiplu serves the database {url.database}: {error}. Stop it first, or let DATABASE_URL name "
                "another database for this one."
            )
        case StoreUnsuitable():
            return f"{error}. Nothing was changed."
        case StoreTooNewError():
            return (
                f"A newer version of Tiplu has written the database {url.database}, and this version can't read it: "
                f"{error}. Start the newer version. Nothing was changed."
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
                f"A newer version of Tiplu has written this file, and this version can't read it: {error}. Start the "
                "newer version. Nothing was changed."
            )
        case StoreForeign():
            return (
                f"{path} is no database of Tiplu: {error}. Let DATABASE_PATH name the right file. If this was the right "
                f"one, it is damaged: {_restore()}. Nothing was changed."
            )
        case StoreDamagedError():
            return f"{path} is damaged: {error}. Nothing was changed. To go on, {_restore()}."
        case StoreLost():
            return _lost(error, path)
        case _:
            return f"Tiplu can't use {path} now: {error}. Another program may be holding it; try again in a moment."


def discord_fault(error: Exception, url: str) -> str:
    """Why Discord at `url` can't be served."""
    match error:
        case discord.LoginFailure():
            return f"Discord refuses the token in DISCORD_TOKEN. {_COPY_ANEW}"
        case discord.ConnectionClosed(code=code) if code == _REVOKED:
            return f"Discord has ended the connection, because the token is no longer valid. {_COPY_ANEW}"
        case discord.ConnectionClosed(code=code):
            return f"Discord has ended the connection with code {code}. Start again in a moment."
        case discord.PrivilegedIntentsRequired():
            return "Discord refuses the connection, because it takes Tiplu to ask for more than it may. Update Tiplu."
        case _:
            why = str(error) or type(error).__name__
            return (
                f"Discord can't be reached at {url}: {why}. Check this machine's network, then start again."
            )


def _lost(error: StoreLost, path: Path) -> str:
    known = f"On {_when(error.known_at)} it" if error.known_at else "It"
    before = f" {known} held at least {_counted(error.before)}." if error.before else ""
    now = f" Now it holds {_counted(error.now)}." if error.now else ""
    return (
        f"Games may be missing from {path}: {error}.{before}{now} Usually its log, {path.name}-wal, was removed or cut, "
        f"or another file was put in its place. Put the missing files back, or {_restore()}. To go on without what is "
        f"missing, start once with `{program()} run --accept-loss`. Nothing was changed."
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
