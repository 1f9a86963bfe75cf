"""The selects shown under a hand in place of its moves: grouping cards, and choosing sets to show."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

import discord

from bot.table.core.hands import Hand
from bot.table.core.snapshot import Snapshot
from bot.ui.custom_id import Press
from bot.ui.items import MOST_OPTIONS, Button, Select, row, table_press
from bot.words.card_names import card_emoji, card_name, cards_name
from bot.words.numbers import read_number
from bot.words.texts import Texts
from marriage.actions import Show
from marriage.cards import Card, Cards, sort_cards
from marriage.groups import GroupKind, group_kind, wilds_for
from marriage.rules import PRIMARY_GROUPS, Rules
from marriage.strategy.showable_sets import showable_sets
from marriage.view import View
from render.drawing.card_groups import ace_high

Rows = list[discord.ui.ActionRow[Any]]

_MOST_SETS: Final = 4 * MOST_OPTIONS
"""As many as fit into four selects; the fifth row leads back."""
COPY: Final = "#"
"""Separates a card or a set from its copy number in an option's value."""


def group_rows(snapshot: Snapshot, hand: Hand, texts: Texts) -> Rows:
    """A select of all cards, to group some; one of the player's groups, to split them; and a button back."""
    cards = hand.layout.cards[:MOST_OPTIONS]
    options = [
        discord.SelectOption(label=card_name(card, texts), value=value, emoji=card_emoji(card, texts))
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
    """The sets that the hand holds, suggested ones first, to choose three that share no card.

    If they fit into one select, three are chosen at once. If there are more, as in long runs, they are in up to four
    selects, and the custom ids keep earlier choices until there are three.
    """
    if not any(isinstance(action, Show) for action in hand.actions):
        return [_back(snapshot, texts)]
    groups = offered_sets(hand)
    options = [
        _set_option(group, value, hand.view.rules, texts)
        for group, value in zip(groups, numbered(map(_written, groups)), strict=True)
    ]
    wanted = PRIMARY_GROUPS - len(hand.chosen)
    least = wanted if len(options) <= MOST_OPTIONS else 1
    asked = texts("hand.choose_sets") if wanted == PRIMARY_GROUPS else texts("hand.choose_more", count=wanted)
    chosen = [showable_sets(hand.view).index(group) for group in hand.chosen]
    rows: Rows = []
    for part, start in enumerate(range(0, len(options), MOST_OPTIONS)):
        some = options[start : start + MOST_OPTIONS]
        press = table_press(snapshot, "pick-sets", "-".join(map(str, (part, *chosen))))
        rows.append(row(_select(press, asked, some, min(least, len(some)), min(wanted, len(some)))))
    return [*rows, _back(snapshot, texts)]


def offered_sets(hand: Hand) -> tuple[Cards, ...]:
    """The sets to choose from, without those already chosen: as many as fit into four selects.

    Suggested sets come first, then sets of three, then longer ones; copies only if there is room.
    """
    found = next((action.groups for action in hand.actions if isinstance(action, Show)), ())
    first = [sort_cards(group) for group in found]
    others = Counter(showable_sets(hand.view))
    others.subtract(first)
    groups = [*first, *others.elements()]
    if hand.chosen:
        rest = Counter(hand.view.own.concealed or ())
        rest.subtract(card for group in hand.chosen if not _is_exposed(group, hand.view) for card in group)
        groups = [group for group in groups if _is_left(group, rest, hand)]
    if len(groups) > MOST_OPTIONS:
        groups = list(dict.fromkeys(groups))
    return tuple(groups[:_MOST_SETS])


def chosen_sets(view: View, argument: str) -> tuple[Cards, ...]:
    """The sets chosen before, from a select's custom id; empty if they no longer fit the hand."""
    groups = showable_sets(view)
    numbers = [read_number(part, 3) for part in argument.split("-")[1:PRIMARY_GROUPS]]
    return tuple(groups[number] for number in numbers if number is not None and number < len(groups))


def may_join(view: View, groups: Sequence[Cards]) -> bool:
    """Whether the hand has all these sets and they share no card."""
    if any(group not in showable_sets(view) for group in groups):
        return False
    in_hand = Counter(card for group in groups if not _is_exposed(group, view) for card in group)
    exposed = [group for group in groups if _is_exposed(group, view)]
    return in_hand <= Counter(view.own.concealed or ()) and len(set(exposed)) == len(exposed)


def _is_exposed(group: Cards, view: View) -> bool:
    return len(set(group)) == 1 and group[0] in view.own.exposed


def _is_left(group: Cards, rest: Counter[Card], hand: Hand) -> bool:
    """Whether this set can still be chosen."""
    if _is_exposed(group, hand.view):
        return group not in hand.chosen
    return Counter(group) <= rest


def numbered(names: Iterable[str]) -> list[str]:
    """Each name with the number of its copy, because the values of a select must differ."""
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
