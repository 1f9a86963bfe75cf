"""Logs: one line per event, for people or machines. Only ids are logged, never a card, a hand or a token."""

import logging
import re
import sys
from typing import Any, Final, Literal, cast

import discord
import structlog

from bot.command_name import program
from data.errors import EventsDamaged

HIDDEN = "[hidden]"
DAMAGED = f"It stands as it is, and everything else goes on. Put back a copy with `{program()} restore COPY`."
"""What to do about a deal or a season whose stored events are damaged."""


def set_up_logs(level: str, form: Literal["text", "json"], secret: str) -> None:
    """Send the logs of the bot and discord.py to standard error; `secret`, if given, never appears there."""
    shared: list[structlog.typing.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if form == "json"
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(),
            exception_formatter=structlog.dev.plain_traceback,  # other formatters print locals, with cards
        )
    )
    last: list[structlog.typing.Processor] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta]
    if form == "json":
        last.append(structlog.processors.format_exc_info)
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(_DamageOnce())
    handler.setFormatter(_Hiding(secret, foreign_pre_chain=shared, processors=[*last, renderer]))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    logging.getLogger("discord").setLevel(max(logging.INFO, root.level))
    logging.getLogger("alembic").setLevel(max(logging.WARNING, root.level))
    # Below this level the library logs every stored value, including hands.
    logging.getLogger("aiosqlite").setLevel(max(logging.INFO, root.level))
    # The bot uses no voice, so discord.py need not warn that it is not available.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False


class _DamageOnce(logging.Filter):
    """Logs a damaged deal or season only once, in one line."""

    def __init__(self) -> None:
        super().__init__()
        self._told: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log the record."""
        error = record.exc_info[1] if record.exc_info else None
        message = cast("object", record.msg)  # structlog puts a dict where the library expects a text
        if not isinstance(error, EventsDamaged) or not isinstance(message, dict):
            return True
        if error.subject in self._told:
            return False
        self._told.add(error.subject)
        line: dict[str, Any] = {**cast("dict[str, Any]", message)}
        line.pop("exc_info", None)
        record.msg = line | {
            "event": "events.damaged",
            "found_by": line["event"],
            "why": str(error),
            "todo": DAMAGED,
        }
        record.exc_info = record.exc_text = None
        return True


_IN_ADDRESSES: Final = re.compile(
    r"(/(?:thread-members|members|users|recipients)/|/(?:interactions|webhooks)/\d+/)[^/\s\"'\\,?)]+"
)
"""The ids of people, and the tokens of interactions, in the addresses of requests that the library logs."""


class _Hiding(structlog.stdlib.ProcessorFormatter):
    """Removes from every line, including tracebacks, the token, and ids of people in the addresses of requests."""

    def __init__(self, secret: str, **options: Any) -> None:
        super().__init__(**options)
        self._secret = secret

    def format(self, record: logging.LogRecord) -> str:
        line = _IN_ADDRESSES.sub(rf"\1{HIDDEN}", super().format(record))
        return line.replace(self._secret, HIDDEN) if self._secret.strip() else line
