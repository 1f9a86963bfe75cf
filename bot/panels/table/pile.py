"""The whole pile for the players: all may look through its discards and see whose they were."""

from typing import Final

from bot.panels.pages import Page, page_words, turning
from bot.table.core.snapshot import Snapshot
from bot.ui.items import Button, row, table_press
from bot.ui.panel import Panel, panel, text
from bot.words.card_names import shown_card
from bot.words.texts import Texts
from marriage.cards import Card
from marriage.view import View

_A_PAGE: Final = 20


def pile_panel(snapshot: Snapshot, view: View, number: int, texts: Texts) -> Panel:
    """A page of the discards that lie in the pile, the newest first, or its last page; and the way back to the hand.

    All of it is public: every discard, who made it, and how often the discards became a new stock. Whether a discard was a
    throw foul is not, so nothing here depends on that.
    """
    lines = [_line(snapshot, card, seat, texts) for card, seat in reversed(view.discards)]
    shown = _page(lines, number)
    return panel(
        text(texts("pile.title", count=len(lines)) if lines else texts("pile.empty")),
        text("\n".join(shown.lines)),
        text(texts("pile.reshuffled", count=view.reshuffles)) if view.reshuffles else None,
        text(page_words(shown, texts)),
        row(
            *turning(shown.number, shown.count, lambda _, to: table_press(snapshot, "pile", str(to)), texts),
            Button(table_press(snapshot, "refresh"), texts("button.back")),
        ),
    )


def _line(snapshot: Snapshot, card: Card, seat: int | None, texts: Texts) -> str:
    who = texts("pile.turned_up") if seat is None else snapshot.shown_names[seat]
    return f"**{shown_card(card, texts)}** · {who}"


def _page(lines: list[str], number: int) -> Page:
    count = max(1, -(-len(lines) // _A_PAGE))
    number = min(number, count - 1)
    start, end = number * _A_PAGE, (number + 1) * _A_PAGE
    return Page(tuple(lines[start:end]), number, count, len(lines[end:]))
