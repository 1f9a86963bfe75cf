"""People who join a table that has begun or sit out, in words; and the buttons for both."""

from bot.table.core.snapshot import Snapshot
from bot.table.core.table import around, has_room, is_deal, lineup, making_room
from bot.ui.items import Button, table_press
from bot.words.names import seat_name, shown_name
from bot.words.refusals import signed
from bot.words.texts import Texts
from data.values import BenchRow, SeatRow
from league.ids import PersonId
from marriage.rules import SEATS_MAX, SEATS_MIN


def changing_words(snapshot: Snapshot, texts: Texts) -> str | None:
    """Name the players who come or sit out from the next deal on, and say how to sit down; None if there is nothing to say."""
    if not snapshot.may_change:
        return None
    lines = [_coming(snapshot, texts), _sitting_out(snapshot, texts)]
    if snapshot.table.status == "between":
        lines.append(_too_few(snapshot, texts) or _free(snapshot, texts))
    return "\n".join(line for line in lines if line) or None


def _coming(snapshot: Snapshot, texts: Texts) -> str | None:
    comers = [row for row in snapshot.bench if row.comes]
    if not comers:
        return None
    ledger = snapshot.match.ledger if snapshot.match and not snapshot.match.row.is_over else None
    names = [
        texts(
            "changing.comer",
            name=shown_name(row.name),
            total=signed(ledger.total_of(row.person_id) if ledger else 0),
        )
        for row in comers
    ]
    gone = [_shown(seat) for seat in making_room(snapshot.seats, snapshot.bench)]
    key = "changing.come_for" if gone else "changing.come"
    return texts(key, names=", ".join(names), computers=", ".join(gone))


def _sitting_out(snapshot: Snapshot, texts: Texts) -> str | None:
    after = [shown_name(seat.name) for seat in snapshot.seats if seat.sits_out and not seat.left]
    out = [shown_name(row.name) for row in snapshot.bench if not row.comes]
    if snapshot.table.status == "between":
        after, out = [], [*after, *out]
    lines = [
        texts("changing.out_after", names=", ".join(after)) if after else None,
        texts("changing.out", names=", ".join(out)) if out else None,
    ]
    return "\n".join(line for line in lines if line) or None


def _too_few(snapshot: Snapshot, texts: Texts) -> str | None:
    """The note that the table waits for players who sit out; computers take the seats of players who left."""
    if not _anybody_out(snapshot) or is_deal(lineup(around(snapshot.seats, snapshot.bench))):
        return None
    return texts("changing.too_few", least=SEATS_MIN)


def _free(snapshot: Snapshot, texts: Texts) -> str | None:
    """Say how a newcomer sits down, and whose place they take."""
    seats, bench = snapshot.seats, snapshot.bench
    if not has_room(seats, bench):
        return None
    newcomer = BenchRow(snapshot.table.id, len(bench), PersonId(0), "", len(seats), comes=True)
    before, after = making_room(seats, bench), making_room(seats, [*bench, newcomer])
    gone = [_shown(seat) for seat in after if seat not in before]
    if snapshot.table.kind.by_invitation:
        key = "changing.free_private_for" if gone else "changing.free_private"
    else:
        key = "changing.free_for" if gone else "changing.free"
    return texts(key, computers=", ".join(gone), most=SEATS_MAX)


def _anybody_out(snapshot: Snapshot) -> bool:
    seated = any(seat.sits_out and not seat.left for seat in snapshot.seats)
    return seated or any(not row.comes for row in snapshot.bench)


def sit_button(snapshot: Snapshot, texts: Texts) -> list[Button]:
    """The button to sit down for the next deal, if there is a place."""
    if not snapshot.may_change or not (has_room(snapshot.seats, snapshot.bench) or _anybody_out(snapshot)):
        return []
    return [Button(table_press(snapshot, "sit"), texts("button.sit"))]


def sit_out_button(snapshot: Snapshot, texts: Texts) -> list[Button]:
    """The button to sit out the next deals."""
    return [Button(table_press(snapshot, "sit-out"), texts("button.sit_out"))] if snapshot.may_change else []


def manage_button(snapshot: Snapshot, texts: Texts) -> list[Button]:
    """The button to the host's panel of invitations and blocks."""
    return [Button(table_press(snapshot, "manage"), texts("button.manage"))] if snapshot.may_change else []


def _shown(seat: SeatRow) -> str:
    return shown_name(seat_name(seat.person_id, seat.name))
