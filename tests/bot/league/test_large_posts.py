"""Messages of large seasons: what does not fit is left out, and nothing is refused."""

import pytest

from bot.league.view import SeasonView
from bot.panels.league.posts import post_panel
from bot.record.exports import season_panel
from bot.words.texts import texts
from data.league_rows import SeasonRow, ToldSeason
from data.preferences import Pace
from data.values import PersonRow
from league.events import DivisionSet, SeasonClosed
from league.settings import FORMATS
from marriage.rules import PRESETS
from tests.bot.league.test_duplicate_season import words
from tests.bot.test_panels import checked
from tests.league.seasons import Diary

MOST = 4_000
"""What Discord takes in one message."""


@pytest.mark.parametrize("key", ["signup", "checkin:1", "round:1", "standings:1", "closed"])
@pytest.mark.parametrize("size", [8, 200])
def test_every_message_of_a_season_fits(key: str, size: int):
    diary = Diary("divisions" if size > 8 else "pods", players=200)
    if size > 8:
        for player in range(1, 201):
            diary.note(DivisionSet(player, 1 + (player - 1) // 8))
    diary.round()
    row = SeasonRow(
        *(1, 2, 3, "Autumn", 1, None, PRESETS["pagat"], Pace.NONE, b"x" * 32, 0, 0, None, 0),
        closed_at=1 if key == "closed" else None,
    )
    people = {number: PersonRow(number, "W" * 30, 1, 0) for number in range(1, 201)}
    view = SeasonView(row, ToldSeason(diary.season), 1, people, tables={}, times={}, posts={})
    assert 100 < post_panel(view, key, texts()).view.content_length() <= MOST


@pytest.mark.parametrize("format_", FORMATS)
def test_a_season_that_nobody_joined_says_so(format_: str):
    diary = Diary(format_, players=0)
    diary.note(SeasonClosed("ab" * 32))
    row = SeasonRow(
        *(1, 2, 3, "Autumn", 1, None, PRESETS["pagat"], Pace.NONE, b"x" * 32, 0, 0, None, 0), closed_at=1
    )
    view = SeasonView(row, ToldSeason(diary.season), 1, {}, tables={}, times={}, posts={})
    assert "nobody has won" in words(post_panel(view, "closed", texts()))
    assert "Nobody is in the table yet." in words(post_panel(view, "standings:1", texts()))
    assert len(checked(season_panel(view.season, view.title, {}, 1, texts())).attachments) == 7
