"""The panels behind **More** on a table's message: only what this person can do at the table now.

All may check the shuffle: its seal and what the players mixed in, and its seed when the deal is over. The host, or in a
league its staff, rules a foul: against whom, why, and with a confirmation before everybody reads it.
"""

from collections.abc import Iterator
from typing import Final

import discord

from bot.panels.history.analysis import analyse_button
from bot.panels.history.replay import hands_button
from bot.panels.table.match import stop_button
from bot.panels.table.presence import manage_button, sit_button, sit_out_button
from bot.table.core.snapshot import Shuffle, Snapshot
from bot.table.core.table import on_bench
from bot.table.hosting import Actor, may_govern
from bot.ui.items import RED, Button, Press, Select, in_rows, row, table_press
from bot.ui.panel import Panel, panel, text
from bot.words.names import Mentions, table_address
from bot.words.texts import Texts
from data.values import TableStatus
from league.ids import PersonId, TableId
from marriage.events import FoulReason
from marriage.rules import SEATS_MAX, SEATS_MIN
from marriage.view import View

NOT_READY: Final = "off"
"""The ready button's argument if it says that a person is not ready any more. So a double click undoes nothing."""


def computers_here(snapshot: Snapshot) -> str:
    """Return the argument of a press that adds a computer: how many there are, so that a double click adds one."""
    return str(sum(seat.person_id is None for seat in snapshot.seats))


def more_button(snapshot: Snapshot, texts: Texts) -> Button:
    """Return the button to everything that does not fit in a table's message."""
    return Button(table_press(snapshot, "table-more"), texts("button.more"))


def back_to_more(snapshot: Snapshot, texts: Texts) -> Button:
    """Return the button that leads back from a panel that was opened behind **More**."""
    return Button(table_press(snapshot, "table-more"), texts("button.back"))


def more_panel(snapshot: Snapshot, actor: Actor, texts: Texts, note: str | None = None) -> Panel:
    """Show everything else that this person can do; `note` says what they have just done."""
    match snapshot.table.status:
        case "lobby":
            buttons = _lobby(snapshot, actor, texts)
        case "playing":
            buttons = _playing(snapshot, actor, texts)
        case "between":
            buttons = _between(snapshot, actor, texts)
        case "closed":
            buttons = []
    return panel(
        text(f"> {note}") if note else None,
        text(texts("table.more" if buttons else "sorry.table_closed", table=snapshot.table.id)),
        *in_rows(buttons),
    )


def leave_button(snapshot: Snapshot, texts: Texts) -> Button:
    """Return the button to leave a table between deals."""
    return Button(table_press(snapshot, "leave"), texts("button.leave"))


def closed_panel(snapshot: Snapshot, was: TableStatus | None, texts: Texts) -> Panel:
    """Replace a private panel opened in the state `was`, which is None if the table only goes to sleep."""
    table = snapshot.table
    if table.status == "closed":
        return panel(text(texts("sorry.table_closed")))
    how = "asleep" if was is None else "begun" if was == "lobby" else "over"
    return panel(
        text(texts(f"table.more_{how}", table=table.id, link=table_address(table))),
        row(more_button(snapshot, texts)),
    )


def _lobby(snapshot: Snapshot, actor: Actor, texts: Texts) -> list[Button]:
    full = len(snapshot.seats) >= SEATS_MAX
    computer = Button(
        table_press(snapshot, "computer", computers_here(snapshot)), texts("button.computer"), disabled=full
    )
    governs = may_govern(snapshot.table, snapshot.seats, snapshot.bench, actor)
    return [
        *_ready(snapshot, actor.person.id, texts),
        *([computer, _rules_of_table(snapshot, texts), _manage(snapshot, texts)] if governs else []),
        _how_to_play(snapshot, texts),
        fair_button(snapshot.table.id, texts),
        *([leave_button(snapshot, texts)] if snapshot.has_place(actor.person.id) else []),
    ]


def _ready(snapshot: Snapshot, person_id: PersonId, texts: Texts) -> list[Button]:
    """Return the button to be ready without starting, for a host who waits for everyone, or to undo that.

    The message of a league's table has the former.
    """
    seat = snapshot.seat_of(person_id)
    if seat is None or len(snapshot.seats) < SEATS_MIN:
        return []
    if snapshot.seats[seat].ready:
        return [Button(table_press(snapshot, "ready", NOT_READY), texts("button.not_ready"))]
    ready = Button(table_press(snapshot, "ready"), texts("button.ready"))
    return [ready] if snapshot.table.kind.host_starts else []


def _playing(snapshot: Snapshot, actor: Actor, texts: Texts) -> list[Button]:
    return [
        _how_to_play(snapshot, texts),
        *([] if snapshot.is_withheld else [fair_button(snapshot.table.id, texts)]),
        *(foul_button(snapshot, texts) if _rules_fouls(snapshot, actor) else []),
    ]


def _rules_fouls(snapshot: Snapshot, actor: Actor) -> bool:
    """Return whether this person may rule a foul. At tables without a host, the staff may."""
    if snapshot.table.kind.is_hosted:
        return may_govern(snapshot.table, snapshot.seats, snapshot.bench, actor)
    return actor.is_staff and not snapshot.has_place(actor.person.id)


def _between(snapshot: Snapshot, actor: Actor, texts: Texts) -> list[Button]:
    table, person_id = snapshot.table, actor.person.id
    waits = on_bench(snapshot.bench, person_id)
    seat = next((row for row in snapshot.seats if row.person_id == person_id and not row.left), None)
    comes = waits.comes if waits is not None else seat is not None and not seat.sits_out
    governs = may_govern(table, snapshot.seats, snapshot.bench, actor)
    coming = sit_out_button(snapshot, texts) if comes else sit_button(snapshot, texts)
    buttons = [
        *([] if snapshot.is_withheld else coming),
        *([leave_button(snapshot, texts)] if seat is not None or waits is not None else []),
        *([stop_button(snapshot, texts)] if seat is not None else []),
        *(manage_button(snapshot, texts) if governs else []),
        _how_to_play(snapshot, texts),
    ]
    if snapshot.is_withheld:
        return buttons
    return [
        *buttons,
        hands_button(table.id, table.deal_no, texts),
        analyse_button(table.id, table.deal_no, texts),
        fair_button(snapshot.table.id, texts),
    ]


def _rules_of_table(snapshot: Snapshot, texts: Texts) -> Button:
    return Button(table_press(snapshot, "table-rules"), texts("button.table_rules"))


def _manage(snapshot: Snapshot, texts: Texts) -> Button:
    return Button(table_press(snapshot, "manage"), texts("button.manage"))


def _how_to_play(snapshot: Snapshot, texts: Texts) -> Button:
    return Button(table_press(snapshot, "rules"), texts("button.rules"))


def foul_button(snapshot: Snapshot, texts: Texts) -> list[Button]:
    """Return the button with which the host rules a foul, if the rules have fouls."""
    view = snapshot.public
    if view is None or view.rules.foul == "off" or not snapshot.table.kind.has_fouls:
        return []
    return [Button(table_press(snapshot, "foul"), texts("fouls.button"))]


def fouls_panel(snapshot: Snapshot, texts: Texts, note: str | None = None) -> Panel:
    """Ask whom to rule a foul against, or whose foul to take back."""
    view = snapshot.public
    if view is None:
        raise ValueError("a foul is ruled in a deal")
    seats = list(enumerate(zip(snapshot.shown_names, view.seats, strict=True)))
    free = [_reason_option(seat, name) for seat, (name, seat_view) in seats if seat_view.ruled is None]
    ruled = [_reason_option(seat, name) for seat, (name, seat_view) in seats if seat_view.ruled is not None]
    return panel(
        text(f"> {note}") if note else None,
        text(texts("fouls.title", table=snapshot.table.id, price=price(view, texts))),
        row(Select(_foul_press(snapshot, "pick-foul"), texts("fouls.against"), free)) if free else None,
        row(Select(_foul_press(snapshot, "pick-unfoul"), texts("fouls.lift"), ruled)) if ruled else None,
    )


def why_panel(snapshot: Snapshot, seat: int, texts: Texts) -> Panel:
    """Ask for the reason of the foul."""
    options = [
        discord.SelectOption(label=texts(f"foul_reason.{why}").capitalize(), value=why) for why in FoulReason
    ]
    return panel(
        text(texts("fouls.why", name=snapshot.shown_names[seat])),
        row(Select(_foul_press(snapshot, "pick-foul-why", f"-{seat}"), texts("fouls.choose_why"), options)),
    )


def confirm_panel(snapshot: Snapshot, seat: int, why: FoulReason, texts: Texts) -> Panel:
    """Show a preview of what everyone will read, to confirm."""
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
            Button(_foul_press(snapshot, "rule-foul", f"-{seat}-{why}"), texts("fouls.rule"), style=RED),
            Button(_foul_press(snapshot, "fouls"), texts("fouls.back")),
        ),
    )


def ruled_words(snapshot: Snapshot, texts: Texts) -> str | None:
    """Announce the fouls ruled in this deal: against whom, why, and the price."""
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


def _reason_option(seat: int, name: str) -> discord.SelectOption:
    return discord.SelectOption(label=name[:100], value=str(seat))


def _foul_press(snapshot: Snapshot, verb: str, more: str = "") -> Press:
    """Return a press whose argument names the deal, so that no ruling hits the next one."""
    return table_press(snapshot, verb, f"{snapshot.table.deal_no}{more}")


_SHORT = 4
"""The number of digits of the seal that are shown to recognise it by."""


def fair_button(table_id: TableId, texts: Texts) -> Button:
    """Return the button that shows all shuffles of a table."""
    return Button(Press("fair", table_id, 0), texts("button.fair"))


def seal(commitment: str) -> str:
    """Return the beginning of a seal, to recognise it by."""
    return commitment[:_SHORT]


def fairness_panel(snapshot: Snapshot, mentions: Mentions, texts: Texts) -> Panel:
    """Show the full seal, seed and contributions of the latest and the next deal, and how to check them."""
    return panel(
        text(texts("fair.title", table=snapshot.table.id)),
        *(
            text("\n".join(_lines(shuffle, texts)))
            for shuffle in (snapshot.shuffle, snapshot.next_shuffle)
            if shuffle is not None
        ),
        text(texts("fair.how", verify=mentions["verify"], word=mentions["marriage word"])),
    )


def _lines(shuffle: Shuffle, texts: Texts) -> Iterator[str]:
    yield texts("fair.deal", deal=shuffle.deal_no)
    if shuffle.board is not None:
        yield texts("fair.board", commitment=shuffle.board)
    yield texts("fair.own" if shuffle.board else "fair.seal", commitment=shuffle.commitment)
    yield texts("fair.mixed", mixed=" ".join(f"`{item}`" for item in shuffle.entropy) or "–")
    yield texts("fair.seed_later") if shuffle.seed is None else texts("fair.seed", seed=shuffle.seed)
    for seed in shuffle.former:
        yield texts("fair.former", seed=seed)
