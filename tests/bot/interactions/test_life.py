"""Work that outlasts the time to answer an interaction is abandoned."""

import asyncio
from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

from bot.interactions.reply import while_answerable

PRESS = SimpleNamespace(id=7)


async def test_it_is_given_up_logged_once_and_holds_nothing(monkeypatch):
    monkeypatch.setattr("bot.interactions.reply.LIFE_S", 0.01)
    lock = asyncio.Lock()
    with capture_logs() as logs:
        async with while_answerable(PRESS), while_answerable(PRESS), lock:
            await asyncio.Event().wait()
    assert not lock.locked()
    assert [(line["event"], line["interaction"]) for line in logs] == [("interaction.given_up", 7)]


async def test_what_times_out_for_another_reason_says_so():
    with pytest.raises(TimeoutError, match="another"):
        async with while_answerable(PRESS):
            raise TimeoutError("another")
