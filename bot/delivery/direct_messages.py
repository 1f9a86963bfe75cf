"""The one rule for people who accept no direct messages from the bot."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import structlog

from bot.delivery.discord_calls import DirectMessagesClosedError
from data.store import Store
from league.ids import PersonId

log = structlog.get_logger(__name__)


@asynccontextmanager
async def noting_closed(store: Store, person_id: PersonId) -> AsyncGenerator[None, None]:
    """If this person turns out to accept no direct messages, note that and stop trying."""
    try:
        yield
    except DirectMessagesClosedError:
        log.info("dms.closed", person=person_id)
        async with store.write() as db:
            await db.people.set_dms(person_id, open_=False)
