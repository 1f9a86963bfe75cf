"""Wire everything that the bot sends without a press. Unlike the services, it needs the Discord client."""

import asyncio
from dataclasses import dataclass

import discord

from bot.delivery.amending import AT_ONCE, Amending
from bot.delivery.card_emojis import CardEmojiUploads
from bot.delivery.discord_calls import DirectMessages
from bot.delivery.hand_messages import HandMessages
from bot.delivery.live_panels import LivePanels
from bot.delivery.outbox import Handlers, Outbox
from bot.delivery.private_panels import PrivatePanels
from bot.delivery.publisher import Publisher
from bot.delivery.score_messages import ScoreMessages
from bot.delivery.season_posts import SeasonPosts
from bot.delivery.server_posts import DailyPosts, ServerPosts
from bot.delivery.table_message import TableMessage
from bot.delivery.turn_mentions import TurnMentions
from bot.services import Services
from data.ids import MessageId
from data.outbox_keys import (
    DailyAmendmentKey,
    DailyPostKey,
    DailyReminderKey,
    HandAmendmentKey,
    SeasonAmendmentKey,
    TableAmendmentKey,
    WeekAmendmentKey,
)
from league.ids import TableId
from league.times import SECOND


@dataclass(frozen=True, slots=True)
class Delivery:
    """The workers that publish. Commits wake them."""

    publisher: Publisher
    live: LivePanels
    private: PrivatePanels
    outbox: Outbox
    amendments: Outbox
    """Processes the rows for edits that no person waits for."""
    card_emojis: CardEmojiUploads

    async def settle(self) -> None:
        """Wait until everything being sent has arrived, except to a place that hangs."""
        await asyncio.gather(self.outbox.settle(), self.amendments.settle())

    def leave(self, table_id: TableId, message_id: MessageId) -> None:
        """Let go of this table message: another process answers a press on it and edits it from now on."""
        self.live.leave(table_id, message_id)
        self.private.forget(message_id)


def wire_delivery(client: discord.Client, services: Services) -> Delivery:
    """Wire the delivery of committed changes over this client."""
    store, tables, clock = services.store, services.tables, services.clock
    settings = services.settings
    publisher = Publisher(
        client, store, tables, services.pictures, services.attached, settings, services.shards
    )
    direct = DirectMessages(client, store)
    days = DailyPosts(client, store, services.daily, services.reminders, direct)
    handlers = Handlers()
    TableMessage(client, tables, publisher, services.pauses).register(handlers)
    live = LivePanels(tables, publisher, settings.watching_edit_ms, settings.mid_turn_edit_s * SECOND)
    tables.hooks.played_in = live.played_in
    tables.hooks.follows = live.follows
    private = PrivatePanels(tables, publisher.tracker)
    hands = HandMessages(client, store, tables, publisher, live, direct)
    hands.register(handlers)
    TurnMentions(client, tables, publisher.tracker.posting, direct).register(handlers)
    handlers.on(DailyPostKey, days.publish).on(DailyReminderKey, days.remind)
    posts = SeasonPosts(client, store, clock, publisher.tracker.posting, direct, settings.pages_url)
    posts.register(handlers)
    server_posts = ServerPosts(client, store, clock, services.boards, services.servers, services.mentions)
    server_posts.register(handlers)
    shards, own = services.shards, lambda: services.outages.joined
    outbox = Outbox(store, clock, handlers, settings.table_edit_gap_ms, own=own)
    scores = ScoreMessages(store, services.scores, services.pictures, services.languages, clock)
    amending = Amending(client).on(TableAmendmentKey, publisher.draw).on(SeasonAmendmentKey, posts.draw)
    amending.on(DailyAmendmentKey, days.draw).on(WeekAmendmentKey, server_posts.draw_week)
    amending.on(HandAmendmentKey, hands.draw)
    scores.register(amending)
    amendments = Outbox(store, clock, amending.handlers, gap_ms=0, at_once=AT_ONCE, own=own)
    for worker in (outbox, amendments):
        shards.on_change(lambda _, __, wake=worker.wake: wake())
        services.outages.on_end(worker.wake)
    if shards.are_shared_out:
        shards.on_change(lambda _, __: publisher.tracker.forget_all())
        shards.on_change(lambda _, __: services.attached.forget_known())
    tables.on_commit(amendments.wake, moves=False)
    tables.on_commit(outbox.wake)
    tables.on_change(live.changed)
    tables.on_change(private.changed)
    card_emojis = CardEmojiUploads(client, services.card_emojis)
    return Delivery(publisher, live, private, outbox, amendments, card_emojis)
