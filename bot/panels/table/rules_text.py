"""A table's rules in words: the preset, and what differs from it."""

from typing import Any

from bot.words.presets import preset_name
from bot.words.rule_questions import matters
from bot.words.texts import Texts
from bot.words.variations import written
from data.preferences import TableOptions, Terms
from marriage.rules import Rules, nearest_preset

_MOST_TOLD = 6


def rules_words(
    rules: Rules,
    options: TableOptions | Terms,
    texts: Texts,
    *,
    house: str | None = None,
    most: int = _MOST_TOLD,
) -> str:
    """The rules and the match in one line, with up to `most` differences from the preset.

    `house` says whose house rules they are. Options without effect under these rules are left out.
    """
    name = preset_name(nearest_preset(rules)[0], texts)
    told = differences(rules, texts)
    if not told:
        said = texts("lobby.rules", preset=name)
    else:
        words = "; ".join(told[:most])
        if len(told) > most:
            words = texts("lobby.rules_more", differences=words, count=len(told) - most)
        key = "lobby.rules_house" if house else "lobby.rules_but"
        said = texts(key, preset=name, house=house, differences=words)
    return f"{said} · {match_words(options, texts)}"


def house_words(terms: Terms, texts: Texts) -> str:
    """House rules in one line: what they are like, and what differs."""
    name = preset_name(nearest_preset(terms.rules)[0], texts)
    return "; ".join([f"**{name}**", *differences(terms.rules, texts), match_words(terms, texts)])


def differences(rules: Rules, texts: Texts) -> list[str]:
    """List the effective differences from the nearest preset, one option each."""
    return [
        variation_words(option, value, texts)
        for option, value in nearest_preset(rules)[1].items()
        if matters(option, rules)
    ]


def rules_short(rules: Rules, texts: Texts) -> str:
    """The name of the preset, and how many differences from it have an effect."""
    known = preset_name(nearest_preset(rules)[0], texts)
    count = len(differences(rules, texts))
    return texts("lobby.rules_short", preset=known, count=count) if count else known


def variation_words(option: str, value: Any, texts: Texts) -> str:
    """One option in words; custom values are shown as typed."""
    for key in (f"variation.{option}_{_said(value)}", f"variation.{option}"):
        if key in texts:
            return texts(key, value=value)
    return f"`{written(option, value)}`"


def match_words(options: TableOptions | Terms, texts: Texts) -> str:
    """The number of deals and the clock."""
    deals = texts("lobby.deals", deals=options.deals) if options.deals else texts("lobby.deals_open")
    return texts("lobby.match", deals=deals, pace=texts(f"pace.{options.pace}"))


def _said(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
