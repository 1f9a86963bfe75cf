"""Whether a table's message is still in sight at the bottom of its channel.

The bot receives no messages of others. So it counts those that came after its own, only when it has something new to
show, and seldom enough to be cheap.
"""

from dataclasses import dataclass

import discord

from bot.clock import Clock
from bot.delivery import discord_calls
from data.ids import MessageId
from data.values import TableRow
from league.times import MINUTE, milliseconds

FAR = 6
"""How many later messages push a table out of sight on a phone."""
LOOK_MS = 2 * MINUTE
"""How long a count is valid within one deal, in milliseconds."""
OLD_MS = 50 * MINUTE
"""Discord limits edits of messages that are older than an hour much more."""
REMEMBERED = 10_000


@dataclass(frozen=True, slots=True)
class VisibilityCheck:
    """The last count of the messages after this one: its time, its deal, and when the message was posted."""

    deal_no: int
    at: int
    posted_at: int


class MessageVisibility:
    """Checks the messages of all tables. A restart forgets the checks."""

    def __init__(self, client: discord.Client, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._looks: dict[int, VisibilityCheck] = {}
        """By message."""

    def posted(self, message_id: MessageId, deal_no: int) -> None:
        """The message was posted now, so it is the last one of its channel."""
        now = self._clock.now()
        self._remember(message_id, VisibilityCheck(deal_no, now, now))

    def _remember(self, message_id: MessageId, look: VisibilityCheck) -> None:
        self._looks.pop(message_id, None)
        self._looks[message_id] = look
        while len(self._looks) > REMEMBERED:
            del self._looks[next(iter(self._looks))]

    async def is_lost(self, table: TableRow) -> bool:
        """Return whether to post the table again instead of editing it.

        Raises the errors of `bot.delivery.discord_calls`. A closed table stays where it is.
        """
        if table.message_id is None or table.status == "closed":
            return False
        now, look = self._clock.now(), self._looks.get(table.message_id)
        posted_at = look.posted_at if look else made_at(table.message_id)
        if now - posted_at >= OLD_MS:
            return True
        if look is not None and look.deal_no == table.deal_no and now - look.at < LOOK_MS:
            return False
        self._remember(table.message_id, VisibilityCheck(table.deal_no, now, posted_at))
        later = await discord_calls.count_after(self._client, table.place_id, table.message_id, FAR)
        return later >= FAR


def made_at(message_id: MessageId) -> int:
    """Return when a message was created, in milliseconds since 1970, from its id."""
    return milliseconds(discord.utils.snowflake_time(message_id))
