"""The messages of a home game: drawn for presses, and again when a person in it was forgotten; old ones lead to the newest."""

import discord
import structlog

from bot.clock import Clock
from bot.delivery.amending import UNTIL_EDITABLE, Amending
from bot.delivery.discord_calls import ChannelGoneError, MessageGoneError, UneditableMessageError
from bot.panels.scorekeeping.score import score_panel
from bot.pictures import Pictures
from bot.scorekeeping.scorekeeper import Scorekeeper, ScoreSession
from bot.ui.panel import Panel, notice_panel
from bot.words.names import message_address
from bot.words.texts import Languages, texts
from data.outbox_keys import OldScoresKey, ScoreAmendmentKey
from data.repositories.messages import OutboxRow
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from render.picture import Outcome, Picture
from render.words import speaking

log = structlog.get_logger(__name__)


async def evening_panel(pictures: Pictures, evening: ScoreSession, note: str | None = None) -> Panel:
    """Return the message of a home game, in the language set by `speaking`."""
    picture = await deal_picture(pictures, evening, len(evening.sheets))
    return score_panel(evening, picture, texts(), note)


async def deal_picture(pictures: Pictures, evening: ScoreSession, number: int) -> Picture | None:
    """Return the score sheet of a deal, counted from 1; None for deal 0."""
    if not number:
        return None
    deal = evening.entries[number - 1].deal
    end = Outcome(deal.tiplu, evening.session.rules, evening.sheets[number - 1])
    return await pictures.sheet(end, evening.session.names, evening.totals_after(number))


class ScoreMessages:
    """Draws home games whose messages have to be edited, and reduces old messages to a link to the newest."""

    def __init__(
        self, store: Store, scores: Scorekeeper, pictures: Pictures, languages: Languages, clock: Clock
    ) -> None:
        self._store = store
        self._languages = languages
        self._scores = scores
        self._pictures = pictures
        self._clock = clock

    def register(self, amending: Amending) -> None:
        """Register the handlers of its keys."""
        amending.on(ScoreAmendmentKey, self.draw)

        async def close_old(row: OutboxRow[OldScoresKey]) -> int:
            return await self.close_old(row, amending)

        amending.handlers.on(OldScoresKey, close_old, UNTIL_EDITABLE)

    async def draw(self, key: ScoreAmendmentKey) -> Panel | None:
        """Return the current content of a home game's message; None for a game that is no longer stored."""

        async def read(db: ReadTransaction):
            of = key.about
            newest = await db.public_messages.scores(of)
            return await db.score_sessions.get(of), await db.score_sessions.keepers(of), newest

        session, keepers, newest = await self._store.read(read)
        if session is None:
            return None
        with speaking(await self._languages.shared_by(keepers, session.guild_id)):
            if key in newest:
                return await evening_panel(
                    self._pictures, await self._scores.evening(session.id, session.guild_id)
                )
            link = message_address(session.guild_id, newest[-1].channel_id, newest[-1].message_id)
            return notice_panel(texts()("score.moved", link=link))

    async def close_old(self, row: OutboxRow[OldScoresKey], amending: Amending) -> int:
        """Reduce one old message to a link to the newest, follow it no longer, and request the next one.

        One at a time, so that however many there are, they take turns with the other messages.
        """
        session_id = row.key.session_id

        async def find(db: ReadTransaction) -> ScoreAmendmentKey | None:
            # One that cannot be edited now, as in a channel that the bot has lost, must not hold up the others.
            after_failures = await db.public_messages.old_score(session_id, row.attempts)
            if after_failures is None and row.attempts:
                return await db.public_messages.old_score(session_id)
            return after_failures

        old = await self._store.read(find)
        if old is None:
            return row.revision
        try:
            await amending.edit(self.draw, old)
        except UneditableMessageError:
            raise  # it may be edited again in an hour
        except (MessageGoneError, ChannelGoneError):
            pass
        except discord.HTTPException as error:  # it would be refused again, and hold up all others
            told = {"message_id": old.message_id, "code": error.code, "why": error.text}
            log.error("scores.not_closed", session=session_id, **told)  # noqa: TRY400

        async def drop(db: WriteTransaction) -> None:
            await db.public_messages.drop(old.message_id)
            if await db.public_messages.old_score(session_id) is not None:
                await db.outbox.ask(row.key, self._clock.now())

        await self._store.write(drop)
        return row.revision
