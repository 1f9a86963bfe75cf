"""A message as a person sees it: its words, what can be pressed, what can be chosen, its pictures."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from playground import message_objects
from playground.messages import walk
from playground.model import EPHEMERAL, Message, moment
from playground.payloads import Json, object_in
from playground.rules_components import BUTTON, SELECTS
from playground.world import World

Wanted = str | re.Pattern[str]


def fits(wanted: Wanted, *names: str | None) -> bool:
    """Tell whether one of the names is the text wanted, or is found by the pattern wanted."""
    if isinstance(wanted, str):
        return wanted in names
    return any(name is not None and wanted.search(name) for name in names)


@dataclass(frozen=True)
class Button:
    """A button on a message."""

    label: str
    emoji: str
    custom_id: str | None
    url: str | None
    style: int
    disabled: bool

    def is_called(self, wanted: Wanted) -> bool:
        """Tell whether a person would call it so: by label, emoji, both, or by its custom_id."""
        return fits(wanted, self.label, self.emoji, f"{self.emoji} {self.label}".strip(), self.custom_id)


@dataclass(frozen=True)
class Select:
    """A select menu on a message; `options` is empty for selects of users, roles and channels."""

    placeholder: str
    custom_id: str
    type: int
    options: list[Json]
    min_values: int
    max_values: int
    disabled: bool

    @property
    def labels(self) -> list[str]:
        """What the options read."""
        return [option["label"] for option in self.options]

    @property
    def values(self) -> list[str]:
        """What the options stand for."""
        return [option["value"] for option in self.options]

    @property
    def chosen(self) -> list[str]:
        """The values shown as chosen."""
        return [option["value"] for option in self.options if option.get("default")]

    def is_called(self, wanted: Wanted) -> bool:
        """Tell whether a person would call it so: by its placeholder, or by its custom_id."""
        return fits(wanted, self.placeholder, self.custom_id)


@dataclass(frozen=True)
class Picture:
    """A file or picture: its name, address and alt text."""

    filename: str
    url: str
    content_type: str
    alt: str
    content: bytes


class Shown:
    """A message at the moment it was looked at; look again to see what became of it."""

    def __init__(self, world: World, message: Message) -> None:
        self.message = message
        self.raw = message_objects.message(world, message)

    def __repr__(self) -> str:
        marks = "".join((" ephemeral" * self.ephemeral, " thinking" * self.loading, " edited" * self.edited))
        buttons = " ".join(f"[{one.label or one.emoji}{'-' * one.disabled}]" for one in self.buttons)
        return f"<{self.author}{marks}: {self.text!r} {buttons}>"

    @property
    def id(self) -> int:
        """The message's id."""
        return self.message.id

    @property
    def author(self) -> str:
        """Who wrote it."""
        return str(self.raw["author"]["username"])

    @property
    def sent_at(self) -> datetime:
        """When it was written."""
        return moment(self.id)

    @property
    def text(self) -> str:
        """All words of the message, from top to bottom: content, text displays, embeds."""
        parts = [self.raw["content"]]
        parts += [one["content"] for one in walk(self.raw["components"]) if one["type"] == 10]
        for embed in self.raw["embeds"]:
            parts += [
                embed.get("author", {}).get("name", ""),
                embed.get("title", ""),
                embed.get("description", ""),
            ]
            parts += [f"{field['name']}\n{field['value']}" for field in embed.get("fields", [])]
            parts.append(embed.get("footer", {}).get("text", ""))
        return "\n".join(part for part in parts if part)

    @property
    def components(self) -> Iterator[Json]:
        """Every component, nested ones too."""
        return walk(self.raw["components"])

    @property
    def buttons(self) -> list[Button]:
        """Every button, in order."""
        return [
            Button(
                one.get("label") or "",
                object_in(one, "emoji").get("name") or "",
                one.get("custom_id"),
                one.get("url"),
                one["style"],
                bool(one.get("disabled")),
            )
            for one in self.components
            if one["type"] == BUTTON
        ]

    @property
    def selects(self) -> list[Select]:
        """Every select menu, in order."""
        return [
            Select(
                one.get("placeholder") or "",
                one["custom_id"],
                one["type"],
                one.get("options") or [],
                one["min_values"],
                one["max_values"],
                bool(one.get("disabled")),
            )
            for one in self.components
            if one["type"] in SELECTS
        ]

    def button(self, wanted: Wanted) -> Button | None:
        """Return the first button called so."""
        return next((one for one in self.buttons if one.is_called(wanted)), None)

    def select(self, wanted: Wanted) -> Select | None:
        """Return the first select called so."""
        return next((one for one in self.selects if one.is_called(wanted)), None)

    @property
    def files(self) -> list[Picture]:
        """The files on the message; a picture's alt text is what its component says, else the file's own."""
        alts = self._alts()
        return [
            Picture(
                file.filename,
                shape["url"],
                file.content_type,
                alts.get(str(file.id)) or file.description or "",
                file.content,
            )
            for file, shape in zip(self.message.attachments, self.raw["attachments"], strict=True)
        ]

    def _alts(self) -> dict[str, str]:
        holders = [one for one in self.components if "media" in one]
        holders += [item for one in self.components for item in one.get("items", [])]
        return {one["media"].get("attachment_id", ""): one.get("description") or "" for one in holders}

    @property
    def ephemeral(self) -> bool:
        """Whether only one person sees it."""
        return bool(self.raw["flags"] & EPHEMERAL)

    @property
    def loading(self) -> bool:
        """Whether it says "thinking…"."""
        return bool(self.raw["flags"] & 128)

    @property
    def edited(self) -> bool:
        """Whether it was edited."""
        return self.raw["edited_timestamp"] is not None

    @property
    def pinged(self) -> list[str]:
        """The names of those it pings."""
        return [str(user["username"]) for user in self.raw["mentions"]]
