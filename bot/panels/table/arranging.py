"""The controls shown under a hand in place of its moves to put the cards in an order of its holder's own, or together in groups."""

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

import discord

from bot.table.core.snapshot import Hand, Snapshot
from bot.ui.custom_id import Press
from bot.ui.items import GREEN, MOST_OPTIONS, Button, Select, row, table_press
from bot.words.card_names import card_emoji, card_name, cards_name, shown_card
from bot.words.texts import Texts
from marriage.cards import Card, Cards
from render.hand_layout import Step

Rows = list[discord.ui.ActionRow[Any]]

COPY: Final = "#"
"""Separates a card or a set from its copy number in an option's value."""


def arranging_rows(snapshot: Snapshot, hand: Hand, texts: Texts) -> Rows:
    """The steps of the card that moves, if one is chosen; else what there is to choose: a card, cards to group, groups to split."""
    cards = hand.layout.cards[:MOST_OPTIONS]
    place = None if hand.chosen.moving is None else place_of(cards, *hand.chosen.moving)
    if place is not None:
        return _moving_rows(snapshot, hand, place, texts)
    options = _options(cards, texts)
    rows: Rows = []
    if len(options) > 1:
        rows.append(row(Select(table_press(snapshot, "pick-move"), texts("hand.move"), options)))
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


def moving_words(hand: Hand, texts: Texts) -> str:
    """Say which card moves, and where it stands; or what there is to choose."""
    cards = hand.layout.cards
    place = None if hand.chosen.moving is None else place_of(cards, *hand.chosen.moving)
    if place is None:
        return texts("hand.group_hint")
    return texts("hand.moving", card=shown_card(cards[place], texts), place=place + 1, count=len(cards))


def place_of(cards: Cards, card: Card, copy: int) -> int | None:
    """The place of this copy of a card, counted from the left; None if the cards do not have it."""
    places = [place for place, other in enumerate(cards) if other == card]
    return places[copy - 1] if 0 < copy <= len(places) else None


def copy_at(cards: Cards, place: int) -> tuple[Card, int]:
    """The card at a place, and which of its copies it is, from 1."""
    return cards[place], cards[: place + 1].count(cards[place])


def _moving_rows(snapshot: Snapshot, hand: Hand, place: int, texts: Texts) -> Rows:
    cards, drawn = hand.layout.cards[:MOST_OPTIONS], hand.layout.drawn
    moving = "-".join(map(str, copy_at(cards, place)))
    last = len(cards) - 1 - (drawn is not None and place < len(cards) - 1)
    steps = [
        Button(
            table_press(snapshot, "place", f"{step}-{moving}"),
            texts(f"button.place_{step}"),
            disabled=place == (0 if step in (Step.FIRST, Step.LEFT) else last),
        )
        for step in Step
    ]
    others = [
        option
        for number, option in enumerate(_options(cards, texts))
        if number not in (place, place + 1, last + 1)
    ]
    rows = [row(*steps, Button(table_press(snapshot, "refresh"), texts("button.arranged"), style=GREEN))]
    if others:
        rows.append(
            row(Select(table_press(snapshot, "pick-before", moving), texts("hand.move_before"), others))
        )
    return [
        *rows,
        row(Select(table_press(snapshot, "pick-move"), texts("hand.move_another"), _options(cards, texts))),
    ]


def _options(cards: Cards, texts: Texts) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label=card_name(card, texts), value=value, emoji=card_emoji(card, texts))
        for card, value in zip(cards, numbered(map(str, cards)), strict=True)
    ]


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


def _back(snapshot: Snapshot, texts: Texts) -> discord.ui.ActionRow[Any]:
    return row(Button(table_press(snapshot, "refresh"), texts("button.back")))
