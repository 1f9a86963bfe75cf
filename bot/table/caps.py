"""How much one person, or one channel, may have: so that nobody floods a server or pings people for ever."""

from collections.abc import Sequence

from bot.errors import Sorry
from bot.settings import Settings
from data.store import Writer
from data.values import TableRow

HOUR_MS = 3_600_000


async def require_room(
    writer: Writer, settings: Settings, channel_id: int, person_id: int, now: int, *, challenge: bool
) -> None:
    """Refuse one table too many; raises Sorry that says when the next may be opened."""
    here = len(await writer.tables_of_channel(channel_id))
    if here >= settings.tables_per_channel:
        raise Sorry("sorry.channel_full", count=here)
    opened = await writer.opened_since(person_id, now - HOUR_MS)
    _require_fewer(opened, settings.tables_per_person_h, "sorry.many_tables")
    if challenge:
        challenges = [table for table in opened if table.challenge]
        _require_fewer(challenges, settings.challenges_per_person_h, "sorry.many_challenges")


def _require_fewer(opened: Sequence[TableRow], most: int, key: str) -> None:
    if len(opened) >= most:
        free_again = opened[-most].created_at + HOUR_MS
        raise Sorry(key, count=len(opened), at=free_again // 1000)
