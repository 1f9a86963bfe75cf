"""Names, links and mentions in messages: no name that people chose has an effect as markdown or pings anyone."""

import unicodedata
from collections.abc import Iterable
from typing import Final

import discord
from discord.app_commands import AppCommand
from discord.utils import escape_markdown, escape_mentions

from bot.words.texts import Texts, texts
from data.ids import ChannelId, MessageId, SeasonId
from data.names import clean_name
from data.values import TableRow
from league.ids import GuildId, PersonId


class Mentions:
    """The ids of the typed commands, for `{cmd[marriage play]}` in messages of the catalogue."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}

    def learn(self, commands: Iterable[AppCommand]) -> None:
        """Learn the ids from Discord's answer to registering the commands."""
        self._ids = {
            command.name: command.id
            for command in commands
            if command.type is discord.AppCommandType.chat_input
        }

    def __getitem__(self, name: str) -> str:
        command = self._ids.get(name.partition(" ")[0])
        return f"`/{name}`" if command is None else f"</{name}:{command}>"


def table_address(table: TableRow) -> str:
    """Return the link to a table's message; before there is one, to its channel or thread."""
    if table.message_id:
        return message_address(table.guild_id, table.place_id, table.message_id)
    return f"{server_address(table.guild_id)}/{table.place_id}"


def message_address(guild_id: GuildId, channel_id: ChannelId, message_id: MessageId) -> str:
    """Return the link to a message."""
    return f"{server_address(guild_id)}/{channel_id}/{message_id}"


def server_address(guild_id: GuildId) -> str:
    """Return the link to a server."""
    return f"https://discord.com/channels/{guild_id}"


def season_address(pages_url: str, season_id: SeasonId) -> str:
    """Return the address of a season's public page, below the folder of all pages."""
    return f"{pages_url}/{season_id}/index.html"


_LONGEST_ECHO: Final = 30
_LONGEST_LINE: Final = 1_000
_ENOUGH_FOR_ECHO: Final = 8 * _LONGEST_ECHO
_FROM_RIGHT: Final = {"R", "AL"}
_APART, _TOGETHER = "\u2068", "\u2069"
"""Unicode's isolates: text between them has its own direction."""


def person_name(person_id: PersonId, name: str = "") -> str:
    """Return a person's name as plain text; if nothing is left of it, a number in the current language."""
    return clean_name(name, texts()("name.player", number=person_id % 1000))


def seat_name(person_id: int | None, name: str, say: Texts | None = None) -> str:
    """Return the name of a player as plain text: a person's as chosen, a computer's in the language of `say`.

    The default is the current language. A computer has no person id; its stored name is the end of its key in
    the catalogues. Its name always has a mark, so that no one takes it for a person.
    """
    key, say = f"computer.{name}", say or texts()
    return say("name.computer", name=say(key)) if person_id is None and key in say else name


def shown_name(name: str) -> str:
    """Escape a cleaned name for message text, so that markdown and mentions in it have no effect.

    A right-to-left name is isolated; otherwise it would change places with the numbers next to it.
    """
    if name.isascii() and name.replace(" ", "").isalnum():
        return name
    shown = escape_mentions(escape_markdown(name))
    is_from_right = any(unicodedata.bidirectional(sign) in _FROM_RIGHT for sign in name)
    return f"{_APART}{shown}{_TOGETHER}" if is_from_right else shown


def echoed(text: str) -> str:
    """Shorten typed text in any script and make it harmless, to repeat in a message."""
    return shown_name(clean_name(text[:_ENOUGH_FOR_ECHO], "?", _LONGEST_ECHO))


def shown_lines(text: str) -> str:
    r"""Format typed text of several lines for a message: no mention, link or markdown in it has an effect.

    >>> print(shown_lines("Play by *Sunday*, <@7>\n\nThank you"))
    Play by \*Sunday\*, ‹@7›
    <BLANKLINE>
    Thank you
    """
    return "\n".join(shown_name(clean_name(line, "", _LONGEST_LINE)) for line in text.splitlines()).strip()
