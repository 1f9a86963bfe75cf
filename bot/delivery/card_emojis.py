"""Maintain the emojis of the cards at Discord: upload missing ones, replace older drawings, leave other emojis alone.

They belong to the application: up to 2,000 of 256 KiB each, usable by the bot in every server without a
permission. A name has the card and the version of the drawing (`bot/words/texts.py`), so no record is
needed. Several processes that do this at once agree, because a name is unique, and a process leaves newer
drawings alone. The list is fetched at the start, and again when Discord refuses one of the emojis.

Source: https://docs.discord.com/developers/resources/emoji, "Application-Owned Emoji".
"""

import asyncio
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Final

import discord
import structlog

from bot.delivery.discord_calls import MissingAccessError, RetryLaterError, failures
from bot.lanes import backoff_ms
from bot.words.texts import NO_EMOJIS, KnownEmojis, emoji_name, read_emoji_name
from marriage.cards import CARDS, Card
from render.mini_card import DRAWING, mini_card

REFUSED_REST_S: Final = 3_600.0
"""The pause, in seconds, after Discord refused to list or accept emojis: a person has to act first."""
FALSE_ALARM_REST_S: Final = 60.0
"""The shortest time, in seconds, between two checks that found every emoji in place."""
_UNKNOWN_EMOJI: Final = 10014

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Done:
    """The result of one check of the emojis, in numbers of emojis."""

    found: int
    """The number of existing emojis."""
    uploaded: int
    removed: int
    """The number of our own emojis removed because their drawings were older."""


class CardEmojiUploads:
    """Keeps the application's emojis up to date, and lets cards be shown as emojis once all are there."""

    def __init__(self, client: discord.Client, known: KnownEmojis) -> None:
        self._client = client
        self._known = known

    async def run(self) -> None:
        """Check at the start, and whenever an emoji was refused, until cancelled."""
        await self._look_until_done()
        while True:
            await self._known.refused.wait()
            self._known.refused.clear()
            done = await self._look_until_done()
            if not done.uploaded:
                await asyncio.sleep(FALSE_ALARM_REST_S)

    async def _look_until_done(self) -> Done:
        attempts = 0
        while True:
            try:
                done = await self.look()
            except RetryLaterError as error:
                rest_s = max(backoff_ms(attempts) / 1000, error.after_s or 0)
                log.info("card_emojis.later", why=str(error), rest_s=rest_s)
            except (discord.HTTPException, MissingAccessError) as error:
                rest_s = REFUSED_REST_S
                log.warning("card_emojis.refused", why=str(error), rest_s=rest_s)
            else:
                log.info("card_emojis.ready", **asdict(done))
                return done
            attempts += 1
            await asyncio.sleep(rest_s)

    async def look(self) -> Done:
        """Upload missing emojis and remove our own older drawings.

        Raises what `discord_calls.failures` raises; the next check finds what was uploaded before that.
        """
        ours = await self._ours()
        best = {card: emojis[-1] for card, emojis in ours.items()}
        missing = [card for card in CARDS if card not in best or _drawing(best[card]) < DRAWING]
        if missing:
            self._known.by_card = NO_EMOJIS
        for card in missing:
            best[card] = await self._upload(card)
        self._known.by_card = {
            card: discord.PartialEmoji(name=emoji.name, id=emoji.id) for card, emoji in best.items()
        }
        old = [emoji for emojis in ours.values() for emoji in emojis if _drawing(emoji) < DRAWING]
        for emoji in old:
            await self._remove(emoji)
        return Done(found=len(CARDS) - len(missing), uploaded=len(missing), removed=len(old))

    async def _ours(self) -> Mapping[Card, list[discord.Emoji]]:
        """Return our emojis at Discord by card, the newest drawing last."""
        async with failures():
            emojis = await self._client.fetch_application_emojis()
        named = sorted((said, emoji.id, emoji) for emoji in emojis if (said := read_emoji_name(emoji.name)))
        return {
            card: [emoji for _, _, emoji in group]
            for card, group in groupby(named, key=lambda found: found[0].card)
        }

    async def _upload(self, card: Card) -> discord.Emoji:
        picture = await asyncio.to_thread(mini_card, card)
        try:
            async with failures():
                return await self._client.create_application_emoji(name=emoji_name(card), image=picture)
        except discord.HTTPException:
            there = (await self._ours()).get(card)
            if not there or _drawing(there[-1]) < DRAWING:
                raise
            return there[-1]  # another process has uploaded it meanwhile

    async def _remove(self, emoji: discord.Emoji) -> None:
        try:
            async with failures():
                await emoji.delete()
        except discord.HTTPException as error:
            if error.code != _UNKNOWN_EMOJI:
                raise


def _drawing(emoji: discord.Emoji) -> int:
    said = read_emoji_name(emoji.name)
    return 0 if said is None else said.drawing
