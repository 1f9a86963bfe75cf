"""The numbers of a season: its settings by name, with their values."""

from collections.abc import Iterable

from bot.league.number_settings import CLOCK, NAMES, described, shown_value
from bot.league.season_view import SeasonView
from bot.ui.panel import Panel, panel, text
from bot.words.texts import Texts

SHOWN = (CLOCK, *NAMES)


def number_panel(view: SeasonView, name: str, texts: Texts) -> Panel:
    """One number of the season with its value."""
    return panel(text(numbers_title(view, texts)), text("\n".join(number_lines(view, texts, [name]))))


def numbers_title(view: SeasonView, texts: Texts) -> str:
    """Say whose numbers they are, and whether they can still be changed."""
    return texts("league.numbers_fixed" if view.season.drawn else "league.numbers", league=view.title)


def number_lines(view: SeasonView, texts: Texts, names: Iterable[str] = SHOWN) -> list[str]:
    """Each number with its value and what it is."""
    return [
        texts("league.number", name=name, value=_value(view, name), what=described(name, texts))
        for name in names
    ]


def _value(view: SeasonView, name: str) -> str:
    return view.row.pace if name == CLOCK else shown_value(view.season.settings, name)
