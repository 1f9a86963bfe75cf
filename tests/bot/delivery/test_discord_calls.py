"""What each of Discord's refusals means for a message that the bot wants to publish."""

from types import SimpleNamespace

import aiohttp
import discord
import pytest

from bot.delivery.discord_calls import (
    ChannelGoneError,
    DirectMessagesClosedError,
    MessageGoneError,
    MissingAccessError,
    RetryLaterError,
    TokenOverError,
    UneditableMessageError,
    failures,
)


def refused(status: int, code: int) -> discord.HTTPException:
    return discord.HTTPException(SimpleNamespace(status=status, reason=""), {"code": code, "message": "no"})


@pytest.mark.parametrize(
    ("status", "code", "meaning"),
    [
        (404, 10008, MessageGoneError),
        (429, 30046, UneditableMessageError),
        (400, 50083, UneditableMessageError),
        (404, 10003, ChannelGoneError),
        (404, 10004, ChannelGoneError),
        (403, 50001, MissingAccessError),
        (403, 50013, MissingAccessError),
        (403, 50007, DirectMessagesClosedError),
        (403, 50278, DirectMessagesClosedError),
        (400, 40003, RetryLaterError),
        (429, 0, RetryLaterError),
        (401, 0, RetryLaterError),
        (401, 50027, TokenOverError),
        (404, 10015, TokenOverError),
        (408, 0, RetryLaterError),
        (500, 0, RetryLaterError),
        (503, 0, RetryLaterError),
        (504, 130000, RetryLaterError),
        (400, 50035, discord.HTTPException),
        (400, 50006, discord.HTTPException),
        (413, 40005, discord.HTTPException),
    ],
)
async def test_a_refusal_is_named_by_what_to_do(status: int, code: int, meaning: type[Exception]):
    with pytest.raises(meaning) as raised:
        async with failures():
            raise refused(status, code)
    assert type(raised.value) is meaning


@pytest.mark.parametrize(
    "error",
    [aiohttp.ServerDisconnectedError(), aiohttp.ClientOSError(), ConnectionResetError(), TimeoutError()],
)
async def test_a_line_that_breaks_is_tried_later(error: Exception):
    with pytest.raises(RetryLaterError) as raised:
        async with failures():
            raise error
    assert raised.value.after_s is None


async def test_a_long_rate_limit_says_how_long():
    with pytest.raises(RetryLaterError) as raised:
        async with failures():
            raise discord.RateLimited(61.5)
    assert raised.value.after_s == 61.5


async def test_what_is_no_refusal_of_discord_passes():
    with pytest.raises(KeyError):
        async with failures():
            raise KeyError("a fault of ours")
