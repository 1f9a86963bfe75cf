"""The figures that the bot counts while it runs, for Prometheus.

Labels are kinds, outcomes and routes with few values: never a name, an id, a token or a card.
"""

import re
import time
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from aiohttp import ClientSession, TraceConfig, TraceRequestEndParams, TraceRequestExceptionParams
from prometheus_client import Counter, Gauge, Histogram, Info, disable_created_metrics

disable_created_metrics()

INTERACTIONS: Final = Counter(
    "tiplu_interactions", "Presses, commands and forms, by kind and by how they ended.", ["kind", "outcome"]
)
ACKNOWLEDGED: Final = Histogram(
    "tiplu_acknowledgement_seconds",
    "From the arrival of an interaction until Discord has taken its first answer. Discord waits 3 seconds.",
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 2.5, 3, 5),
)
PASSED_ON: Final = Counter(
    "tiplu_passed_presses",
    "Presses by direct message between processes, by what became of them.",
    ["outcome"],
)
LOOP_LAG: Final = Histogram(
    "tiplu_event_loop_lag_seconds",
    "How much later than asked the event loop woke a task that slept.",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5),
)
REST_CALLS: Final = Counter(
    "tiplu_rest_calls", "Requests to Discord, by route and by the status of the answer.", ["route", "status"]
)
PICTURES: Final = Counter("tiplu_pictures_drawn", "Pictures that were drawn, by kind.", ["kind"])
OPEN_TABLES: Final = Gauge("tiplu_open_tables", "Tables that are open.")
OUTBOX_PENDING: Final = Gauge("tiplu_outbox_pending", "Messages that wait to be sent.")
OUTBOX_OVERDUE: Final = Gauge(
    "tiplu_outbox_overdue_seconds", "For how long the message that is due longest could have been sent."
)
SHARD_UP: Final = Gauge("tiplu_gateway_up", "Whether a shard is connected to the gateway.", ["shard"])
SHARD_LATENCY: Final = Gauge(
    "tiplu_gateway_latency_seconds",
    "From a shard's last heartbeat until the gateway has confirmed it.",
    ["shard"],
)
NEWEST_COPY: Final = Gauge(
    "tiplu_newest_backup_timestamp_seconds",
    "When the newest copy of the file was made by itself; 0 if never.",
)
VERSION: Final = Info("tiplu", "The version of the program.")

_ARRIVED: ContextVar[float | None] = ContextVar("arrived", default=None)
_SECRET: Final = {"interactions", "webhooks"}
"""The path segments that precede an id and a token."""
_FIXED: Final = re.compile(r"@?[a-z][a-z-]{0,29}|oauth2")


def arrived() -> None:
    """Record the arrival of an interaction. Everything started from here on belongs to it."""
    _ARRIVED.set(time.perf_counter())


@contextmanager
def counted(kind: str) -> Generator["InteractionOutcome", None, None]:
    """Count an interaction of this kind when the block ends, by the outcome noted in it."""
    outcome = InteractionOutcome()
    try:
        yield outcome
    except BaseException:
        outcome.name = "broken off"
        raise
    finally:
        INTERACTIONS.labels(kind, outcome.name).inc()


class InteractionOutcome:
    """The outcome of an interaction: done, unless another one is set."""

    __slots__ = ("name",)

    def __init__(self) -> None:
        self.name = "done"
        """One of a small set of names."""


def _count(method: str, path: str, status: int | str) -> None:
    """Count a request. The first answer to an interaction ends its person's wait."""
    if not path.startswith(_API):
        return
    route = route_of(path)
    REST_CALLS.labels(f"{method} {route}", str(status)).inc()
    if route == _CALLBACK and isinstance(status, int) and status < _REFUSED and (began := _ARRIVED.get()):
        ACKNOWLEDGED.observe(time.perf_counter() - began)


def route_of(path: str) -> str:
    """Return an API path, such as `/api/v10/users/@me`, without its variable parts: ids, tokens, names."""
    _, *parts = path.removeprefix(_API).split("/")
    shown: list[str] = []
    for number, part in enumerate(parts):
        if number > 1 and parts[number - 2] in _SECRET and parts[number - 1].isdecimal():
            shown.append("{token}")
        elif part.isdecimal():
            shown.append("{id}")
        else:
            shown.append(part if _FIXED.fullmatch(part) else "{name}")
    return "/" + "/".join(shown)


_API: Final = "/api/"
_CALLBACK: Final = "/interactions/{id}/{token}/callback"
_REFUSED: Final = 400


def traced(trace: TraceConfig) -> TraceConfig:
    """Count every request to Discord's API by the sessions with this trace; returns the trace."""

    async def ended(_: ClientSession, __: object, request: TraceRequestEndParams) -> None:
        _count(request.method, request.url.path, request.response.status)

    async def failed(_: ClientSession, __: object, request: TraceRequestExceptionParams) -> None:
        _count(request.method, request.url.path, type(request.exception).__name__)

    trace.on_request_end.append(ended)
    trace.on_request_exception.append(failed)
    return trace
