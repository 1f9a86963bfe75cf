"""What is remembered of messages, and for how long."""

from types import SimpleNamespace
from typing import Any

import pytest

from bot.attached import AttachedFiles
from bot.delivery.message_tracker import MessageTracker
from data.store import Store
from tests.bot.conftest import SetClock


def interaction() -> Any:
    return SimpleNamespace(id=1)


async def test_interactions_are_kept_while_they_are_of_use_and_only_so_many(
    store: Store, clock: SetClock, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("bot.delivery.message_tracker.MOST_ANSWERS", 3)
    tracker = MessageTracker(SimpleNamespace(), clock, AttachedFiles(store), answer_edits_m=13)  # type: ignore[arg-type]
    for message_id in (1, 2, 3, 1, 4):
        tracker.answered(message_id, interaction(), ())
    assert list(tracker._answers) == [3, 1, 4]
    clock.forward(13 * 60_000)
    tracker.answered(5, interaction(), ())
    assert list(tracker._answers) == [5]
