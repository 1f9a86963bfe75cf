"""The message of a home game: drawn for presses, and again when a person in it was forgotten."""

from bot.panels.scorekeeping.score import score_panel
from bot.pictures import Pictures
from bot.scorekeeping.scorekeeper import Scorekeeper, ScoreSession
from bot.ui.panel import Panel
from bot.words.texts import Languages, texts
from data.outbox_keys import ScoreAmendmentKey
from data.store import Store
from render.picture import Outcome, Picture
from render.words import speaking


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
    """Draws home games whose messages have to be edited."""

    def __init__(self, store: Store, scores: Scorekeeper, pictures: Pictures, languages: Languages) -> None:
        self._store = store
        self._languages = languages
        self._scores = scores
        self._pictures = pictures

    async def draw(self, key: ScoreAmendmentKey) -> Panel | None:
        """Return the current message of a home game; None for a game that is no longer stored."""
        session = await self._store.read(lambda db: db.score_sessions.get(key.about))
        if session is None:
            return None
        evening = await self._scores.evening(session.id, session.guild_id)
        with speaking(await self._languages.shared_by(evening.keepers, session.guild_id)):
            return await evening_panel(self._pictures, evening)
