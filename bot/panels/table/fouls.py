"""Ruling a foul: against whom, why, and a confirmation before everybody reads it. Only the person who rules sees this."""

import discord

from bot.table.core.snapshot import Snapshot
from bot.ui.items import RED, Button, Press, Select, row, table_press
from bot.ui.panel import Panel, panel, text
from bot.words.texts import Texts
from marriage.events import FoulReason
from marriage.view import View


def foul_button(snapshot: Snapshot, texts: Texts) -> list[Button]:
    """The button with which the host rules a foul, if the rules have fouls."""
    view = snapshot.public
    if view is None or view.rules.foul == "off" or not snapshot.table.kind.has_fouls:
        return []
    return [Button(table_press(snapshot, "foul"), texts("fouls.button"))]


def fouls_panel(snapshot: Snapshot, texts: Texts, note: str | None = None) -> Panel:
    """Choose whom to rule a foul against, or whose foul to take back."""
    view = snapshot.public
    if view is None:
        raise ValueError("a foul is ruled in a deal")
    seats = list(enumerate(zip(snapshot.shown_names, view.seats, strict=True)))
    free = [_option(seat, name) for seat, (name, seat_view) in seats if seat_view.ruled is None]
    ruled = [_option(seat, name) for seat, (name, seat_view) in seats if seat_view.ruled is not None]
    return panel(
        text(f"> {note}") if note else None,
        text(texts("fouls.title", table=snapshot.table.id, price=price(view, texts))),
        row(Select(_press(snapshot, "pick-foul"), texts("fouls.against"), free)) if free else None,
        row(Select(_press(snapshot, "pick-unfoul"), texts("fouls.lift"), ruled)) if ruled else None,
    )


def why_panel(snapshot: Snapshot, seat: int, texts: Texts) -> Panel:
    """Choose the reason of the foul."""
    options = [
        discord.SelectOption(label=texts(f"foul_reason.{why}").capitalize(), value=why) for why in FoulReason
    ]
    return panel(
        text(texts("fouls.why", name=snapshot.shown_names[seat])),
        row(Select(_press(snapshot, "pick-foul-why", f"-{seat}"), texts("fouls.choose_why"), options)),
    )


def confirm_panel(snapshot: Snapshot, seat: int, why: FoulReason, texts: Texts) -> Panel:
    """A preview of what everybody will read, to confirm."""
    view = snapshot.public
    if view is None:
        raise ValueError("a foul is ruled in a deal")
    said = texts(
        "fouls.confirm",
        name=snapshot.shown_names[seat],
        why=texts(f"foul_reason.{why}"),
        price=price(view, texts),
    )
    return panel(
        text(said),
        row(
            Button(_press(snapshot, "rule-foul", f"-{seat}-{why}"), texts("fouls.rule"), style=RED),
            Button(_press(snapshot, "fouls"), texts("fouls.back")),
        ),
    )


def ruled_words(snapshot: Snapshot, texts: Texts) -> str | None:
    """The fouls ruled in this deal, for everybody: against whom, why, and the price."""
    view = snapshot.public
    if view is None:
        return None
    lines = [
        texts("fouls.ruled", name=name, why=texts(f"foul_reason.{seat_view.ruled}"), price=price(view, texts))
        for name, seat_view in zip(snapshot.shown_names, view.seats, strict=True)
        if seat_view.ruled is not None
    ]
    return "\n".join(lines) or None


def price(view: View, texts: Texts) -> str:
    """Say what a foul costs at this table."""
    return texts(f"foul.{view.rules.foul}", points=view.rules.foul_points)


def _option(seat: int, name: str) -> discord.SelectOption:
    return discord.SelectOption(label=name[:100], value=str(seat))


def _press(snapshot: Snapshot, verb: str, more: str = "") -> Press:
    """A press whose argument names the deal, so that no ruling hits the next one."""
    return table_press(snapshot, verb, f"{snapshot.table.deal_no}{more}")
