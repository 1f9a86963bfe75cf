import discord
import pytest

from bot.errors import UserError
from bot.interactions.permissions import NEEDED, permission_words, require_permissions
from bot.words.texts import catalogue
from render.words import speaking


def test_what_the_invitation_asks_for_is_enough():
    require_permissions(discord.Permissions(274878024704))


def test_administrators_permissions_are_enough():
    require_permissions(discord.Permissions.all())


@pytest.mark.parametrize("name", NEEDED)
def test_what_is_missing_is_named(name: str):
    granted = discord.Permissions(274878024704)
    setattr(granted, name, False)
    with pytest.raises(UserError) as sorry:
        require_permissions(granted)
    assert sorry.value.key == "sorry.permissions"
    assert sorry.value.values["missing"] == name.replace("_", " ").title()


def test_everything_that_is_missing_is_named_at_once():
    with pytest.raises(UserError) as sorry:
        require_permissions(discord.Permissions.none())
    assert sorry.value.values["missing"].count(",") == len(NEEDED) - 1


def test_it_is_named_in_the_language_that_is_spoken():
    with speaking("hi"), pytest.raises(UserError) as sorry:
        require_permissions(discord.Permissions.none())
    assert sorry.value.values["missing"] == permission_words(NEEDED, catalogue("hi"))
    assert sorry.value.values["missing"] != permission_words(NEEDED, catalogue("en"))
