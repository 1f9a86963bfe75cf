"""Buttons and selects. Every one says in its custom id what it is for, so it works after a restart.

All are dynamic items, of which the library keeps nothing; none is ever static. `bot.interactions.receiver` reads a press.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, Literal

import discord
from discord import ui
from discord.ui.select import BaseSelect

from bot.table.core.snapshot import Snapshot
from bot.ui.custom_id import BUTTON_TEMPLATE, SELECT_TEMPLATE, Press

BLUE: Final = discord.ButtonStyle.primary
GREEN: Final = discord.ButtonStyle.success
GREY: Final = discord.ButtonStyle.secondary
RED: Final = discord.ButtonStyle.danger

MOST_OPTIONS: Final = 25
"""The most options of a select or an autocompleted list, and the most buttons of a message."""
MOST_ROWS: Final = 5
"""The most rows of a message."""
_A_ROW: Final = 5
"""The most buttons of one row."""

Rows = list[ui.ActionRow[Any]]


class Button(ui.DynamicItem[ui.Button[Any]], template=BUTTON_TEMPLATE):
    """A button that says what it is for in its custom id. One with an emoji needs no label."""

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
    """A select that says what it is for in its custom id: of texts, or else of what `select` offers."""

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
    """A press at this table as it is shown now."""
    return Press(verb, snapshot.table.id, snapshot.table.revision, argument)


def people_select(press: Press, placeholder: str, max_values: int = 1) -> Select:
    """A select of anybody in the server."""
    select: ui.UserSelect[Any] = ui.UserSelect(
        custom_id=str(press), placeholder=placeholder[:150], max_values=max_values
    )
    return Select(press, placeholder, select=select)


def channel_select(press: Press, placeholder: str, chosen: int | None) -> Select:
    """A select of one text channel, or of none."""
    select: ui.ChannelSelect[Any] = ui.ChannelSelect(
        custom_id=str(press),
        placeholder=placeholder[:150],
        channel_types=[discord.ChannelType.text],
        min_values=0,
        default_values=[] if chosen is None else [_default(chosen, "channel")],
    )
    return Select(press, placeholder, select=select)


def role_select(press: Press, placeholder: str, chosen: int | None) -> Select:
    """A select of one role, or of none."""
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
    """An action row of up to five buttons, or of one select."""
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
