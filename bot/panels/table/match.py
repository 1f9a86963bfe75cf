"""A match in words: how far it has come, each deal's score sheet, the ledger, the final standing, and who pays whom."""

from collections.abc import Sequence
from typing import Final

from bot.table.core.snapshot import Match, Snapshot
from bot.table.core.table import Account, has_asked, player
from bot.ui.items import GREEN, Button, row, table_press
from bot.ui.panel import Panel, panel, text
from bot.words.names import shown_name
from bot.words.texts import Texts, shown_card, shown_cards
from marriage.scoring.settle_up import Payment
from marriage.sheet import Ending, Sheet, SheetItem, SheetLine, Status, What
from render.picture import Ended
from render.words import signed

_LATEST = 10
"""The number of deals whose gains are listed next to a total."""


def progress(snapshot: Snapshot, texts: Texts) -> str | None:
    """State the number of this deal in the match, what is special about it, and everyone's points so far.

    The points would tell those of each deal, so they are left out while others have yet to play the same boards.
    """
    match, view = snapshot.match, snapshot.public
    if match is None or view is None:
        return None
    lines = [_which_deal(match, texts)]
    if view.factor > 1:
        lines.append(texts("match.better", factor=view.factor))
    if snapshot.table.status == "playing" and view.dublee_game:
        lines.append(texts("sheet.dublee_game"))
    if snapshot.table.status == "playing" and view.carry:
        lines.append(texts("match.owing", points=view.rules.foul_points, count=len(view.carry)))
    if match.ledger.deals and not match.row.is_over and not snapshot.is_withheld:
        totals = [
            texts("match.total", name=shown_name(account.called), total=signed(account.total))
            for _, account in match.ledger.standing
        ]
        lines.append(texts("match.so_far", totals=" · ".join(totals)))
    return "\n".join(lines)


def _which_deal(match: Match, texts: Texts) -> str:
    if match.row.match_no > 1:
        key = "match.deal_of_again" if match.row.deals else "match.deal_again"
    else:
        key = "match.deal_of" if match.row.deals else "match.deal"
    return texts(key, deal=match.deal, deals=match.row.deals, match=match.row.match_no)


def final(snapshot: Snapshot, texts: Texts) -> list[str]:
    """Describe the end of the match: why it ended, the standings and the payments; empty before the end."""
    match = snapshot.match
    if match is None or not match.row.is_over:
        return []
    parts = [_ending(match, texts)]
    if match.ledger.deals:
        parts += [_standing(snapshot, match, texts), settle_up_words(match, texts)]
    return parts


def _ending(match: Match, texts: Texts) -> str:
    played, agreed = match.ledger.deals, match.row.deals
    if match.row.ended == "played":
        return texts("match.played", deals=played)
    if agreed:
        why = texts(f"match.ended_{match.row.ended}")
        return texts("match.early", played=played, deals=agreed, why=why)
    return texts("match.over", deals=played)


def _standing(snapshot: Snapshot, match: Match, texts: Texts, *, gains: bool = False) -> str:
    lines = [texts("match.standing" if match.row.is_over else "match.standing_now")]
    for place, account in match.ledger.standing:
        total, notes = signed(account.total), _notes(snapshot, account, texts)
        lines.append(
            texts("match.place", place=place, name=shown_name(account.called), total=total, notes=notes)
        )
        if gains:
            lines.append(texts("match.gains", gains=_gains(account)))
    return "\n".join(lines)


def _notes(snapshot: Snapshot, account: Account, texts: Texts) -> str:
    """Return notes on a player who joined late or has left."""
    here = {player(seat) for seat in snapshot.seats if not seat.left}
    out = {row.person_id for row in snapshot.bench if not row.comes}
    here |= {row.person_id for row in snapshot.bench}
    notes = [texts("match.since", deal=account.since)] if account.since > 1 else []
    if account.player not in here:
        notes.append(texts("match.left"))
    elif account.player in out:
        notes.append(texts("match.out"))
    return "".join(notes)


def _gains(account: Account) -> str:
    latest = account.gains[-_LATEST:]
    said = " ".join("–" if gain is None else signed(gain) for gain in latest)
    return said if len(latest) == len(account.gains) else f"… {said}"


def settle_up_words(match: Match, texts: Texts) -> str:
    """Say which payments would settle the match now, or settle it when it is over."""
    names = [shown_name(account.called) for account in match.ledger.accounts]
    key = "match.settle_up" if match.row.is_over else "match.settle_up_now"
    return texts(key, payments=payments_words(match.ledger.payments, names, texts))


def payments_words(payments: Sequence[Payment], names: Sequence[str], texts: Texts) -> str:
    """List the payments, one per line."""
    lines = [
        texts(
            "score.payment",
            debtor=names[payment.debtor],
            creditor=names[payment.creditor],
            points=payment.points,
        )
        for payment in payments
    ]
    return "\n".join(lines) or texts("score.settled")


def ledger_panel(snapshot: Snapshot, texts: Texts, *, in_hand: bool = False) -> Panel:
    """Show the whole ledger: everyone's points deal by deal, and the payments.

    `in_hand` means that it is shown in a hand's message and needs a way back to the hand.
    """
    match = snapshot.match
    title = text(texts("match.ledger", table=snapshot.table.id))
    back = row(Button(table_press(snapshot, "refresh"), texts("button.back"))) if in_hand else None
    if match is None or not match.ledger.deals:
        return panel(title, text(texts("match.no_ledger")), back)
    return panel(
        title,
        text(_ending(match, texts) if match.row.is_over else _which_deal(match, texts)),
        text(_standing(snapshot, match, texts, gains=True)),
        text(settle_up_words(match, texts)),
        back,
    )


# Buttons


def ledger_button(snapshot: Snapshot, texts: Texts, verb: str = "ledger") -> Button:
    """Return the button that opens the whole ledger; `hand-ledger` opens it in the hand's message."""
    return Button(table_press(snapshot, verb), texts("button.ledger"))


def go_on_buttons(snapshot: Snapshot, texts: Texts) -> list[Button]:
    """Return the button to the next deal or to a rematch; a league's match is played only once."""
    if _is_over(snapshot) and not snapshot.table.kind.has_rematch:
        return []
    verb = "rematch" if _is_over(snapshot) else "next"
    return [Button(table_press(snapshot, verb), texts(f"button.{verb}"), style=GREEN)]


def go_on_from_hand(snapshot: Snapshot, seat: int, texts: Texts) -> list[Button]:
    """Return the same buttons for a player's own panel, which then shows their next hand.

    They are disabled once the player has pressed.
    """
    if _is_over(snapshot) and not snapshot.table.kind.has_rematch:
        return []
    verb = "rematch" if _is_over(snapshot) else "next"
    press = table_press(snapshot, f"hand-{verb}")
    return [Button(press, texts(f"button.{verb}"), style=GREEN, disabled=_has_asked(snapshot, seat))]


def _has_asked(snapshot: Snapshot, seat: int) -> bool:
    """Return whether this seat has requested the next deal, or a rematch, while the table waits for the others."""
    if snapshot.next_shuffle is None or not (snapshot.starts_at or _waits_for_all(snapshot)):
        return False
    return seat in _asking(snapshot)


def stop_button(snapshot: Snapshot, texts: Texts) -> Button:
    """Return the button that closes the table; if the number of deals is fixed, it only asks the others."""
    if snapshot.match and snapshot.match.row.deals and not _is_over(snapshot):
        asked = snapshot.vote_closes_at is not None
        return Button(table_press(snapshot, "end-match"), texts("button.end_match"), disabled=asked)
    return Button(table_press(snapshot, "close"), texts("button.close"))


def who_goes_on(snapshot: Snapshot, texts: Texts) -> str | None:
    """Name the people who have requested the next deal, or a rematch, while the table waits for the others.

    Those on the bench who sat down for it count as well.
    """
    if snapshot.next_shuffle is None or not (snapshot.starts_at or _waits_for_all(snapshot)):
        return None
    if _is_over(snapshot):
        key = "match.rematch"
    else:
        key = "table.ready" if snapshot.starts_at else "table.ready_all"
    names = [snapshot.shown_names[seat] for seat in _asking(snapshot)]
    names += [shown_name(row.name) for row in snapshot.bench if row.comes]
    return texts(key, names=", ".join(names), starts=snapshot.starts_at or 0)


def _asking(snapshot: Snapshot) -> list[int]:
    """Return the seats that have requested the next deal, or a rematch; none of people who have left or sit out."""
    if snapshot.next_shuffle is None:
        return []
    items, is_over = snapshot.next_shuffle.entropy, _is_over(snapshot)
    here = [row for row in snapshot.seats if row.present and not row.sits_out]
    return [row.seat for row in here if (row.ready if is_over else has_asked(items, row))]


def _waits_for_all(snapshot: Snapshot) -> bool:
    """Return whether the next deal of a league's match, for which someone has pressed, waits for the others without a time."""
    if snapshot.table.kind.may_come_and_go or snapshot.table.status != "between" or _is_over(snapshot):
        return False
    return bool(_asking(snapshot))


def _is_over(snapshot: Snapshot) -> bool:
    return snapshot.match is not None and snapshot.match.row.is_over


_NAMED_BY_THEIR_CARDS: Final = (What.MAN, What.MASTER)


def result_words(end: Ended, deal_no: int, names: Sequence[str], texts: Texts) -> str:
    """Name the winner and the tiplu, or say that the deal was dismissed, and whether it was a dublee game.

    Raises ValueError before the end.
    """
    if end.sheet is None:
        raise ValueError("a deal that is over has a sheet")
    said = _who_won(end, end.sheet, deal_no, names, texts)
    return f"{said}\n{texts('sheet.dublee_game')}" if end.dublee_game else said


def _who_won(end: Ended, sheet: Sheet, deal_no: int, names: Sequence[str], texts: Texts) -> str:
    if sheet.winner is None:
        return texts("sheet.dismissed", deal=deal_no)
    return texts(
        "sheet.won_dublees" if sheet.ending is Ending.DUBLEES else "sheet.won",
        deal=deal_no,
        name=shown_name(names[sheet.winner]),
        tiplu=shown_card(end.tiplu, texts) if end.tiplu is not None else "–",
    )


def sheet_words(sheet: Sheet, names: Sequence[str], totals: Sequence[int], texts: Texts) -> str:
    """Return a paragraph for every line of the sheet, followed by the running total."""
    taken_from = kidnapped_from(sheet)
    lines = [
        texts(
            _line_key(line),
            name=shown_name(names[seat]),
            status=texts("sheet.winner" if seat == sheet.winner else f"sheet.{line.status}"),
            points=line.points,
            items=_items(line.items, [names[other] for other in taken_from], texts),
            maal=signed(line.maal),
            payment=signed(line.payment),
            foul=signed(line.foul),
            net=signed(line.net),
            total=signed(totals[seat]),
        )
        for seat, line in enumerate(sheet.lines)
    ]
    return "\n".join(lines)


def owing_words(end: Ended, names: Sequence[str], texts: Texts) -> str | None:
    """Name the players who owe a foul to the winner of the next deal; None if there are none."""
    if end.sheet is None or not end.sheet.owing:
        return None
    owing = [shown_name(names[seat]) for seat in dict.fromkeys(end.sheet.owing)]
    return texts("sheet.owing", names=", ".join(owing), points=end.rules.foul_points)


def _line_key(line: SheetLine) -> str:
    if line.status is Status.PAUSE:
        return "sheet.line_pause"
    return "sheet.line_foul" if line.foul else "sheet.line"


def _items(items: tuple[SheetItem, ...], taken_from: Sequence[str], texts: Texts) -> str:
    """List the items of one line; kidnapped ones name the players they come from."""
    losers = iter(taken_from)
    words = [item_words(item, texts, next(losers) if item.what is What.KIDNAPPED else None) for item in items]
    return ", ".join(words) or texts("sheet.no_maal")


def item_words(item: SheetItem, texts: Texts, taken_from: str | None = None) -> str:
    """Describe an item with its cards and points, such as `tiplu 7♦ = 3`, and whom it was kidnapped from."""
    what = texts(f"what.{item.what}")
    if taken_from is not None:
        what = texts("sheet.kidnapped_from", name=shown_name(taken_from))
    key = "sheet.item" if item.cards else "sheet.item_bare"
    cards = shown_cards(item.cards, texts)
    if item.what in _NAMED_BY_THEIR_CARDS and not texts.emojis:  # the cards would repeat the same word
        key, cards = ("sheet.item", f"×{len(item.cards)}") if len(item.cards) > 1 else ("sheet.item_bare", "")
    return texts(key, what=what, cards=cards, points=item.points)


def kidnapped_from(sheet: Sheet) -> list[int]:
    """Return the seats that the winner's kidnapped items come from, in order (`marriage.scoring.result`)."""
    return [
        seat for seat, line in enumerate(sheet.lines) if any(item.what is What.UNSEEN for item in line.items)
    ]
