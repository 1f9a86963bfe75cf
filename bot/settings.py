"""Settings, read once at start from the environment and `.env` and validated together.

Names include units.
"""

import re
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Final, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict
from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from data.files import real
from data.store import Place

DISCORD_API = "https://discord.com/api/v10"
_ADDRESS: Final = re.compile(r"https?://[\w.-]+(:\d+)?(/[\w.~%/-]*)?", re.ASCII)
"""An address to which a path can be added, without characters that would end a link in a message."""


_SPAN: Final = re.compile(r"\s*(\d{1,5})\s*(?:-\s*(\d{1,5})\s*)?", re.ASCII)
_MOST_SHARDS: Final = 10_000
_LARGEST_PORT: Final = 65_535

_PROXY_FORM: Final = "must be the address of a proxy such as http://10.0.0.5:8080: https://, or http:// to a private address or a name without a dot"
_SERVERS: Final = ("postgresql+asyncpg", "postgresql", "postgres")
_ENCRYPTION: Final = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
_HOST_WITH_PORT: Final = re.compile(r".+:\d{1,5}", re.ASCII)
_URL_FORM: Final = (
    "must be an address such as postgresql+asyncpg://tiplu:PASSWORD@localhost:5432/tiplu; characters such as @ and / "
    "in the password are written as %40 and %2F"
)


class SettingsError(ValueError):
    """Raised when settings are wrong. The text lists all errors, one per line, without secret values."""


class Settings(BaseSettings):
    """Every setting of the bot; `.env.example` explains each."""

    model_config = SettingsConfigDict(env_file=".env", extra="ignore", frozen=True, hide_input_in_errors=True)

    discord_token: SecretStr
    discord_api_url: str = DISCORD_API
    discord_gateway_url: str | None = None
    discord_proxy_url: str | None = None
    database_path: Annotated[Path, AfterValidator(real), Field(validate_default=True)] = Path(
        "var/tiplu.sqlite3"
    )
    """The file itself, with links resolved."""
    database_url: SecretStr | None = None
    shard_count: Annotated[int, Field(ge=1, le=_MOST_SHARDS)] | None = None
    shard_ids: Annotated[frozenset[int] | None, NoDecode, Field(validate_default=True)] = None
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_format: Literal["text", "json"] = "text"
    guild_ready_timeout_s: Annotated[float, Field(ge=0, le=60)] = 2.0
    computer_pause_ms: Annotated[int, Field(ge=0, le=60_000)] = 1_200
    table_edit_gap_ms: Annotated[int, Field(ge=0, le=60_000)] = 5_000
    followed_edit_s: Annotated[int, Field(ge=0, le=60)] = 10
    mid_turn_edit_s: Annotated[int, Field(ge=0, le=60)] = 8
    answer_edits_m: Annotated[int, Field(ge=0, le=14)] = 13
    watching_edit_ms: Annotated[int, Field(ge=0, le=60_000)] = 5_000
    seen_hand_s: Annotated[int, Field(ge=0, le=600)] = 120
    tunnela_window_s: Annotated[float, Field(ge=0, le=86_400)] = 20
    presses_per_person_s: Annotated[int, Field(ge=1, le=1_000)] = 5
    puzzle_stock: Annotated[int, Field(ge=0, le=10_000)] = 400
    tables_per_channel: Annotated[int, Field(ge=1, le=1_000)] = 25
    tables_per_person_h: Annotated[int, Field(ge=1, le=1_000)] = 12
    deals_per_table_h: Annotated[int, Field(ge=1, le=1_000)] = 60
    challenges_per_person_h: Annotated[int, Field(ge=1, le=1_000)] = 6
    card_emojis: bool = True
    pages_path: Path | None = None
    pages_url: str | None = None
    backup_every_h: Annotated[int, Field(ge=0, le=168)] = 24
    backup_path: Path | None = None
    monitoring_port: Annotated[int, Field(ge=0, le=_LARGEST_PORT)] | None = None
    monitoring_host: str = "127.0.0.1"
    lobby_expiry_m: Annotated[int, Field(ge=1, le=10_080)] = 120

    @field_validator("discord_token")
    @classmethod
    def _given(cls, token: SecretStr) -> SecretStr:
        """A token, not only its name. A file with a secret often ends with a line break, which no header may contain."""
        text = token.get_secret_value().strip()
        if not text:
            raise ValueError("is empty")
        if not text.isprintable() or " " in text:
            raise ValueError(
                "has a space or a line break in it; copy only the token from the application's Bot page"
            )
        return SecretStr(text)

    @field_validator("discord_api_url")
    @classmethod
    def _known_server(cls, url: str) -> str:
        """Check that the server is Discord or this machine, because the token is sent there."""
        parts = urlsplit(url)
        if parts.scheme == "https" and parts.hostname == "discord.com":
            return url.rstrip("/")
        if parts.scheme in {"http", "https"} and _is_loopback(parts.hostname or ""):
            return url.rstrip("/")
        raise ValueError("must be https://discord.com/... or an address of this machine")

    @field_validator("discord_proxy_url")
    @classmethod
    def _own_proxy(cls, url: str | None) -> str | None:
        """Check the operator's proxy, which gets the token: unencrypted only if it is nearby (`_is_near`)."""
        if not url:
            return None
        try:
            parts = urlsplit(url)
            host, _ = parts.hostname or "", parts.port
        except ValueError:
            raise ValueError(_PROXY_FORM) from None
        is_plain = parts.scheme == "http" and _is_near(host)
        if (
            not host
            or "@" in parts.netloc
            or parts.query
            or parts.fragment
            or not (is_plain or parts.scheme == "https")
        ):
            raise ValueError(_PROXY_FORM)
        return url.rstrip("/") if parts.path.strip("/") else f"{url.rstrip('/')}{urlsplit(DISCORD_API).path}"

    @field_validator("database_url")
    @classmethod
    def _a_server(cls, url: SecretStr | None) -> SecretStr | None:
        """Check that this is the address of a PostgreSQL server, a user and a database."""
        if url is None or not url.get_secret_value():
            return None
        server_url(url.get_secret_value())
        return url

    @field_validator("shard_count", mode="before")
    @classmethod
    def _unset(cls, value: object) -> object:
        """Treat an empty value as unset."""
        return None if value == "" else value

    @field_validator("shard_ids", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        """Parse numbers and ranges, such as 0,2,4-7."""
        return _numbers(value) if isinstance(value, str) and value else value or None

    @field_validator("shard_ids")
    @classmethod
    def _of_them_all(cls, ids: frozenset[int] | None, given: ValidationInfo) -> frozenset[int] | None:
        """Check that this process's shards exist, in a database that several processes can serve."""
        count = given.data.get("shard_count")
        if count is not None and given.data.get("database_url") is None:
            raise ValueError("several processes need DATABASE_URL: a file is served by one process alone")
        if ids is None:
            return None
        if count is None:
            raise ValueError("needs SHARD_COUNT, the same for all processes")
        if not ids or max(ids) >= count:
            raise ValueError(f"must name some of the shards 0 to {count - 1}")
        return ids

    @field_validator("pages_url")
    @classmethod
    def _linkable(cls, url: str | None, given: ValidationInfo) -> str | None:
        """Check that messages can link to this address, and that its pages are written."""
        if not url:
            return None
        if given.data.get("pages_path") is None:
            raise ValueError("is the address of the folder PAGES_PATH, which is not set")
        if not _ADDRESS.fullmatch(url):
            raise ValueError("must be an address such as https://example.org/leagues")
        return url.rstrip("/")

    @property
    def place(self) -> Place:
        """The place where the games are stored: a file, or a server if one is configured."""
        if self.database_url is None:
            return self.database_path
        return server_url(self.database_url.get_secret_value())

    @property
    def is_shared(self) -> bool:
        """Whether other processes serve the same database, each with shards of its own."""
        return self.shard_count is not None

    @property
    def rest_url(self) -> str:
        """The address for REST calls: Discord's API, or a proxy in front of it."""
        return self.discord_proxy_url or self.discord_api_url

    @property
    def is_discord(self) -> bool:
        """Whether the bot serves Discord itself."""
        return self.discord_api_url.startswith("https://discord.com/")


class OfflineSettings(Settings):
    """The settings of commands that never speak to Discord, such as `backup`. They need no token."""

    discord_token: SecretStr = SecretStr("")

    @field_validator("discord_token")
    @classmethod
    def _given(cls, token: SecretStr) -> SecretStr:
        """Accept any token."""
        return token


def server_url(text: str) -> URL:
    """Return the address of a PostgreSQL server and a database; raises ValueError, which does not quote it.

    Database hosts give out addresses with the parameter `sslmode`, which the driver calls `ssl`.
    """
    try:
        text.encode()  # an environment variable may hold bytes that are not text
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise ValueError(_URL_FORM) from None
    if url.drivername not in _SERVERS or not url.database or "@" in (url.host or ""):
        raise ValueError(_URL_FORM)
    if url.port is not None and not 0 < url.port <= _LARGEST_PORT:
        raise ValueError(f"must name a port from 1 to {_LARGEST_PORT}")
    parameters = {"ssl" if name == "sslmode" else name: value for name, value in url.query.items()}
    if parameters.keys() - {"ssl", "host"}:
        raise ValueError("can have the parameters sslmode and host, and no other")
    hosts = url.normalized_query.get("host", ())
    if any("," in host or (len(hosts) > 1 and not _HOST_WITH_PORT.fullmatch(host)) for host in hosts):
        raise ValueError(
            "must name several hosts as ?host=10.0.0.5:5432&host=10.0.0.6:5432, each with its port"
        )
    if parameters.get("ssl", "prefer") not in _ENCRYPTION:
        raise ValueError(f"must have one of these as sslmode: {', '.join(_ENCRYPTION)}")
    return url.set(drivername=_SERVERS[0], query=parameters)


def _numbers(text: str) -> frozenset[int]:
    found: set[int] = set()
    for part in text.split(","):
        span = _SPAN.fullmatch(part)
        if span is None:
            raise ValueError("must be numbers and spans of them, such as 0,2,4-7")
        found.update(range(int(span[1]), int(span[2] or span[1]) + 1))
    return frozenset(found)


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _is_near(host: str) -> bool:
    """Return whether a host is on this machine or a private network.

    It is judged by its address, or by a name that is valid only there.
    """
    try:
        return ip_address(host).is_private
    except ValueError:
        return "." not in host or host.endswith(".internal")


def load_settings(kind: type[Settings] = Settings) -> Settings:
    """Return the settings of this process; raises SettingsError with all errors at once."""
    try:
        return kind()  # pyright: ignore[reportCallIssue] - the values come from the environment
    except UnicodeDecodeError as error:
        raise SettingsError(
            f".env is not UTF-8 text: byte {error.start} is wrong; save it as UTF-8"
        ) from None
    except OSError as error:
        raise SettingsError(f".env cannot be read: {error.strerror}") from None
    except ValidationError as error:
        lines = [
            f"{'.'.join(map(str, item['loc'])).upper()}: "
            f"{'is not set' if item['type'] == 'missing' else _fault(item['msg'])}"
            for item in error.errors()
        ]
        raise SettingsError("\n".join(lines)) from None


def _fault(message: str) -> str:
    """Return pydantic's message without the prefix that it adds to our validators' texts."""
    return message.removeprefix("Value error, ")
