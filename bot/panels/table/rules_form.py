"""The form for experts: a preset, and everything that differs from it as text."""

from dataclasses import dataclass
from typing import Any

import discord
from discord import ui

from bot.ui.form import Fields, chosen_one, field, typed
from bot.ui.presets import preset_options
from bot.words.texts import Texts
from bot.words.variations import read_rules, written
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
