"""The two selects that stand under a hand instead of its moves: putting cards together, and choosing sets to show."""

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

import discord

from bot.interactions.ids import Press
from bot.panels.items import MOST_OPTIONS, Button, Select, row, table_press
from bot.table.hands import Hand
from bot.table.snapshot import Snapshot
from bot.words.cardnames import card_name, cards_name
from bot.words.texts import Texts
from marriage.actions import Show
from marriage.cards import Cards, sort_cards
from marriage.groups import GroupKind, group_kind, wilds_for
from marriage.rules import PRIMARY_GROUPS, Rules
from marriage.sets import showable_sets
from render.groups import ace_high

Rows = list[discord.ui.ActionRow[Any]]

COPY: Final = "#"
"""Parts a card, or a set, from the number of its copy in the value of an option."""


def group_rows(snapshot: Snapshot, hand: Hand, texts: Texts) -> Rows:
    """All cards, to put some together; the own groups, to part them again; and the way back."""
    cards = hand.layout.cards[:MOST_OPTIONS]
    options = [
        discord.SelectOption(label=card_name(card, texts), value=value)
        for card, value in zip(cards, numbered(map(str, cards)), strict=True)
    ]
    rows: Rows = []
    if len(options) > 1:
        press = table_press(snapshot, "pick-pin")
        rows.append(row(_select(press, texts("hand.pin"), options, 2, len(options))))
    if hand.pinned:
        groups = [
            discord.SelectOption(label=cards_name(group, texts)[:100], value=str(number))
            for number, group in enumerate(hand.pinned[:MOST_OPTIONS])
        ]
        press = table_press(snapshot, "pick-unpin")
        rows.append(row(_select(press, texts("hand.unpin"), groups, 1, len(groups))))
    return [*rows, _back(snapshot, texts)]


def set_rows(snapshot: Snapshot, hand: Hand, texts: Texts) -> Rows:
    """The sets that the hand holds, those found for it first: any three that share no card."""
    groups = offered_sets(hand)
    if len(groups) < PRIMARY_GROUPS or not any(isinstance(action, Show) for action in hand.actions):
        return [_back(snapshot, texts)]
    options = [
        _set_option(group, value, hand.view.rules, texts)
        for group, value in zip(groups, numbered(map(_written, groups)), strict=True)
    ]
    press = table_press(snapshot, "pick-sets")
    select = _select(press, texts("hand.choose_sets"), options, PRIMARY_GROUPS, PRIMARY_GROUPS)
    return [row(select), _back(snapshot, texts)]


def offered_sets(hand: Hand) -> tuple[Cards, ...]:
    """At most as many sets as a select takes, the found ones first."""
    found = next((action.groups for action in hand.actions if isinstance(action, Show)), ())
    first = [sort_cards(group) for group in found]
    others = Counter(showable_sets(hand.view))
    others.subtract(first)
    return (*first, *others.elements())[:MOST_OPTIONS]


def numbered(names: Iterable[str]) -> list[str]:
    """Each name with the number of its copy, for the values of a select must differ."""
    seen: Counter[str] = Counter()
    values: list[str] = []
    for name in names:
        seen[name] += 1
        values.append(f"{name}{COPY}{seen[name]}")
    return values


def _select(
    press: Press, placeholder: str, options: list[discord.SelectOption], least: int, most: int
) -> Select:
    select: discord.ui.Select[Any] = discord.ui.Select(
        custom_id=str(press), placeholder=placeholder, options=options, min_values=least, max_values=most
    )
    return Select(press, placeholder, select=select)


def _written(group: Cards) -> str:
    return " ".join(map(str, group))


def _set_option(group: Cards, value: str, rules: Rules, texts: Texts) -> discord.SelectOption:
    kind = group_kind(group, wilds_for(None, rules), rules) or GroupKind.SEQUENCE
    label = cards_name(ace_high(group), texts)
    return discord.SelectOption(label=label, value=value, description=texts(f"heap.{kind}"))


def _back(snapshot: Snapshot, texts: Texts) -> discord.ui.ActionRow[Any]:
    return row(Button(table_press(snapshot, "refresh"), texts("button.back")))
