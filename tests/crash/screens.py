"""What must hold for Discord once the bot rests: each message is up to date, and none is duplicated."""

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import discord

from bot.clock import Clock
from bot.delivery.publisher import Publisher
from bot.league.season import view_season
from bot.panels.league.posts import post_panel
from bot.pictures import Pictures
from bot.settings import Settings
from bot.table.core.repository import TableRepository
from bot.table.core.snapshot import Snapshot
from bot.table.core.table import asked_seats
from bot.ui.panel import AttachedFiles, Panel
from bot.words.texts import texts
from bot.workpool.pool import WorkPool
from data.season_posts import parse_channel_post
from data.store import Store
from playground.messages import walk
from playground.model import Message
from playground.recorder import RecordedRequest
from playground.world import World
from render.words import speaking
from tests.crash.files import OF_A_TABLE
from tests.games import Games, Rows

TABLES = "SELECT id FROM game_table WHERE status != 'closed' AND channel_id != 0"
POSTS = "SELECT key, message_id FROM season_post WHERE player IS NULL AND key NOT LIKE 'event:%'"
KNOWN = """
    SELECT message_id FROM game_table UNION SELECT sign_id FROM game_table UNION SELECT mention_id FROM game_table
    UNION SELECT message_id FROM season_post UNION SELECT message_id FROM public_message
"""
"""The day's board comes at midnight, which only some days pass."""
CLOSED = "SELECT name FROM outbox WHERE kind = 'close'"
"""Their names end with the message's id."""
DEALT = """
    SELECT person_id, count(*) FROM (
        SELECT person_id, table_id, deal_no FROM result
        UNION SELECT person_id, table_id, deal_no FROM seat JOIN game_table ON id = table_id WHERE status = 'playing'
    ) AS dealt JOIN game_table ON id = table_id WHERE person_id IS NOT NULL AND channel_id != 0 GROUP BY person_id
"""
REMINDED = (
    "SELECT person_id, count(*) FROM season_post JOIN league_player ON number = player GROUP BY person_id"
)
MOST_EDITS = 8

_REVISION = re.compile(r"(?<=mr1:)([a-z-]+:\d+):\d+")
_LINK = re.compile(r"https://discord.com/[\d/channels]+")


@dataclass
class Screens:
    """Compares what is shown with what should be shown now."""

    world: World
    games: Games
    clock: Clock
    entries: Collection[RecordedRequest] = ()
    """The requests sent to Discord."""
    pictures: Pictures = field(default_factory=lambda: Pictures(WorkPool()))
    compared: int = 0

    async def broken(self) -> list[str]:
        """Return what is wrong with the messages, while the bot runs and has nothing to do."""
        async with self.games.seen() as seen:
            return [
                *await self._of_tables(seen.store, await seen.rows(TABLES)),
                *await self._of_season(seen.store, await seen.rows(POSTS)),
                *await self._of_channels(seen.rows),
                *await self._of_dms(seen.rows),
            ]

    async def _of_tables(self, store: Store, numbers: list[tuple]) -> list[str]:
        tables, found = TableRepository(store, self.clock), []
        settings = Settings(_env_file=None, discord_token="none")
        client = discord.Client(intents=discord.Intents.none())
        publisher = Publisher(client, store, tables, self.pictures, AttachedFiles(store), settings)
        for (number,) in numbers:
            snapshot = await tables.snapshot(number)
            shown = await publisher.table_panel(snapshot)
            found += self._compare(
                f"table {number} at {snapshot.table.revision}", snapshot.table.message_id, shown
            )
            table = await tables.get(number)
            asked = asked_seats(table.row, table.state)
            for seat in asked:
                found += await self._of_hand(publisher, snapshot, seat)
        return found

    async def _of_hand(self, publisher: Publisher, snapshot: Snapshot, seat: int) -> list[str]:
        row = snapshot.seats[seat]
        if row.person_id is None or row.left or seat in snapshot.dms_closed:
            return []
        with speaking(snapshot.language_of(seat)):
            shown = await publisher.hand_panel(snapshot, seat)
        parts = shown.view.to_components(), self._components(row.dm_message_id)
        if not OF_A_TABLE.search(repr(parts)):
            return []  # it asks for nothing, as without a tunnela while others may expose theirs
        return self._compare(
            f"the hand of seat {seat} of table {snapshot.table.id} at {snapshot.table.revision}",
            row.dm_message_id,
            shown,
        )

    async def _of_season(self, store: Store, posts: list[tuple]) -> list[str]:
        found: list[str] = []
        if not posts:
            return found
        view = await store.read(view_season, 1, self.clock.now())
        for key, message_id in posts:
            with speaking("en"):
                shown = post_panel(view, parse_channel_post(key), texts())
            found += self._compare(f"the message {key} of the season", message_id, shown)
        return found

    def _compare(self, what: str, message_id: int | None, shown: Panel) -> list[str]:
        self.compared += 1
        try:
            message = self.world.message(message_id or 0)
        except LookupError:
            return [f"{what} is not shown"]
        is_, should = essence(message.components), essence(shown.view.to_components())
        is_ += [attachment.description for attachment in message.attachments]
        should += [file.description for file in shown.files]
        differing = [pair for pair in zip(is_, should, strict=False) if pair[0] != pair[1]]
        return [f"{what} shows {differing[:2]} after {self._edits_of(message)}"] if is_ != should else []

    def _components(self, message_id: int | None) -> list[dict[str, Any]]:
        """Return what a message shows; nothing if there is no such message."""
        try:
            return self.world.message(message_id or 0).components
        except LookupError:
            return []

    def _edits_of(self, message: Message) -> list[str]:
        """Return the latest edits of a message, the newest last; only they show how it became stale."""
        found = [
            f"{entry.n} {entry.method} {entry.path.partition('/v10')[2][:60]} {entry.status} in {entry.ms:.0f} ms: "
            f"{sorted(set(OF_A_TABLE.findall(repr(entry.request))))}"
            for entry in self.entries
            if entry.method != "GET"
            and (str(message.id) in entry.path or f"'{message.id}'" in repr(entry.response))
        ]
        return found[-MOST_EDITS:]

    async def _of_channels(self, rows: Rows) -> list[str]:
        """Return the bot's messages in channels that it does not know."""
        known = {number for (number,) in await rows(KNOWN)}
        known |= {int(name.rpartition(":")[2]) for (name,) in await rows(CLOSED)}
        strange = [
            message
            for channel in self.world.channels.values()
            if not channel.is_dm
            for message in channel.messages.values()
            if message.author is self.world.bot and message.only_for is None and message.id not in known
        ]
        return [
            f"{message.channel.name} has a message that nobody knows: {essence(message.components)[:3]}"
            for message in strange
            if message.interaction is None or _opened_a_table(message)
        ]

    async def _of_dms(self, rows: Rows) -> list[str]:
        """Return excess direct messages: a deal is one message to each player, and so is a reminder."""
        most = Counter(dict(await rows(DEALT))) + Counter(dict(await rows(REMINDED)))
        found = []
        for channel in self.world.channels.values():
            if channel.is_dm:
                person = channel.recipients[0]
                sent = [message for message in channel.messages.values() if message.only_for is None]
                if len(sent) > most[person.id]:
                    found.append(
                        f"{person.name} has {len(sent)} direct messages instead of {most[person.id]}"
                    )
                live = Counter(
                    number
                    for message in sent
                    for number in {table for table, _ in OF_A_TABLE.findall(repr(message.components))}
                )
                found += [
                    f"{person.name} has {count} live hands of table {number}"
                    for number, count in live.items()
                    if count > 1
                ]
        return found


def _opened_a_table(message: Message) -> bool:
    return OF_A_TABLE.search(repr(message.components)) is not None


def essence(components: list[dict[str, Any]]) -> list[object]:
    """Return what people see of a message, without picture addresses, revisions and links.

    A change that shows nothing, such as a reminder, does not make a button old. A table may have moved, and
    each of its old places leads on.
    """
    found: list[object] = []
    for component in walk(components):
        words = _LINK.sub("", component.get("content") or "")
        press = _REVISION.sub(r"\1", component.get("custom_id") or "")
        found.append(
            (component["type"], words, component.get("label"), press, bool(component.get("disabled")))
        )
        found += [option["label"] for option in component.get("options") or []]
    return found
