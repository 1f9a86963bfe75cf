"""Answering one interaction: in time, in the right place, and whatever Discord replies."""

import asyncio
from types import SimpleNamespace

import aiohttp
import discord
import pytest
from discord import InteractionResponseType as Type

from bot.interactions.reply import Kind, Reply
from bot.ui.panel import notice_panel
from tests.waiting import until


class Response:
    """The first response to an interaction, as discord.py offers it."""

    def __init__(self, log: list[str]) -> None:
        self.log = log
        self.type: Type | None = None
        self.faults: list[Exception] = []
        self.gate = asyncio.Event()
        self.gate.set()

    def is_done(self) -> bool:
        return self.type is not None

    async def _answer(self, what: str, kind: Type) -> SimpleNamespace:
        self.log.append(what)
        await self.gate.wait()
        if self.faults:
            raise self.faults.pop(0)
        self.type = kind
        return SimpleNamespace(message_id=77, resource=None)

    async def defer(self, *, thinking: bool = False, ephemeral: bool = False) -> None:
        kind = Type.deferred_channel_message if thinking else Type.deferred_message_update
        await self._answer(f"defer thinking={thinking} ephemeral={ephemeral}", kind)

    async def send_message(self, *, view, files=(), ephemeral=False, allowed_mentions=None):
        return await self._answer(f"send ephemeral={ephemeral}", Type.channel_message)

    async def edit_message(self, *, view, attachments=()):
        return await self._answer("edit", Type.message_update)


class Interaction:
    def __init__(self) -> None:
        self.id = 5
        self.log: list[str] = []
        self.faults: list[Exception] = []
        self.message = SimpleNamespace(id=42)
        self.response = Response(self.log)
        self.followup = SimpleNamespace(send=self._follow_up)

    async def _follow_up(self, *, view, ephemeral, files=()):
        self.log.append(f"follow-up ephemeral={ephemeral}")
        return SimpleNamespace(id=79)

    async def edit_original_response(self, *, view, attachments=(), allowed_mentions=None):
        self.log.append("edit original")
        if self.faults:
            raise self.faults.pop(0)
        return SimpleNamespace(id=78)


def refused(status: int, code: int) -> discord.HTTPException:
    response = SimpleNamespace(status=status, reason="")
    return discord.HTTPException(response, {"code": code, "message": "no"})


@pytest.fixture
def interaction():
    return Interaction()


@pytest.mark.parametrize(
    ("kind", "log"),
    [(Kind.UPDATE, "edit"), (Kind.PRIVATE, "send ephemeral=True"), (Kind.PUBLIC, "send ephemeral=False")],
)
async def test_a_ready_answer_goes_out_at_once(interaction, kind, log):
    async with Reply(interaction, kind) as reply:
        assert await reply.show(notice_panel("Hello")) == 77
    assert interaction.log == [log]


@pytest.mark.parametrize("kind", Kind)
async def test_words_are_for_this_person_alone(interaction, kind):
    async with Reply(interaction, kind) as reply:
        await reply.tell("No.")
    assert interaction.log == ["send ephemeral=True"]


@pytest.mark.parametrize(
    ("kind", "deferred", "shown", "told"),
    [
        (Kind.UPDATE, "defer thinking=False ephemeral=False", "edit original", "follow-up ephemeral=True"),
        (Kind.PRIVATE, "defer thinking=True ephemeral=True", "edit original", "edit original"),
        (Kind.PUBLIC, "defer thinking=True ephemeral=False", "edit original", "edit original"),
    ],
)
async def test_slow_work_is_acknowledged_in_time(interaction, kind, deferred, shown, told, monkeypatch):
    monkeypatch.setattr("bot.interactions.reply.PATIENCE_S", 0)
    for act, after in ((Reply.show, shown), (Reply.tell, told)):
        interaction = Interaction()
        async with Reply(interaction, kind) as reply:
            await until(interaction.response.is_done)
            await act(reply, notice_panel("Hello") if act is Reply.show else "No.")
        assert interaction.log == [deferred, after]


async def test_quick_work_is_not_acknowledged_twice(interaction, monkeypatch):
    monkeypatch.setattr("bot.interactions.reply.PATIENCE_S", 0)
    interaction.response.gate.clear()
    async with Reply(interaction, Kind.PRIVATE) as reply:
        showing = asyncio.create_task(reply.show(notice_panel("Hello")))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        interaction.response.gate.set()
        await showing
    assert len([line for line in interaction.log if line.startswith(("send", "defer"))]) == 1


async def test_an_acknowledgement_under_way_arrives_before_the_apology(interaction, monkeypatch):
    monkeypatch.setattr("bot.interactions.reply.PATIENCE_S", 0)
    interaction.response.gate.clear()

    async def fail():
        async with Reply(interaction, Kind.UPDATE):
            await until(lambda: interaction.log)
            raise ValueError("a fault of the test")

    failing = asyncio.create_task(fail())
    await until(lambda: interaction.log)
    interaction.response.gate.set()
    with pytest.raises(ValueError, match="a fault"):
        await failing
    assert interaction.response.type is Type.deferred_message_update
    async with Reply(interaction, Kind.PRIVATE) as reply:
        await reply.tell("Sorry.")
    assert interaction.log[-1] == "follow-up ephemeral=True"


@pytest.mark.parametrize("kind", Kind)
async def test_words_after_an_answer_replace_nothing(interaction, kind):
    async with Reply(interaction, kind) as reply:
        await reply.show(notice_panel("Hello"))
        await reply.tell("But.")
    assert interaction.log[-1] == "follow-up ephemeral=True"


@pytest.mark.parametrize(
    "fault",
    [
        refused(404, 10062),
        refused(400, 40060),
        refused(404, 10015),
        refused(401, 50027),
        refused(503, 0),
        refused(500, 0),
        aiohttp.ServerDisconnectedError(),
        ConnectionResetError(),
    ],
)
async def test_an_answer_too_late_or_lost_is_no_fault_of_ours(interaction, fault):
    interaction.response.faults = [fault]
    async with Reply(interaction, Kind.PRIVATE) as reply:
        assert await reply.show(notice_panel("Hello")) is None


async def test_where_the_pressed_message_is_gone_the_answer_comes_besides(interaction, monkeypatch):
    monkeypatch.setattr("bot.interactions.reply.PATIENCE_S", 0)
    interaction.faults = [refused(404, 10008)]
    async with Reply(interaction, Kind.UPDATE) as reply:
        await until(interaction.response.is_done)
        assert await reply.show(notice_panel("Hello")) == 79
    assert interaction.log[-2:] == ["edit original", "follow-up ephemeral=True"]
    assert (reply.is_besides, reply.updates) == (True, None)


async def test_an_acknowledgement_that_is_refused_is_made_in_private(interaction, monkeypatch):
    monkeypatch.setattr("bot.interactions.reply.PATIENCE_S", 0)
    interaction.response.faults = [refused(404, 10008)]
    async with Reply(interaction, Kind.UPDATE) as reply:
        await until(interaction.response.is_done)
        assert await reply.show(notice_panel("Hello")) == 78
    assert interaction.log == [
        "defer thinking=False ephemeral=False",
        "defer thinking=True ephemeral=True",
        "edit original",
    ]


async def test_a_payload_that_discord_refuses_is_our_fault(interaction):
    interaction.response.faults = [refused(400, 50035)]
    with pytest.raises(discord.HTTPException):
        async with Reply(interaction, Kind.PRIVATE) as reply:
            await reply.show(notice_panel("Hello"))


async def test_an_answer_that_hangs_is_given_up(interaction, monkeypatch):
    monkeypatch.setattr("bot.interactions.reply.ANSWER_TIMEOUT_S", 0.01)
    interaction.response.gate.clear()
    async with Reply(interaction, Kind.PRIVATE) as reply:
        assert await reply.show(notice_panel("Hello")) is None


async def test_it_knows_which_message_it_updates(interaction):
    assert Reply(interaction, Kind.UPDATE).updates == 42
    assert Reply(interaction, Kind.PRIVATE).updates is None
    interaction.message = None
    assert Reply(interaction, Kind.UPDATE).updates is None
