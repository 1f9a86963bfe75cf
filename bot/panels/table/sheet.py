"""The end of a deal in words: who won, and every line of its score sheet."""

from collections.abc import Sequence
from typing import Final

from bot.words.card_names import shown_card, shown_cards
from bot.words.names import shown_name
from bot.words.refusals import signed
from bot.words.texts import Texts
from marriage.sheet import Ending, Item, Line, Sheet, Status, What
from render.known import Ended

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
    """A paragraph for every line of the sheet, with the running total after it."""
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


def _line_key(line: Line) -> str:
    if line.status is Status.PAUSE:
        return "sheet.line_pause"
    return "sheet.line_foul" if line.foul else "sheet.line"


def _items(items: tuple[Item, ...], taken_from: Sequence[str], texts: Texts) -> str:
    """The items of one line; those that were kidnapped with the names of the players they come from."""
    losers = iter(taken_from)
    words = [item_words(item, texts, next(losers) if item.what is What.KIDNAPPED else None) for item in items]
    return ", ".join(words) or texts("sheet.no_maal")


def item_words(item: Item, texts: Texts, taken_from: str | None = None) -> str:
    """One item with its cards and points, such as `tiplu 7♦ = 3`, and whom it was kidnapped from."""
    what = texts(f"what.{item.what}")
    if taken_from is not None:
        what = texts("sheet.kidnapped_from", name=shown_name(taken_from))
    key = "sheet.item" if item.cards else "sheet.item_bare"
    cards = shown_cards(item.cards, texts)
    if item.what in _NAMED_BY_THEIR_CARDS and not texts.emojis:  # the cards would say the same word again
        key, cards = ("sheet.item", f"×{len(item.cards)}") if len(item.cards) > 1 else ("sheet.item_bare", "")
    return texts(key, what=what, cards=cards, points=item.points)


def kidnapped_from(sheet: Sheet) -> list[int]:
    """The seats that the winner's kidnapped items come from, in the order of those items (`marriage.scoring.result`)."""
    return [
        seat for seat, line in enumerate(sheet.lines) if any(item.what is What.UNSEEN for item in line.items)
    ]
