"""The Discord client: it receives the services and connects them to Discord."""

import asyncio
import pkgutil
from functools import partial
from pathlib import Path
from typing import Any

import discord
import structlog
from discord.ext import commands

from bot.commands import sync_commands
from bot.delivery.wiring import wire_delivery
from bot.history.recompute import recompute_if_outdated
from bot.history.season_pages import SeasonPages
from bot.interactions.fair_share import FairShare
from bot.interactions.guard import Guard
from bot.interactions.lateness import Lateness
from bot.interactions.receiver import InteractionReceiver
from bot.interactions.router import Router
from bot.interactions.tree import Tree
from bot.interactions.work import Work
from bot.rest import LONGEST_PAUSE_S, limit_calls
from bot.services import Services
from bot.upkeep import clean, collect_garbage, heartbeat, look_through_file
from bot.words.card_emojis import show_cards_by
from bot.workers import Workers
from data.errors import StoreDamagedError, StoreUnavailableError
from render.drawing.fonts import missing_for_shaping

FEATURES = Path(__file__).parents[1] / "cogs"
"""Each package in it is a feature with its own `setup`."""
CLOSING_S = 10.0

log = structlog.get_logger(__name__)


class TipluBot(commands.AutoShardedBot):
    """The client, with everything that runs beside it on one event loop."""

    def __init__(self, services: Services) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            tree_cls=Tree,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_ratelimit_timeout=LONGEST_PAUSE_S,
            guild_ready_timeout=services.settings.guild_ready_timeout_s,
            help_command=None,
        )
        limit_calls(self.http)
        self.services = services
        self.delivery = wire_delivery(self, services)
        self.router = Router()
        self.work = Work()
        self.workers = Workers(self.give_up)
        self.worker_failed = False
        guard = Guard(services.languages, self.work, self.give_up)
        lateness = Lateness(self._is_replayed)
        fair_share = FairShare(services.settings.presses_per_person_s)
        self._receiver = InteractionReceiver(self, self.router, guard, lateness, fair_share)
        self._closing: asyncio.Task[None] | None = None

    async def load_features(self) -> None:
        """Load every feature below `cogs/`."""
        for feature in pkgutil.iter_modules([str(FEATURES)]):
            await self.load_extension(f"cogs.{feature.name}")

    async def setup_hook(self) -> None:
        """Before connecting, register commands and credit clocks for the time the bot was away."""
        services, delivery = self.services, self.delivery
        show_cards_by(services.card_emojis)
        await self.load_features()
        await services.outages.credit_absence()
        if missing := missing_for_shaping():
            log.warning("pictures.text_not_shaped", install=missing)
        if (done := await recompute_if_outdated(services.store)) is not None:
            log.info("stats.recomputed", deals=done.deals, differing=done.differing)
        async with services.store.write() as db:
            await db.key_values.alive(services.clock.now())
        services.mentions.learn(await sync_commands(self, services.store))
        for name, work in (
            ("outbox", delivery.outbox.run),
            ("live_panels", delivery.live.run),
            ("deadlines", services.deadlines.run),
            ("leagues", delivery.league_worker.run),
            ("heartbeat", partial(heartbeat, services)),
            ("cleaner", partial(clean, services)),
            ("garbage", collect_garbage),
            ("soundness", partial(look_through_file, services)),
            ("amendments", delivery.amendments.run),
            ("estimates_worker", services.estimates_worker.run),
            ("puzzles", services.puzzle_miner.run),
        ):
            self.workers.start(name, work)
        if services.settings.card_emojis:
            self.workers.start("card_emojis", delivery.card_emojis.run)
        if folder := services.settings.pages_path:
            pages = SeasonPages(services.store, services.clock, services.workpool, folder)
            self.workers.start("pages", pages.run)

    def give_up(self) -> None:
        """Close with an exit code that makes the supervisor restart the bot."""
        self.worker_failed = True
        self.stop()

    def stop(self) -> None:
        """Begin to close, in a task."""
        self._closing = asyncio.create_task(self.close(), name="close")

    async def on_ready(self) -> None:
        """Once connected, update open tables: nothing that happened meanwhile was lost."""
        with self.work.under_way():
            tables = await self.services.tables.catch_up()
        log.info("bot.ready", guilds=len(self.guilds), open_tables=tables)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Nobody can press anything, so clocks stop."""
        self.services.outages.began(shard_id)

    async def on_shard_ready(self, shard_id: int) -> None:
        """Connected with a new session: clocks run again."""
        await self._connected(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Session resumed: clocks run again."""
        await self._connected(shard_id)

    async def _connected(self, shard_id: int) -> None:
        await self.services.outages.ended(shard_id)
        self.services.deadlines.wake()

    def _is_replayed(self, interaction: discord.Interaction[Any]) -> bool:
        """Whether an interaction came before its shard was connected again: until then the gateway replays missed events."""
        guild_id = interaction.guild_id or 0  # direct messages come by shard 0
        return self.services.outages.concerns((guild_id >> 22) % (self.shard_count or 1))

    async def close(self) -> None:
        """Stop the workers, finish answers under way, take leave of the hands that change by themselves, and disconnect.

        Unsent messages stay in the outbox.
        """
        await self.workers.stop()
        await self.work.finished(CLOSING_S)
        await self._receiver.close(CLOSING_S)
        await self.delivery.live.say_goodbye()
        await super().close()
        await self.services.workpool.close()
        try:
            await self.services.attached.save()
        except (StoreUnavailableError, StoreDamagedError) as error:  # then pictures are sent once more
            log.warning("pictures.not_noted", why=str(error))
