"""A leaderboard, page by page, below its picture if there is one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import discord
from discord import ui

from bot.errors import UnexpectedInputError
from bot.panels.history.company import company_tabs
from bot.panels.pages import turning
from bot.ui.items import Button, Press, Select, row
from bot.ui.panel import Panel, gallery, panel, picture_file, text
from bot.words.names import shown_name
from bot.words.texts import Texts
from league.ids import PersonId
from league.statistics.facts import Company
from league.statistics.leaderboard import USUAL, Board, Order, Standing
from league.statistics.periods import Span
from league.times import utc
from render.picture import Picture
from render.words import decimal, signed

ROWS = 10


@dataclass(frozen=True, slots=True)
class BoardChoice:
    """The choice of a board. It travels in custom ids."""

    order: Order = USUAL
    span: Span = Span.ALL
    company: Company = Company.PEOPLE

    @classmethod
    def of(cls, board: Board) -> "BoardChoice":
        """The choice that leads to this board."""
        return cls(board.order, board.span, board.company)

    @classmethod
    def read(cls, argument: str) -> "BoardChoice":
        """The choice of a custom id; raises UnexpectedInputError for one that was never built."""
        try:
            order, span, *company = argument.split("-")
            return cls(Order(order), Span(span), *map(Company, company))
        except (ValueError, TypeError):
            raise UnexpectedInputError("no such board") from None

    @property
    def argument(self) -> str:
        """Return the choice in the form of a custom id."""
        return f"{self.order}-{self.span}-{self.company}"

    def among(self, company: Company) -> "BoardChoice":
        """Return the board of the same period in another company. Deals with computers have a board by points only."""
        return replace(self, company=company, order=USUAL if company is Company.PEOPLE else Order.POINTS)


def last_page(board: Board) -> int:
    """The number of the board's last page, from 0."""
    return max(0, len(board.rows) - 1) // ROWS


def page_of(board: Board, person_id: PersonId) -> int | None:
    """The page of a person's line, from 0; None if they are not on the board."""
    index = board.index_of(person_id)
    return None if index is None else index // ROWS


def board_panel(
    board: Board, page: int, viewer_id: int | None, texts: Texts, picture: Picture | None = None
) -> Panel:
    """One page, or the nearest that exists. The viewer's line follows it if they are on another page."""
    page = min(page, last_page(board))
    file = picture_file(picture) if picture else None
    rows = board.rows[page * ROWS : (page + 1) * ROWS]
    title = texts(
        "board.title", order=texts(f"board.order_{board.title}"), span=texts(f"board.span_{board.span}")
    )
    return panel(
        text(title),
        gallery(file) if file else None,
        text(
            "\n".join(_line(board, row, viewer_id, texts) for row in rows)
            or texts(f"board.empty_{board.company}")
        ),
        text(_mine(board, rows, viewer_id, texts)),
        text(f"{_where(board, page, texts)}\n{texts(f'board.note_{board.title}')}"),
        company_tabs(board.company, lambda company: _to_company(board, company), texts),
        _choice("pick-order", "order", Order, board, texts) if board.company is Company.PEOPLE else None,
        _choice("pick-span", "span", Span, board, texts),
        row(
            *turning(page, last_page(board) + 1, lambda way, to: _press(f"board-{way}", board, to), texts),
            Button(_press("board-me", board, page), texts("board.around")),
        ),
        files=[file] if file else [],
    )


def week_panel(board: Board, texts: Texts) -> Panel:
    """The first places of a week that is over, for everybody, with a button to the board of the present one."""
    rows = board.rows[:ROWS]
    first = utc(Span.WEEK.starts(board.at)).date()
    more = len(board.rows) - len(rows)
    choice = BoardChoice(board.order, Span.WEEK, board.company)
    return panel(
        text(
            texts(
                "board.week_title",
                order=texts(f"board.order_{board.title}"),
                first=first.isoformat(),
                last=(first + timedelta(days=6)).isoformat(),
            )
        ),
        text(
            "\n".join(_line(board, row, None, texts) for row in rows) or texts(f"board.empty_{board.company}")
        ),
        text(texts("daily.more", count=more)) if more else None,
        row(Button(Press("board", 0, 0, choice.argument), texts("board.this_week"))),
    )


def _press(verb: str, board: Board, page: int) -> Press:
    """Turn to a page; the revision of these custom ids is the page number."""
    return Press(verb, 0, page, BoardChoice.of(board).argument)


def _to_company(board: Board, company: Company) -> Press:
    return Press("board-company", 0, 0, BoardChoice.of(board).among(company).argument)


def _line(board: Board, row: Standing, viewer_id: int | None, texts: Texts) -> str:
    figure = {
        Order.RATING: f"{row.value:.0f}{'?' * row.provisional}",
        Order.ADJUSTED: decimal(row.value, sign=True) + "?" * row.provisional,
        Order.POINTS: signed(round(row.value)),
    }[board.order]
    error = row.error or 0
    line = texts(
        f"board.{board.order}",
        place=texts("board.unplaced") if row.place is None else texts("board.place", place=f"{row.place:>3}"),
        name=shown_name(row.name),
        value=figure,
        error=f"{error:.0f}" if board.order is Order.RATING else decimal(error),
        deals=row.deals,
        mean=decimal(row.mean, sign=True),
    )
    return texts("board.me", line=line) if row.person == viewer_id else line


def _mine(board: Board, rows: Sequence[Standing], viewer_id: int | None, texts: Texts) -> str | None:
    index = None if viewer_id is None else board.index_of(viewer_id)
    if index is None or board.rows[index] in rows:
        return None
    return texts("board.mine", line=_line(board, board.rows[index], viewer_id, texts))


def _where(board: Board, page: int, texts: Texts) -> str:
    return texts("board.page", page=page + 1, pages=last_page(board) + 1, placed=board.placed)


def _choice(
    verb: str, name: str, values: type[Order] | type[Span], board: Board, texts: Texts
) -> ui.ActionRow[Any]:
    options = [
        discord.SelectOption(
            label=texts(f"board.{name}_{value}"),
            value=value,
            description=texts(hint) if (hint := f"board.{name}_{value}_hint") in texts else None,
            default=value in {board.order, board.span},
        )
        for value in values
    ]
    return row(Select(_press(verb, board, 0), texts(f"board.{name}"), options))
