"""A message that somebody else may have posted already is brought up to date: the same nonce does not replace it."""

from types import SimpleNamespace
from typing import Any

import pytest

from bot.delivery import discord_calls
from bot.delivery.discord_calls import Posted
from bot.delivery.publisher import MessageTracker
from bot.ui.attachments import AttachedFiles
from bot.ui.panel import Panel, notice_panel
from data.outbox_keys import HandKey
from data.rows.outbox import OutboxRow
from data.store import Store
from league.ids import TableId
from tests.bot.conftest import SetClock

MESSAGE = 77


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every call to Discord, by its kind."""
    made: list[str] = []

    async def send(*_: Any) -> Posted:
        made.append("send")
        return Posted(MESSAGE, ())

    async def edit(*_: Any) -> tuple[()]:
        made.append("edit")
        return ()

    monkeypatch.setattr(discord_calls, "send", lambda *args, **_: send(*args))
    monkeypatch.setattr(discord_calls, "edit", edit)
    return made


async def hand() -> Panel:
    return notice_panel("a hand")


def row(clock: SetClock, attempts: int = 0) -> OutboxRow[HandKey]:
    return OutboxRow(1, HandKey(TableId(1), 0), 3, attempts, clock.now(), clock.now())


@pytest.fixture
def tracker(store: Store, clock: SetClock) -> MessageTracker:
    client: Any = SimpleNamespace()
    return MessageTracker(client, clock, AttachedFiles(store), answer_edits_m=13)


async def test_a_message_of_this_run_is_only_sent(tracker: MessageTracker, clock: SetClock, calls: list[str]):
    await tracker.send(5, row(clock), 3, hand)  # type: ignore[arg-type]
    assert calls == ["send"]


async def test_what_was_tried_before_is_edited(tracker: MessageTracker, clock: SetClock, calls: list[str]):
    await tracker.send(5, row(clock, attempts=1), 3, hand)  # type: ignore[arg-type]
    assert calls == ["send", "edit"]


async def test_what_another_process_may_have_sent_is_edited(
    tracker: MessageTracker, clock: SetClock, calls: list[str]
):
    """It was killed before it could note that it had tried, and this one has taken its shard since."""
    requested = row(clock)
    clock.forward(1_000)
    tracker.forget_all()
    await tracker.send(5, requested, 3, hand)  # type: ignore[arg-type]
    assert calls == ["send", "edit"]
