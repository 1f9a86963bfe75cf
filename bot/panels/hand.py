"""A seat's own panel: its cards, what it may do, and nothing that others may not see it by."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import discord

from bot.cardnames import card_name, cards_name
from bot.ids import Press
from bot.panels.items import Button, Select, row
from bot.panels.panel import Panel, gallery, panel, picture_file, text
from bot.panels.presence import hand_note
from bot.snapshot import Snapshot
from bot.texts import Texts
from marriage.actions import (
    Action,
    CutTiplu,
    DeclineTunnelas,
    Discard,
    DrawStock,
    ExposeTunnelas,
    Finish,
    FinishDublees,
    Show,
    ShowDublees,
    TakeDiscard,
)
from marriage.cards import Card, Cards
from marriage.maal import role
from marriage.state import Phase
from marriage.view import View
from render.picture import Picture

_GREEN = discord.ButtonStyle.success
_BLUE = discord.ButtonStyle.primary
_MOST_OPTIONS = 25


@dataclass(frozen=True, slots=True, repr=False)
class Hand:
    """What one seat's panel is made of: its view, what it may do, its picture, and a word about its progress."""

    view: View
    actions: tuple[Action, ...]
    picture: Picture | None
    words: str
    """The cards in words: for those who cannot see the picture, or when there is none."""
    distance: int | None
    """Cards still missing to show or to finish; None when nothing is to be said."""


def hand_panel(snapshot: Snapshot, hand: Hand, texts: Texts, note: str | None = None) -> Panel:
    """The panel of one seat; `note` is said first, such as why the last press did nothing."""
    file = picture_file(hand.picture) if hand.picture else None
    return panel(
        text(f"> {note}") if note else None,
        text(_heading(snapshot, hand.view, texts)),
        text(said) if (said := hand_note(snapshot, hand.view.viewer or 0, texts)) else None,
        gallery(file) if file else text(hand.words),
        text(_progress(hand, texts)),
        text(texts("hand.dms_closed")) if hand.view.viewer in snapshot.dms_closed else None,
        *_controls(snapshot, hand, texts),
        row(*_buttons(snapshot, hand, texts)),
        files=[file] if file else [],
    )


def _heading(snapshot: Snapshot, view: View, texts: Texts) -> str:
    table = snapshot.table
    where = texts("hand.where", table=table.id, deal=table.deal_no, link=table_link(snapshot))
    return f"{where}\n{_ask(snapshot, view, texts)}"


def table_link(snapshot: Snapshot) -> str:
    """The address of the table message, or of its channel before there is one."""
    table = snapshot.table
    address = f"https://discord.com/channels/{table.guild_id}/{table.channel_id}"
    return f"{address}/{table.message_id}" if table.message_id else address


def _ask(snapshot: Snapshot, view: View, texts: Texts) -> str:
    if view.phase is Phase.OVER:
        return texts("hand.over")
    if view.phase is Phase.WINDOW:
        return texts("hand.window_done" if view.own.answered else "hand.window")
    if view.turn != view.viewer:
        return texts("hand.wait", name=snapshot.shown_names[view.turn])
    match view.phase:
        case Phase.DRAW:
            return texts("hand.draw")
        case Phase.CUT:
            return texts("hand.cut")
        case Phase.PLAY:
            return texts("hand.play", card=card_name(view.drawn) if view.drawn is not None else "–")


def _progress(hand: Hand, texts: Texts) -> str:
    view = hand.view
    if view.phase is Phase.OVER:
        return texts("hand.over_hint")
    lines: list[str] = []
    if view.tiplu is not None and view.own.seen:
        lines.append(texts("hand.tiplu", card=card_name(view.tiplu)))
    if hand.distance is not None:
        lines.append(texts("hand.to_finish" if view.own.shown else "hand.to_show", count=hand.distance))
    return "\n".join(lines) or texts("hand.look")


def _press(snapshot: Snapshot, verb: str) -> Press:
    return Press(verb, snapshot.table.id, snapshot.table.revision)


def _buttons(snapshot: Snapshot, hand: Hand, texts: Texts) -> list[Button]:
    """At most four moves, the most natural first, and a fresh look."""
    buttons = [
        button
        for action in hand.actions
        if (button := _button(snapshot, hand.view, action, texts)) is not None
    ]
    return [*buttons[:4], Button(_press(snapshot, "refresh"), texts("button.refresh"))]


def _button(snapshot: Snapshot, view: View, action: Action, texts: Texts) -> Button | None:
    match action:
        case DrawStock():
            return Button(_press(snapshot, "draw"), texts("button.draw"), style=_BLUE)
        case TakeDiscard():
            return Button(_press(snapshot, "take"), texts("button.take", card=card_name(view.pile[-1])))
        case Show():
            return Button(_press(snapshot, "show"), texts("button.show"), style=_GREEN)
        case ShowDublees():
            return Button(_press(snapshot, "dublees"), texts("button.dublees"), style=_GREEN)
        case CutTiplu():
            return Button(_press(snapshot, "cut"), texts("button.cut"), style=_BLUE)
        case Finish() | FinishDublees():
            return Button(_press(snapshot, "finish"), texts("button.finish"), style=_GREEN)
        case DeclineTunnelas():
            return Button(_press(snapshot, "decline"), texts("button.decline"), style=_BLUE)
        case ExposeTunnelas() | Discard():
            return None


def _controls(snapshot: Snapshot, hand: Hand, texts: Texts) -> list[discord.ui.ActionRow[Any]]:
    """The selects: which tunnelas to expose, where to cut, which card to discard."""
    view, actions = hand.view, hand.actions
    tunnelas = _single_exposures(actions)
    if tunnelas:
        options = [discord.SelectOption(label=cards_name((face,) * 3), value=str(face)) for face in tunnelas]
        select = Select(
            _press(snapshot, "pick-expose"), texts("hand.expose"), options, max_values=len(options)
        )
        return [row(select)]
    if any(isinstance(action, CutTiplu) for action in actions):
        options = [_place_option(place, texts) for place in _places(view.stock_count)]
        return [row(Select(_press(snapshot, "pick-cut"), texts("hand.cut_where"), options))]
    cards = [action.card for action in actions if isinstance(action, Discard)]
    if cards:
        options = [_card_option(view, card, texts) for card in cards[:_MOST_OPTIONS]]
        return [row(Select(_press(snapshot, "pick-discard"), texts("hand.discard"), options))]
    return []


def _single_exposures(actions: Sequence[Action]) -> Cards:
    single = [action.faces for action in actions if isinstance(action, ExposeTunnelas)]
    return tuple(faces[0] for faces in single if len(faces) == 1)


def _places(stock: int) -> list[int]:
    """Up to 25 places spread evenly over the stock, from the top to the bottom."""
    count = min(stock, _MOST_OPTIONS)
    if count < 2:
        return list(range(count))
    return [round(index * (stock - 1) / (count - 1)) for index in range(count)]


def _place_option(place: int, texts: Texts) -> discord.SelectOption:
    return discord.SelectOption(label=texts("hand.place", place=place + 1), value=str(place))


def _card_option(view: View, card: Card, texts: Texts) -> discord.SelectOption:
    copies = (view.own.concealed or ()).count(card)
    hints = [texts("hand.copies", count=copies)] if copies > 1 else []
    if view.own.seen and view.tiplu is not None and (wild := role(card, view.tiplu, view.rules)):
        hints.append(texts(f"role.{wild}"))
    if card == view.drawn:
        hints.append(texts("hand.just_drawn"))
    return discord.SelectOption(label=card_name(card), value=str(card), description=", ".join(hints) or None)
