"""The table message: what everybody in the channel sees, from the lobby to the score sheet."""

from typing import Any

import discord
from discord import ui

from bot.cardnames import card_name, cards_name
from bot.fairness import has_contributed
from bot.ids import Press
from bot.panels.fairness import fairness
from bot.panels.items import Button, row
from bot.panels.lobby import lobby_panel
from bot.panels.panel import Panel, gallery, panel, picture_file, text
from bot.panels.presence import ended_words, quit_button, table_notes, vote_buttons
from bot.snapshot import Snapshot
from bot.texts import Texts
from marriage.sheet import Ending, Item, Line, Sheet, Status
from marriage.state import Phase
from marriage.view import View
from render.picture import Picture

_GREEN = discord.ButtonStyle.success
_BLUE = discord.ButtonStyle.primary


def table_panel(snapshot: Snapshot, picture: Picture | None, texts: Texts) -> Panel:
    """The message for the table's present status; without a picture everything is said in words."""
    match snapshot.table.status:
        case "lobby":
            return lobby_panel(snapshot, texts)
        case "playing":
            return _playing(snapshot, picture, texts)
        case "between":
            return _between(snapshot, picture, texts)
        case "closed":
            return _closed(snapshot, texts)


def _title(snapshot: Snapshot, texts: Texts) -> str:
    return texts("table.title", table=snapshot.table.id)


def _press(snapshot: Snapshot, verb: str) -> Press:
    return Press(verb, snapshot.table.id, snapshot.table.revision)


def _ready(snapshot: Snapshot, texts: Texts) -> str | None:
    """Who has asked for the next deal while it waits for the others."""
    if snapshot.starts_at is None or snapshot.next_shuffle is None:
        return None
    items = snapshot.next_shuffle.entropy
    ready = [name for seat, name in enumerate(snapshot.shown_names) if has_contributed(items, seat)]
    return texts("table.ready", names=", ".join(ready), starts=snapshot.starts_at // 1000)


def _playing(snapshot: Snapshot, picture: Picture | None, texts: Texts) -> Panel:
    view = _public(snapshot)
    parts, files = _shown(picture)
    return panel(
        text(_title(snapshot, texts)),
        text(_situation(snapshot, view, texts)),
        text(notes) if (notes := table_notes(snapshot, texts)) else None,
        *parts,
        None if picture else text(_seats_in_words(snapshot, view, texts)),
        text("\n".join(f"- {sentence}" for sentence in snapshot.last_moves)) if snapshot.last_moves else None,
        text(fairness(snapshot.shuffle, "table.dealt_fairly", texts)),
        row(
            Button(_press(snapshot, "hand"), texts("button.hand"), style=_BLUE),
            Button(_press(snapshot, "rules"), texts("button.rules")),
            quit_button(snapshot, texts),
        ),
        vote_buttons(snapshot, texts),
        files=files,
    )


def _situation(snapshot: Snapshot, view: View, texts: Texts) -> str:
    if view.phase is Phase.WINDOW:
        closes = (snapshot.window_closes_at or 0) // 1000
        waiting = [
            name for name, seat in zip(snapshot.shown_names, view.seats, strict=True) if not seat.answered
        ]
        return texts("table.window", closes=closes, names=", ".join(waiting))
    key = {Phase.DRAW: "table.draws", Phase.PLAY: "table.plays", Phase.CUT: "table.cuts"}[view.phase]
    return texts(
        key,
        name=snapshot.shown_names[view.turn],
        top=card_name(view.pile[-1]) if view.pile else "–",
        stock=view.stock_count,
    )


def _seats_in_words(snapshot: Snapshot, view: View, texts: Texts) -> str:
    lines = [
        texts(
            "table.seat_seen" if seat.shown else "table.seat",
            name=name,
            count=seat.count,
            laid=" · ".join(map(cards_name, seat.laid)) or "–",
        )
        for name, seat in zip(snapshot.shown_names, view.seats, strict=True)
    ]
    return "\n".join(lines)


def _between(snapshot: Snapshot, picture: Picture | None, texts: Texts) -> Panel:
    view = _public(snapshot)
    parts, files = _shown(picture)
    seed = snapshot.shuffle.seed if snapshot.shuffle else None
    return panel(
        text(_title(snapshot, texts)),
        text(_result(snapshot, view, texts)),
        *parts,
        text(_sheet_in_words(snapshot, view, texts)),
        text(texts("sheet.seed", deal=snapshot.table.deal_no, seed=seed)) if seed else None,
        text(ready) if (ready := _ready(snapshot, texts)) else None,
        text(fairness(snapshot.next_shuffle, "table.fairness", texts)),
        row(
            Button(_press(snapshot, "next"), texts("button.next"), style=_GREEN),
            Button(_press(snapshot, "hand"), texts("button.hand")),
            Button(_press(snapshot, "rules"), texts("button.rules")),
            Button(_press(snapshot, "leave"), texts("button.leave")),
            Button(_press(snapshot, "close"), texts("button.close")),
        ),
        files=files,
    )


def _result(snapshot: Snapshot, view: View, texts: Texts) -> str:
    sheet = _sheet(view)
    if sheet.winner is None:
        why = ended_words(snapshot, texts)
        dismissed = texts("sheet.dismissed", deal=snapshot.table.deal_no)
        return f"{dismissed}\n{why}" if why else dismissed
    key = "sheet.won_dublees" if sheet.ending is Ending.DUBLEES else "sheet.won"
    return texts(
        key,
        deal=snapshot.table.deal_no,
        name=snapshot.shown_names[sheet.winner],
        tiplu=card_name(view.tiplu) if view.tiplu is not None else "–",
    )


def _sheet_in_words(snapshot: Snapshot, view: View, texts: Texts) -> str:
    sheet = _sheet(view)
    lines = [
        texts(
            "sheet.line",
            name=name,
            status=_status(line, sheet.winner == seat, texts),
            points=line.points,
            items=_items(line.items, texts),
            maal=signed(line.maal),
            payment=signed(line.payment),
            net=signed(line.net),
            total=signed(snapshot.totals[seat]),
        )
        for seat, (name, line) in enumerate(zip(snapshot.shown_names, sheet.lines, strict=True))
    ]
    return "\n".join(lines)


def _status(line: Line, winner: bool, texts: Texts) -> str:  # noqa: FBT001 - said by the call
    if winner:
        return texts("sheet.winner")
    return texts("sheet.seen" if line.status is Status.SEEN else "sheet.unseen")


def _items(items: tuple[Item, ...], texts: Texts) -> str:
    words = [
        texts("sheet.item", what=texts(f"what.{item.what}"), cards=cards_name(item.cards), points=item.points)
        for item in items
    ]
    return ", ".join(words) or texts("sheet.no_maal")


def signed(points: int) -> str:
    """Points with their sign, the minus a real one."""
    return f"+{points}" if points > 0 else str(points).replace("-", "−")


def _closed(snapshot: Snapshot, texts: Texts) -> Panel:
    totals = [
        texts("table.total", name=name, total=signed(total))
        for name, total in zip(snapshot.shown_names, snapshot.totals, strict=True)
    ]
    played, unused = snapshot.table.deal_no, snapshot.next_shuffle
    return panel(
        text(_title(snapshot, texts)),
        text(texts("table.closed", deals=played)),
        text(why) if (why := ended_words(snapshot, texts)) else None,
        text("\n".join(totals)) if played and totals else None,
        text(texts("table.undealt", deal=unused.deal_no, seed=unused.seed))
        if unused and unused.seed
        else None,
    )


def _shown(picture: Picture | None) -> tuple[list[ui.Item[Any]], list[discord.File]]:
    if picture is None:
        return [], []
    file = picture_file(picture)
    return [gallery(file)], [file]


def _public(snapshot: Snapshot) -> View:
    if snapshot.public is None:
        raise ValueError("a table in play has a deal")
    return snapshot.public


def _sheet(view: View) -> Sheet:
    if view.sheet is None:
        raise ValueError("a deal that is over has a sheet")
    return view.sheet
