"""The form for experts: a preset, everything that differs from it as text, and the errors in it with a button to correct them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import discord
from discord import ui

from bot.ui.custom_id import Press
from bot.ui.form import Fields, chosen_one, field, typed
from bot.ui.items import Button, row
from bot.ui.panel import Panel, panel, text
from bot.ui.presets import preset_options
from bot.words.texts import Texts
from bot.words.variations import OPTIONS, Fault, read_rules, written
from marriage.rules import PRESETS, Rules, nearest_preset

LONGEST_TEXT = 4000


@dataclass(frozen=True, slots=True)
class Filled:
    """The values of a form, valid or not."""

    preset: str
    others: str
    """The differences from the preset, as `option=value`."""

    @classmethod
    def of_rules(cls, rules: Rules) -> "Filled":
        """These rules."""
        preset, differences = nearest_preset(rules)
        return cls(preset, "\n".join(written(*pair) for pair in differences.items()))

    @classmethod
    def of_fields(cls, fields: Fields) -> "Filled":
        """Read the values of the form."""
        return cls(chosen_one(fields, "preset"), typed(fields, "others"))

    @classmethod
    def of_argument(cls, argument: str, others: str) -> "Filled | None":
        """Read `argument` from a custom id; `others` is the text. None for an id that the bot never made."""
        return cls(argument, others) if argument in PRESETS else None

    @property
    def argument(self) -> str:
        """Return everything but the text, for a custom id. An unknown preset becomes the default one."""
        return self.preset if self.preset in PRESETS else "pagat"

    def rules(self) -> Rules:
        """Return the chosen rules; raises InvalidRulesError with all errors."""
        return read_rules(self.preset, self.others)


def rules_fields(filled: Filled, texts: Texts) -> list[ui.Label[Any]]:
    """The fields of the form."""
    presets: ui.Select[Any] = ui.Select(custom_id="preset", options=preset_options(filled.preset, texts))
    others: ui.TextInput[Any] = ui.TextInput(
        custom_id="others",
        style=discord.TextStyle.paragraph,
        required=False,
        max_length=LONGEST_TEXT,
        placeholder="seen_pay=5, better_after=10",
        default=filled.others or None,
    )
    return [
        field(texts("rulesform.preset"), presets),
        field(texts("rulesform.others"), others, texts("rulesform.others_hint")),
    ]


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
