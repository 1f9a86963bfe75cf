"""`tiplu doctor`: checks everything that the bot needs, and says what to do about what is missing."""

import asyncio
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path

import aiohttp
from sqlalchemy import URL

from bot.command_name import program
from bot.operations.copying import newest_copy
from bot.operations.start_errors import store_fault
from bot.settings import Settings, SettingsError, load_settings
from data.errors import (
    StoreDamagedError,
    StoreError,
    StoreLost,
    StoreTooNewError,
    StoreTooOldError,
    StoreUnavailableError,
)
from data.sqlite.engines import LIBRARY_VERSION
from data.sqlite.opening import look
from render.drawing.text import draws_east_asian, found, missing_for_shaping, shaping

REACH_S = 10.0
_FIXED_SQLITE = ((3, 51, 3), (3, 50, 7), (3, 44, 6))
"""The first version of each SQLite branch that fixes a rare corruption when two connections write at once."""

_EAST_ASIAN_FONTS = "fine, but pictures show a number for names in Chinese, Japanese and Korean; apt-get install fonts-noto-cjk"


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    name: str
    good: bool
    what: str
    """What was found."""
    todo: str = ""
    """What to do about it."""
    needed: bool = True
    """Whether the bot needs it to run."""

    def __str__(self) -> str:
        mark = "ok  " if self.good else ("BAD " if self.needed else "note")
        return f"{mark} {self.name}: {self.what}" + (f"\n     -> {self.todo}" if self.todo else "")


async def examine() -> list[Finding]:
    """Check everything, in the order in which the bot needs it. Nothing is changed, and no secret is shown."""
    findings = [_python(), _sqlite(), *_pictures()]
    try:
        settings = load_settings()
    except SettingsError as error:
        what = "; ".join(str(error).splitlines())
        todo = "put it into .env; .env.example explains each setting"
        return [*findings, Finding("settings", good=False, what=what, todo=todo)]
    return [
        *findings,
        Finding("settings", good=True, what="complete, with a token (not shown)"),
        *await _database(settings),
        await _discord(settings),
    ]


def _python() -> Finding:
    good = sys.version_info >= (3, 11)
    todo = "" if good else "install Python 3.11 or newer"
    return Finding("Python", good, sys.version.split()[0], todo)


def _sqlite() -> Finding:
    version = LIBRARY_VERSION
    fixed = version >= _FIXED_SQLITE[0] or any(
        version[:2] == fixed[:2] and version >= fixed for fixed in _FIXED_SQLITE
    )
    todo = "" if fixed else "fine as long as no other program writes to the bot's file while it runs"
    return Finding("SQLite", fixed, ".".join(map(str, version)), todo, needed=False)


def _pictures() -> Iterator[Finding]:
    missing = missing_for_shaping()
    todo = f"install {missing}" if missing else ""
    yield Finding("text shaping", not missing, shaping(), todo, needed=False)
    east_asian = draws_east_asian()
    what = ", ".join(found())
    todo = "" if east_asian else _EAST_ASIAN_FONTS
    yield Finding("fonts", east_asian, what, todo, needed=False)


async def _database(settings: Settings) -> list[Finding]:
    if isinstance(settings.place, URL):
        return [await _server(settings.place)]
    return [
        await asyncio.to_thread(_store, settings.place),
        await asyncio.to_thread(_copies, settings),
    ]


async def _server(url: URL) -> Finding:
    try:
        # What it needs is imported where it is used only.
        from data.postgres.opening import look as look_at_server

        state = await look_at_server(url)
    except StoreError as error:
        return Finding("store", good=False, what=f"{url}", todo=store_fault(error, url))
    what, todo = _STORES[state]
    return Finding("store", good=True, what=f"{url} {what}", todo=_OLDER_SERVER if state == "older" else todo)


def _store(path: Path) -> Finding:
    try:
        what, todo = _STORES[look(path)]
    except StoreTooNewError as error:
        todo = "use the version of the bot that wrote it, or a newer one"
        return Finding("store", good=False, what=str(error), todo=todo)
    except StoreTooOldError as error:
        todo = "keep the file, and let DATABASE_PATH name a new one"
        return Finding("store", good=False, what=str(error), todo=todo)
    except StoreDamagedError as error:
        todo = "keep the file as it is, and put back a copy of it"
        return Finding("store", good=False, what=str(error), todo=todo)
    except StoreLost as error:
        todo = f"put the missing files or a copy back; `{program()} run` says what is missing"
        return Finding("store", good=False, what=f"games may be missing from {path}: {error}", todo=todo)
    except (StoreUnavailableError, OSError) as error:
        return Finding("store", good=False, what=f"{path}: {error}", todo="let the bot read and write there")
    return Finding("store", good=True, what=f"{path} {what}", todo=todo)


def _copies(settings: Settings) -> Finding:
    """Check the copies. The bot makes them only while it runs, so having none yet is no fault."""
    newest = newest_copy(settings, now := datetime.now(UTC))
    if newest is None:
        todo = (
            "the bot makes the first one a minute after its start" if settings.backup_every_h else _NO_COPIES
        )
        return Finding("copies", bool(settings.backup_every_h), "none yet", todo, needed=False)
    hours = (now - newest.made_at).total_seconds() / 3600
    good = hours <= 2 * (settings.backup_every_h or 24)
    todo = "" if good else "look for backup.failed in the log"
    return Finding("copies", good, f"the newest is {hours:.0f} hours old", todo, needed=False)


_OLDER_SERVER = "back it up with pg_dump and stop all processes of the older version; it is brought up to date at the next start"
_NO_COPIES = "BACKUP_EVERY_H is 0: let something else call `tiplu backup`"
_STORES = {
    "current": ("is sound", ""),
    "older": (
        "is sound, and older than this program",
        "it is brought up to date, after a copy, at the next start",
    ),
    "missing": ("is not there yet", "it is made at the first start"),
}


async def _discord(settings: Settings) -> Finding:
    url = f"{settings.rest_url}/users/@me"
    headers = {"Authorization": f"Bot {settings.discord_token.get_secret_value()}"}
    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=REACH_S)) as session,
            session.get(url, headers=headers) as answer,
        ):
            status = answer.status
    except (aiohttp.ClientError, OSError, TimeoutError) as error:
        why = f"not reached ({type(error).__name__})"
        return Finding("Discord", good=False, what=why, todo=f"let this machine reach {settings.rest_url}")
    if status == HTTPStatus.OK:
        return Finding("Discord", good=True, what="reached, and the token is good")
    if status == HTTPStatus.UNAUTHORIZED:
        todo = "copy the token again from the application's Bot page into .env"
        return Finding("Discord", good=False, what="reached, but it refuses the token", todo=todo)
    return Finding("Discord", good=False, what=f"answers {status}", todo="try again in a while")
