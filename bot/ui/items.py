"""Buttons, selects and forms. Every one says in its custom id what it is for, so it works after a restart.

A custom id is `mr1:<verb>:<subject>:<revision>[:<argument>]`. It is untrusted input, and never identifies who presses. Only
buttons of a hand name a card, in messages that only its holder sees.

All items are dynamic, and the library keeps nothing of them. A form is sent as mere data and its answer is read from the
interaction: a form that was open during a restart still counts, and two people who fill in the same one do not meet.
`bot.interactions.receiver` reads presses and answers.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import discord
import structlog
from discord import app_commands, ui
from discord.ui.select import BaseSelect

from bot.errors import UnexpectedInputError
from bot.table.core.snapshot import Snapshot
from bot.words.numbers import read_id
from bot.words.rules import EVERYDAY, preset_name
from bot.words.texts import Texts, catalogue
from render.words import ENGLISH

log = structlog.get_logger(__name__)

_NUMBER = "[0-9]{1,18}"
_BODY = rf"(?P<subject>{_NUMBER}):(?P<revision>{_NUMBER})(?::(?P<argument>[0-9A-Za-z_-]{{1,40}}))?\Z"
BUTTON_TEMPLATE = rf"mr1:(?!pick-|form-)(?P<verb>[a-z-]{{1,20}}):{_BODY}"
SELECT_TEMPLATE = rf"mr1:(?P<verb>pick-[a-z-]{{1,15}}):{_BODY}"
FORM_TEMPLATE = rf"mr1:(?P<verb>form-[a-z-]{{1,15}}):{_BODY}"


@dataclass(frozen=True, slots=True)
class Press:
    """A parsed custom id: the verb, its subject, and the revision at which it was shown."""

    verb: str
    subject: int
    """The number of its subject: a table, a season, a score session."""
    revision: int
    argument: str = ""

    def __str__(self) -> str:
        tail = f":{self.argument}" if self.argument else ""
        return f"mr1:{self.verb}:{self.subject}:{self.revision}{tail}"

    @property
    def id_argument(self) -> int:
        """The argument of a press that is an id; raises UnexpectedInputError."""
        if (number := read_id(self.argument)) is None:
            raise UnexpectedInputError("an argument that is no id")
        return number

    @classmethod
    def parse(cls, custom_id: str, template: str) -> "Press | None":
        """Parse an id by one of the templates; None if it does not fit."""
        match = re.fullmatch(template, custom_id)
        if match is None:
            return None
        return cls(
            verb=match["verb"],
            subject=int(match["subject"]),
            revision=int(match["revision"]),
            argument=match["argument"] or "",
        )


BLUE: Final = discord.ButtonStyle.primary
GREEN: Final = discord.ButtonStyle.success
GREY: Final = discord.ButtonStyle.secondary
RED: Final = discord.ButtonStyle.danger

MOST_OPTIONS: Final = 25
"""The maximum number of options of a select or an autocompleted list, and of buttons of a message."""
MOST_ROWS: Final = 5
"""The maximum number of rows of a message."""
_A_ROW: Final = 5
"""The maximum number of buttons of one row."""

Rows = list[ui.ActionRow[Any]]


class Button(ui.DynamicItem[ui.Button[Any]], template=BUTTON_TEMPLATE):
    """A button whose custom id states its purpose. One with an emoji needs no label."""

    def __init__(
        self,
        press: Press,
        label: str,
        *,
        style: discord.ButtonStyle = GREY,
        emoji: discord.PartialEmoji | str | None = None,
        disabled: bool = False,
    ) -> None:
        self.press = press
        button: ui.Button[Any] = ui.Button(
            label=label[:80] or None, style=style, emoji=emoji, disabled=disabled, custom_id=str(press)
        )
        super().__init__(button)


class Select(ui.DynamicItem[BaseSelect[Any]], template=SELECT_TEMPLATE):
    """A select whose custom id states its purpose: of texts, or else of what `select` offers."""

    def __init__(
        self,
        press: Press,
        placeholder: str,
        options: Sequence[discord.SelectOption] = (),
        *,
        max_values: int = 1,
        select: BaseSelect[Any] | None = None,
    ) -> None:
        self.press = press
        texts: ui.Select[Any] = ui.Select(
            placeholder=placeholder[:150],
            options=list(options),
            max_values=max_values,
            custom_id=str(press),
        )
        super().__init__(texts if select is None else select)


def table_press(snapshot: Snapshot, verb: str, argument: str = "") -> Press:
    """Return a press at this table as it is shown now."""
    return Press(verb, snapshot.table.id, snapshot.table.revision, argument)


def people_select(press: Press, placeholder: str, max_values: int = 1) -> Select:
    """Return a select of anyone in the server."""
    select: ui.UserSelect[Any] = ui.UserSelect(
        custom_id=str(press), placeholder=placeholder[:150], max_values=max_values
    )
    return Select(press, placeholder, select=select)


def channel_select(press: Press, placeholder: str, chosen: int | None) -> Select:
    """Return a select of one text channel, or of none."""
    select: ui.ChannelSelect[Any] = ui.ChannelSelect(
        custom_id=str(press),
        placeholder=placeholder[:150],
        channel_types=[discord.ChannelType.text],
        min_values=0,
        default_values=[] if chosen is None else [_default(chosen, "channel")],
    )
    return Select(press, placeholder, select=select)


def role_select(press: Press, placeholder: str, chosen: int | None) -> Select:
    """Return a select of one role, or of none."""
    select: ui.RoleSelect[Any] = ui.RoleSelect(
        custom_id=str(press),
        placeholder=placeholder[:150],
        min_values=0,
        default_values=[] if chosen is None else [_default(chosen, "role")],
    )
    return Select(press, placeholder, select=select)


def _default(chosen: int, kind: Literal["channel", "role"]) -> discord.SelectDefaultValue:
    """Return the preselected value. Discord expects its id as text, in the form in which it is read here."""
    payload: Any = {"id": str(chosen), "type": kind}
    return discord.SelectDefaultValue.from_dict(payload)


ITEMS = (Button, Select)


def row(*items: ui.Item[Any]) -> ui.ActionRow[Any]:
    """Return an action row of up to five buttons, or of one select."""
    return ui.ActionRow(*items)


def in_rows(buttons: Sequence[Button]) -> Rows:
    """Arrange buttons in as few rows as possible."""
    return [row(*buttons[start : start + _A_ROW]) for start in range(0, len(buttons), _A_ROW)]


def select_rows(press: Press, placeholder: str, options: Sequence[discord.SelectOption]) -> Rows:
    """Make a select of these options, or several if there are too many for one. Their revisions tell them apart."""
    parts = [options[first : first + MOST_OPTIONS] for first in range(0, len(options), MOST_OPTIONS)]
    return [
        row(Select(replace(press, revision=number), placeholder, part)) for number, part in enumerate(parts)
    ]


Fields = Mapping[str, str | bool | list[str]]
"""The values of a form by field: a text, a yes or no, or the chosen options."""

TOO_LATE = {10062, 40060, 10015, 50027}
"""The codes with which Discord refuses an answer that is late, or that another delivery of the event has had."""
LONGEST_TITLE = 45
LONGEST_LABEL = 45
LONGEST_DESCRIPTION = 100


async def open_form(
    interaction: discord.Interaction[Any], press: Press, title: str, *fields: ui.Item[Any]
) -> None:
    """Answer with a form of up to five fields. Its verb, `form-...`, is routed like every other verb.

    The values arrive as `Pressed.fields`. If it is too late for a form, that is logged.
    """
    modal = ui.Modal(title=title[:LONGEST_TITLE], custom_id=str(press))
    for field in fields:
        modal.add_item(field)
    modal.stop()  # the library need not wait for it
    try:
        await interaction.response.send_modal(modal)
    except discord.HTTPException as error:
        if error.code not in TOO_LATE:
            raise
        log.info("answer.lost", interaction=interaction.id, status=error.status, code=error.code)


def field(label: str, component: ui.Item[Any], description: str | None = None) -> ui.Label[Any]:
    """Make a form field with its label and description."""
    said = description[:LONGEST_DESCRIPTION] if description else None
    return ui.Label(text=label[:LONGEST_LABEL], component=component, description=said)


def typed(fields: Fields, name: str) -> str:
    """Return the text typed into a field; empty for any other value."""
    value = fields.get(name)
    return value if isinstance(value, str) else ""


def chosen(fields: Fields, name: str) -> list[str]:
    """Return the options chosen in a select of a form; empty for any other value."""
    value = fields.get(name)
    return value if isinstance(value, list) else []


def chosen_one(fields: Fields, name: str) -> str:
    """Return the first chosen option; empty if there is none."""
    return next(iter(chosen(fields, name)), "")


PRESET_CHOICES: Final = [
    app_commands.Choice(name=preset_name(preset, catalogue(ENGLISH)), value=preset) for preset in EVERYDAY
]
"""The choices of a command's option, shown in English or by their names in the translated commands."""


def preset_options(chosen: str | None, texts: Texts) -> list[discord.SelectOption]:
    """Return the options of a select, each with what is special about it; `chosen` is marked."""
    return [
        discord.SelectOption(
            label=preset_name(preset, texts),
            value=preset,
            description=texts(f"preset.{preset}"),
            default=preset == chosen,
        )
        for preset in EVERYDAY
    ]


def play_now_button(texts: Texts) -> Button:
    """Return the button. It never appears at a table, which has **Start** instead."""
    return Button(Press("play-now", 0, 0), texts("button.play_now"), style=GREEN)
