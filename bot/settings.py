"""Settings, read once at start from the environment and `.env` and validated together. Units are in the names."""

from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

DISCORD_API = "https://discord.com/api/v10"


class SettingsError(ValueError):
    """Some settings are wrong; the text lists them all, one on each line, without secret values."""


class Settings(BaseSettings):
    """Every setting of the bot; `.env.example` explains each."""

    model_config = SettingsConfigDict(env_file=".env", extra="ignore", frozen=True, hide_input_in_errors=True)

    discord_token: SecretStr = Field(min_length=1)
    discord_api_url: str = DISCORD_API
    discord_gateway_url: str | None = None
    database_path: Path = Path("var/tiplu.sqlite3")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_format: Literal["text", "json"] = "text"
    guild_ready_timeout_s: Annotated[float, Field(ge=0, le=60)] = 2.0
    computer_pause_ms: Annotated[int, Field(ge=0, le=60_000)] = 1_200
    table_edit_gap_ms: Annotated[int, Field(ge=0, le=60_000)] = 1_500
    mid_turn_edit_s: Annotated[int, Field(ge=0, le=60)] = 8
    answer_edits_m: Annotated[int, Field(ge=0, le=14)] = 13
    watching_edit_ms: Annotated[int, Field(ge=0, le=60_000)] = 4_000
    seen_hand_s: Annotated[int, Field(ge=0, le=600)] = 120
    tunnela_window_s: Annotated[float, Field(ge=0, le=86_400)] = 20
    presses_per_person_s: Annotated[int, Field(ge=1, le=1_000)] = 5
    puzzle_stock: Annotated[int, Field(ge=0, le=10_000)] = 400
    tables_per_channel: Annotated[int, Field(ge=1, le=1_000)] = 25
    tables_per_person_h: Annotated[int, Field(ge=1, le=1_000)] = 12
    challenges_per_person_h: Annotated[int, Field(ge=1, le=1_000)] = 6
    card_emojis: bool = True
    pages_path: Path | None = None
    lobby_expiry_m: Annotated[int, Field(ge=1, le=10_080)] = 120

    @field_validator("discord_api_url")
    @classmethod
    def _known_server(cls, url: str) -> str:
        """Only Discord or this machine may be the server, because the token is sent there."""
        parts = urlsplit(url)
        if parts.scheme == "https" and parts.hostname == "discord.com":
            return url.rstrip("/")
        if parts.scheme in {"http", "https"} and _is_loopback(parts.hostname or ""):
            return url.rstrip("/")
        raise ValueError("must be https://discord.com/... or an address of this machine")

    @property
    def is_discord(self) -> bool:
        """Whether the bot serves Discord itself."""
        return self.discord_api_url.startswith("https://discord.com/")


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def load_settings() -> Settings:
    """The settings of this process; raises SettingsError with all errors at once."""
    try:
        return Settings()  # pyright: ignore[reportCallIssue] - the values come from the environment
    except ValidationError as error:
        lines = [f"{'.'.join(map(str, item['loc'])).upper()}: {item['msg']}" for item in error.errors()]
        raise SettingsError("\n".join(lines)) from None
