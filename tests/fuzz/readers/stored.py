"""The readers of files and stored data: settings, marks, the ledger, keys, and every JSON column."""

import contextlib
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Column

from bot.settings import SettingsError, load_settings, server_url
from data.dialect import Json
from data.errors import StoreLost, UnreadableValueError
from data.outbox_keys import KEYS, StoredKey, Subject, parse_key
from data.preferences import GuildSettings, PersonSettings
from data.privacy.ledger import ForgottenLedger
from data.schema.core import metadata
from data.season_posts import parse_channel_post, parse_personal_post, parse_public_post
from data.sqlite import copies, integrity
from marriage.rules import PRESETS
from tests.fuzz.readers.reader import FILE, Reader

_KEPT = TemporaryDirectory(prefix="tiplu-readers-")
FOLDER = Path(_KEPT.name)
"""A folder that is removed when the process ends, even a worker process.

It is therefore created again if missing.
"""
ENV = """\
DISCORD_TOKEN=abc
DATABASE_PATH="var/tiplu.sqlite3"
SHARD_COUNT=
TABLES_PER_CHANNEL=25
export PAGES_PATH=var/pages
PAGES_URL='https://example.org/leagues'
"""
SHARDS = """\
DISCORD_TOKEN=abc
DATABASE_URL=postgresql://tiplu:pass@localhost/tiplu
SHARD_COUNT=16
SHARD_IDS=0,2,4-7
DISCORD_PROXY_URL=http://10.0.0.5:8080
"""
STORED: dict[str, tuple[Any, ...]] = {
    "a server's settings": (GuildSettings(),),
    "a person's settings": (PersonSettings(),),
    "rules": tuple(PRESETS.values()),
    "entropy": (["0:auto:-"],),
    "the names of a home game": (("Ram", "Sita"),),
}
"""Samples of columns, by the type that they hold."""
ABOUT = 7


def _written(name: str, text: str) -> Path:
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / name
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return path


def _settings(text: str) -> Any:
    _written(".env", text)
    with contextlib.chdir(FOLDER):
        return load_settings()


def _mark(text: str) -> Any:
    _written("games.mark", text)
    return integrity._claimed(FOLDER / "games")


def _forgotten(text: str) -> Any:
    return ForgottenLedger(_written("forgotten", text)).requests()


def _key_of(kind: str) -> Callable[[str], Any]:
    key = next(key for key in KEYS if key.kind == kind)
    subject = getattr(key, "subject", Subject.TABLE)
    return lambda text: parse_key(StoredKey(subject, ABOUT, kind, text, None))


def _columns() -> dict[str, Column[Any]]:
    """Return a column for each kind of value that is stored as JSON."""
    found: dict[str, Column[Any]] = {}
    for table in metadata.sorted_tables:
        for column in table.columns:
            if isinstance(column.type, Json):
                found.setdefault(column.type.what, column)
    return found


READERS = (
    Reader(load_settings, _settings, SettingsError, (ENV, SHARDS), 1 << 16),
    Reader(
        server_url,
        server_url,
        ValueError,
        ("postgresql+asyncpg://tiplu:p%40ss@localhost:5432/tiplu",),
        write=lambda url: url.render_as_string(hide_password=False),
    ),
    Reader(integrity._claimed, _mark, StoreLost, (), FILE),
    Reader(ForgottenLedger.requests, _forgotten, OSError, ("\n1700000000000 ab12 0f\n",), FILE),
    Reader(
        copies._time, copies._time, (), ("20261118T120000Z",), 255, lambda time: time.strftime(copies._FORM)
    ),
    *(
        Reader(parse, parse, ValueError, (sample,), write=lambda post: post.text)
        for parse, sample in (
            (parse_channel_post, "round:3"),
            (parse_public_post, "standings:0"),
            (parse_personal_post, "report:7:1700000000000:5"),
        )
    ),
    *(Reader(parse_key, _key_of(key.kind), ValueError, (), of_what=key.kind) for key in KEYS),
    *(
        Reader(
            Json.load,
            column.type.load,
            UnreadableValueError,
            tuple(map(column.type.dump, STORED.get(what, ()))),
            FILE,
            column.type.dump,
            of_what=what,
        )
        for what, column in _columns().items()
    ),
)
