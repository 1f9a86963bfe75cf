"""The finals: the tables of a stage as they stand, with the points carried into it."""

from bot.league.season_view import SeasonView
from bot.panels.league.points import points
from bot.words.texts import Texts
from league.finals import StageRow, stage_over, stage_tables
from league.numbers import LAST_STAGE


def stage_title(view: SeasonView, stage: int, texts: Texts) -> str:
    """The heading of a stage."""
    key = "league.after_final" if stage == LAST_STAGE else "league.after_stage"
    return texts(key, league=view.title, players=stage)


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
    return texts("league.goes_on", line=said) if goes_on else said
