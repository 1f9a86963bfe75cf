"""How the form of a new league is parsed."""

import pytest

from bot.errors import UserError
from cogs.league.replies import read_create
from data.preferences import GuildSettings, Pace

FIELDS = {"format": ["pods"], "rules": ["pagat"], "rotations": ["3"]}


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Autumn League of the Kathmandu Card Club", "Autumn League of the Kathmandu Card Club"),
        ("x" * 60, "x" * 40),
        (" <@1>\u202e ", "‹@1›"),
    ],
)
def test_the_name_is_kept_as_long_as_the_form_takes_it(typed: str, name: str):
    assert read_create({**FIELDS, "name": typed}, GuildSettings(), Pace.NONE).name == name


def test_a_name_of_nothing_is_refused():
    with pytest.raises(UserError, match="bad_name"):
        read_create({**FIELDS, "name": "\u200b "}, GuildSettings(), Pace.NONE)
