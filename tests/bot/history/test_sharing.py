"""Posting a replay for everyone: what is undone because it cannot be shown does not count as saved."""

from types import SimpleNamespace
from typing import Any

import pytest

from bot.history.replays import shared_once
from data.store import HAS_STORED


class Committing:
    """A store that commits whatever it is asked to."""

    async def write(self, _: object) -> None:
        HAS_STORED.set(True)


async def test_a_replay_that_is_not_shown_does_not_count_as_shared():
    store: Any = Committing()
    replay: Any = SimpleNamespace(may_be_shared=True, table=SimpleNamespace(id=1), deal_no=1)
    HAS_STORED.set(False)
    with pytest.raises(OSError, match="no picture"):
        async with shared_once(store, replay, 1):
            raise OSError("no picture")
    assert not HAS_STORED.get()
    async with shared_once(store, replay, 1):
        pass
    assert HAS_STORED.get()
