"""A small HTTP server for monitoring: `/metrics`, `/health/live` and `/health/ready`."""

import asyncio
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Final, Protocol

import structlog
from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from bot import metrics
from bot.operations.copying import newest_copy
from bot.services import Services
from data.errors import StoreError
from data.repositories.messages import Backlog
from data.transaction import ReadTransaction
from league.times import SECOND
from marriage import __version__

STUCK_S: Final = 300.0
"""The longest time, in seconds, that a sendable message waits unless the outbox is stuck."""
STORE_PATIENCE_S: Final = 5.0
AGAIN_S: Final = 10.0
SLEEP_S: Final = 0.25

log = structlog.get_logger(__name__)


class Client(Protocol):
    """The part of the Discord client that monitoring needs."""

    @property
    def latencies(self) -> list[tuple[int, float]]: ...  # noqa: D102

    def is_ready(self) -> bool: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Health:
    """The conditions for serving people."""

    gateway: bool
    """Whether every shard is connected."""
    store: bool
    """Whether the store answers."""
    outbox: bool
    """Whether messages that can be sent are being sent."""

    @property
    def is_good(self) -> bool:
        """Whether all conditions are met."""
        return self.gateway and self.store and self.outbox


class Monitoring:
    """The monitoring server, in the bot's own process, on the configured address. It asks for no password."""

    def __init__(self, client: Client, services: Services) -> None:
        self._client = client
        self._services = services
        self.port = services.settings.monitoring_port or 0
        """The port that it listens on."""
        metrics.VERSION.info({"version": __version__})

    async def run(self) -> None:
        """Serve until cancelled. If the port is in use, retry while the games continue."""
        host = self._services.settings.monitoring_host
        app = web.Application()
        app.router.add_get("/metrics", self._metrics)
        app.router.add_get("/health/live", self._live)
        app.router.add_get("/health/ready", self._ready)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        try:
            while True:
                site = web.TCPSite(runner, host, self.port)
                try:
                    await site.start()
                except OSError as error:
                    await site.stop()
                    log.error("monitoring.cannot_listen", host=host, port=self.port, why=error.strerror)  # noqa: TRY400
                    await asyncio.sleep(AGAIN_S)
                else:
                    self.port = runner.addresses[0][1]
                    log.info("monitoring.listens", host=host, port=self.port)
                    await asyncio.Event().wait()
        finally:
            await runner.cleanup()

    async def health(self) -> Health:
        """Return the bot's health. Queries the store, and records its numbers of tables and messages."""
        shards = [shard for shard, _ in self._client.latencies]
        is_cut_off = not self._services.outages.away.isdisjoint(shards)
        overdue_s = await self._asked_store()
        return Health(
            gateway=self._client.is_ready() and not is_cut_off,
            store=overdue_s is not None,
            outbox=overdue_s is not None and overdue_s < STUCK_S,
        )

    async def _asked_store(self) -> float | None:
        """Return how long a sendable message has been waiting; None if the store does not answer."""
        now = self._services.clock.now()
        try:
            async with asyncio.timeout(STORE_PATIENCE_S):
                tables, backlog = await self._services.store.read(_figures)
        except (StoreError, TimeoutError) as error:
            log.warning("monitoring.store", why=str(error) or type(error).__name__)
            return None
        overdue_s = 0.0 if backlog.due_at is None else max(0, now - backlog.due_at) / SECOND
        metrics.OPEN_TABLES.set(tables)
        metrics.OUTBOX_PENDING.set(backlog.pending)
        metrics.OUTBOX_OVERDUE.set(overdue_s)
        return overdue_s

    async def _metrics(self, _: web.Request) -> web.Response:
        await self._asked_store()
        for figure in (metrics.SHARD_UP, metrics.SHARD_LATENCY):
            figure.clear()  # drops shards that another process has taken
        for shard, latency in self._client.latencies:
            metrics.SHARD_UP.labels(str(shard)).set(shard not in self._services.outages.away)
            metrics.SHARD_LATENCY.labels(str(shard)).set(latency)
        now = datetime.fromtimestamp(self._services.clock.now() / SECOND, UTC)
        copy = await asyncio.to_thread(newest_copy, self._services.settings, now)
        metrics.NEWEST_COPY.set(copy.made_at.timestamp() if copy else 0)
        return web.Response(body=generate_latest(), headers={"Content-Type": CONTENT_TYPE_LATEST})

    async def _live(self, _: web.Request) -> web.Response:
        return web.json_response({"live": True})

    async def _ready(self, _: web.Request) -> web.Response:
        health = await self.health()
        return web.json_response(asdict(health), status=200 if health.is_good else 503)


async def _figures(db: ReadTransaction) -> tuple[int, Backlog]:
    """Return the number of open tables, and the pending messages."""
    return await db.tables.count_open(), await db.outbox.backlog()


async def measure_lag(observe: Callable[[float], None] = metrics.LOOP_LAG.observe) -> None:
    """Sleep repeatedly, and report by how many seconds each sleep was too long."""
    loop = asyncio.get_running_loop()
    while True:
        until = loop.time() + SLEEP_S
        await asyncio.sleep(SLEEP_S)
        observe(max(0.0, loop.time() - until))
