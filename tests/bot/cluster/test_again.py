"""An interaction is handled again only if another process changed the table meanwhile."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from bot.errors import ChangedElsewhereError, StaleRevisionError
from bot.interactions.receiver import InteractionReceiver


@pytest.fixture
def receiver() -> InteractionReceiver:
    @asynccontextmanager
    async def around(_: object) -> AsyncIterator[None]:
        yield

    receiver = InteractionReceiver.__new__(InteractionReceiver)
    receiver._error_boundary = SimpleNamespace(around=around)
    return receiver


async def served(receiver: InteractionReceiver, *outcomes: type[Exception] | None) -> int:
    """Return how many times the interaction is handled if its attempts have these outcomes in order."""
    tries = 0

    async def handle() -> None:
        nonlocal tries
        tries += 1
        if (outcome := outcomes[tries - 1]) is not None:
            raise outcome

    interaction: Any = SimpleNamespace(id=5)
    if (last := outcomes[-1]) is None:
        await receiver._guarded(interaction, handle)
    else:
        with pytest.raises(last):
            await receiver._guarded(interaction, handle)
    return tries


async def test_it_is_served_again_until_nothing_comes_between(receiver: InteractionReceiver):
    assert await served(receiver, None) == 1
    assert await served(receiver, ChangedElsewhereError, None) == 2
    assert await served(receiver, ChangedElsewhereError, ChangedElsewhereError, None) == 3


async def test_it_is_not_served_forever(receiver: InteractionReceiver):
    assert await served(receiver, *[ChangedElsewhereError] * 3) == 3


async def test_what_the_present_state_refuses_is_refused(receiver: InteractionReceiver):
    assert await served(receiver, StaleRevisionError) == 1
    assert await served(receiver, ChangedElsewhereError, StaleRevisionError) == 2
