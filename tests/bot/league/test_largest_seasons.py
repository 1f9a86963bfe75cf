"""Discord accepts every message of the largest seasons: nothing is refused or cut off."""

from dataclasses import replace
from functools import cache
from typing import get_args

import discord
import pytest

from bot.league.leagues import Archive
from bot.league.season import SeasonView
from bot.panels.league.desk import check_panel
from bot.panels.league.direct_messages import next_panel, reminder_panel
from bot.panels.league.lists import archive_panel, list_panel
from bot.panels.league.posts import post_panel
from bot.panels.league.rulings import preview_panel
from bot.panels.league.standings import last_page, standings_panel
from bot.words.texts import texts
from data.repositories.people import Names
from data.season_posts import ChannelPost, PersonalPost
from render.words import speaking
from tests.bot.league.largest import Largest, largest, preview
from tests.bot.league.test_large_posts import taken_whole
from tests.bot.words.test_texts import LANGUAGES
from tests.cases import cases

STATES = (
    "signing up",
    "in teams",
    "teams played",
    "to play",
    "disputed",
    "played",
    "divisions",
    "finals",
    "over",
)
MOST_SIGNS = cases(LANGUAGES, {"en", "ne"})
"""Hindi is as long as Nepali."""
LISTS = ("people-0", "people-1", "people-2", "pods-1", "boards-1", "log", "numbers")
LONGEST = ("*" * 24, "W" * 24, "क्षत्रिय" * 24, "👨‍👩‍👧" * 24, "كبير" * 6)
"""Names whose text is longest: every character escaped, wide, and of many bytes."""


@cache
def seasons() -> dict[str, Largest]:
    return {season.state: season for season in largest()}


def named(view: SeasonView, name: str) -> SeasonView:
    """Return the same season with this name for everyone."""
    return replace(
        view, people={player: replace(row, names=Names(name)) for player, row in view.people.items()}
    )


@pytest.mark.parametrize("language", MOST_SIGNS)
@pytest.mark.parametrize("state", STATES)
def test_every_message_of_a_largest_season_is_taken_whole(state: str, language: str):
    season = seasons()[state]
    with speaking(language):
        for name in LONGEST:
            view = named(season.view, name)
            for post in season.posts:
                taken_whole(post_panel(view, post, texts()))
            for notice in season.notices:
                shown = reminder_panel(view, notice, texts())
                assert shown is None or taken_whole(shown)


@pytest.mark.parametrize("language", MOST_SIGNS)
@pytest.mark.parametrize("state", STATES)
def test_every_answer_about_a_largest_season_is_taken_whole(state: str, language: str):
    for name in LONGEST[:3]:
        view = named(seasons()[state].view, name)
        with speaking(language):
            for what in LISTS:
                for page in (None, 99_999):
                    taken_whole(list_panel(view, what, page, 7, texts()))
            for division in view.divisions[::13]:
                for page in (0, last_page(view.standings(division))):
                    taken_whole(standings_panel(view, page, division, 7, texts()))
            taken_whole(check_panel(view, discord.Permissions.none(), texts(), plans=False))
            seasons_over = tuple(replace(view, row=replace(view.row, id=number)) for number in range(10))
            taken_whole(archive_panel(Archive(seasons_over, 3, 9), texts()))
            for player in (1, 7, 201):
                taken_whole(next_panel(view, player, texts()))
            if view.season.pods:
                taken_whole(preview_panel(view, preview(view), texts()))


def test_every_message_that_a_season_has_is_among_these():
    shown = {type(post) for season in seasons().values() for post in (*season.posts, *season.notices)}
    assert shown == {*get_args(ChannelPost), *get_args(PersonalPost)}
    assert tuple(seasons()) == STATES
