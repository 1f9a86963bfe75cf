"""The numbers of a season: its settings by name, with their values."""

from collections.abc import Iterable

from bot.league.number_settings import NAMES, described, shown_value
from bot.league.season_view import SeasonView
from bot.ui.panel import Panel, panel, text
from bot.words.texts import Texts


def number_panel(view: SeasonView, name: str, texts: Texts) -> Panel:
    """One number of the season with its value."""
    return panel(text(numbers_title(view, texts)), text("\n".join(number_lines(view, texts, [name]))))


def numbers_title(view: SeasonView, texts: Texts) -> str:
    """Whose numbers they are, and whether they may still be changed."""
    return texts("league.numbers_fixed" if view.season.drawn else "league.numbers", league=view.title)


def number_lines(view: SeasonView, texts: Texts, names: Iterable[str] = NAMES) -> list[str]:
    """Each number with its value and what it is."""
    settings = view.season.settings
    return [
        texts("league.number", name=name, value=shown_value(settings, name), what=described(name, texts))
        for name in names
    ]
