"""A new format is one class and its words: a season of a format that only this test knows, from sign-up to its end."""

from collections.abc import Sequence
from typing import Any, ClassVar

import pytest

from bot.history.exports import season_files
from bot.league.agenda import next_draw_hour
from bot.league.number_settings import shown_value
from bot.panels.league.posts import post_panel
from bot.words.texts import Texts, catalogue, texts
from cogs.league.replies import create_fields
from data.season_posts import EndPost, RoundPost, SignupPost, StandingsPost
from league.formats import FORMATS, DrawInput, DrawnTable, Format, Zone
from league.numbers import SeasonNumbers
from league.season import Season
from league.settings import SeasonSettings, default_settings
from tests.bot.league.house import DAY, LeagueHouse

PEOPLE = (101, 102, 103, 104)


class Neighbours(Format):
    """A format that pairs neighbours.

    Everyone plays in twos: those who signed up one after another, then shifted by one. The last goes down.
    """

    name = "neighbours"
    defaults: ClassVar[dict[str, Any]] = {"rounds": 2, "round_days": 3}
    takes_reports = False

    def signup_days(self, numbers: SeasonNumbers) -> int:
        return 2

    def checks_in(self, numbers: SeasonNumbers, number: int) -> bool:
        return False

    def zones(
        self, numbers: SeasonNumbers, staying: Sequence[bool], division: int, lowest: int
    ) -> list[Zone | None]:
        return [*[None] * (len(staying) - 1), "down"] if staying else []

    def draw(self, numbers: SeasonNumbers, given: DrawInput) -> list[list[DrawnTable]]:
        players = [entrant.player for entrant in given.entrants]
        circle = players[given.number - 1 :] + players[: given.number - 1]
        return [
            [DrawnTable((first, second)) for first, second in zip(circle[::2], circle[1::2], strict=True)]
        ]


@pytest.fixture
def new_format(monkeypatch: pytest.MonkeyPatch) -> Texts:
    """The format, listed with its words as if it stood in `league/formats.py` and the catalogue."""
    monkeypatch.setitem(FORMATS, Neighbours.name, Neighbours())
    words = catalogue("en")
    for key in ("league.format_neighbours", "league.format_neighbours_hint", "page.format_neighbours"):
        monkeypatch.setitem(words.templates, key, "Neighbours")
    return words


def test_it_can_be_chosen_and_stored(new_format: Texts):
    settings = default_settings("neighbours")
    stored = settings.model_dump_json()
    assert '"format":"neighbours"' in stored
    assert SeasonSettings.model_validate_json(stored) == settings
    assert shown_value(settings, "rounds") == "2"
    chosen: Any = create_fields(texts())[1].component
    assert [option.label for option in chosen.options][-1] == "Neighbours"


async def test_a_season_of_it_is_played_to_its_end(house: LeagueHouse, new_format: Texts):
    season = await house.open("neighbours")
    seen = await house.view(season)
    assert seen.row.starts_at == next_draw_hour(seen.row.created_at + 2 * DAY, seen.season.settings)
    await house.join(season, *PEOPLE)
    for number in (1, 2):
        await house.until(season, seen.row.starts_at + (number - 1) * 3 * DAY)
        await house.play_round(season, number)
    await house.rounds.catch_up(season)
    seen = await house.view(season)
    assert pairs(seen.season, 1) == [(1, 2), (3, 4)]
    assert pairs(seen.season, 2) == [(2, 3), (4, 1)]
    assert seen.row.closed_at is not None
    assert [row.row.zone for row in seen.standings().rows] == [None, None, None, "down"]
    assert [row.row.matches for row in seen.standings().rows] == [2] * 4
    await house.assert_fold(season)
    assert all(post_panel(seen, post, texts()).view for post in (RoundPost(1), StandingsPost(2), EndPost()))
    assert "Neighbours" in str(post_panel(seen, SignupPost(), texts()).view.to_components())
    assert b"Neighbours" in season_files(seen.season, {}, {}, seen.now, texts())["season.html"]


def pairs(season: Season, number: int) -> list[tuple[int, ...]]:
    """Return the players of each pod of a round, by their numbers in the season."""
    first = min(season.members)
    pods = sorted((pod for pod in season.pods.values() if pod.round == number), key=lambda pod: pod.id)
    return [tuple(player - first + 1 for player in pod.drawn) for pod in pods]
