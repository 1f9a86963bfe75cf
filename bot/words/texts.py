"""The message catalogues in `bot/words/messages/`, and how cards appear in their texts: by name, or as emojis.

There is one TOML file for each language. A person reads their own language; everybody at a table or in a channel reads the
server's. In chat, a card is the rank and the sign of the suit, or the card's own emoji.

The emojis belong to the application, so every process gets them from Discord (`bot/delivery/card_emojis.py`), and none are
stored. They reach panels as languages do: the bot sets the known emojis once in its context, the tasks and threads that it
starts inherit them, and each catalogue carries the emojis known when it was created. So a panel depends only on its
arguments, several bots in one process do not share emojis, and without a bot there are none.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import asynccontextmanager
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import discord
import structlog

from bot.people import guild_of
from data.errors import StoreDamagedError, StoreUnavailableError
from data.preferences import GuildSettings, Language, PersonSettings
from data.store import Store
from data.transaction import WriteTransaction
from league.ids import GuildId, PersonId
from marriage.cards import CARDS, MAN, MASTER, RANKS, UNKNOWN, Card
from render.mini_card import DRAWING
from render.words import Messages, load, speaking, spoken

CardEmojis = Mapping[Card, discord.PartialEmoji]

NO_EMOJIS: Final[CardEmojis] = MappingProxyType({})

_RANK_WORDS: Final = ("ace", *map(str, range(2, 11)), "jack", "queen", "king")
_SUIT_WORDS: Final = ("spades", "hearts", "diamonds", "clubs")
_SPECIAL_WORDS: Final = {MAN: "man", MASTER: "master", UNKNOWN: "back"}
_EMOJI_NAME: Final = re.compile(r"tiplu_(\w+)_v([1-9]\d{0,2})")


class EmojiName(NamedTuple):
    """A parsed emoji name: the card, and the number of its drawing."""

    card: Card
    drawing: int


class KnownEmojis:
    """The emojis of this process: of all cards, or of none while any is missing, so that no message mixes both."""

    def __init__(self) -> None:
        self.by_card: CardEmojis = NO_EMOJIS
        self.refused = asyncio.Event()
        """Set when Discord has refused one of them, for example because a person deleted it."""


_known: ContextVar[KnownEmojis | None] = ContextVar("known_emojis", default=None)


def show_cards_by(known: KnownEmojis | None) -> None:
    """Use these emojis from here on in this task, and in the tasks and threads that it starts; None for text alone."""
    _known.set(known)


def known_emojis() -> CardEmojis:
    """Return the current emojis: of every card, or none at all."""
    known = _known.get()
    return NO_EMOJIS if known is None else known.by_card


def report_refused_emoji() -> None:
    """Report that Discord has refused an emoji, so that the emojis are loaded again."""
    known = _known.get()
    if known is not None:
        known.refused.set()


def emoji_name(card: Card, drawing: int = DRAWING) -> str:
    """Return the name of a card's emoji, such as `tiplu_10_of_clubs_v1`.

    It has at most 32 characters, and consists of words for a screen reader.
    """
    return f"tiplu_{_WORDS[card]}_v{drawing}"


def read_emoji_name(name: str) -> EmojiName | None:
    """Parse the name of an emoji; None for an emoji that is not ours."""
    match = _EMOJI_NAME.fullmatch(name)
    card = match and _CARDS.get(match[1])
    return None if match is None or card is None else EmojiName(card, int(match[2]))


def _card_words(card: Card) -> str:
    return f"{_RANK_WORDS[card.rank]}_of_{_SUIT_WORDS[card.suit]}" if card.is_pack else _SPECIAL_WORDS[card]


_WORDS: Final = {card: _card_words(card) for card in CARDS}
_CARDS: Final = {words: card for card, words in _WORDS.items()}


CATALOGUES: Final = Path(__file__).with_name("messages")


class Texts(Messages):
    """One language's catalogue, with the emojis that may stand for cards in its texts."""

    def __init__(self, messages: Messages, emojis: CardEmojis = NO_EMOJIS) -> None:
        super().__init__(messages.templates, messages.language)
        self.emojis = emojis

    def without_emojis(self) -> "Texts":
        """Return the same catalogue for places that cannot show emojis: notifications, labels, files."""
        return Texts(self)


def texts() -> Texts:
    """Return the catalogue of the current language: English, unless within `speaking`."""
    return catalogue(spoken())


def catalogue(language: str) -> Texts:
    """Return the catalogue of that language; raises FileNotFoundError if there is none."""
    return Texts(load(CATALOGUES, language), known_emojis())


def language_name(language: str) -> str:
    """Return a language's own name, such as "हिन्दी"; raises FileNotFoundError if it has no catalogue."""
    return catalogue(language)("language.name")


_SIGNS: Final = "♠♥♦♣"
_SPECIAL_NAMES: Final = {MAN: "name.man", MASTER: "name.master"}
_MENTION: Final = re.compile(r"<:(\w+):\d+>")


def card_name(card: Card, texts: Texts) -> str:
    """Name one card, such as `10♣`; a card without a suit is named in words.

    For labels, alt texts and files, where emojis do not work.
    """
    return RANKS[card.rank] + _SIGNS[card.suit] if card.is_pack else texts(_SPECIAL_NAMES[card])


def cards_name(cards: Iterable[Card], texts: Texts) -> str:
    """Name several cards, such as `9♣ 10♣ J♣`."""
    return " ".join(card_name(card, texts) for card in cards)


def card_emoji(card: Card, texts: Texts) -> discord.PartialEmoji | None:
    """Return the card's emoji for a button or a choice, or the back's emoji for UNKNOWN; None if only the name is available.

    The emojis come from the catalogue, which carries those that the process knew when it was created.
    They are known for all cards or for none.
    """
    return texts.emojis.get(card)


def shown_card(card: Card, texts: Texts) -> str:
    """Format one card within a message: its emoji alone, which a screen reader names, or else its name."""
    emoji = card_emoji(card, texts)
    return card_name(card, texts) if emoji is None else str(emoji)


def shown_cards(cards: Iterable[Card], texts: Texts) -> str:
    """Format several cards, next to each other, within the text of a message."""
    return " ".join(shown_card(card, texts) for card in cards)


def named_cards(content: str, texts: Texts) -> str:
    """Replace every card emoji in a text by the name of its card; other emojis stay."""

    def name(mention: re.Match[str]) -> str:
        said = read_emoji_name(mention[1])
        return mention[0] if said is None else card_name(said.card, texts)

    return _MENTION.sub(name, content)


OF_DISCORD: dict[discord.Locale, Language] = {discord.Locale.hindi: "hi"}
"""The languages besides English that a Discord client can be set to. Discord has no Nepali."""

log = structlog.get_logger(__name__)


class Languages:
    """The languages chosen by people and servers. If the store cannot be read, nothing counts as chosen."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @asynccontextmanager
    async def spoken_to(self, interaction: discord.Interaction[Any]) -> AsyncGenerator[None, None]:
        """Use the language of the interaction's person within the block, and remember their Discord's language.

        Their direct messages, which come without an interaction, are written in it. It is remembered at the end,
        because the person may become known only within the block.
        """
        person, server = await self._chosen(interaction)
        with speaking(_language(interaction, person, server)):
            yield
        heard = OF_DISCORD.get(interaction.locale)
        if heard != person.discord_language:
            await self._remember(PersonId(interaction.user.id), heard)

    async def of_person(self, interaction: discord.Interaction[Any]) -> Language:
        """Return the language of the person of this interaction."""
        return _language(interaction, *await self._chosen(interaction))

    async def of_server(self, guild_id: GuildId | None) -> Language:
        """Return the language of everything that all people in this server read."""
        return (await self._store.directory.guild_settings(guild_id)).language

    async def shared_by(self, people: Iterable[int], guild_id: GuildId | None) -> Language:
        """Return the one language of all these people in this server; the server's if they speak several."""
        known = (await self._store.directory.people(people)).values()
        return shared_language((row.settings for row in known), await self.of_server(guild_id))

    async def words_for(self, guild_id: GuildId | None, *, public: bool) -> Texts:
        """Return the catalogue for an answer: the server's if everyone reads it, else the current one."""
        return catalogue(await self.of_server(guild_id)) if public else texts()

    async def _chosen(self, interaction: discord.Interaction[Any]) -> tuple[PersonSettings, GuildSettings]:
        try:
            person = await self._store.directory.person_settings(PersonId(interaction.user.id))
            server = await self._store.directory.guild_settings(guild_of(interaction))
        except (
            StoreUnavailableError,
            StoreDamagedError,
        ):  # the handler meets the same, and its error is answered
            log.warning("languages.not_read", interaction=interaction.id)
            return PersonSettings(), GuildSettings()
        return person, server

    async def _remember(self, person_id: PersonId, heard: Language | None) -> None:

        async def write(db: WriteTransaction) -> None:
            person = await db.people.get(person_id)
            if person is not None:
                settings = person.settings.model_copy(update={"discord_language": heard})
                await db.people.set_settings(person_id, settings)

        try:
            if await self._store.directory.person(person_id) is None:
                return
            await self._store.write(write)
        except (StoreUnavailableError, StoreDamagedError):
            log.warning("languages.not_remembered")


def shared_language(people: Iterable[PersonSettings], of_server: Language) -> Language:
    """The one language of all these people; the server's if they speak several or none of them is known."""
    spoken: set[Language] = {person.spoken or of_server for person in people}
    return spoken.pop() if len(spoken) == 1 else of_server


def _language(
    interaction: discord.Interaction[Any], person: PersonSettings, server: GuildSettings
) -> Language:
    return person.language or OF_DISCORD.get(interaction.locale) or server.language
