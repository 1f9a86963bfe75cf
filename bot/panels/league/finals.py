"""The finals: the current tables of a stage, with the points carried into it."""

from typing import Final

from bot.league.season_view import SeasonView
from bot.panels.league.points import points
from bot.panels.pages import listed
from bot.words.texts import Texts
from league.finals import StageRow, cut_of, stage_over, stage_tables
from league.numbers import LAST_STAGE

_NAMES: Final = 400
"""The most characters that the names of those who were tied take in a message."""


def stage_title(view: SeasonView, stage: int, texts: Texts) -> str:
    """The heading of a stage."""
    key = "league.after_final" if stage == LAST_STAGE else "league.after_stage"
    return texts(key, league=view.title, players=stage)


def round_name(view: SeasonView, number: int, texts: Texts) -> str:
    """Return the name of a round: its number, or in the finals its stage, with the match if there are several."""
    drawn = view.season.rounds.get(number)
    if drawn is None or not drawn.stage:
        return texts("league.name_round", round=number)
    of_stage = sorted(other.round for other in view.season.rounds.values() if other.stage == drawn.stage)
    key = "league.name_final" if drawn.stage == LAST_STAGE else "league.name_stage"
    name = texts(key, players=drawn.stage)
    if len(of_stage) == 1:
        return name
    return texts("league.name_leg", name=name, match=of_stage.index(number) + 1, matches=len(of_stage))


def cut_words(view: SeasonView, texts: Texts) -> str | None:
    """Say who was tied for the last place in the finals, and what decided; None without such a tie."""
    cut = cut_of(view.season)
    if cut is None:
        return None
    return texts(
        "league.cut_lot" if cut.by == "lot" else "league.cut",
        names=listed([view.name(player) for player in cut.tied], texts, _NAMES),
        points=points(cut.points, sign=True),
        by=texts(f"league.by_{cut.by}"),
        going=view.names(player for player in cut.tied if player in cut.going),
    )


def stage_words(view: SeasonView, stage: int, texts: Texts) -> str:
    """The rows of every table of a stage, by place."""
    over = stage_over(view.season, stage)
    return "\n\n".join(
        "\n".join(
            _line(view, row, texts, goes_on=over and row.advances and stage != LAST_STAGE) for row in rows
        )
        for rows in stage_tables(view.season, stage)
    )


def _line(view: SeasonView, row: StageRow, texts: Texts, *, goes_on: bool) -> str:
    said = texts(
        "league.stage_row",
        place=row.place,
        name=view.name(row.player),
        points=points(row.points, sign=True),
        carried=points(row.carried, sign=True),
        won=points(row.won, sign=True),
    )
    if row.missed:
        said += texts("league.stage_missed", count=row.missed)
    return texts("league.goes_on", line=said) if goes_on else said
