"""Buttons and selects. Every one is a dynamic item, so that it works after a restart; none is ever static."""

import re
from collections.abc import Sequence
from typing import Any, Protocol, Self

import discord
from discord import ui

from bot.ids import BUTTON_TEMPLATE, SELECT_TEMPLATE, Press


class Presser(Protocol):
    """The bot, as items know it."""

    async def press(self, interaction: discord.Interaction[Any], press: Press, values: Sequence[str]) -> None:
        """Handle a press of a button, or a choice of values in a select."""
        ...


class Button(ui.DynamicItem[ui.Button[Any]], template=BUTTON_TEMPLATE):
    """A button that says what it is for in its custom id."""

    def __init__(
        self,
        press: Press,
        label: str,
        *,
        style: discord.ButtonStyle = discord.ButtonStyle.secondary,
        emoji: str | None = None,
        disabled: bool = False,
    ) -> None:
        self.press = press
        button: ui.Button[Any] = ui.Button(
            label=label[:80], style=style, emoji=emoji, disabled=disabled, custom_id=str(press)
        )
        super().__init__(button)

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Rebuild a button that was pressed; its looks no longer matter."""
        label = item.label if isinstance(item, ui.Button) else None
        return cls(Press.from_match(match), label or "-")

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand the press to the bot, which answers every fault as well."""
        await _presser(interaction).press(interaction, self.press, ())


class Select(ui.DynamicItem[ui.Select[Any]], template=SELECT_TEMPLATE):
    """A select that says what it is for in its custom id."""

    def __init__(
        self,
        press: Press,
        placeholder: str,
        options: Sequence[discord.SelectOption],
        *,
        max_values: int = 1,
    ) -> None:
        self.press = press
        select: ui.Select[Any] = ui.Select(
            placeholder=placeholder[:150],
            options=list(options),
            max_values=max_values,
            custom_id=str(press),
        )
        super().__init__(select)

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Rebuild a select that was used; the choice itself is in the interaction."""
        options = item.options if isinstance(item, ui.Select) else []
        return cls(Press.from_match(match), "-", options)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand the choice to the bot, which answers every fault as well."""
        values = (interaction.data or {}).get("values", [])
        await _presser(interaction).press(interaction, self.press, values)


ITEMS = (Button, Select)


def _presser(interaction: discord.Interaction[Any]) -> Presser:
    return interaction.client


def row(*items: ui.Item[Any]) -> ui.ActionRow[Any]:
    """An action row of up to five buttons, or of one select."""
    return ui.ActionRow(*items)
