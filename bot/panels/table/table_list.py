"""The open tables of a server, the viewer's first."""

from collections.abc import Sequence

from bot.panels.table.rules_text import rules_short
from bot.table.core.snapshot import Snapshot
from bot.ui.panel import Panel, panel, text
from bot.words.names import shown_name, table_address
from bot.words.texts import Texts
from league.ids import PersonId
from marriage.rules import SEATS_MAX

MOST = 15
"""The most tables to show."""


def tables_panel(tables: Sequence[Snapshot], count: int, person_id: PersonId, texts: Texts) -> Panel:
    """A line for each table, with a link to it. There are `count` of them, which may be more than are shown."""
    mine = [table for table in tables if table.has_place(person_id)]
    rest = [table for table in tables if table not in mine]
    lines = [texts("tables.own", line=_line(table, person_id, texts)) for table in mine]
    lines += [_line(table, person_id, texts) for table in rest]
    if count > len(tables):
        lines.append(texts("tables.more", count=count - len(tables)))
    return panel(
        text(texts("tables.title")),
        text("\n".join(lines) or texts("tables.none")),
        text(texts("tables.how")) if any(table.has_room_for(person_id) for table in rest) else None,
    )


def _line(snapshot: Snapshot, person_id: PersonId, texts: Texts) -> str:
    """One table; once play has begun, also whether this person may sit down for the next deal."""
    table = snapshot.table
    return texts(
        "tables.line" if table.status == "lobby" else "tables.begun",
        table=table.id,
        link=table_address(table),
        channel=table.place_id,
        status=texts(f"status.{table.status}", deal=table.deal_no),
        seats=len(snapshot.seats),
        most=SEATS_MAX,
        rules=rules_short(table.rules, texts),
        place=texts("tables.place") if snapshot.has_room_for(person_id) else "",
        private=texts("tables.private") if table.kind.by_invitation else "",
        host=_host(snapshot, texts),
    )


def _host(snapshot: Snapshot, texts: Texts) -> str:
    """Name the host of the table. Tables of a league have none."""
    if snapshot.table.kind.is_hosted:
        return texts("tables.host", host=shown_name(snapshot.host))
    return texts("tables.league")
