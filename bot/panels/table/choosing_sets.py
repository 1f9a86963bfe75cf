"""Choosing what to show, set by set: every show that the rules allow can be put together, and no other.

Each step offers only the sets with which the chosen ones can still be completed. At any time one button lays the best of these shows.
"""

from typing import Any, Final

import discord

from bot.panels.pages import turning
from bot.table.core.snapshot import Hand, Snapshot
from bot.ui.custom_id import Press
from bot.ui.items import GREEN, MOST_OPTIONS, Button, Select, row, table_press
from bot.words.card_names import cards_name, shown_cards
from bot.words.numbers import read_number
from bot.words.texts import Texts
from marriage.actions import Show, ShowDublees
from marriage.cards import Cards
from marriage.groups import GroupKind, group_kind, wilds_for
from marriage.rules import PRIMARY_GROUPS, SHOW_DUBLEES, Rules
from marriage.solver import pairs
from marriage.strategy.showable_sets import sets_to_add, showable_sets
from marriage.view import View
from render.drawing.card_groups import ace_high

Rows = list[discord.ui.ActionRow[Any]]

_MOST_SELECTS: Final = 4
"""The fifth row has the buttons."""
_NO_SET: Final = "x"
"""The argument of a press while no set is chosen."""


def set_rows(snapshot: Snapshot, hand: Hand, texts: Texts) -> Rows:
    """The sets that can be chosen next in pages of selects, dublees if there are more than seven, and the buttons."""
    rows: Rows = []
    if not hand.chosen.sets and (choice := _pair_select(snapshot, hand, texts)) is not None:
        rows.append(row(choice))
    on_a_page = (_MOST_SELECTS - len(rows)) * MOST_OPTIONS
    groups = sets_to_add(hand.view, hand.chosen.sets) if may_choose(hand) else ()
    count = -(-len(groups) // on_a_page)
    page = min(hand.chosen.page, max(0, count - 1))
    shown = groups[page * on_a_page : (page + 1) * on_a_page]
    numbers = {group: str(number) for number, group in enumerate(showable_sets(hand.view))}
    for part, start in enumerate(range(0, len(shown), MOST_OPTIONS)):
        options = [
            _option(group, numbers[group], hand.view.rules, texts)
            for group in shown[start : start + MOST_OPTIONS]
        ]
        press = table_press(snapshot, "pick-sets", f"{part}-{chosen_argument(hand.view, hand.chosen.sets)}")
        left = PRIMARY_GROUPS - len(hand.chosen.sets)
        asked = texts("hand.choose_sets") if not hand.chosen.sets else texts("hand.choose_more", count=left)
        rows.append(row(Select(press, asked, options)))
    return [*rows, row(*_buttons(snapshot, hand, page, count, texts))]


def may_choose(hand: Hand) -> bool:
    """Whether the hand can show three sets now."""
    return any(isinstance(action, Show) for action in hand.actions)


def has_choice(hand: Hand) -> bool:
    """Whether the hand can be shown in more than one way."""
    pairs_to_choose = any(isinstance(action, ShowDublees) for action in hand.actions) and _pairs(hand.view)
    return bool(pairs_to_choose) or (may_choose(hand) and len(sets_to_add(hand.view, ())) > PRIMARY_GROUPS)


def choosing_words(hand: Hand, texts: Texts) -> str:
    """Say what is chosen, and what the button **Show these** lays."""
    chosen = _listed(hand.chosen.sets, texts)
    said = [texts("hand.sets_chosen", sets=chosen) if hand.chosen.sets else texts("hand.sets_hint")]
    if hand.best is not None:
        said.append(texts("hand.sets_best", sets=_listed(hand.best, texts)))
    return "\n".join(said)


def show_words(hand: Hand, texts: Texts) -> str | None:
    """Say what the button of a show lays; None without such a button."""
    return None if hand.best is None else texts("hand.show_lays", sets=_listed(hand.best, texts))


def chosen_argument(view: View, chosen: tuple[Cards, ...]) -> str:
    """The chosen sets as part of a custom id: their numbers among all sets of the hand."""
    groups = showable_sets(view)
    return "-".join(str(groups.index(group)) for group in chosen) or _NO_SET


def read_chosen(view: View, argument: str) -> tuple[Cards, ...]:
    """The sets of such an argument; those that the hand does not have are left out."""
    groups = showable_sets(view)
    numbers = [read_number(part, 4) for part in argument.split("-")]
    return tuple(groups[number] for number in numbers if number is not None and number < len(groups))


def read_set(view: View, value: str) -> Cards | None:
    """The set that was chosen in a select; None if the hand does not have it."""
    return next(iter(read_chosen(view, value)), None)


def _buttons(snapshot: Snapshot, hand: Hand, page: int, count: int, texts: Texts) -> list[Button]:
    argument = chosen_argument(hand.view, hand.chosen.sets)

    def turned(_: str, number: int) -> Press:
        return table_press(snapshot, "sets", f"{number}-{argument}")

    show = Button(table_press(snapshot, "show-sets", argument), texts("button.show_these"), style=GREEN)
    return [
        *([show] if hand.best is not None else []),
        *turning(page, count, turned, texts),
        *([Button(table_press(snapshot, "sets"), texts("button.choose_anew"))] if hand.chosen.sets else []),
        Button(table_press(snapshot, "refresh"), texts("button.back")),
    ]


def _pairs(view: View) -> Cards:
    """Return the faces of all dublees if there are more than a show takes; else none."""
    faces = pairs(view.own.cards or (), view.rules)
    return faces if len(faces) > SHOW_DUBLEES else ()


def _pair_select(snapshot: Snapshot, hand: Hand, texts: Texts) -> Select | None:
    faces = _pairs(hand.view) if any(isinstance(action, ShowDublees) for action in hand.actions) else ()
    if not faces:
        return None
    press, asked = table_press(snapshot, "pick-dublees"), texts("hand.choose_pairs", count=SHOW_DUBLEES)
    options = [discord.SelectOption(label=cards_name((face,) * 2, texts), value=str(face)) for face in faces]
    select: discord.ui.Select[Any] = discord.ui.Select(
        custom_id=str(press),
        placeholder=asked,
        options=options,
        min_values=SHOW_DUBLEES,
        max_values=SHOW_DUBLEES,
    )
    return Select(press, asked, select=select)


def _option(group: Cards, value: str, rules: Rules, texts: Texts) -> discord.SelectOption:
    kind = group_kind(group, wilds_for(None, rules), rules) or GroupKind.SEQUENCE
    label = cards_name(ace_high(group), texts)
    return discord.SelectOption(label=label, value=value, description=texts(f"heap.{kind}"))


def _listed(groups: tuple[Cards, ...], texts: Texts) -> str:
    return " · ".join(shown_cards(ace_high(group), texts) for group in groups)
