"""Where an outbox row goes, and what a table's fate in Discord means for its clocks."""

from bot.daily import deals as daily
from bot.delivery.daily_posts import DailyPosts
from bot.delivery.discord_calls import ChannelGoneError, MissingAccessError
from bot.delivery.publisher import Publisher
from bot.delivery.turn_reminders import TurnReminders
from bot.table.pauses import Pauses
from data.values import OutboxRow


class Dispatch:
    """Publishes rows of every kind. A table that cannot be shown is paused, and goes on when it can."""

    def __init__(
        self, publisher: Publisher, notices: TurnReminders, pauses: Pauses, daily: DailyPosts
    ) -> None:
        self._publisher = publisher
        self._notices = notices
        self._pauses = pauses
        self._daily = daily

    async def publish(self, row: OutboxRow) -> int:
        """Publish a row; the revision that is shown now. Raises the exceptions of `bot.delivery.discord_calls`."""
        match row.kind:
            case "notice":
                return await self._notices.publish(row)
            case daily.POST:
                return await self._daily.publish(row)
            case "table":
                return await self._publish_table(row)
            case _:
                return (await self._publisher.publish(row)).table.revision

    async def _publish_table(self, row: OutboxRow) -> int:
        try:
            snapshot = await self._publisher.publish(row)
        except (MissingAccessError, ChannelGoneError):
            await self._pauses.lost(row.table_id)
            raise
        if snapshot.is_paused:
            await self._pauses.shown(row.table_id)
        return snapshot.table.revision
