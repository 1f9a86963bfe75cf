"""The panel behind **More** on a table's message: only what this person can do at the table now."""

from bot.panels.history.analysis import analyse_button
from bot.panels.history.replay import hands_button
from bot.panels.table.fairness import fair_button
from bot.panels.table.fouls import foul_button
from bot.panels.table.match import stop_button
from bot.panels.table.presence import manage_button, sit_button, sit_out_button
from bot.table.core.snapshot import Snapshot
from bot.table.core.table import on_bench
from bot.table.hosting import Actor, may_govern
from bot.ui.items import Button, in_rows, row, table_press
from bot.ui.panel import Panel, panel, text
from bot.words.names import table_address
from bot.words.texts import Texts
from data.values import TableStatus
from league.ids import PersonId
from marriage.rules import SEATS_MAX, SEATS_MIN


def more_button(snapshot: Snapshot, texts: Texts) -> Button:
    """The button to all that a table's message has no room for."""
    return Button(table_press(snapshot, "table-more"), texts("button.more"))


def back_to_more(snapshot: Snapshot, texts: Texts) -> Button:
    """The way back, in a panel that was opened behind **More**."""
    return Button(table_press(snapshot, "table-more"), texts("button.back"))


def more_panel(snapshot: Snapshot, actor: Actor, texts: Texts, note: str | None = None) -> Panel:
    """Everything else that this person can do; `note` says what they have just done."""
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
    """The button to leave a table between deals."""
    return Button(table_press(snapshot, "leave"), texts("button.leave"))


def closed_panel(snapshot: Snapshot, was: TableStatus | None, texts: Texts) -> Panel:
    """The replacement of a private panel that was opened in the state `was`; None if the table only goes to sleep."""
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
    computer = Button(table_press(snapshot, "computer"), texts("button.computer"), disabled=full)
    governs = may_govern(snapshot.table, snapshot.seats, actor)
    return [
        *_ready(snapshot, actor.person.id, texts),
        *([computer, _rules_of_table(snapshot, texts), _manage(snapshot, texts)] if governs else []),
        _how_to_play(snapshot, texts),
        fair_button(snapshot.table.id, texts),
        *([leave_button(snapshot, texts)] if snapshot.has_place(actor.person.id) else []),
    ]


def _ready(snapshot: Snapshot, person_id: PersonId, texts: Texts) -> list[Button]:
    """Being ready without starting, which is for a host who waits for everybody; and the way back from it."""
    seat = snapshot.seat_of(person_id)
    if seat is None or not snapshot.table.kind.host_starts or len(snapshot.seats) < SEATS_MIN:
        return []
    label = "button.not_ready" if snapshot.seats[seat].ready else "button.ready"
    return [Button(table_press(snapshot, "ready"), texts(label))]


def _playing(snapshot: Snapshot, actor: Actor, texts: Texts) -> list[Button]:
    if snapshot.is_withheld:
        return [_how_to_play(snapshot, texts)]
    return [
        _how_to_play(snapshot, texts),
        fair_button(snapshot.table.id, texts),
        *(foul_button(snapshot, texts) if _rules_fouls(snapshot, actor) else []),
    ]


def _rules_fouls(snapshot: Snapshot, actor: Actor) -> bool:
    """Return whether this person may rule a foul. At tables without a host, the staff may."""
    if snapshot.table.kind.is_hosted:
        return may_govern(snapshot.table, snapshot.seats, actor)
    return actor.is_staff and snapshot.seat_of(actor.person.id) is None


def _between(snapshot: Snapshot, actor: Actor, texts: Texts) -> list[Button]:
    table, person_id = snapshot.table, actor.person.id
    seat, waits = snapshot.seat_of(person_id), on_bench(snapshot.bench, person_id)
    comes = waits.comes if waits else seat is not None and not snapshot.seats[seat].sits_out
    governs = may_govern(table, snapshot.seats, actor)
    coming = sit_out_button(snapshot, texts) if comes else sit_button(snapshot, texts)
    buttons = [
        *([] if snapshot.is_withheld else coming),
        *([leave_button(snapshot, texts)] if snapshot.has_place(person_id) else []),
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
