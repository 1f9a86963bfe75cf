"""A message as a person sees it: its text, buttons, selects and files."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from playground import message_objects
from playground.messages import walk
from playground.model import EPHEMERAL, Message, moment
from playground.payloads import Json, object_in
from playground.validation.components import BUTTON, SELECTS
from playground.world import World

Wanted = str | re.Pattern[str]


def fits(wanted: Wanted, *names: str | None) -> bool:
    """Return whether one of the names equals the wanted text or matches the wanted pattern."""
    if isinstance(wanted, str):
        return wanted in names
    return any(name is not None and wanted.search(name) for name in names)


@dataclass(frozen=True)
class ShownButton:
    """A button on a message."""

    label: str
    emoji: str
    custom_id: str | None
    url: str | None
    style: int
    disabled: bool

    def is_called(self, wanted: Wanted) -> bool:
        """Return whether its label, its emoji, both together or its custom_id is wanted."""
        return fits(wanted, self.label, self.emoji, f"{self.emoji} {self.label}".strip(), self.custom_id)


@dataclass(frozen=True)
class ShownSelect:
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
        """The labels of the options."""
        return [option["label"] for option in self.options]

    @property
    def values(self) -> list[str]:
        """The values of the options."""
        return [option["value"] for option in self.options]

    @property
    def chosen(self) -> list[str]:
        """The values of the options that are selected at first."""
        return [option["value"] for option in self.options if option.get("default")]

    def is_called(self, wanted: Wanted) -> bool:
        """Return whether its placeholder or its custom_id is wanted."""
        return fits(wanted, self.placeholder, self.custom_id)


@dataclass(frozen=True)
class ShownPicture:
    """A file of a message, with its address and alt text."""

    filename: str
    url: str
    content_type: str
    alt: str
    content: bytes


class Shown:
    """A message as it was when it was read; read it again to see later changes."""

    def __init__(self, world: World, message: Message) -> None:
        self.message = message
        self.raw = message_objects.message(world, message)
        self._world = world

    def __repr__(self) -> str:
        marks = "".join((" ephemeral" * self.ephemeral, " thinking" * self.loading, " edited" * self.edited))
        buttons = " ".join(
            f"[{button.label or button.emoji}{'-' * button.disabled}]" for button in self.buttons
        )
        return f"<{self.author}{marks}: {self.text!r} {buttons}>"

    @property
    def id(self) -> int:
        """The message's id."""
        return self.message.id

    @property
    def author(self) -> str:
        """The name of the author."""
        return str(self.raw["author"]["username"])

    @property
    def sent_at(self) -> datetime:
        """The time at which it was written."""
        return moment(self.id)

    @property
    def text(self) -> str:
        """The whole text of the message, from top to bottom: content, text displays, embeds."""
        parts = [self.raw["content"]]
        parts += [component["content"] for component in self.components if component["type"] == 10]
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
    def buttons(self) -> list[ShownButton]:
        """Every button, in order."""
        return [
            ShownButton(
                component.get("label") or "",
                object_in(component, "emoji").get("name") or "",
                component.get("custom_id"),
                component.get("url"),
                component["style"],
                bool(component.get("disabled")),
            )
            for component in self.components
            if component["type"] == BUTTON
        ]

    @property
    def selects(self) -> list[ShownSelect]:
        """Every select menu, in order."""
        return [
            ShownSelect(
                component.get("placeholder") or "",
                component["custom_id"],
                component["type"],
                component.get("options") or [],
                component["min_values"],
                component["max_values"],
                bool(component.get("disabled")),
            )
            for component in self.components
            if component["type"] in SELECTS
        ]

    def button(self, wanted: Wanted) -> ShownButton | None:
        """Return the first button with this name."""
        return next((button for button in self.buttons if button.is_called(wanted)), None)

    def select(self, wanted: Wanted) -> ShownSelect | None:
        """Return the first select with this name."""
        return next((select for select in self.selects if select.is_called(wanted)), None)

    @property
    def files(self) -> list[ShownPicture]:
        """The files of the message; the alt text of a picture is that of its component, or else that of the file."""
        alts = self._alts()
        return [
            ShownPicture(
                file.filename,
                message_objects.attachment_url(self._world, file),
                file.content_type,
                alts.get(str(file.id)) or file.description or "",
                file.content,
            )
            for file in self.message.attachments
        ]

    def _alts(self) -> dict[str, str]:
        """Return the alt texts that components give, by the id of the file."""
        pictures = [component for component in self.components if "media" in component]
        pictures += [item for component in self.components for item in component.get("items", [])]
        return {
            picture["media"].get("attachment_id", ""): picture.get("description") or ""
            for picture in pictures
        }

    @property
    def ephemeral(self) -> bool:
        """Whether only one person sees it."""
        return bool(self.raw["flags"] & EPHEMERAL)

    @property
    def loading(self) -> bool:
        """Whether it is shown as "thinking…"."""
        return bool(self.raw["flags"] & 128)

    @property
    def edited(self) -> bool:
        """Whether it was edited."""
        return self.raw["edited_timestamp"] is not None

    @property
    def pinged(self) -> list[str]:
        """The names of the users that it mentions."""
        return [str(user["username"]) for user in self.raw["mentions"]]
