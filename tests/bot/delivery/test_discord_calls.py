"""What each error from Discord means for a message that the bot wants to publish."""

from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest
from structlog.testing import capture_logs

from bot.delivery import discord_calls
from bot.delivery.discord_calls import (
    ChannelGoneError,
    DirectMessages,
    DirectMessagesClosedError,
    MessageGoneError,
    MissingAccessError,
    Posted,
    RetryLaterError,
    TokenOverError,
    UneditableMessageError,
    failures,
)
from bot.delivery.publisher import MessageTracker
from bot.ui.panel import AttachedFiles, Panel, notice_panel
from data.outbox_keys import HandKey
from data.repositories.messages import OutboxRow
from data.store import Store
from data.values import TableRow
from league.ids import TableId
from tests.bot.conftest import RAM, SetClock


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


async def test_the_log_does_not_say_who_accepts_no_direct_messages(store: Store, table: TableRow):
    client: Any = SimpleNamespace()
    with capture_logs() as logs:
        async with DirectMessages(client, store).noting_closed(RAM):
            raise DirectMessagesClosedError(f"<@{RAM}> accepts none")
    assert logs == [{"event": "dms.closed", "log_level": "info"}]
    person = await store.read(lambda db: db.people.get(RAM))
    assert person is not None
    assert not person.dms_open


async def test_what_is_no_refusal_of_discord_passes():
    with pytest.raises(KeyError):
        async with failures():
            raise KeyError("a fault of ours")


MESSAGE = 77


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """All calls to Discord by kind."""
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
    """The other process was killed before it recorded the attempt, and this one has taken over its shard."""
    requested = row(clock)
    clock.forward(1_000)
    tracker.forget_all()
    await tracker.send(5, requested, 3, hand)  # type: ignore[arg-type]
    assert calls == ["send", "edit"]
