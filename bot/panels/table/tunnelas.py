"""The tunnela window in a hand's panel: a button for each dealt tunnela, and nothing to press for other players."""

from typing import Any

import discord

from bot.table.core.snapshot import Hand, Snapshot
from bot.table.core.table import plays_alone
from bot.ui.items import BLUE, GREEN, Button, Select, row, table_press
from bot.words.card_names import cards_name
from bot.words.texts import Texts
from marriage.actions import ExposeTunnelas
from marriage.cards import Cards
from marriage.legal import tunnelas
from marriage.state import Phase

_MOST_BUTTONS = 2
"""The most tunnelas with a button each, plus one for both.

If there are more, or other moves as well, they are in a select.
"""


def window_words(snapshot: Snapshot, hand: Hand, texts: Texts) -> str:
    """Say what a player may do in the window, and when it closes."""
    view = hand.view
    alone = plays_alone(snapshot.table, snapshot.seats)
    if view.own.answered:
        what = "done"
    elif not tunnelas(view):
        what = "none"
    elif not is_asked(snapshot, hand):
        what = "never"
    else:
        what = "alone" if alone else "some"
    said = texts(f"hand.window_{what}")
    closes = snapshot.window_closes_at
    return said if closes is None or alone else f"{said} {texts('hand.window_closes', closes=closes)}"


def is_asked(snapshot: Snapshot, hand: Hand) -> bool:
    """Whether this player is asked which tunnelas to expose; they may have chosen never to be."""
    never = snapshot.holders[hand.view.viewer or 0].settings.tunnelas == "never"
    return bool(_choices(hand)) and not never


def exposure_buttons(snapshot: Snapshot, hand: Hand, texts: Texts) -> list[Button]:
    """A button for each tunnela that may be exposed, and one for both of two.

    A person alone with computers also has a button to keep them hidden. Then the deal begins, because nobody
    else is waiting.
    """
    if not is_asked(snapshot, hand):
        return []
    faces = tunnelas(hand.view)
    buttons = [
        Button(
            table_press(snapshot, "expose", "-".join(str(faces.index(face)) for face in chosen)),
            texts("button.expose", cards=", ".join(cards_name((face,) * 3, texts) for face in chosen)),
            style=BLUE,
        )
        for chosen in ([] if _has_select(hand) else _choices(hand))
    ]
    if _may_keep(snapshot, hand):
        buttons.append(Button(table_press(snapshot, "decline"), texts("button.keep"), style=GREEN))
    return buttons


def exposure_select(snapshot: Snapshot, hand: Hand, texts: Texts) -> discord.ui.ActionRow[Any] | None:
    """A select of tunnelas to expose, if there are too many for buttons."""
    if not is_asked(snapshot, hand) or not _has_select(hand):
        return None
    options = [
        discord.SelectOption(label=cards_name((face,) * 3, texts), value=str(face))
        for face in tunnelas(hand.view)
    ]
    press = table_press(snapshot, "pick-expose")
    return row(Select(press, texts("hand.expose"), options, max_values=len(options)))


def _choices(hand: Hand) -> list[Cards]:
    return [action.faces for action in hand.actions if isinstance(action, ExposeTunnelas)]


def _has_select(hand: Hand) -> bool:
    most = _MOST_BUTTONS if hand.view.phase is Phase.WINDOW else 1
    return len(tunnelas(hand.view)) > most


def _may_keep(snapshot: Snapshot, hand: Hand) -> bool:
    """Whether the deal waits for this person to say that they expose nothing."""
    return hand.view.phase is Phase.WINDOW and plays_alone(snapshot.table, snapshot.seats)
