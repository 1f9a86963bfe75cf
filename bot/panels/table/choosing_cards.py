"""Choosing cards of a hand: the card to discard, the sets of a show, and an order of the holder's own.

The buttons for discards follow the order in which the hand is laid out, and nothing else. In a rated deal they are sorted
by suit if the hand is laid out in sets, so that nothing advises what to discard.

A show is put together set by set: every show that the rules allow can be chosen, and no other. Each step offers only the
sets with which the chosen ones can still be completed. At any time one button lays the best of these shows.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import discord

from bot.panels.pages import turning
from bot.table.core.snapshot import Mode, ShownHand, Snapshot
from bot.ui.items import (
    BLUE,
    GREEN,
    GREY,
    MOST_OPTIONS,
    MOST_ROWS,
    Button,
    Press,
    Rows,
    Select,
    in_rows,
    row,
    table_press,
)
from bot.words.numbers import read_number
from bot.words.texts import Texts, card_emoji, card_name, cards_name, shown_card, shown_cards
from data.preferences import PersonSettings
from marriage.actions import Discard, Show, ShowDublees
from marriage.cards import Card, Cards, sort_cards
from marriage.groups import GroupKind, group_kind, wilds_for
from marriage.maal import role
from marriage.rules import PRIMARY_GROUPS, SHOW_DUBLEES, Rules
from marriage.solver import pairs
from marriage.strategy.showable_sets import sets_to_add, showable_sets
from marriage.view import View
from render.drawing.deck import ace_high
from render.hand_layout import HeapKind, LayoutStep

_SET_ASIDE: Final = frozenset((HeapKind.OWN, HeapKind.TUNNELA, HeapKind.SEQUENCE, HeapKind.TRIAL))
"""Heaps that are seldom broken up: the player's own groups, and the pure sets of a hand that is laid out in sets."""

_NEUTRAL: Final = frozenset((HeapKind.SUIT, HeapKind.RANK, HeapKind.OWN))
"""Heaps that do not reveal which cards make a set."""


@dataclass(frozen=True, slots=True, repr=False)
class CardChoice:
    """The cards that a player may discard, and the presses for them."""

    hand: ShownHand
    settings: PersonSettings
    """The player's settings for showing cards."""
    cards: list[Card]
    """The faces that get a button."""
    press: Callable[[Card], Press]
    """The press of a face's button."""
    pick: Press
    """The press of the select of all faces."""
    advised: Card | None = None
    """The card that a practice deal advises to discard; None at a table, where no advice is given."""


def card_rows(choice: CardChoice, others: Sequence[Button], texts: Texts) -> Rows:
    """Return the rows of the cards and, below them, the other buttons, in their own row if there is room."""
    has_room = len(choice.cards) + len(others) <= MOST_OPTIONS
    if choice.settings.card_list or not has_room:
        return [row(_card_select(choice, texts)), *in_rows(others)]
    buttons = [_card_button(choice, card, texts) for card in choice.cards]
    apart = [*in_rows(buttons), *in_rows(others)]
    return apart if len(apart) <= MOST_ROWS else in_rows([*buttons, *others])


def discardable(hand: ShownHand) -> list[Card]:
    """Return the faces that may be discarded now, in the order of the picture."""
    allowed = {action.card for action in hand.actions if isinstance(action, Discard)}
    cards = sort_cards(hand.layout.cards) if _hides_sets(hand) else hand.layout.cards
    return [card for card in dict.fromkeys(cards) if card in allowed]


def offered(hand: ShownHand, mode: Mode) -> list[Card]:
    """Return the faces that get a button, without those set aside unless they are requested or nothing else is left."""
    faces = discardable(hand)
    if mode is Mode.CARDS or _hides_sets(hand):
        return faces
    loose = {card for heap in hand.layout.heaps if heap.kind not in _SET_ASIDE for card in heap.cards}
    if hand.layout.drawn is not None:
        loose.add(hand.layout.drawn)
    return [card for card in faces if card in loose] or faces


def _hides_sets(hand: ShownHand) -> bool:
    """Return whether the hand is laid out in sets, which the buttons must not reveal."""
    return hand.is_neutral and any(heap.kind not in _NEUTRAL for heap in hand.layout.heaps)


def _card_button(choice: CardChoice, card: Card, texts: Texts) -> Button:
    """Return a face's button. The card that has just come is blue, the advised one green."""
    emoji = None if choice.settings.words else card_emoji(card, texts)
    return Button(
        choice.press(card),
        card_name(card, texts) if emoji is None else "",
        style=GREEN if card == choice.advised else BLUE if card == choice.hand.view.drawn else GREY,
        emoji=emoji,
    )


def _card_select(choice: CardChoice, texts: Texts) -> Select:
    """Return a select of all faces that may be discarded."""
    options = [_card_option(choice, card, texts) for card in discardable(choice.hand)[:MOST_OPTIONS]]
    return Select(choice.pick, texts("hand.discard"), options)


def _card_option(choice: CardChoice, card: Card, texts: Texts) -> discord.SelectOption:
    view = choice.hand.view
    copies = (view.own.concealed or ()).count(card)
    hints = [texts("practice.advised")] if card == choice.advised else []
    if copies > 1:
        hints.append(texts("hand.copies", count=copies))
    if view.own.seen and view.tiplu is not None and (wild := role(card, view.tiplu, view.rules)):
        hints.append(texts(f"role.{wild}"))
    if card == view.drawn:
        hints.append(texts("hand.just_drawn"))
    return discord.SelectOption(
        label=card_name(card, texts),
        value=str(card),
        description=", ".join(hints) or None,
        emoji=card_emoji(card, texts),
    )


_MOST_SELECTS: Final = 4
"""The maximum number of selects; the fifth row holds the buttons."""
_NO_SET: Final = "x"
"""The argument of a press while no set is chosen."""


def set_rows(snapshot: Snapshot, hand: ShownHand, texts: Texts) -> Rows:
    """Return selects of the next possible sets by page, dublees if more than seven, and the buttons."""
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
            _set_option(group, numbers[group], hand.view.rules, texts)
            for group in shown[start : start + MOST_OPTIONS]
        ]
        press = table_press(snapshot, "pick-sets", f"{part}-{chosen_argument(hand.view, hand.chosen.sets)}")
        left = PRIMARY_GROUPS - len(hand.chosen.sets)
        asked = texts("hand.choose_sets") if not hand.chosen.sets else texts("hand.choose_more", count=left)
        rows.append(row(Select(press, asked, options)))
    return [*rows, row(*_set_buttons(snapshot, hand, page, count, texts))]


def may_choose(hand: ShownHand) -> bool:
    """Return whether the hand can show three sets now."""
    return any(isinstance(action, Show) for action in hand.actions)


def has_choice(hand: ShownHand) -> bool:
    """Return whether the hand can be shown in more than one way."""
    pairs_to_choose = any(isinstance(action, ShowDublees) for action in hand.actions) and _pairs(hand.view)
    return bool(pairs_to_choose) or (may_choose(hand) and len(sets_to_add(hand.view, ())) > PRIMARY_GROUPS)


def choosing_words(hand: ShownHand, texts: Texts) -> str:
    """Say what is chosen, and what the button **Show these** lays."""
    chosen = _listed_sets(hand.chosen.sets, texts)
    said = [texts("hand.sets_chosen", sets=chosen) if hand.chosen.sets else texts("hand.sets_hint")]
    if hand.best is not None:
        said.append(texts("hand.sets_best", sets=_listed_sets(hand.best, texts)))
    return "\n".join(said)


def show_words(hand: ShownHand, texts: Texts) -> str | None:
    """Say what the button of a show lays; None without such a button."""
    return None if hand.best is None else texts("hand.show_lays", sets=_listed_sets(hand.best, texts))


def chosen_argument(view: View, chosen: tuple[Cards, ...]) -> str:
    """Encode the chosen sets for a custom id, as their numbers among all sets of the hand."""
    groups = showable_sets(view)
    return "-".join(str(groups.index(group)) for group in chosen) or _NO_SET


def read_chosen(view: View, argument: str) -> tuple[Cards, ...]:
    """Decode the sets of such an argument, leaving out those that the hand does not have."""
    groups = showable_sets(view)
    numbers = [read_number(part, 4) for part in argument.split("-")]
    return tuple(groups[number] for number in numbers if number is not None and number < len(groups))


def read_set(view: View, value: str) -> Cards | None:
    """Return the set that was chosen in a select; None if the hand does not have it."""
    return next(iter(read_chosen(view, value)), None)


def _set_buttons(snapshot: Snapshot, hand: ShownHand, page: int, count: int, texts: Texts) -> list[Button]:
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


def _pair_select(snapshot: Snapshot, hand: ShownHand, texts: Texts) -> Select | None:
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


def _set_option(group: Cards, value: str, rules: Rules, texts: Texts) -> discord.SelectOption:
    kind = group_kind(group, wilds_for(None, rules), rules) or GroupKind.SEQUENCE
    label = cards_name(ace_high(group), texts)
    return discord.SelectOption(label=label, value=value, description=texts(f"heap.{kind}"))


def _listed_sets(groups: tuple[Cards, ...], texts: Texts) -> str:
    return " · ".join(shown_cards(ace_high(group), texts) for group in groups)


COPY: Final = "#"
"""Separates a card or a set from its copy number in an option's value."""


def arranging_rows(snapshot: Snapshot, hand: ShownHand, texts: Texts) -> Rows:
    """Return the steps of the chosen card, or else the choices: a card, cards to group, groups to split."""
    cards = hand.layout.cards[:MOST_OPTIONS]
    place = None if hand.chosen.moving is None else place_of(cards, *hand.chosen.moving)
    if place is not None:
        return _moving_rows(snapshot, hand, place, texts)
    options = _place_options(cards, texts)
    rows: Rows = []
    if len(options) > 1:
        rows.append(row(Select(table_press(snapshot, "pick-move"), texts("hand.move"), options)))
        press = table_press(snapshot, "pick-pin")
        rows.append(row(_place_select(press, texts("hand.pin"), options, 2, len(options))))
    if hand.pinned:
        groups = [
            discord.SelectOption(label=cards_name(group, texts)[:100], value=str(number))
            for number, group in enumerate(hand.pinned[:MOST_OPTIONS])
        ]
        press = table_press(snapshot, "pick-unpin")
        rows.append(row(_place_select(press, texts("hand.unpin"), groups, 1, len(groups))))
    return [*rows, _back_button(snapshot, texts)]


def moving_words(hand: ShownHand, texts: Texts) -> str:
    """Say which card moves and where it stands, or what can be chosen."""
    cards = hand.layout.cards
    place = None if hand.chosen.moving is None else place_of(cards, *hand.chosen.moving)
    if place is None:
        return texts("hand.group_hint")
    return texts("hand.moving", card=shown_card(cards[place], texts), place=place + 1, count=len(cards))


def place_of(cards: Cards, card: Card, copy: int) -> int | None:
    """Return the place of this copy of a card, counted from the left; None if the cards do not have it."""
    places = [place for place, other in enumerate(cards) if other == card]
    return places[copy - 1] if 0 < copy <= len(places) else None


def copy_at(cards: Cards, place: int) -> tuple[Card, int]:
    """Return the card at a place, and which of its copies it is, from 1."""
    return cards[place], cards[: place + 1].count(cards[place])


def _moving_rows(snapshot: Snapshot, hand: ShownHand, place: int, texts: Texts) -> Rows:
    cards, drawn = hand.layout.cards[:MOST_OPTIONS], hand.layout.drawn
    moving = "-".join(map(str, copy_at(cards, place)))
    last = len(cards) - 1 - (drawn is not None and place < len(cards) - 1)
    steps = [
        Button(
            table_press(snapshot, "place", f"{step}-{moving}"),
            texts(f"button.place_{step}"),
            disabled=place == (0 if step in (LayoutStep.FIRST, LayoutStep.LEFT) else last),
        )
        for step in LayoutStep
    ]
    others = [
        option
        for number, option in enumerate(_place_options(cards, texts))
        if number not in (place, place + 1, last + 1)
    ]
    rows = [row(*steps, Button(table_press(snapshot, "refresh"), texts("button.arranged"), style=GREEN))]
    if others:
        rows.append(
            row(Select(table_press(snapshot, "pick-before", moving), texts("hand.move_before"), others))
        )
    return [
        *rows,
        row(
            Select(
                table_press(snapshot, "pick-move"), texts("hand.move_another"), _place_options(cards, texts)
            )
        ),
    ]


def _place_options(cards: Cards, texts: Texts) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label=card_name(card, texts), value=value, emoji=card_emoji(card, texts))
        for card, value in zip(cards, numbered(map(str, cards)), strict=True)
    ]


def numbered(names: Iterable[str]) -> list[str]:
    """Return each name with the number of its copy, because the values of a select must differ."""
    seen: Counter[str] = Counter()
    values: list[str] = []
    for name in names:
        seen[name] += 1
        values.append(f"{name}{COPY}{seen[name]}")
    return values


def _place_select(
    press: Press, placeholder: str, options: list[discord.SelectOption], least: int, most: int
) -> Select:
    select: discord.ui.Select[Any] = discord.ui.Select(
        custom_id=str(press), placeholder=placeholder, options=options, min_values=least, max_values=most
    )
    return Select(press, placeholder, select=select)


def _back_button(snapshot: Snapshot, texts: Texts) -> discord.ui.ActionRow[Any]:
    return row(Button(table_press(snapshot, "refresh"), texts("button.back")))
