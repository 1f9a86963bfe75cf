"""Who is there: the clock, who is away, has left, joins or sits out, votes to end, and the ways out of a deal."""

from typing import Any

from discord import ui

from bot.interactions.permissions import Obstacle, permission_words
from bot.table.core.snapshot import Snapshot
from bot.table.core.table import around, has_clock, has_room, is_deal, lineup, making_room
from bot.ui.items import GREEN, RED, Button, row, table_press
from bot.ui.panel import Panel, panel, text
from bot.words.names import seat_name, shown_name, table_address
from bot.words.texts import Texts
from data.values import BenchRow, SeatRow
from league.ids import PersonId
from marriage.rules import SEATS_MAX, SEATS_MIN
from render.words import signed


def table_notes(snapshot: Snapshot, texts: Texts) -> str | None:
    """Return notes that the table message adds to the game; None if there are none."""
    names, seats = snapshot.shown_names, snapshot.seats
    away = [name for name, seat in zip(names, seats, strict=True) if seat.away]
    left = [name for name, seat in zip(names, seats, strict=True) if seat.left]
    lines = [
        _paused_words(snapshot, None, texts) if snapshot.is_paused else None,
        texts("presence.clock", until=until) if (until := _until(snapshot)) else None,
        texts("presence.away", names=", ".join(away)) if away else None,
        texts("presence.left", names=", ".join(left)) if left else None,
        vote_words(snapshot, texts),
        thread_words(snapshot, texts),
    ]
    return "\n".join(line for line in lines if line) or None


def thread_words(snapshot: Snapshot, texts: Texts) -> str | None:
    """Note that the table will have a thread, or why it has none."""
    table = snapshot.table
    if not table.options.thread:
        return None
    if table.status == "lobby":
        return texts("thread.will")
    match table.thread_lack:
        case None | "public":
            return None
        case "full" | "locked" | "unsuitable" | "deleted" as why:
            return texts(f"thread.{why}")
        case names:
            return texts("thread.lack", missing=permission_words(names.split(","), texts))


def _until(snapshot: Snapshot) -> int | None:
    """Return when the time for the move ends, in seconds; None without a clock."""
    if snapshot.moves_until is None or not has_clock(snapshot.pace):
        return None
    return snapshot.moves_until


def vote_words(snapshot: Snapshot, texts: Texts) -> str | None:
    """Name the players who ask to end the deal, or between deals the match; None if there are none."""
    if snapshot.vote_closes_at is None:
        return None
    present = [seat for seat in snapshot.seats if seat.present]
    agreed = [snapshot.shown_names[seat.seat] for seat in present if seat.ending]
    waiting = [snapshot.shown_names[seat.seat] for seat in present if not seat.ending]
    return texts(
        "presence.vote" if snapshot.table.status == "playing" else "presence.vote_match",
        agreed=", ".join(agreed),
        waiting=", ".join(waiting),
        closes=snapshot.vote_closes_at,
    )


def vote_buttons(snapshot: Snapshot, texts: Texts) -> ui.ActionRow[Any] | None:
    """Return the buttons for the others while a player asks to end the deal or, between deals, the match."""
    if snapshot.vote_closes_at is None:
        return None
    agree = "button.agree" if snapshot.table.status == "playing" else "button.agree_match"
    return row(
        Button(table_press(snapshot, "agree"), texts(agree), style=RED),
        Button(table_press(snapshot, "refuse"), texts("button.refuse"), style=GREEN),
    )


def quit_button(snapshot: Snapshot, texts: Texts) -> Button:
    """Return the button to the ways out of a deal. It does not end the deal itself."""
    return Button(table_press(snapshot, "quit"), texts("button.quit"))


def ways_out(snapshot: Snapshot, texts: Texts) -> Panel:
    """Explain leaving and ending, with a button for each. The one to end names its deal, so that it ends no other."""
    rests, deal = snapshot.may_change, str(snapshot.table.deal_no)
    return panel(
        text(texts("leaving.choose_rest" if rests else "leaving.choose", table=snapshot.table.id)),
        row(
            *([Button(table_press(snapshot, "sit-out-next"), texts("button.sit_out"))] if rests else []),
            Button(table_press(snapshot, "leave-deal"), texts("button.leave_deal")),
            Button(table_press(snapshot, "end-deal", deal), texts("button.end_deal"), style=RED),
        ),
    )


def _paused_words(snapshot: Snapshot, why: Obstacle | None, texts: Texts) -> str:
    """Note that the table is paused, why, and how it continues."""
    found = why or Obstacle("unknown")
    reason = texts(
        f"presence.paused_{found.what}",
        place=f"<#{snapshot.table.place_id}>",
        missing=permission_words(found.missing, texts),
    )
    return texts("presence.paused", why=reason)


def standing_panel(snapshot: Snapshot, why: Obstacle | None, texts: Texts) -> Panel:
    """Inform a player whose hand does not come by direct message that the deal is paused or continues."""
    table = snapshot.table
    where = texts("hand.where", table=table.id, deal=table.deal_no, link=table_address(table))
    if snapshot.is_paused:
        return panel(text(where), text(_paused_words(snapshot, why, texts)))
    return panel(text(where), text(texts("presence.goes_on")))


def hand_note(snapshot: Snapshot, seat: int, texts: Texts, why: Obstacle | None = None) -> str | None:
    """Return a hand's note about its clock, or about who plays it.

    `why` is the reason that a paused table cannot be shown.
    """
    if snapshot.is_paused:
        return _paused_words(snapshot, why, texts)
    if snapshot.table.status != "playing":
        return None
    if snapshot.seats[seat].by_computer:
        return texts("presence.hand_away")
    until, public = _until(snapshot), snapshot.public
    if until is None or public is None or public.turn != seat:
        return None
    return texts("presence.clock", until=until)


def ended_words(snapshot: Snapshot, texts: Texts) -> str | None:
    """Say why the deal or the table was ended early."""
    return texts(f"ended.{snapshot.table.ended}") if snapshot.table.ended else None


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
    """Note that the table waits for players who sit out; computers take the seats of players who left."""
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
    """Return the button to sit down for the next deal, if there is a place."""
    if not snapshot.may_change or not (has_room(snapshot.seats, snapshot.bench) or _anybody_out(snapshot)):
        return []
    return [Button(table_press(snapshot, "sit"), texts("button.sit"))]


def sit_out_button(snapshot: Snapshot, texts: Texts) -> list[Button]:
    """Return the button to sit out the next deals."""
    return [Button(table_press(snapshot, "sit-out"), texts("button.sit_out"))] if snapshot.may_change else []


def manage_button(snapshot: Snapshot, texts: Texts) -> list[Button]:
    """Return the button to the host's panel of invitations and blocks."""
    return [Button(table_press(snapshot, "manage"), texts("button.manage"))] if snapshot.may_change else []


def _shown(seat: SeatRow) -> str:
    return shown_name(seat_name(seat.person_id, seat.name))
