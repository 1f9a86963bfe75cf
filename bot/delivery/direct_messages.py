"""Writing to one person, who may take no direct messages from the bot."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import structlog

from bot.delivery.discord_calls import DirectMessagesClosedError
from data.store import Store

log = structlog.get_logger(__name__)


@asynccontextmanager
async def noting_closed(store: Store, person_id: int) -> AsyncGenerator[None, None]:
    """Where this person's direct messages turn out to be closed, note it and try no further."""
    try:
        yield
    except DirectMessagesClosedError:
        log.info("dms.closed", person=person_id)
        async with store.write() as db:
            await db.people.set_dms(person_id, open_=False)
