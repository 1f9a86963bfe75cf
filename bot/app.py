"""The Discord client: it receives the services and connects them to Discord."""

import asyncio
import pkgutil
import time
from functools import partial
from pathlib import Path
from typing import Any

import aiohttp
import discord
import structlog
from discord.ext import commands

from bot.clock import ServerClock
from bot.cluster.connections import Connections, forget_unlisted
from bot.cluster.identifying import IdentifyTurns, until_starts_are_left
from bot.cluster.leases import Leases
from bot.commands import sync_commands
from bot.delivery.wiring import wire_delivery
from bot.forgetting import AGAIN_S
from bot.history.season_pages import SeasonPages
from bot.history.stats import recompute_if_outdated
from bot.interactions.receiver import InteractionReceiver, Lateness, RateLimiter, Router, Tree
from bot.interactions.relay import PressRelay
from bot.interactions.reply import ErrorBoundary, InFlightCounter
from bot.metrics import traced
from bot.monitoring import supervisor
from bot.monitoring.server import Monitoring, measure_lag
from bot.operations.copying import keep_copies
from bot.rest import LONGEST_PAUSE_S, Budget, limit_calls
from bot.services import Services
from bot.settings import Settings
from bot.upkeep import Workers, clean, collect_garbage, heartbeat, look_through_file, take_named
from bot.words.texts import show_cards_by
from data.errors import StoreDamagedError, StoreUnavailableError
from data.shards import Share, shard_of
from render.drawing.text import missing_for_shaping

FEATURES = Path(__file__).parents[1] / "cogs"
"""Each package in this directory is a feature with its own `setup`."""
CLOSING_S = 10.0
LOOK_S = 1.0
"""The interval, in seconds, at which closed connections are noticed."""

log = structlog.get_logger(__name__)


def _own_shards(settings: Settings) -> dict[str, Any]:
    """Return the shards that the client connects at its start.

    If none are configured, Discord recommends a number and the client connects them all, or processes share
    them.
    """
    if settings.shard_ids is None:
        return {}
    return {"shard_ids": sorted(settings.shard_ids), "shard_count": settings.shard_count}


class TipluBot(commands.AutoShardedBot):
    """The client, with everything that runs next to it on one event loop."""

    def __init__(self, services: Services) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            **_own_shards(services.settings),
            tree_cls=Tree,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_ratelimit_timeout=LONGEST_PAUSE_S,
            guild_ready_timeout=services.settings.guild_ready_timeout_s,
            help_command=None,
        )
        forget_unlisted(self)
        limit_calls(self.http)
        self.http.http_trace = Budget().counts(aiohttp.TraceConfig())
        if services.settings.monitoring_port is not None:
            traced(self.http.http_trace)
        self.services = services
        self.delivery = wire_delivery(self, services)
        self.router = Router()
        self.monitoring = Monitoring(self, services)
        self.in_flight = InFlightCounter()
        self.workers = Workers(self.give_up)
        self.worker_failed = False
        self.is_cut_off = False
        """Whether the bot ended because Discord's gateway did not come back."""
        error_boundary = ErrorBoundary(services.languages, self.in_flight, self.give_up)
        lateness = Lateness(self._is_replayed, time.monotonic)
        rate_limiter = RateLimiter(services.settings.presses_per_person_s, time.monotonic)
        self._receiver = InteractionReceiver(self, self.router, error_boundary, lateness, rate_limiter)
        shards, outages, line = services.shards, services.outages, services.store.press_line
        self._relay: PressRelay | None = None
        self._relaying = Workers(self.give_up)
        if line is not None:
            self._relay = PressRelay(
                line,
                services.store,
                shards,
                self.router.is_of_table,
                lambda: outages.concerns(0),
                self._receiver.answer,
                self.delivery.leave,
            )
            self._receiver.passes_on = self._relay.passes_on
        self._closing: asyncio.Task[None] | None = None
        self._turns = IdentifyTurns(shards)
        self._beginning: set[int] = set()
        """The shards that wait until they may begin a session."""
        self._leases: Leases | None = None
        if shards.are_shared_out and services.settings.shard_ids is None:
            connections = Connections(self)
            self._leases = Leases(
                services.store,
                shards,
                connections,
                lambda: outages.served,
                self._regained,
                outages.left,
                self.delivery.settle,
            )

    async def load_features(self) -> None:
        """Load every feature below `cogs/`."""
        for feature in pkgutil.iter_modules([str(FEATURES)]):
            await self.load_extension(f"cogs.{feature.name}")

    async def setup_hook(self) -> None:
        """Before connecting, register commands and take shards, whose clocks stand still until they are connected."""
        services, delivery = self.services, self.delivery
        show_cards_by(services.card_emojis)
        await self.load_features()
        if missing := missing_for_shaping():
            log.warning("pictures.text_not_shaped", install=missing)
        services.mentions.learn(await sync_commands(self, services.store))
        if self._relay is not None:
            self._relaying.start("pass_on", self._relay.pass_on)
            self._relaying.start("take", self._relay.take)
        await self.services.forgetting.try_again()
        await self._take_shards()  # late, because no one serves the shards until this process is connected
        if services.shards.owns(None):
            await self._recompute()
        services.scheduler.repeat("cleaner", partial(clean, services))
        services.scheduler.repeat("forgetting", services.forgetting.keep_up, first_after_s=AGAIN_S)
        for name, work in (
            ("outbox", delivery.outbox.run),
            ("live_panels", delivery.live.run),
            ("private_panels", delivery.private.run),
            ("scheduler", services.scheduler.run),
            ("heartbeat", partial(heartbeat, services)),
            ("garbage", collect_garbage),
            ("sprites", services.pictures.draw_ahead),
            ("backups", partial(keep_copies, services)),
            ("integrity", partial(look_through_file, services)),
            ("amendments", delivery.amendments.run),
        ):
            self.workers.start(name, work)
        self.workers.start("connection", self._give_up_cut_off)
        self.workers.start("closed_shards", self._notice_closed)
        if isinstance(services.clock, ServerClock):
            self.workers.start("clock", services.clock.run)
        if services.settings.monitoring_port is not None:
            self.workers.start("monitoring", self.monitoring.run)
            self.workers.start("lag", measure_lag)
        if (within_s := supervisor.watchdog_s()) is not None:
            self.workers.start("watchdog", partial(supervisor.keep_alive, within_s))
        if services.settings.card_emojis:
            self.workers.start("card_emojis", delivery.card_emojis.run)
        if folder := services.settings.pages_path:
            pages = SeasonPages(services.store, services.clock, services.workpool, folder, services.shards)
            services.scheduler.repeat("pages", pages.keep_up)

    async def _take_shards(self) -> None:
        """Take the configured shards, or this process's part of all shards.

        The clocks of a shard are credited once it is connected.
        """
        if self.services.shards.are_shared_out:
            limits = await self.fetch_session_start_limits()
            self._turns.max_concurrency = limits.max_concurrency
        if self._leases is not None:
            await self._leases.take_part()
        else:
            await take_named(self.services)
        self.services.outages.await_connections()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until a session may begin. Several processes take turns."""
        shard = shard_id or 0
        self._beginning.add(shard)
        try:
            await until_starts_are_left(self.fetch_session_start_limits)
        finally:
            self._beginning.discard(shard)
        if self.services.shards.are_shared_out:
            await self._turns.take(shard)
        else:
            await super().before_identify_hook(shard_id, initial=initial)

    async def launch_shards(self) -> None:
        """Connect the shards of this process. The set may change later."""
        if self._leases is None:
            await super().launch_shards()
        else:
            self._leases.begin()
            self.workers.start("shards", self._leases.run)

    async def _recompute(self) -> None:
        """Recompute the ratings if an earlier version computed them differently."""
        if (done := await recompute_if_outdated(self.services.store)) is not None:
            log.info("stats.recomputed", deals=done.deals, differing=done.differing)

    def give_up(self) -> None:
        """Close with an exit code that makes the supervisor restart the bot."""
        self.worker_failed = True
        self.stop()

    async def _give_up_cut_off(self) -> None:
        """End the bot if it, or one of its shards, has been unreachable for too long.

        A process without shards keeps waiting for some.
        """
        shards, outages = self.services.shards, self.services.outages

        def away() -> frozenset[int]:
            has_begun = self.is_ready() or self._leases is not None
            lost = outages.away if has_begun else shards.held
            # A shard that may not begin a session yet would wait in a new process too, and the others with it.
            return lost if lost == shards.held else lost - self._beginning

        await supervisor.until_given_up(away)
        log.error("gateway.given_up")
        self.is_cut_off = True
        self.stop()
        await asyncio.Event().wait()  # until it is cancelled with the other workers

    async def _notice_closed(self) -> None:
        """Stop the clocks of every shard whose connection is closed.

        The library reconnects one shard after another. It does not report that a shard is disconnected before its turn comes, and
        a shard that does not get through keeps the others waiting.
        """
        while True:
            for shard_id, shard in self.shards.items():
                if shard.is_closed():
                    await self.on_shard_disconnect(shard_id)
            await asyncio.sleep(LOOK_S)

    def stop(self) -> None:
        """Start closing, in a task."""
        self._closing = asyncio.create_task(self.close(), name="close")

    async def serve(self, token: str) -> None:
        """Start, and return once everything is closed.

        If the bot is asked to stop while it starts, exceptions come from the closed connections and are only
        logged.
        """
        try:
            await self.start(token)
        except Exception as error:
            if self._closing is None:
                raise
            log.info("bot.start_broken_off", why=repr(error))
        if self._closing is not None:
            await self._closing

    async def on_ready(self) -> None:
        """Update the open tables once connected. Nothing that happened meanwhile was lost."""
        supervisor.tell(supervisor.READY)  # even if the store refuses the rest for now
        with self.in_flight.under_way():
            tables = await self.services.tables.catch_up(self.services.shards.share)
        log.info("bot.ready", guilds=len(self.guilds), open_tables=tables)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Stop the clocks, because no one can press anything."""
        self.services.shards.are(self.shard_count or 1)
        self.services.outages.began(shard_id)

    async def on_shard_connect(self, shard_id: int) -> None:
        """Restart the clocks after connecting with a new session.

        People can press from now on, and Discord may take seconds to list the servers. The next turn after a move
        must not be credited with time from before it.
        """
        with self.in_flight.under_way():
            await self._connected(shard_id)

    async def on_shard_ready(self, shard_id: int) -> None:
        """Wake what waits for the servers, which are known now.

        Tables of a shard that was taken over can be shown now.
        """
        self.services.outages.told(shard_id)
        with self.in_flight.under_way():
            await self._connected(shard_id)
            if self.services.shards.are_shared_out and self.is_ready():
                await self.services.tables.catch_up(Share(self.services.shards.count, frozenset({shard_id})))

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Restart the clocks after a session was resumed.

        If another process began it, its servers are not known yet.
        """
        with self.in_flight.under_way():
            await self._connected(shard_id)

    async def _regained(self, shard_id: int) -> None:
        """Restart the clocks of a shard that this process has again, unless its connection to Discord is lost, too."""
        if self.services.outages.reaches(shard_id):
            await self._connected(shard_id)

    async def _connected(self, shard_id: int) -> None:
        self.services.shards.are(self.shard_count or 1)
        try:
            await self.services.outages.ended(shard_id)
            await self.services.outages.note_alive()
        except StoreUnavailableError as error:  # the heartbeat tries again, and the clocks wait for it
            log.warning("outage.not_credited", shard=shard_id, why=str(error))
        for worker in (self.services.scheduler, self.delivery.outbox, self.delivery.amendments):
            worker.wake()

    def _is_replayed(self, interaction: discord.Interaction[Any]) -> bool:
        """Return whether an interaction came before its shard reconnected.

        Until then the gateway replays missed events.
        """
        return self.services.outages.concerns(shard_of(interaction.guild_id, self.shard_count or 1))

    async def close(self) -> None:
        """Stop the workers, finish answers under way, stop the live hands, and disconnect.

        A step that fails keeps no later one from being done: the bot must disconnect. Unsent messages stay in
        the outbox.
        """
        supervisor.tell(supervisor.STOPPING)
        for step in (
            self._keep_presses,
            self.workers.stop,
            self._leave_shards,
            self._relaying.stop,
            self._turns.close,
            partial(self.in_flight.finished, CLOSING_S),
            partial(self._receiver.close, CLOSING_S),
            self.delivery.live.add_reopen_buttons,
            super().close,
            self.services.workpool.close,
            self._note_attached,
        ):
            try:
                await step()
            except Exception:
                log.exception("bot.closing_failed")

    async def _keep_presses(self) -> None:
        """Answer the waiting presses here, and pass on no more."""
        await self._relaying.stop("pass_on")
        if self._relay is not None:
            await self._relay.keep_all()

    async def _leave_shards(self) -> None:
        if self._leases is not None:
            await self._leases.leave()

    async def _note_attached(self) -> None:
        try:
            await self.services.attached.save()
        except (StoreUnavailableError, StoreDamagedError) as error:  # then pictures are sent again
            log.warning("pictures.not_noted", why=str(error))
