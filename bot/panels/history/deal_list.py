"""The list of finished deals, page by page, the panel of one past deal, and files for other programs."""

from io import BytesIO
from typing import Any

import discord
from discord import ui

from bot.history.exports import DealFiles, Files
from bot.history.past_deals import Checked, PastDeal, ShownDeals, record_json
from bot.panels.history.analysis import analyse_button
from bot.panels.history.replay import hands_button, replay_button
from bot.panels.pages import turning
from bot.panels.table.match import result_words, sheet_words
from bot.table.core.table import has_contributions
from bot.ui.items import Button, Press, Select, row
from bot.ui.panel import Panel, gallery, panel, picture_file, text
from bot.words.names import seat_name, shown_name
from bot.words.rules import preset_name
from bot.words.texts import Texts
from data.repositories.deal_search import FoundDeal
from data.values import PlayedRow
from league.statistics.stats import SeatFacts
from league.times import MINUTE
from render.picture import Picture
from render.words import signed


def record_panel(checked: Checked, texts: Texts) -> Panel:
    """Show the result of the check and the deal's seal, seed and contributions, with the record as a file."""
    record = checked.record
    file = record_file(checked)
    mixed = " ".join(f"`{item}`" for item in record.items) or "–"
    figures = texts("verify.figures", commitment=record.commitment, seed=record.seed.hex(), mixed=mixed)
    meaning = texts("verify.proves" if has_contributions(record.items) else "verify.proves_alone")
    return panel(text(verdict(checked, texts)), text(f"{figures}\n{meaning}"), ui.File(file), files=[file])


def verdict(checked: Checked, texts: Texts) -> str:
    """Say whether a deal is honest, and of its cut if the place need not follow from the seed."""
    record, cut = checked.record, checked.free_cut
    if checked.fault is not None:
        return texts("verify.wrong", table=record.table, deal=record.deal, fault=checked.fault)
    key = "verify.right" if checked.dealt else "verify.never_dealt"
    right = texts(key, table=record.table, deal=record.deal)
    if cut is None:
        return right
    about = texts("verify.cut_chosen", place=cut.place + 1) if cut.chosen else texts("verify.cut_unknown")
    return f"{right} {about}"


def record_file(checked: Checked) -> discord.File:
    """Return the record of the shuffle as a file."""
    record = checked.record
    name = f"deal-{record.table}-{record.deal}.json"
    return discord.File(BytesIO(record_json(record).encode()), filename=name)


def deals_panel(found: DealFiles, texts: Texts) -> Panel:
    """Attach the deals of a server as files."""
    if not found.deals:
        return panel(text(texts("export.none")))
    return _files_panel(texts("export.deals", count=found.deals), found.files)


def season_panel(name: str, files: Files, texts: Texts) -> Panel:
    """Show a whole season as files; `name` is its title as it appears in a message."""
    return _files_panel(texts("export.season", name=name), files)


def _files_panel(words: str, contents: Files) -> Panel:
    files = [discord.File(BytesIO(content), filename=name) for name, content in contents.items()]
    shown: list[ui.File[Any]] = [ui.File(file) for file in files]
    return panel(text(words), *shown, files=files)


def history_panel(page: ShownDeals, texts: Texts) -> Panel:
    """Show one page of the list, with a select to open a deal."""
    lines = [_line(deal, texts) for deal in page.deals]
    where = texts("history.page", page=page.number + 1, pages=page.last + 1, count=page.count)
    options = [
        discord.SelectOption(
            label=texts("history.choice", table=deal.row.table_id, deal=deal.row.deal_no),
            description=_who_made_what(deal)[:100],
            value=f"{deal.row.table_id}-{deal.row.deal_no}",
        )
        for deal in page.deals
    ]
    return panel(
        text(texts("history.title_own" if page.own else "history.title_all")),
        text(texts("history.filters", filters=", ".join(page.filters))) if page.filters else None,
        text("\n".join(lines) or _nothing(page, texts)),
        text(where) if lines else None,
        row(Select(Press("pick-deal", 0, 0), texts("history.open"), options)) if options else None,
        row(
            *turning(page.number, page.last + 1, lambda way, to: _turn(page, f"history-{way}", to), texts),
            Button(_other(page), texts("history.all" if page.own else "history.own")),
        ),
    )


def _nothing(page: ShownDeals, texts: Texts) -> str:
    if page.filters:
        return texts("history.empty")
    return texts("history.empty_own" if page.own else "history.empty_all")


def _turn(page: ShownDeals, verb: str, number: int) -> Press:
    """Return the press that turns to a page; the revision of these custom ids is the page number."""
    return Press(verb, page.asked.subject, number, page.asked.argument)


def _other(page: ShownDeals) -> Press:
    """Return the press that switches between the whole server and the viewer's deals, keeping the filters."""
    rest = page.asked.argument.partition("-")[2]
    scope = "all" if page.own else "own"
    return Press(f"history-{scope}", page.asked.subject, 0, f"{scope}-{rest}")


def rules_name(played: PlayedRow, texts: Texts) -> str:
    """Return the name of the preset and the number of options that differ from it."""
    if not played.variations:
        return preset_name(played.preset, texts)
    return texts("lobby.rules_short", preset=preset_name(played.preset, texts), count=played.variations)


def _line(deal: FoundDeal, texts: Texts) -> str:
    ordered = sorted(deal.seats, key=lambda seat: seat.place)
    seats = [_seat(seat, texts) for seat in ordered]
    if not any(seat.winner for seat in deal.seats):
        seats = [texts("history.no_winner"), *map(_name, deal.seats)]
    return texts(
        "history.line",
        table=deal.row.table_id,
        deal=deal.row.deal_no,
        at=deal.row.ended_at,
        rules=rules_name(deal.row, texts),
        seats=", ".join(seats),
    )


def _who_made_what(deal: FoundDeal) -> str:
    """List the players of a deal with their points and the winner marked, without markup, for a select."""
    return ", ".join(
        f"{'🏁 ' if seat.winner else ''}{seat_name(seat.person, seat.name)} {signed(seat.net)}"
        for seat in sorted(deal.seats, key=lambda seat: (not seat.winner, seat.place))
    )


def _seat(seat: SeatFacts, texts: Texts) -> str:
    key = "history.winner" if seat.winner else "history.seat"
    return texts(key, name=_name(seat), net=signed(seat.net))


def past_deal_panel(past: PastDeal, picture: Picture | None, texts: Texts) -> Panel:
    """Show the score sheet of a finished deal, with a button for its replay."""
    played = past.row
    file = picture_file(picture) if picture else None
    sheet = past.view.sheet
    if sheet is None:
        raise ValueError("a deal that is over has a sheet")
    minutes = max(1, (played.ended_at - played.started_at) // MINUTE)
    return panel(
        text(
            texts(
                "pastdeal.title",
                table=played.table_id,
                deal=played.deal_no,
                at=played.ended_at,
                rules=rules_name(played, texts),
                minutes=minutes,
            )
        ),
        text(result_words(past.view, played.deal_no, past.names, texts)),
        gallery(file) if file else None,
        None if file else text(sheet_words(sheet, past.names, past.totals, texts)),
        row(
            replay_button(played.table_id, played.deal_no, texts),
            hands_button(played.table_id, played.deal_no, texts),
            *([analyse_button(played.table_id, played.deal_no, texts)] if past.is_own else []),
        ),
        files=[file] if file else [],
    )


def _name(seat: SeatFacts) -> str:
    return shown_name(seat_name(seat.person, seat.name))
