"""What is remembered about messages, and for how long."""

from types import SimpleNamespace
from typing import Any

import pytest

from bot.delivery.publisher import MessageTracker
from bot.table.core.snapshot import Holder
from bot.ui.panel import AttachedFiles
from data.store import Store
from tests.bot.conftest import SetClock


def interaction() -> Any:
    return SimpleNamespace(id=1, message=object(), data={})


async def test_interactions_are_kept_while_they_are_of_use_and_only_so_many(
    store: Store, clock: SetClock, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("bot.delivery.publisher.MOST_ANSWERS", 3)
    tracker = MessageTracker(SimpleNamespace(), clock, AttachedFiles(store), answer_edits_m=13)  # type: ignore[arg-type]
    for message_id in (1, 2, 3, 1, 4):
        tracker.answered(message_id, interaction(), ())
    assert list(tracker._answers) == [3, 1, 4]
    clock.forward(13 * 60_000)
    tracker.answered(5, interaction(), ())
    assert list(tracker._answers) == [5]


async def test_a_token_ends_after_its_time_and_the_pressed_message_is_not_kept(store: Store, clock: SetClock):
    tracker = MessageTracker(SimpleNamespace(), clock, AttachedFiles(store), answer_edits_m=13)  # type: ignore[arg-type]
    assert tracker.token_ends_at(1) is None
    pressed = interaction()
    tracker.answered(1, pressed, ())
    assert tracker.token_ends_at(1) == clock.now() + 13 * 60_000
    kept = tracker._answers[1].interaction
    assert (kept.message, kept.data) == (None, None)
    assert pressed.message is not None
    clock.forward(13 * 60_000)
    assert tracker.token_ends_at(1) is None


async def test_a_message_that_shows_a_newer_state_is_edited_no_more(store: Store, clock: SetClock):
    tracker = MessageTracker(SimpleNamespace(), clock, AttachedFiles(store), answer_edits_m=13)  # type: ignore[arg-type]
    assert not tracker.knows(1, 5)
    tracker.note(1, 5)
    assert [tracker.knows(1, revision) for revision in (4, 5, 6)] == [True, True, False]
    tracker.note(1, 4)
    assert tracker.knows(1, 5), "an older state never overtakes a newer one"


async def test_a_hand_is_edited_again_for_other_preferences_at_the_same_revision(
    store: Store, clock: SetClock
):
    tracker = MessageTracker(SimpleNamespace(), clock, AttachedFiles(store), answer_edits_m=13)  # type: ignore[arg-type]
    tracker.note(1, 5, Holder())
    assert tracker.knows(1, 5, Holder())
    assert not tracker.knows(1, 5, Holder(plain=True))
