"""The rules of a table: in words, as questions for those who may change them, and as a form for experts.

The words are the preset and what differs from it. The questions have an overview and a page for each subject. The form takes
a preset and everything that differs from it as text; a button opens it again to correct its errors.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import discord
from discord import ui

from bot.panels.table.more import back_to_more
from bot.table.core.snapshot import Snapshot
from bot.ui.items import (
    Button,
    Fields,
    Press,
    Select,
    chosen_one,
    field,
    preset_options,
    row,
    table_press,
    typed,
)
from bot.ui.panel import Panel, panel, text
from bot.words.rules import (
    OPTIONS,
    RuleFault,
    RuleQuestion,
    answers,
    asked,
    matters,
    preset_name,
    read_rules,
    subjects,
    written,
)
from bot.words.texts import Texts
from data.preferences import MOST_DEALS, Pace, TableOptions, Terms
from marriage.rules import PRESETS, Rules, nearest_preset

_MOST_TOLD = 6


def rules_words(
    rules: Rules,
    options: TableOptions | Terms,
    texts: Texts,
    *,
    house: str | None = None,
    most: int = _MOST_TOLD,
) -> str:
    """Describe the rules and the match in one line, with up to `most` differences from the preset.

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
    """Describe house rules in one line: the nearest preset, and what differs from it."""
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
    """Return the name of the preset and the number of differences from it that have an effect."""
    known = preset_name(nearest_preset(rules)[0], texts)
    count = len(differences(rules, texts))
    return texts("lobby.rules_short", preset=known, count=count) if count else known


def variation_words(option: str, value: Any, texts: Texts) -> str:
    """Describe one option; custom values are shown as typed."""
    for key in (f"variation.{option}_{_said(value)}", f"variation.{option}"):
        if key in texts:
            return texts(key, value=value)
    return f"`{written(option, value)}`"


def match_words(options: TableOptions | Terms, texts: Texts) -> str:
    """State the number of deals and the clock."""
    deals = texts("lobby.deals", deals=options.deals) if options.deals else texts("lobby.deals_open")
    return texts("lobby.match", deals=deals, pace=texts(f"pace.{options.pace}"))


def _said(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


OVERVIEW: Final = "overview"
HOUSE: Final = ("server", "mine")
"""The owners of house rules that can be chosen or saved."""
_DEALS: Final = (*range(11), 12, 15, 16, 20, 24, 25, 30, 36, 40, 45, MOST_DEALS)


def rules_panel(
    snapshot: Snapshot,
    page: str,
    house: Mapping[str, Terms],
    texts: Texts,
    note: str | None = None,
    *,
    is_manager: bool = False,
) -> Panel:
    """Show one page: `OVERVIEW` or a subject; `note` says what else the last choice has done.

    `house` has the house rules that can be chosen, by the words of `HOUSE`.
    """
    table = snapshot.table
    questions = [] if page == OVERVIEW else asked(page, table.rules)
    return panel(
        text(f"> {note}") if note else None,
        text(texts("rulesform.panel", table=table.id)),
        text(rules_words(table.rules, table.options, texts, most=len(Rules.model_fields))),
        row(_subjects(snapshot, page if questions else OVERVIEW, texts)),
        *(part for question in questions for part in _question(snapshot, question, texts)),
        *([] if questions else _overview(snapshot, house, texts, is_manager=is_manager)),
    )


def _subjects(snapshot: Snapshot, page: str, texts: Texts) -> Select:
    """Return the select that leads from page to page; each subject shows its current answers."""
    rules = snapshot.table.rules
    options = [_option(texts(f"subject.{OVERVIEW}"), OVERVIEW, page)]
    for subject in subjects(rules):
        present = [
            variation_words(question.option, getattr(rules, question.option), texts)
            for question in asked(subject, rules)
        ]
        options.append(_option(texts(f"subject.{subject}"), subject, page, "; ".join(present)))
    return Select(table_press(snapshot, "pick-subject"), texts("rulesform.choose_subject"), options)


def _question(snapshot: Snapshot, question: RuleQuestion, texts: Texts) -> list[ui.Item[Any]]:
    """Return the question with a select of every answer; the preset's answer is marked."""
    option, rules = question.option, snapshot.table.rules
    name = nearest_preset(rules)[0]
    usual = getattr(PRESETS[name], option)
    as_preset = texts("rulesform.as_preset", preset=preset_name(name, texts))
    present = _value(option, getattr(rules, option))
    options = [
        _option(
            variation_words(option, value, texts),
            _value(option, value),
            present,
            as_preset if value == usual else None,
        )
        for value in answers(option, rules)
    ]
    words = texts(f"question.{option}")
    return [
        text(f"**{words}**"),
        row(Select(table_press(snapshot, "pick-rule", option), words, options)),
    ]


def _overview(
    snapshot: Snapshot, house: Mapping[str, Terms], texts: Texts, *, is_manager: bool
) -> list[ui.Item[Any]]:
    """Return the controls for the preset or house rules, the match and the clock, and for saving them."""
    options = snapshot.table.options
    deals = [
        _option(_deals(count, texts), str(count), str(options.deals))
        for count in sorted({*_DEALS, options.deals})
    ]
    paces = [_option(texts(f"pace.{pace}"), pace, options.pace) for pace in Pace]
    buttons = [Button(table_press(snapshot, "save-rules", "mine"), texts("button.save_mine"))]
    if is_manager:
        buttons.append(Button(table_press(snapshot, "save-rules", "server"), texts("button.save_server")))
    buttons.append(Button(table_press(snapshot, "rules-text"), texts("button.rules_as_text")))
    buttons.append(back_to_more(snapshot, texts))
    return [
        row(_presets(snapshot, house, texts)),
        row(Select(table_press(snapshot, "pick-rule", "deals"), texts("rulesform.choose_deals"), deals)),
        row(Select(table_press(snapshot, "pick-rule", "pace"), texts("rulesform.choose_pace"), paces)),
        row(*buttons),
    ]


def _presets(snapshot: Snapshot, house: Mapping[str, Terms], texts: Texts) -> Select:
    """Return a select of presets and house rules, with the table's choice marked if it is one of them."""
    rules = snapshot.table.rules
    name = nearest_preset(rules)[0]
    differing = differences(rules, texts)  # an option without effect changes no preset
    kept = next((whose for whose, terms in house.items() if differing and terms.rules == rules), None)
    options = [
        *(_option(texts(f"rulesform.house_{whose}"), whose, kept or "") for whose in house),
        *preset_options(None if differing else name, texts),
    ]
    changed = texts("rulesform.choose_preset", preset=preset_name(name, texts))
    return Select(table_press(snapshot, "pick-rule", "preset"), changed, options)


def _deals(count: int, texts: Texts) -> str:
    return texts("rulesform.deals", deals=count) if count else texts("rulesform.deals_open")


def _value(option: str, value: Any) -> str:
    """Return an answer as its select sends it: `written`, without the name of the option."""
    return written(option, value).partition("=")[2]


def _option(label: str, value: str, present: str, description: str | None = None) -> discord.SelectOption:
    return discord.SelectOption(
        label=label[:100],
        value=value,
        default=value == present,
        description=description[:100] if description else None,
    )


LONGEST_TEXT = 4000


@dataclass(frozen=True, slots=True)
class Filled:
    """The values of a form, valid or not."""

    preset: str
    others: str
    """The differences from the preset, as `option=value`."""

    @classmethod
    def of_rules(cls, rules: Rules) -> "Filled":
        """Return the values that stand for these rules."""
        preset, differences = nearest_preset(rules)
        return cls(preset, "\n".join(written(*pair) for pair in differences.items()))

    @classmethod
    def of_fields(cls, fields: Fields) -> "Filled":
        """Read the values of the form."""
        return cls(chosen_one(fields, "preset"), typed(fields, "others"))

    @classmethod
    def of_argument(cls, argument: str, others: str) -> "Filled | None":
        """Decode `argument` from a custom id; `others` is the text. None for an id the bot never made."""
        return cls(argument, others) if argument in PRESETS else None

    @property
    def argument(self) -> str:
        """Everything but the text, for a custom id. An unknown preset becomes the default one."""
        return self.preset if self.preset in PRESETS else "pagat"

    def rules(self) -> Rules:
        """Return the chosen rules; raises InvalidRulesError with all errors."""
        return read_rules(self.preset, self.others)


def rules_fields(filled: Filled, texts: Texts) -> list[ui.Label[Any]]:
    """Return the fields of the form."""
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


def wrong_rules_panel(press: Press, faults: Sequence[RuleFault], filled: Filled, texts: Texts) -> Panel:
    """Describe every error, with a button that opens the form again with its values."""
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
