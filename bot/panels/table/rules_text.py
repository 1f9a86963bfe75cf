"""A table's rules in words: the preset, and what differs from it."""

from typing import Any

from bot.words.presets import preset_name
from bot.words.texts import Texts
from bot.words.variations import written
from data.preferences import TableOptions
from marriage.rules import Rules, nearest_preset


def rules_words(rules: Rules, options: TableOptions, texts: Texts) -> str:
    """The rules with each difference from the preset on its own line, and the length and pace of the match."""
    name, differences = nearest_preset(rules)
    key = "lobby.rules_but" if differences else "lobby.rules"
    lines = [texts(key, preset=preset_name(name, texts))]
    lines += [f"- {variation_words(option, value, texts)}" for option, value in differences.items()]
    return "\n".join([*lines, match_words(options, texts)])


def rules_short(rules: Rules, texts: Texts) -> str:
    """The name of the preset, and how many options differ from it."""
    name, differences = nearest_preset(rules)
    known = preset_name(name, texts)
    return texts("lobby.rules_short", preset=known, count=len(differences)) if differences else known


def variation_words(option: str, value: Any, texts: Texts) -> str:
    """One option in words; custom values are shown as typed."""
    for key in (f"variation.{option}_{_said(value)}", f"variation.{option}"):
        if key in texts:
            return texts(key, value=value)
    return f"`{written(option, value)}`"


def match_words(options: TableOptions, texts: Texts) -> str:
    """The number of deals and the clock."""
    deals = texts("lobby.deals", deals=options.deals) if options.deals else texts("lobby.deals_open")
    return texts("lobby.match", deals=deals, pace=texts(f"pace.{options.pace}"))


def _said(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
