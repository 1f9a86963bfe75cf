"""Forms. One is sent as mere data and its answer is read from the interaction: nothing of it waits in memory.

So a form that was open during a restart still counts, and two people who fill in the same one do not meet.
"""

from collections.abc import Mapping
from typing import Any

import discord
from discord import ui

from bot.ui.custom_id import Press

Fields = Mapping[str, str | bool | list[str]]
"""The values of a form by field: a text, a yes or no, or the chosen options."""

LONGEST_TITLE = 45
LONGEST_LABEL = 45
LONGEST_DESCRIPTION = 100


async def open_form(
    interaction: discord.Interaction[Any], press: Press, title: str, *fields: ui.Item[Any]
) -> None:
    """Answer with a form of up to five fields. Its verb, `form-...`, is routed like every other verb.

    The values arrive as `Pressed.fields`.
    """
    modal = ui.Modal(title=title[:LONGEST_TITLE], custom_id=str(press))
    for field in fields:
        modal.add_item(field)
    modal.stop()  # the library need not wait for it
    await interaction.response.send_modal(modal)


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
