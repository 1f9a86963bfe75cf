"""The bot: discord.py's client with the services of this room, put together and started in order."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import discord
import structlog
from discord.ext import commands

from bot.clock import Clock
from bot.commands import sync_commands
from bot.daily.deals import Daily
from bot.deadlines import Deadlines, Handler
from bot.delivery.amending import Amender
from bot.delivery.daily_posts import DailyPosts
from bot.delivery.hand_messages import HandMessages
from bot.delivery.handlers import Handlers
from bot.delivery.outbox import Outbox
from bot.delivery.publisher import Publisher
from bot.delivery.score_messages import ScoreMessages
from bot.delivery.season_posts import SeasonPosts
from bot.delivery.table_message import TableMessage
from bot.delivery.turn_reminders import TurnReminders
from bot.forgetting import Forgetting
from bot.history import stats
from bot.history.estimates import EstimatesWorker
from bot.history.leaderboards import Boards
from bot.history.recompute import recompute_if_outdated
from bot.history.search import DealSearch
from bot.interactions.guard import Guard
from bot.interactions.lateness import Lateness
from bot.interactions.receiver import InteractionReceiver
from bot.interactions.router import Router
from bot.interactions.tree import Tree
from bot.interactions.work import Work
from bot.league import pod_tables
from bot.league.entries import Entries
from bot.league.free_seats import Offers
from bot.league.leagues import Leagues
from bot.league.meetings import Meetings
from bot.league.postponing import Postponing
from bot.league.reports import Reports
from bot.league.rounds import Rounds
from bot.league.rulings import Rulings
from bot.league.season_admin import SeasonAdmin
from bot.league.worker import LeagueWorker
from bot.outages import Outages
from bot.pictures import Pictures
from bot.rest import LONGEST_PAUSE_S, limit_calls
from bot.scorekeeping.scorekeeper import Scorekeeper
from bot.servers import Servers
from bot.settings import Settings
from bot.table.attendance import Attendance
from bot.table.clocks import Clocks
from bot.table.endings import Endings
from bot.table.fouls import Fouling
from bot.table.hosting import Hosting
from bot.table.leaving import Leaving
from bot.table.lobby import Lobby
from bot.table.pauses import Pauses
from bot.table.personal_settings import PersonalSettings
from bot.table.play import Play
from bot.table.presence import Presence
from bot.table.repository import TableRepository
from bot.table.transaction import (
    ABANDONED,
    BETWEEN,
    COMPUTER,
    DAILY,
    LOBBY,
    PAUSED,
    READY,
    TURN,
    VOTE,
    WARN,
    WINDOW,
)
from bot.words.languages import Languages
from bot.words.mentions import Mentions
from data.errors import StoreUnavailableError
from data.outbox_keys import DailyPostKey, TurnReminderKey
from data.store import Store
from render.drawing.fonts import missing_for_shaping

COGS = (
    "cogs.table.commands",
    "cogs.table.table_buttons",
    "cogs.table.hosting",
    "cogs.table.fouls",
    "cogs.table.challenge",
    "cogs.table.hand",
    "cogs.table.hand_tools",
    "cogs.server.settings",
    "cogs.table.leaving",
    "cogs.table.attendance",
    "cogs.table.ledger",
    "cogs.server.setup_commands",
    "cogs.history.verify",
    "cogs.history.replay",
    "cogs.history.history",
    "cogs.history.leaderboards",
    "cogs.server.privacy",
    "cogs.league.commands",
    "cogs.league.rulings",
    "cogs.scorekeeping.score",
    "cogs.learning.practice",
    "cogs.table.daily",
    "cogs.history.exports",
    "cogs.history.fair_play",
    "cogs.learning.help",
    "cogs.server.channels",
)
HEARTBEAT_S = 5
REST_S = 5.0
CLEAN_S = 3600
CLOSING_S = 10.0

log = structlog.get_logger(__name__)


class TipluBot(commands.AutoShardedBot):
    """Everything that runs, on one event loop."""

    def __init__(self, settings: Settings, store: Store, clock: Clock) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            tree_cls=Tree,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_ratelimit_timeout=LONGEST_PAUSE_S,
            guild_ready_timeout=settings.guild_ready_timeout_s,
            help_command=None,
        )
        limit_calls(self.http)
        self.settings = settings
        self.store = store
        self.clock = clock
        self.tables = TableRepository(store, clock)
        stats.follow(self.tables.hooks)
        pod_tables.follow(self.tables.hooks)
        self.lobby = Lobby(store, self.tables, settings)
        self.servers = Servers(store, clock)
        self.boards = Boards(store, clock)
        self.estimates_worker = EstimatesWorker(store, clock)
        self.deal_search = DealSearch(store, clock)
        self.hosting = Hosting(self.tables, self.lobby)
        self.fouling = Fouling(self.tables)
        self.play = Play(self.tables, settings)
        self.daily = Daily(store, self.tables, self.play)
        clocks = Clocks(settings)
        self.endings = Endings(self.tables, self.play)
        self.presence = Presence(store, self.tables, clocks, self.play, self.endings)
        self.leaving = Leaving(self.tables, self.lobby, clocks, self.endings)
        self.changing = Attendance(self.tables, self.play, clocks)
        self.pauses = Pauses(store, self.tables, clocks, self.endings)
        self.personal = PersonalSettings(store, self.tables)
        self.pictures = Pictures()
        self.mentions = Mentions()
        self.publisher = Publisher(self, self.tables, self.pictures, settings)
        self.languages = Languages(store)
        self.router = Router()
        self.work = Work()
        guard = Guard(self.languages, self.work, self.give_up)
        self._receiver = InteractionReceiver(self, self.router, guard, Lateness(self._is_replayed))
        self.outages = Outages(store, clock)
        days = DailyPosts(self, store, self.daily)
        handlers = Handlers()
        TableMessage(self, store, self.tables, self.publisher, self.pauses).register(handlers)
        HandMessages(self, store, self.tables, self.publisher).register(handlers)
        handlers.on(TurnReminderKey, TurnReminders(self, store, self.tables).publish)
        handlers.on(DailyPostKey, days.publish)
        posts = SeasonPosts(self, store, clock)
        posts.register(handlers)
        self.outbox = Outbox(store, clock, handlers, settings.table_edit_gap_ms)
        self.deadlines = Deadlines(store, clock, self._on_deadlines(), hold=lambda: self.outages.is_on)
        self.leagues = Leagues(store, self.tables)
        self.entries = Entries(self.leagues)
        self.meetings = Meetings(self.leagues)
        self.offers = Offers(self.leagues)
        self.reports = Reports(self.leagues)
        self.season_admin = SeasonAdmin(self.leagues)
        self.rulings = Rulings(self.leagues)
        self.outages.on_loss(Postponing(self.leagues).put_off)
        self.rounds = Rounds(self.leagues, self.lobby, self.endings)
        scores = ScoreMessages(store, Scorekeeper(store, clock), self.pictures)
        self.amender = Amender(
            self,
            store,
            clock,
            {
                "table": self.publisher.table_now,
                "season": posts.post_now,
                "day": days.board_now,
                "score": scores.evening_now,
            },
        )
        self.forgetting = Forgetting(store, self.tables, self.leaving, self.entries, self.pictures)
        self.tables.on_commit(self.amender.wake, moves=False)
        self.league_worker = LeagueWorker(
            store, clock, self.rounds, self.outbox.wake, hold=lambda: self.outages.is_on
        )
        self.tables.on_commit(self.league_worker.wake, moves=False)
        self.tables.on_commit(self.outbox.wake)
        self.tables.on_commit(self.deadlines.wake)
        self.worker_failed = False
        self._tasks: list[asyncio.Task[None]] = []
        self._closing: asyncio.Task[None] | None = None

    def _on_deadlines(self) -> dict[str, Handler]:
        """Who acts when what a table waits for has come."""
        return {
            LOBBY: self.lobby.expire,
            BETWEEN: self.lobby.expire,
            READY: self.play.all_ready,
            WINDOW: self.play.close_window,
            COMPUTER: self.play.computer_turn,
            WARN: self.presence.warn,
            TURN: self.presence.time_out,
            VOTE: self.endings.expire,
            ABANDONED: self.endings.abandoned,
            PAUSED: self.pauses.expire,
            DAILY: self.daily.close,
        }

    async def setup_hook(self) -> None:
        """Before connecting: commands known, clocks credited for the time the bot was away."""
        for cog in COGS:
            await self.load_extension(cog)
        await self.outages.credit_absence()
        if missing := missing_for_shaping():
            log.warning("pictures.text_not_shaped", install=missing)
        if (done := await recompute_if_outdated(self.store)) is not None:
            log.info("stats.recomputed", deals=done.deals, differing=done.differing)
        async with self.store.write() as db:
            await db.key_values.alive(self.clock.now())
        self.mentions.learn(await sync_commands(self, self.store))
        for name, work in (
            ("outbox", self.outbox.run),
            ("deadlines", self.deadlines.run),
            ("leagues", self.league_worker.run),
            ("heartbeat", self._heartbeat),
            ("cleaner", self._clean),
            ("amender", self.amender.run),
            ("estimates_worker", self.estimates_worker.run),
        ):
            task = asyncio.create_task(self._keep(name, work), name=name)
            task.add_done_callback(self._task_ended)
            self._tasks.append(task)

    async def _keep(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Let a worker run for ever. A store that refuses for a while, such as on a full disk, only makes it rest."""
        while True:
            try:
                await work()
            except StoreUnavailableError:
                log.exception("worker.store_unavailable", worker=name)
                await asyncio.sleep(REST_S)

    async def _heartbeat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            if moved := self.clock.follow():
                log.warning("clock.jumped", by_ms=moved)
                await self.outages.clock_moved(moved)
                self.deadlines.wake()
            async with self.store.write() as db:
                await db.key_values.alive(self.clock.now())
            await self.store.mark()

    async def _clean(self) -> None:
        """Remove what was kept for a while only, now and every hour."""
        while True:
            async with self.store.write() as db:
                await db.forget_old(self.clock.now())
            await self.store.empty_log()
            await asyncio.sleep(CLEAN_S)

    def _task_ended(self, task: asyncio.Task[None]) -> None:
        """A worker never ends by itself: when one does, the bot stops, so that whoever runs it starts it again."""
        if task.cancelled():
            return
        log.critical("worker.ended", worker=task.get_name(), exc_info=task.exception())
        self.give_up()

    def give_up(self) -> None:
        """Close, and let the exit code say that something is wrong."""
        self.worker_failed = True
        self.stop()

    def stop(self) -> None:
        """Begin to close; the loop keeps the task until it is done."""
        self._closing = asyncio.create_task(self.close(), name="close")

    async def on_ready(self) -> None:
        """Connected. Open tables are brought up to date: nothing that happened meanwhile was lost."""
        with self.work.under_way():
            tables = await self.tables.catch_up()
        log.info("bot.ready", guilds=len(self.guilds), open_tables=tables)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Nobody can press anything: clocks stand."""
        self.outages.began(shard_id)

    async def on_shard_ready(self, shard_id: int) -> None:
        """Connected anew: clocks run again."""
        await self._connected(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Connected again: clocks run again."""
        await self._connected(shard_id)

    async def _connected(self, shard_id: int) -> None:
        await self.outages.ended(shard_id)
        self.deadlines.wake()

    def _is_replayed(self, interaction: discord.Interaction[Any]) -> bool:
        """Whether it came before its shard was connected again: until then the gateway repeats what was missed."""
        guild_id = interaction.guild_id or 0  # what happens outside of servers comes by shard 0
        return self.outages.concerns((guild_id >> 22) % (self.shard_count or 1))

    async def close(self) -> None:
        """Stop the workers, finish what is being answered, leave Discord.

        What was not published stays in the outbox.
        """
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.work.finished(CLOSING_S)
        await super().close()
        await self.work.finished(CLOSING_S)  # what was pressed while the connection was closing
