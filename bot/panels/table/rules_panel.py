"""The rules of a table as questions, for those who may change them: an overview, and a page for each subject."""

from collections.abc import Mapping
from typing import Any, Final

import discord
from discord import ui

from bot.panels.table.more import back_to_more
from bot.panels.table.rules_text import differences, rules_words, variation_words
from bot.table.core.snapshot import Snapshot
from bot.ui.items import Button, Select, row, table_press
from bot.ui.panel import Panel, panel, text
from bot.ui.presets import preset_options
from bot.words.presets import preset_name
from bot.words.rule_questions import Question, answers, asked, subjects
from bot.words.texts import Texts
from bot.words.variations import written
from data.preferences import MOST_DEALS, Pace, Terms
from marriage.rules import PRESETS, Rules, nearest_preset

OVERVIEW: Final = "overview"
HOUSE: Final = ("server", "mine")
"""Whose house rules can be chosen or saved."""
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
    """One page: `OVERVIEW` or a subject; `note` says what the last choice has done besides.

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
    """The way from page to page; each subject shows its present answers."""
    rules = snapshot.table.rules
    options = [_option(texts(f"subject.{OVERVIEW}"), OVERVIEW, page)]
    for subject in subjects(rules):
        present = [
            variation_words(question.option, getattr(rules, question.option), texts)
            for question in asked(subject, rules)
        ]
        options.append(_option(texts(f"subject.{subject}"), subject, page, "; ".join(present)))
    return Select(table_press(snapshot, "pick-subject"), texts("rulesform.choose_subject"), options)


def _question(snapshot: Snapshot, question: Question, texts: Texts) -> list[ui.Item[Any]]:
    """The question, and a select with every answer; that of the preset is marked."""
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
    """The preset or house rules, the match, the clock, and where they can be saved."""
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
    """Presets and house rules. What the table plays by is marked if it is one of them."""
    rules = snapshot.table.rules
    name = nearest_preset(rules)[0]
    differing = differences(rules, texts)  # what has no effect changes no preset
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
    """An answer as its select sends it: `written`, without the name of the option."""
    return written(option, value).partition("=")[2]


def _option(label: str, value: str, present: str, description: str | None = None) -> discord.SelectOption:
    return discord.SelectOption(
        label=label[:100],
        value=value,
        default=value == present,
        description=description[:100] if description else None,
    )
