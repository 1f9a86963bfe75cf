"""Hears every byte that leaves the bot, and compares it with what its readers may know."""

import io
import json
import logging
import re
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from prometheus_client import generate_latest

from bot.logs import set_up_logs
from playground.model import EPHEMERAL, Interaction, Message, WorldChange
from playground.recorder import RecordedRequest
from playground.server import Playground
from tests.canary.oracle import Oracle
from tests.canary.pictures import marks_in
from tests.canary.reading import cards_in

_CALLBACK = re.compile(r"/interactions/(\d+)/[^/]+/callback$")
_WEBHOOK = re.compile(r"/webhooks/\d+/([^/]+)")
_CHANNEL = re.compile(r"/channels/(\d+)")
_EMOJIS = re.compile(r"/applications/\d+/emojis")
"""Every card has an emoji, regardless of the deal."""
_TABLE = re.compile(r"(?:mr1:[a-z-]{1,20}:|Table |टेबल )(\d+)\b")
_REVISION = re.compile(r"mr1:[a-z-]{1,20}:(\d+):(\d+)")
_DEAL = re.compile(r"mr1:(?:pick-|share-)?(?:replay|analyse|analysis|animate|lost-throw)[a-z-]*:(\d+):(\d+)")
_PAST = re.compile(
    r"mr1:(?:replay|animate|analy|lost-throw|step|turn|eyes|history|pick-deal|board|profile|puzzle|learn|try|practice|lesson|rules|page|pick-page|pick-try|pick-replay|past|share|verify)"
)
_HINT = re.compile(r'"content": "💡(?:[^"\\]|\\.)*"')
"""A hint in a hand: it names helpful cards wherever they are. The rest of the message is checked."""
_PAST_COMMANDS = re.compile(r"^(?:analyse|verify|export|puzzle|learn|score|marriage (?:rules|replay))")
"""Finished deals, examples and guesses: single cards there reveal nothing about a running deal."""
_CHOICES, _FORM, _UPDATES = 8, 9, (6, 7)
_IMAGES = (".png", ".gif")
_LONGEST = 300


@dataclass(frozen=True)
class Leak:
    """Something that a reader may not know, where they could read it."""

    channel: str
    """The channel through which it leaked, such as `request` or `log`."""
    audience: int | None
    what: str
    sample: str

    def __str__(self) -> str:
        whom = "everybody" if self.audience is None else f"person {self.audience}"
        return f"{self.channel} to {whom} tells {self.what}: {self.sample[:_LONGEST]}"


@dataclass
class Heard:
    """How much was read."""

    pieces: Counter[str] = field(default_factory=Counter)
    """The pieces read, by channel."""
    size: int = 0
    cards: int = 0
    """How many cards were named to readers who knew them."""


class Log(io.TextIOBase):
    """A replacement for standard error that receives all output of the bot's own formatter."""

    def __init__(self, ear: "Ear") -> None:
        self._ear = ear

    def write(self, text: str, /) -> int:
        """Read one line, or several with a traceback."""
        self._ear.hear_log(text)
        return len(text)


class Ear:
    """Listens to one Discord and one bot."""

    def __init__(self, discord: Playground, path: Path) -> None:
        self.oracle = Oracle(path)
        self.leaks: list[Leak] = []
        self.heard = Heard()
        self._discord = discord
        self._folder = path.parent
        self._lock = threading.RLock()
        """Every thread writes to the log."""
        discord.recorder.listeners.append(self._hear_request)
        self._stop = discord.world.subscribe(self._hear_change)
        set_up_logs("DEBUG", "json", discord.token)
        handler = logging.getLogger().handlers[0]
        assert isinstance(handler, logging.StreamHandler)
        handler.setStream(Log(self))

    def close(self) -> None:
        """Stop listening."""
        logging.getLogger().handlers.clear()
        self._stop()
        self._discord.recorder.listeners.remove(self._hear_request)
        self.oracle.close()

    # What is heard ---------------------------------------------------------------------------------

    def _hear_request(self, entry: RecordedRequest) -> None:
        if _EMOJIS.search(entry.path) and entry.method == "POST":
            return
        text = json.dumps([entry.query, entry.request, entry.files], ensure_ascii=False)
        where = re.sub(r"/(?:webhooks/\d+|interactions/\d+)/[^/]+", "", entry.path)
        audience, interaction = self._readers(entry)
        self._judge("request", audience, f"{entry.method} {where} {text}", interaction)

    def _hear_change(self, change: WorldChange) -> None:
        """Check the files of a message of the bot."""
        if change.kind not in ("message_create", "message_update") or not change.subject.author.bot:
            return
        message: Message = change.subject
        recipients = message.channel.recipients
        reader = message.only_for or (recipients[0] if recipients else None)
        about = json.dumps(message.components, ensure_ascii=False)
        for file in message.attachments:
            marks = marks_in(file.content)
            if file.filename.endswith(_IMAGES):
                if marks is None:
                    self._note("picture", reader and reader.id, "what nobody has judged", file.filename)
                    continue
                self._judge(
                    "picture", reader and reader.id, f"{' '.join(marks)} {about}", message.interaction
                )
            else:
                text = file.content.decode(errors="replace")
                self._judge("file", reader and reader.id, f"{text} {about}", message.interaction)

    def hear_log(self, text: str) -> None:
        """Read what operators read: besides cards, it must name no person and no seed, not even of a deal that is over."""
        self.hear_outside("log", text)
        people = [user for user in list(self._discord.world.users.values()) if not user.bot]
        names = "|".join(
            re.escape(f"{name}") for user in people for name in (user.id, user.name, user.shown_name)
        )
        for told in re.findall(rf"(?<!\w)(?:{names}|[0-9a-f]{{64}})(?!\w)", text):
            self._note("log", None, told, text)

    def hear_metrics(self) -> None:
        """Read the Prometheus metrics."""
        self.hear_outside("metric", generate_latest().decode())

    def hear_page(self, path: Path, *matches: int) -> None:
        """Read a page written for everyone. Only that of a match may name cards: those of the deals that are over at these tables."""
        with self._lock:
            self.oracle.look()
            text = path.read_text()
            known = (
                self.oracle.known(None, dict.fromkeys(matches)) if path.name.startswith("match-") else set()
            )
            self._count("page", text)
            self._note_all("page", None, cards_in(text) - known, text)
            self._look_for_secrets("page", None, text)

    def hear_modes(self) -> None:
        """Check that only the operator can read the database and its copies."""
        for path in self._folder.rglob("*"):
            self.heard.pieces["file mode"] += 1
            if path.is_file() and "sqlite3" in path.name and path.stat().st_mode & 0o077:
                self._note("file mode", None, oct(path.stat().st_mode), str(path))

    def hear_outside(self, channel: str, text: str) -> None:
        """Read text for operators, or for anyone who finds it: it must name no card, known or not."""
        with self._lock:
            self.oracle.look()
            self._count(channel, text)
            self._note_all(channel, None, cards_in(text), text)
            self._look_for_secrets(channel, None, text)

    # Whom it reaches -------------------------------------------------------------------------------

    def _readers(self, entry: RecordedRequest) -> tuple[int | None, Interaction | None]:
        """Return the only reader of a request's effect, or None for everyone, and the interaction."""
        world = self._discord.world
        if found := _CALLBACK.search(entry.path):
            interaction = world.interactions.get(int(found[1]))
            private = interaction is not None and self._is_private_answer(entry, interaction)
        elif found := _WEBHOOK.search(entry.path):
            interaction = self._discord.interactions._by_token.get(found[1])
            flags = entry.response.get("flags", 0) if isinstance(entry.response, dict) else EPHEMERAL
            private = bool(flags & EPHEMERAL)
        else:
            found = _CHANNEL.search(entry.path)
            channel = world.channels.get(int(found[1])) if found else None
            if channel is not None and channel.is_dm:
                return channel.recipients[0].id, None
            return None, None
        if interaction is None or not (private or interaction.channel.is_dm):
            return None, interaction
        return interaction.user.id, interaction

    def _is_private_answer(self, entry: RecordedRequest, interaction: Interaction) -> bool:
        kind = entry.request.get("type")
        if kind in (_CHOICES, _FORM):
            return True
        if kind in _UPDATES:
            return interaction.message is not None and interaction.message.only_for is not None
        return bool((entry.request.get("data") or {}).get("flags", 0) & EPHEMERAL)

    # What they may know ----------------------------------------------------------------------------

    def _judge(self, channel: str, audience: int | None, text: str, interaction: Interaction | None) -> None:
        with self._lock:
            self._judge_alone(channel, audience, text, interaction)

    def _judge_alone(
        self, channel: str, audience: int | None, text: str, interaction: Interaction | None
    ) -> None:
        self.oracle.look()
        self._count(channel, text)
        named = cards_in(_HINT.sub("", text))
        self.heard.cards += len(named)
        if named and not self._is_past(audience, text, interaction):
            typed = json.dumps(interaction.data) if interaction else ""
            typing = interaction is not None and interaction.callback_type == _CHOICES
            tables = dict.fromkeys(map(int, _TABLE.findall(typed))) | _shown_in(text)
            tables = tables or dict.fromkeys(self.oracle.tables_of(audience, even_over=typing))
            self._note_all(
                channel, audience, named - self.oracle.known(audience, tables) - cards_in(typed), text
            )
        self._look_for_secrets(channel, audience, text)

    def _is_past(self, audience: int | None, text: str, interaction: Interaction | None) -> bool:
        """Return True if a text is about finished deals or none; one that names an unfinished deal is not."""
        named = [self.oracle.deals.get((int(table), int(number))) for table, number in _DEAL.findall(text)]
        if any(deal is not None and (not deal.over or deal.is_withheld_from(audience)) for deal in named):
            return False
        if named and audience is not None:
            return True
        if interaction is None:
            return False
        while interaction.opener is not None:
            interaction = interaction.opener
        return bool(
            _PAST.search(json.dumps(interaction.data)) or _PAST_COMMANDS.search(_command(interaction.data))
        )

    def _look_for_secrets(self, channel: str, audience: int | None, text: str) -> None:
        for secret in self.oracle.secrets_from(audience):
            if secret in text:
                self._note(channel, audience, "a seed or a whole hand", text)

    def _note_all(self, channel: str, audience: int | None, cards: set[str], text: str) -> None:
        if cards:
            self._note(channel, audience, " ".join(sorted(cards)), text)

    def _note(self, channel: str, audience: int | None, what: str, sample: str) -> None:
        self.leaks.append(Leak(channel, audience, what, sample))

    def _count(self, channel: str, text: str) -> None:
        self.heard.pieces[channel] += 1
        self.heard.size += len(text.encode())


def _shown_in(text: str) -> dict[int, int | None]:
    """The tables that a text names, with the revision at which it was drawn; None where it does not say that."""
    shown: dict[int, int | None] = dict.fromkeys(map(int, _TABLE.findall(text)))
    for table, revision in _REVISION.findall(_DEAL.sub("", text)):
        shown[int(table)] = max(int(revision), shown.get(int(table)) or 0)
    return shown


def _command(data: dict[str, Any]) -> str:
    """A slash command with its subcommands, as one would type it."""
    return " ".join(_words(data))


def _words(data: dict[str, Any]) -> Iterator[str]:
    yield str(data.get("name", ""))
    for option in data.get("options") or []:
        if "options" in option or option.get("type") in (1, 2):
            yield from _words(option)
