"""Logs: one line an event, for people or for machines. Ids only: no card, no hand, no token is ever logged."""

import logging
import sys
from collections.abc import MutableMapping
from typing import Any, Literal

import discord
import structlog

HIDDEN = "[hidden]"


def set_up_logs(level: str, form: Literal["text", "json"], secret: str) -> None:
    """Send the bot's and discord.py's logs to standard error; `secret` never appears in them."""
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
            exception_formatter=structlog.dev.plain_traceback,  # other formatters print locals, cards among them
        )
    )
    last: list[structlog.typing.Processor] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta]
    if form == "json":
        last.append(structlog.processors.format_exc_info)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(foreign_pre_chain=shared, processors=[*last, renderer])
    )
    handler.addFilter(_Hide(secret))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    logging.getLogger("discord").setLevel(max(logging.INFO, root.level))
    logging.getLogger("alembic").setLevel(max(logging.WARNING, root.level))
    # The bot never speaks: discord.py need not warn that it could not.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False


class _Hide(logging.Filter):
    """Takes the token out of whatever is logged, wherever it came from."""

    def __init__(self, secret: str) -> None:
        super().__init__()
        self._secret = secret

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg = self._clean(record.msg)
        if isinstance(record.args, tuple):
            record.args = tuple(self._clean(value) for value in record.args)
        return True

    def _clean(self, value: Any) -> Any:
        if isinstance(value, str):
            return value.replace(self._secret, HIDDEN)
        if isinstance(value, MutableMapping):
            return {key: self._clean(item) for key, item in value.items()}
        return value
