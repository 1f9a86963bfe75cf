"""A whole evening of several tables. `make evening` plays it, and then the large one."""

import os

import pytest

from tests.evening.evening import Evening
from tests.evening.script import SMALL, write
from tests.games import FileOfGames

NUMBER = 7

pytestmark = pytest.mark.skipif(
    "EVENING" not in os.environ, reason="`make evening` plays it: it takes minutes"
)


async def test_every_table_of_an_evening_comes_to_a_sound_end(discord, path):
    evening = Evening(discord, FileOfGames(path), NUMBER, write(SMALL, NUMBER))
    made = await evening.run()
    discord.forgiven = evening.excused
    print(made)
    assert evening.broken(made) == []
    assert made.moves > 200
