"""The form of a table's rules: preset, variations, anything else as text, deals, clock."""

from dataclasses import dataclass
from typing import Any

import discord
from discord import ui

from bot.panels.table.rules_text import variation_words
from bot.ui.form import Fields, chosen, chosen_one, field, typed
from bot.ui.presets import preset_options
from bot.words.numbers import read_number
from bot.words.texts import Texts
from bot.words.variations import OFFERED, Fault, InvalidRulesError, read_rules, written
from data.preferences import Pace, TableOptions
from marriage.rules import PRESETS, Rules, nearest_preset

MOST_DEALS = 50
LONGEST_TEXT = 4000


@dataclass(frozen=True, slots=True)
class Asked:
    """The choices of a valid form."""

    rules: Rules
    deals: int
    pace: Pace


@dataclass(frozen=True, slots=True)
class Filled:
    """What a form is filled in with, valid or not."""

    preset: str
    variations: frozenset[str]
    """The chosen ones of `OFFERED`, in written form."""
    others: str
    deals: str
    pace: str

    @classmethod
    def of_table(cls, rules: Rules, options: TableOptions) -> "Filled":
        """The table's current choices."""
        preset, differences = nearest_preset(rules)
        listed = [pair for pair in OFFERED if differences.get(pair[0], ()) == pair[1]]
        rest = [written(*pair) for pair in differences.items() if pair not in listed]
        return cls(
            preset,
            frozenset(written(*pair) for pair in listed),
            "\n".join(rest),
            str(options.deals),
            options.pace,
        )

    @classmethod
    def of_fields(cls, fields: Fields) -> "Filled":
        """What was filled in."""
        others, deals = typed(fields, "others"), (typed(fields, "deals") or "0").strip()
        variations = frozenset(chosen(fields, "variations"))
        return cls(chosen_one(fields, "preset"), variations, others, deals, chosen_one(fields, "pace"))

    @classmethod
    def of_argument(cls, argument: str, others: str) -> "Filled | None":
        """Read `argument` from a custom id; `others` is the text. None for an id that the bot never made."""
        numbers = [read_number(part, 9) for part in argument.split("-")]
        if len(numbers) != len(_CARRIED) or None in numbers:
            return None
        preset, deals, pace, mask = (number or 0 for number in numbers)
        if preset >= len(PRESETS) or pace >= len(Pace):
            return None
        variations = frozenset(_WRITTEN[place] for place in range(len(_WRITTEN)) if mask >> place & 1)
        return cls(list(PRESETS)[preset], variations, others, str(deals), list(Pace)[pace])

    @property
    def argument(self) -> str:
        """Everything but the text, for a custom id. A value that the form does not offer becomes the first of its kind."""
        preset = list(PRESETS).index(self.preset) if self.preset in PRESETS else 0
        pace = list(Pace).index(Pace(self.pace)) if self.pace in set(Pace) else 0
        mask = sum(1 << place for place, written in enumerate(_WRITTEN) if written in self.variations)
        return f"{preset}-{read_number(self.deals, 9) or 0}-{pace}-{mask}"


_WRITTEN = tuple(written(*pair) for pair in OFFERED)
_CARRIED = ("preset", "deals", "pace", "variations")


def rules_fields(filled: Filled, texts: Texts) -> list[ui.Label[Any]]:
    """The fields of the form."""
    offered = [
        discord.SelectOption(
            label=variation_words(*pair, texts)[:100],
            value=written(*pair),
            default=written(*pair) in filled.variations,
        )
        for pair in OFFERED
    ]
    return [
        field(texts("rulesform.preset"), _presets(filled.preset, texts)),
        field(
            texts("rulesform.variations"),
            _select("variations", offered, most=len(offered)),
            texts("rulesform.variations_hint"),
        ),
        field(
            texts("rulesform.others"),
            ui.TextInput(
                custom_id="others",
                style=discord.TextStyle.paragraph,
                required=False,
                max_length=LONGEST_TEXT,
                placeholder="seen_pay=5, better_after=10",
                default=filled.others or None,
            ),
            texts("rulesform.others_hint"),
        ),
        field(
            texts("rulesform.deals"),
            ui.TextInput(custom_id="deals", required=False, max_length=10, default=filled.deals),
            texts("rulesform.deals_hint", most=MOST_DEALS),
        ),
        field(texts("rulesform.pace"), _paces(filled.pace, texts)),
    ]


def _presets(preset: str, texts: Texts) -> ui.Select[Any]:
    return _select("preset", preset_options(preset, texts))


def _paces(wanted: str, texts: Texts) -> ui.Select[Any]:
    options = [
        discord.SelectOption(label=texts(f"pace.{pace}"), value=pace, default=pace == wanted) for pace in Pace
    ]
    return _select("pace", options)


def _select(custom_id: str, options: list[discord.SelectOption], most: int = 0) -> ui.Select[Any]:
    """A select of exactly one option, or with `most`, of up to so many."""
    return ui.Select(
        custom_id=custom_id,
        options=options,
        min_values=0 if most else 1,
        max_values=most or 1,
        required=not most,
    )


def read_form(fields: Fields) -> Asked:
    """Read a filled-in form; raises InvalidRulesError with all its errors."""
    faults: list[Fault] = []
    rules = PRESETS["pagat"]
    try:
        rules = read_rules(
            chosen_one(fields, "preset"), chosen(fields, "variations"), typed(fields, "others")
        )
    except InvalidRulesError as error:
        faults += error.faults
    deals = read_number((typed(fields, "deals") or "0").strip(), 3)
    if deals is None or deals > MOST_DEALS:
        faults.append(Fault("rulesform.bad_deals", {"most": MOST_DEALS}))
    pace = chosen_one(fields, "pace")
    if pace not in set(Pace):
        faults.append(Fault("rulesform.bad_pace", {}))
    if faults or deals is None:
        raise InvalidRulesError(faults)
    return Asked(rules, deals, Pace(pace))
