"""The errors in a rules form, and a button to correct them."""

import re
from collections.abc import Sequence

import discord

from bot.panels.table.rules_form import Filled
from bot.ui.custom_id import Press
from bot.ui.items import Button, row
from bot.ui.panel import Panel, panel, text
from bot.words.texts import Texts
from bot.words.variations import OPTIONS, Fault

_MOST_FAULTS = 8
_TYPED = re.compile(r"```\n(.*)\n```", re.DOTALL)
_LONGEST_ECHO = 1_000
_UNKNOWN = {"rulesform.no_option", "rulesform.did_you_mean", "rulesform.no_pair"}


def wrong_rules_panel(press: Press, faults: Sequence[Fault], filled: Filled, texts: Texts) -> Panel:
    """Every error in words. The button opens the form again, with what was filled in."""
    lines = [f"- {texts(fault.key, **fault.values)}" for fault in faults[:_MOST_FAULTS]]
    if len(faults) > _MOST_FAULTS:
        lines.append(texts("rulesform.more", count=len(faults) - _MOST_FAULTS))
    kept = filled.others[:_LONGEST_ECHO].replace("`", "'").strip()
    unknown = any(fault.key in _UNKNOWN for fault in faults)
    return panel(
        text(texts("rulesform.wrong", faults="\n".join(lines))),
        text(texts("rulesform.options", names=" ".join(f"`{name}`" for name in OPTIONS)))
        if unknown
        else None,
        text(texts("rulesform.typed", text=kept)) if kept else None,
        row(
            Button(
                Press("rules-text", press.subject, press.revision, filled.argument), texts("button.fix_rules")
            )
        ),
    )


def filled_before(press: Press, message: discord.Message | None) -> Filled | None:
    """Restore the values of the form from this panel: the text is in the message, the rest in the custom id."""
    if not press.argument or message is None:
        return None
    boxes = (component for component in message.components if isinstance(component, discord.Container))
    shown = (part.content for box in boxes for part in box.children if isinstance(part, discord.TextDisplay))
    typed = next((found[1] for said in shown if (found := _TYPED.search(said))), "")
    return Filled.of_argument(press.argument, typed)
