"""The end of a deal in words: who won, and every line of its score sheet."""

from collections.abc import Sequence

from bot.words.card_names import shown_card, shown_cards
from bot.words.names import shown_name
from bot.words.refusals import signed
from bot.words.texts import Texts
from marriage.sheet import Ending, Item, Line, Sheet, Status
from render.known import Ended


def result_words(end: Ended, deal_no: int, names: Sequence[str], texts: Texts) -> str:
    """Who won the deal and what the tiplu was, or that it was dismissed, and whether it was a dublee game.

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
    lines = [
        texts(
            _line_key(line),
            name=shown_name(names[seat]),
            status=texts("sheet.winner" if seat == sheet.winner else f"sheet.{line.status}"),
            points=line.points,
            items=_items(line.items, texts),
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
    """Who owes a foul to the winner of the next deal; None if nobody does."""
    if end.sheet is None or not end.sheet.owing:
        return None
    owing = [shown_name(names[seat]) for seat in dict.fromkeys(end.sheet.owing)]
    return texts("sheet.owing", names=", ".join(owing), points=end.rules.foul_points)


def _line_key(line: Line) -> str:
    if line.status is Status.PAUSE:
        return "sheet.line_pause"
    return "sheet.line_foul" if line.foul else "sheet.line"


def _items(items: tuple[Item, ...], texts: Texts) -> str:
    words = [
        texts(
            "sheet.item",
            what=texts(f"what.{item.what}"),
            cards=shown_cards(item.cards, texts),
            points=item.points,
        )
        for item in items
    ]
    return ", ".join(words) or texts("sheet.no_maal")
