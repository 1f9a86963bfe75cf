"""Whether a table stands in a forum is known only after Discord has sent the channels of its server."""

from types import SimpleNamespace
from unittest.mock import Mock

import discord
import pytest

from bot.delivery.discord_calls import RetryLaterError
from bot.delivery.threads import Threads

TABLE = SimpleNamespace(guild_id=7, channel_id=70)


def threads_with(guild: object) -> Threads:
    return Threads(Mock(spec=discord.Client, get_guild=lambda _: guild))


def guild_with(channel: object, *, unavailable: bool = False) -> Mock:
    return Mock(spec=discord.Guild, unavailable=unavailable, get_channel=lambda _: channel)


def test_a_forum_is_no_ordinary_channel():
    forum = Mock(spec=discord.ForumChannel, is_media=lambda: False)
    assert threads_with(guild_with(forum)).in_forum(TABLE)
    assert not threads_with(guild_with(Mock(spec=discord.TextChannel))).in_forum(TABLE)
    assert not threads_with(None).in_forum(TABLE)


def test_a_server_that_was_only_named_so_far_is_waited_for():
    with pytest.raises(RetryLaterError):
        threads_with(guild_with(None, unavailable=True)).in_forum(TABLE)
