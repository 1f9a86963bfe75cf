"""The long lists of a season, page by page: a round's pods and boards, the players, the staff's actions.

The messages of a season show as much of a list as fits, with a button that opens the whole list. Seasons are
listed in the archive, and in the menu that asks which season is meant.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import discord

from bot.errors import UnexpectedInputError
from bot.league.leagues import Archive
from bot.league.number_settings import CLOCK, NAMES, described, shown_value
from bot.league.season import SeasonView
from bot.panels.league.people import people_lines, people_title
from bot.panels.league.pods import absent_names, board_lines, pod_lines, round_title
from bot.panels.league.words import act_words
from bot.panels.pages import page_of, page_with, page_words, turning
from bot.ui.items import MOST_OPTIONS, Button, Press, Select, row
from bot.ui.panel import Panel, panel, text
from bot.words.numbers import read_number
from bot.words.texts import Texts
from data.season_rows import SeasonRow
from league.results import Player

SHOWN = (CLOCK, *NAMES)


def number_panel(view: SeasonView, name: str, texts: Texts) -> Panel:
    """Show one number of the season with its value."""
    return panel(text(numbers_title(view, texts)), text("\n".join(number_lines(view, texts, [name]))))


def numbers_title(view: SeasonView, texts: Texts) -> str:
    """Name the league of the numbers, and say whether they can still be changed."""
    return texts("league.numbers_fixed" if view.season.drawn else "league.numbers", league=view.title)


def number_lines(view: SeasonView, texts: Texts, names: Iterable[str] = SHOWN) -> list[str]:
    """List each number with its value and its meaning."""
    return [
        texts("league.number", name=name, value=_value(view, name), what=described(name, texts))
        for name in names
    ]


def _value(view: SeasonView, name: str) -> str:
    return view.row.pace if name == CLOCK else shown_value(view.season.settings, name)


@dataclass(frozen=True, slots=True)
class Listing:
    """A whole list."""

    title: str
    lines: Sequence[str]
    empty: str
    """The text of an empty list."""
    own: int | None = None
    """The index of the viewer's line."""
    note: str = ""


def show_all(view: SeasonView, what: str, texts: Texts) -> Button:
    """Return a button that opens the whole list at the viewer's page."""
    return Button(Press("league-all", view.row.id, 0, what), texts("list.all"))


def list_panel(view: SeasonView, what: str, page: int | None, viewer: Player | None, texts: Texts) -> Panel:
    """Show a page of the list with that name, such as `pods-3`; by default the viewer's page.

    Raises UserError for an unknown name.
    """
    name, _, number = what.partition("-")
    if name not in _LISTS:
        raise UnexpectedInputError("no such list")
    listing = _LISTS[name](view, read_number(number, 3) or 0, viewer, texts)
    if page is None:
        page = page_with(listing.lines, listing.own or 0)
    shown = page_of(listing.lines, page)
    return panel(
        text(listing.title),
        text(listing.note),
        text("\n".join(shown.lines) or listing.empty),
        text(page_words(shown, texts)),
        row(
            *turning(
                shown.number, shown.count, lambda _, to: Press("league-list", view.row.id, to, what), texts
            )
        ),
        row(
            Button(Press("league-next", view.row.id, 0), texts("league.my_next")),
            Button(Press("league-standings", view.row.id, 0), texts("league.standings")),
        ),
    )


def _pods(view: SeasonView, number: int, viewer: Player | None, texts: Texts) -> Listing:
    lines = pod_lines(view, number, texts)
    position = next((place for place, pod in enumerate(view.pods_of(number)) if viewer in pod.players), None)
    lines += [texts("league.absent", names=name) for name in absent_names(view, number)]
    has_draw = view.season.settings.format.has_draw
    empty = texts("league.nobody_came" if has_draw else "league.ladder_nothing")
    return Listing(round_title(view, number, texts), lines, empty, position)


def _people(view: SeasonView, number: int, viewer: Player | None, texts: Texts) -> Listing:
    """List the players of a round, or of the season for 0."""
    lines, position = people_lines(view, number, viewer, texts)
    return Listing(people_title(view, number, texts), lines, texts("league.no_people"), position)


def _boards(view: SeasonView, number: int, viewer: Player | None, texts: Texts) -> Listing:
    lines, position = board_lines(view, number, viewer, texts)
    title = texts("league.boards", league=view.title, round=number)
    return Listing(title, lines, texts("league.no_rows"), position, texts("league.boards_note"))


def _log(view: SeasonView, _number: int, _viewer: Player | None, texts: Texts) -> Listing:
    """List the decisions of the staff, newest first."""
    lines = [act_words(view, act, texts) for act in reversed(view.acts)]
    return Listing(texts("league.log_title", league=view.title), lines, texts("league.log_empty"))


def _numbers(view: SeasonView, _number: int, _viewer: Player | None, texts: Texts) -> Listing:
    return Listing(numbers_title(view, texts), number_lines(view, texts), "")


_LISTS: Final[Mapping[str, Callable[[SeasonView, int, Player | None, Texts], Listing]]] = {
    "pods": _pods,
    "people": _people,
    "boards": _boards,
    "log": _log,
    "numbers": _numbers,
}
"""The lists by name. The first three belong to the round whose number follows."""


_LABEL = 100


def archive_panel(archive: Archive, texts: Texts) -> Panel:
    """Show one page of the archive."""
    if not archive.views:
        return panel(text(texts("league.archive_empty")))
    options = [
        discord.SelectOption(label=view.plain_title[:_LABEL], value=str(view.row.id))
        for view in archive.views
    ]
    return panel(
        text(texts("league.archive_title")),
        text("\n".join(_line(view, texts) for view in archive.views)),
        row(Select(Press("pick-season", 0, 0), texts("league.archive_pick"), options)),
        row(*turning(archive.page, archive.pages, lambda way, to: Press("league-older", 0, to, way), texts)),
    )


def _line(view: SeasonView, texts: Texts) -> str:
    champion = view.champion()
    return texts(
        "league.archive_line",
        league=view.title,
        at=(view.row.closed_at or 0),
        champion=view.name(champion) if champion is not None else "–",
        players=sum(member.status == "confirmed" for member in view.season.members.values()),
        matches=sum(pod.result is not None for pod in view.season.pods.values()),
    )


def which_panel(rows: Sequence[SeasonRow], command: int, texts: Texts) -> Panel:
    """Show a menu of these seasons; the choice repeats the command, identified by its interaction id."""
    options = [
        discord.SelectOption(label=season_label(row), value=str(row.id)) for row in rows[:MOST_OPTIONS]
    ]
    press = Press("pick-league", 0, 0, str(command))
    return panel(
        text(texts("league.which", count=len(rows))), row(Select(press, texts("league.which_pick"), options))
    )


def season_label(row: SeasonRow) -> str:
    """Return a season's label in a menu: its league, with the season's number after the first one."""
    return (row.name if row.number == 1 else f"{row.name} {row.number}")[:100]
