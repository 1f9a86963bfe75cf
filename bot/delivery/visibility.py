"""Whether a table's message is still within reach of those who look at the bottom of the channel.

The bot hears nothing of what is written in a channel. So it looks: how many messages have come after its own.
It does so only when it has something new to show, and seldom enough to be cheap.
"""

from dataclasses import dataclass

import discord

from bot.clock import Clock
from bot.delivery import discord_calls
from data.values import TableRow

FAR = 6
"""So many later messages push a table out of sight on a telephone."""
LOOK_MS = 2 * 60_000
"""How long a look is good for, within one deal."""
OLD_MS = 50 * 60_000
"""Messages of more than an hour are edited under a much stricter limit."""
REMEMBERED = 10_000


@dataclass(frozen=True, slots=True)
class VisibilityCheck:
    """When a message was looked for last, in which deal, and when it was posted."""

    deal_no: int
    at: int
    posted_at: int


class MessageVisibility:
    """Looks after the messages of all tables; what it has seen is forgotten with a restart."""

    def __init__(self, client: discord.Client, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._looks: dict[int, VisibilityCheck] = {}
        """By message."""

    def posted(self, message_id: int, deal_no: int) -> None:
        """The message is the last one of its channel just now."""
        now = self._clock.now()
        self._remember(message_id, VisibilityCheck(deal_no, now, now))

    def _remember(self, message_id: int, look: VisibilityCheck) -> None:
        self._looks.pop(message_id, None)
        self._looks[message_id] = look
        while len(self._looks) > REMEMBERED:
            del self._looks[next(iter(self._looks))]

    async def is_lost(self, table: TableRow) -> bool:
        """Whether the table is to be posted anew instead of edited; raises as `bot.delivery.discord_calls` does.

        A table that is closed stays where it is.
        """
        if table.message_id is None or table.status == "closed":
            return False
        now, look = self._clock.now(), self._looks.get(table.message_id)
        posted_at = look.posted_at if look else _made_at(table.message_id)
        if now - posted_at >= OLD_MS:
            return True
        if look is not None and look.deal_no == table.deal_no and now - look.at < LOOK_MS:
            return False
        self._remember(table.message_id, VisibilityCheck(table.deal_no, now, posted_at))
        later = await discord_calls.count_after(self._client, table.place_id, table.message_id, FAR)
        return later >= FAR


def _made_at(message_id: int) -> int:
    """When Discord made a message, in milliseconds since 1970: its id says so."""
    return int(discord.utils.snowflake_time(message_id).timestamp() * 1000)
