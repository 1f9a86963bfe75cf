"""The people at the tables, and what each of them has before them to press."""

import asyncio
from dataclasses import dataclass, field

from data.preferences import Level
from data.shards import shard_of
from playground.model import Channel, Guild, Message, User, WorldChange
from playground.server import Playground
from tests.load import panels
from tests.load.judging import anything
from tests.load.panels import Choice, Offer, offers
from tests.load.presses import Aim, Press, Presses
from tests.waiting import until

SHAPES = ((2, 0), (2, 1), (3, 1), (3, 2), (4, 0), (1, 1), (2, 3), (5, 0))
"""The numbers of people and computers at each table in turn."""
AGAINST_MASTERS = ((1, 3), (2, 2), (1, 2), (3, 1))
"""The same if every table has computers of the highest level."""
GATHERING = {"join", "next"}
"""Buttons of a table before and between deals."""
AT_ONCE = 6
"""The number of tables opened at the same time."""
OPENING = Aim("open", anything)


@dataclass(eq=False)
class Player:
    """A person at a table, and their messages that can be pressed."""

    user: User
    table: "Table"
    is_at_table: bool = False
    """Whether they play from a hand that they open at the table."""
    hand: Message | None = None
    """The hand in the direct messages."""
    panel: Message | None = None
    """The private panel opened last, while it shows the hand as it is."""
    under_way: int = 0
    """The number of presses that wait for an answer."""
    answered_at: float = 0.0
    moving: bool = False
    asked: bool = False
    """Whether the hand asks for a move."""

    @property
    def played(self) -> Message | None:
        """The hand that they move from."""
        return self.panel if self.is_at_table else self.hand

    def look(self) -> None:
        """Note what the hand asks for."""
        self.asked = panels.move(offers(self.played)) is not None

    def opened(self, _press: Press, message: Message | None) -> None:
        """Note that they opened their hand at the table, and dismiss what they had open before."""
        self.put_away()
        self.panel = message
        self.look()

    def put_away(self) -> None:
        """Dismiss the private panel."""
        if self.panel is not None:
            forget(self.panel)
        self.panel = None


@dataclass(eq=False)
class Table:
    """A table in a channel of its own; the first of its people is the host."""

    channel: Channel
    computers: int
    people: list[Player] = field(default_factory=list)
    message: Message | None = None
    number: int = 0
    """The number that the bot gave the table."""
    waiting: set[Player] = field(default_factory=set)
    """The players who have not asked for the next deal yet, between two deals."""
    dealt: asyncio.Event = field(default_factory=asyncio.Event)
    offered: dict[str, Offer] = field(default_factory=dict)

    def elsewhere(self) -> Message | None:
        """Return the newest message in the channel that is the table's own."""
        shown = [message for message in self.channel.messages.values() if message.only_for is None]
        return next(filter(_is_table, reversed(shown)), None)

    def look(self) -> None:
        """Note what the table's message offers."""
        before, self.offered = self.offered, offers(self.message)
        if "next" not in self.offered:
            self.waiting.clear()
        elif "next" not in before:
            self.waiting = set(self.people)
        self.number = next((offer.table for offer in self.offered.values()), self.number)
        if self.message is not None and self.message.attachments:
            self.dealt.set()


class Tables:
    """All tables, opened by their people. It keeps what everyone sees up to date."""

    def __init__(
        self,
        discord: Playground,
        presses: Presses,
        count: int,
        at_table: int = 0,
        *,
        masters: bool = False,
    ) -> None:
        """`at_table` is the percentage of people who play from a hand opened at the table.

        With `masters`, every table has computers, all of the highest level.
        """
        self.shapes = AGAINST_MASTERS if masters else SHAPES
        self._level = Level.MASTER if masters else Level.STEADY
        self._world = discord.world
        self._at_table = at_table
        self._presses = presses
        self.all: list[Table] = []
        self.players: list[Player] = []
        self._by_channel: dict[Channel, Table] = {}
        self._by_dm: dict[Channel, Player] = {}
        self._by_user: dict[User, Player] = {}
        guilds = _spread(discord)
        for number in range(count):
            place = number + number // len(self.shapes)  # so that no shard has only tables of one shape
            self._add(number, guilds[place % len(guilds)], *self.shapes[number % len(self.shapes)])
        self._world.subscribe(self._hear)

    def _add(self, number: int, guild: Guild, people: int, computers: int) -> None:
        table = Table(self._world.add_channel(f"table-{number}", guild=guild), computers)
        for place in range(people):
            seated = len(self.players) + place
            is_at_table = (seated + 1) * self._at_table // 100 > seated * self._at_table // 100
            player = Player(self._world.welcome(f"player{number}x{place}"), table, is_at_table)
            table.people.append(player)
            self._by_user[player.user] = player
            self._by_dm[self._world.dm_channel(player.user)] = player
        self.all.append(table)
        self.players += table.people
        self._by_channel[table.channel] = table

    # What everybody sees --------------------------------------------------------------------------

    def _hear(self, change: WorldChange) -> None:
        if change.kind not in {"message_create", "message_update"}:
            return
        if change.subject.only_for is None:
            self._shown(change.subject)
        elif (player := self._by_user.get(change.subject.only_for)) and change.subject is player.panel:
            player.look()

    def _shown(self, message: Message) -> None:
        """Note a shown message. It may show a table or a hand at once, or only after an edit."""
        if player := self._by_dm.get(message.channel):
            if message.attachments:
                player.hand = _newer(player.hand, message)
            player.look()
        elif table := self._by_channel.get(message.channel):
            if _is_table(message):
                table.message = _newer(table.message, message)
            elif message is table.message:  # two were sent at once, and this one leads to the other now
                table.message = table.elsewhere() or message
            table.look()

    # Opening --------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Open all tables and let their first deals begin, several at a time."""
        places = asyncio.Semaphore(AT_ONCE)

        async def opened(table: Table) -> None:
            async with places:
                await self._open(table)

        await opened(self.all[0])  # so that the bot counts it as its first
        await asyncio.gather(*(opened(table) for table in self.all[1:]))

    async def _open(self, table: Table) -> None:
        host, *others = table.people
        await _right(self._presses.command(OPENING, host.user, table.channel, "marriage play"))
        for other in others:
            await self._press(table, other, "join")
        if table.computers:
            await self._add_computers(table, host)
        await self._press(table, host, "start")
        await asyncio.wait_for(table.dealt.wait(), 60)
        for player in table.people:
            if player.is_at_table:
                assert table.message is not None
                aim, hand = Aim("open", anything, player.opened), Choice(table.offered["hand"])
                await _right(self._presses.press(aim, player.user, table.message, hand))

    async def _press(self, table: Table, player: Player, verb: str, aim: Aim = OPENING) -> None:
        """Press a button of the table's message, once it is there."""
        await until(lambda: verb in table.offered, 60)
        assert table.message is not None
        await _right(self._presses.press(aim, player.user, table.message, Choice(table.offered[verb])))

    async def _add_computers(self, table: Table, host: Player) -> None:
        """Add the computers, from the panel behind **More** that only the host sees."""
        more: list[Message] = []

        def opened(_: Press, shown: Message | None) -> None:
            assert shown is not None
            more.append(shown)

        await self._press(table, host, "table-more", Aim("open", anything, opened))
        panel = more[0]
        manage = Choice(offers(panel)["manage"])
        await _right(self._presses.press(OPENING, host.user, panel, manage))
        for _ in range(table.computers):
            choice = Choice(offers(panel)["pick-computer"], (self._level,))
            await _right(self._presses.press(OPENING, host.user, panel, choice))
        forget(panel)


def _spread(discord: Playground) -> list[Guild]:
    """Return the servers of each shard in turn, so that all shards get equally many tables."""
    shards = discord.services.sharding.shards
    by_shard: list[list[Guild]] = [[] for _ in range(shards)]
    for guild in discord.world.guilds.values():
        by_shard[shard_of(guild.id, shards)].append(guild)
    return [guild for one_of_each in zip(*by_shard, strict=False) for guild in one_of_each]


def forget(message: Message) -> None:
    """Drop a private message that no one looks at any more."""
    message.channel.messages.pop(message.id, None)
    for attachment in message.attachments:
        attachment.content = b""


def _is_table(message: Message) -> bool:
    """Return whether it is the table itself. A turn mention also leads to a hand, but has no picture."""
    offered = offers(message).keys()
    return bool(GATHERING & offered) or ("hand" in offered and bool(message.attachments))


def _newer(known: Message | None, message: Message) -> Message:
    return message if known is None or message.id > known.id else known


async def _right(press: Press) -> None:
    """Wait for an answer that the run needs to continue."""
    await press.ended
    if press.fault:
        raise RuntimeError(f"{press.verb} by {press.user.name}: {press.fault}")
