"""Leaderboards and profiles, page by page, below their picture if there is one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import discord
from discord import ui

from bot.errors import UnexpectedInputError
from bot.panels.pages import turning
from bot.ui.items import BLUE, GREY, Button, Press, Select, row
from bot.ui.panel import Panel, gallery, panel, picture_file, text
from bot.words.names import shown_name
from bot.words.numbers import base36
from bot.words.texts import Texts
from league.ids import PersonId
from league.statistics.leaderboard import USUAL, Board, BoardOrder, Standing
from league.statistics.profile import ENOUGH, BestDeal, Profile, Streaks
from league.statistics.stats import Company, Span
from league.times import utc
from render.picture import Picture
from render.words import decimal, signed


def company_tabs(chosen: Company, press: Callable[[Company], Press], texts: Texts) -> ui.ActionRow[Any]:
    """Return a button for each company; the chosen one is marked and disabled.

    `press` returns the press for a company's button.
    """
    return row(
        *(
            Button(
                press(company),
                texts(f"company.{company}"),
                style=BLUE if company is chosen else GREY,
                disabled=company is chosen,
            )
            for company in Company
        )
    )


ROWS = 10


@dataclass(frozen=True, slots=True)
class BoardChoice:
    """The choice of a board, encoded in custom ids."""

    order: BoardOrder = USUAL
    span: Span = Span.ALL
    company: Company = Company.PEOPLE

    @classmethod
    def of(cls, board: Board) -> "BoardChoice":
        """Return the choice that leads to this board."""
        return cls(board.order, board.span, board.company)

    @classmethod
    def read(cls, argument: str) -> "BoardChoice":
        """Decode a choice from a custom id; raises UnexpectedInputError for one that was never built."""
        try:
            order, span, *company = argument.split("-")
            return cls(BoardOrder(order), Span(span), *map(Company, company))
        except (ValueError, TypeError):
            raise UnexpectedInputError("no such board") from None

    @property
    def argument(self) -> str:
        """The choice as it is encoded in a custom id."""
        return f"{self.order}-{self.span}-{self.company}"

    def among(self, company: Company) -> "BoardChoice":
        """Return the board of the same period in another company. Deals with computers have a board by points only."""
        return replace(self, company=company, order=USUAL if company is Company.PEOPLE else BoardOrder.POINTS)


def last_page(board: Board) -> int:
    """Return the number of the board's last page, from 0."""
    return max(0, len(board.rows) - 1) // ROWS


def page_of(board: Board, person_id: PersonId) -> int | None:
    """Return the page of a person's line, from 0; None if they are not on the board."""
    index = board.index_of(person_id)
    return None if index is None else index // ROWS


def board_panel(
    board: Board, page: int, viewer_id: int | None, texts: Texts, picture: Picture | None = None
) -> Panel:
    """Show one page, or the nearest that exists. The viewer's line follows it if they are on another page."""
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
        _choice("pick-order", "order", BoardOrder, board, texts) if board.company is Company.PEOPLE else None,
        _choice("pick-span", "span", Span, board, texts),
        row(
            *turning(page, last_page(board) + 1, lambda way, to: _press(f"board-{way}", board, to), texts),
            Button(_press("board-me", board, page), texts("board.around")),
        ),
        files=[file] if file else [],
    )


def week_panel(board: Board, texts: Texts) -> Panel:
    """Show everyone the top places of a finished week, with a button to the current week's board."""
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
    """Return the press that turns to a page; the revision of these custom ids is the page number."""
    return Press(verb, 0, page, BoardChoice.of(board).argument)


def _to_company(board: Board, company: Company) -> Press:
    return Press("board-company", 0, 0, BoardChoice.of(board).among(company).argument)


def _line(board: Board, row: Standing, viewer_id: int | None, texts: Texts) -> str:
    figure = {
        BoardOrder.RATING: f"{row.value:.0f}{'?' * row.provisional}",
        BoardOrder.ADJUSTED: decimal(row.value, sign=True) + "?" * row.provisional,
        BoardOrder.POINTS: signed(round(row.value)),
    }[board.order]
    error = row.error or 0
    line = texts(
        f"board.{board.order}",
        place=texts("board.unplaced") if row.place is None else texts("board.place", place=f"{row.place:>3}"),
        name=shown_name(row.name),
        value=figure,
        error=f"{error:.0f}" if board.order is BoardOrder.RATING else decimal(error),
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
    verb: str, name: str, values: type[BoardOrder] | type[Span], board: Board, texts: Texts
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


_BARS = "▁▂▃▄▅▆▇█"


def profile_panel(
    profile: Profile, texts: Texts, *, listed: bool = True, picture: Picture | None = None
) -> Panel:
    """Show the profile's figures; those with too few deals are left out.

    If there is a picture, it shows the bars of the latest deals.
    """
    file = picture_file(picture) if picture else None
    parts = [
        texts("profile.title", name=shown_name(profile.name)),
        _figures(profile, texts),
        _streaks(profile.streaks, texts),
        _rating(profile, texts),
        None if file else _form(profile, texts),
        _best("best", profile.best, texts),
        _best("richest", profile.richest, texts),
        _with_viewer(profile, texts),
        _rivals(profile, texts),
        _earned(profile, texts),
        _puzzles(profile, texts),
        _decisions(profile, texts),
        texts("profile.others", count=profile.others) if profile.others else None,
        None if listed else texts("profile.unlisted"),
    ]
    head, *rest = [part for part in parts if part is not None]
    return panel(
        text(head),
        gallery(file) if file else None,
        text("\n".join(rest)),
        company_tabs(profile.company, lambda company: _tab(profile, company), texts),
        row(
            Button(Press("history", 0, 0, f"all-{base36(profile.person)}-0-0"), texts("profile.to_history")),
            Button(_board_of(profile.company), texts("profile.to_board")),
        ),
        files=[file] if file else [],
    )


def _tab(profile: Profile, company: Company) -> Press:
    return Press("profile", 0, 0, f"{profile.person}-{company}")


def _board_of(company: Company) -> Press:
    return Press("board", 0, 0, BoardChoice().among(company).argument)


def _figures(profile: Profile, texts: Texts) -> str:
    tally = profile.tally
    if not tally.deals:
        return texts(f"profile.empty_{profile.company}")
    error = tally.error
    lines = [
        texts("profile.figures_computers", deals=tally.deals)
        if profile.since is None
        else texts("profile.figures", deals=tally.deals, matches=profile.matches, since=profile.since),
        texts(
            "profile.points_few" if error is None else "profile.points",
            mean=decimal(tally.mean, sign=True),
            error=decimal(error or 0),
            net=signed(tally.net),
        ),
        _rates(profile, texts),
    ]
    return "\n".join(lines)


def _rates(profile: Profile, texts: Texts) -> str:
    """Format percentages if there are enough deals for them, otherwise numbers of deals."""
    maal = "–" if profile.mean_maal is None else decimal(profile.mean_maal)
    won, seen, dublees = profile.win_rate, profile.see_rate, profile.dublee_rate
    if won is None or seen is None or dublees is None:
        tally = profile.tally
        return texts(
            "profile.rates_few",
            wins=tally.wins,
            seen=tally.seen,
            dublees=tally.dublees,
            maal=maal,
            enough=ENOUGH,
        )
    return texts("profile.rates", won=f"{won:.0%}", seen=f"{seen:.0%}", dublees=f"{dublees:.0%}", maal=maal)


def _streaks(streaks: Streaks, texts: Texts) -> str | None:
    """Format the player's days of activity and streaks; None before their first day."""
    said = [
        texts("profile.days", days=streaks.days) if streaks.days else None,
        texts("profile.running", days=streaks.running) if streaks.running > 1 else None,
        texts("profile.longest", days=streaks.longest) if streaks.longest > max(1, streaks.running) else None,
        texts("profile.daily_streak", days=streaks.daily) if streaks.daily else None,
        texts("profile.puzzle_streak", days=streaks.puzzle) if streaks.puzzle else None,
    ]
    return " · ".join(part for part in said if part) or None


def _rating(profile: Profile, texts: Texts) -> str | None:
    rating = profile.rating
    if rating is None:
        return None
    return texts(
        "profile.rating_unsure" if rating.provisional else "profile.rating",
        figure=rating.figure,
        band=rating.band,
        deals=rating.deals,
        deals_asked=rating.deals_asked,
        opponents=rating.opponents,
        opponents_asked=rating.opponents_asked,
    )


def _puzzles(profile: Profile, texts: Texts) -> str | None:
    figures = profile.puzzles
    if figures is None:
        return None
    strength = figures.strength
    rating = f"{strength.shown}?" if strength.provisional else str(strength.shown)
    return texts("profile.puzzles", rating=rating, correct=figures.correct, answers=strength.answers)


def _decisions(profile: Profile, texts: Texts) -> str | None:
    found = profile.decisions
    if found is None:
        return None
    return texts(
        "profile.decisions",
        accuracy=round(found.accuracy),
        band=round(found.accuracy_error),
        lost=decimal(found.lost),
        error=decimal(found.lost_error),
        deals=found.deals,
    )


def _form(profile: Profile, texts: Texts) -> str | None:
    if len(profile.form) < 2:  # one deal makes no chart
        return None
    return texts(
        "profile.form",
        count=len(profile.form),
        chart=chart(profile.form),
        lowest=signed(min(profile.form)),
        highest=signed(max(profile.form)),
    )


def chart(figures: tuple[int, ...]) -> str:
    """Draw figures as a row of bars, from the shortest for the lowest to the longest for the highest.

    >>> chart((-10, 0, 10))
    '▁▄█'
    """
    low, high = min(figures), max(figures)
    steps = len(_BARS) - 1
    return "".join(_BARS[(figure - low) * steps // (high - low or 1)] for figure in figures)


def _best(title: str, deals: Sequence[BestDeal], texts: Texts) -> str | None:
    lines = [
        texts(
            "profile.best_deal",
            net=signed(deal.net),
            table=deal.table,
            deal=deal.deal_no,
            points=deal.points,
            seats=deal.seats,
            at=deal.at,
        )
        for deal in deals
    ]
    return "\n".join([texts(f"profile.{title}"), *lines]) if lines else None


def _with_viewer(profile: Profile, texts: Texts) -> str | None:
    met = profile.with_viewer
    if met is None:
        return None
    return texts(
        "profile.with_you",
        name=shown_name(met.name),
        deals=met.deals,
        ahead=met.ahead,
        behind=met.behind,
        net=signed(met.net),
    )


def _rivals(profile: Profile, texts: Texts) -> str | None:
    lines = [
        texts(
            "profile.rival",
            name=shown_name(rival.name),
            deals=rival.deals,
            ahead=rival.ahead,
            behind=rival.behind,
            net=signed(rival.net),
        )
        for rival in profile.rivals
    ]
    return "\n".join([texts("profile.rivals"), *lines]) if lines else None


def _earned(profile: Profile, texts: Texts) -> str | None:
    lines = [
        texts(
            "profile.feat",
            title=texts(f"achievement.{earned.achievement}_title"),
            what=texts(f"achievement.{earned.achievement}"),
            at=earned.at,
        )
        for earned in profile.earned
    ]
    return "\n".join([texts("profile.earned"), *lines]) if lines else None
