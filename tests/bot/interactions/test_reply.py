"""Answering one interaction: in time, in the right place, and whatever Discord replies."""

import asyncio

import aiohttp
import discord
import pytest
from discord import InteractionResponseType as Type
from structlog.testing import capture_logs

from bot.interactions.reply import Kind, Reply
from bot.ui.items import Press, open_form
from bot.ui.panel import notice_panel
from tests.bot.interactions.doubles import Interaction, refused
from tests.waiting import until


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


@pytest.mark.parametrize("code", [10062, 40060])
async def test_a_form_too_late_is_no_fault_of_ours(interaction, code):
    interaction.response.faults = [refused(400, code)]
    with capture_logs() as logs:
        await open_form(interaction, Press("form-score-deal", 1, 1), "A deal")
    assert [(line["event"], line["code"]) for line in logs] == [("answer.lost", code)]


async def test_a_form_that_discord_refuses_is_our_fault(interaction):
    interaction.response.faults = [refused(400, 50035)]
    with pytest.raises(discord.HTTPException):
        await open_form(interaction, Press("form-score-deal", 1, 1), "A deal")


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


@pytest.mark.parametrize("kind", Kind)
async def test_an_acknowledgement_that_is_refused_everywhere_is_logged_and_the_answer_still_goes_out(
    interaction, kind, monkeypatch
):
    monkeypatch.setattr("bot.interactions.reply.PATIENCE_S", 0)
    interaction.response.faults = [refused(403, 50013)] * (2 if kind is Kind.UPDATE else 1)
    with capture_logs() as logs:
        async with Reply(interaction, kind) as reply:
            await until(lambda: not interaction.response.faults)
            assert await reply.show(notice_panel("Hello")) == 77
        acknowledging = reply._acknowledging
    assert acknowledging is not None
    assert acknowledging.exception() is None
    lines = [line for line in logs if line["event"] == "acknowledgement.refused"]
    assert [(line["interaction"], line["code"]) for line in lines] == [(5, 50013)]


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


@pytest.mark.parametrize("kind", [Kind.PUBLIC, Kind.PRIVATE])
async def test_nothing_private_follows_a_public_answer_that_is_not_confirmed(interaction, kind, monkeypatch):
    """Discord would complete an open public "thinking" with it, for everyone to see."""
    monkeypatch.setattr("bot.interactions.reply.PATIENCE_S", 0)
    interaction.faults = [refused(503, 0)]
    async with Reply(interaction, Kind.PUBLIC) as reply:
        await until(interaction.response.is_done)
        assert await reply.show(notice_panel("Hello")) is None
        with capture_logs() as logs:
            assert await Reply(interaction, kind).show_besides(notice_panel("For you")) is None
        assert [line["event"] for line in logs] == ["follow_up.withheld"]
        assert interaction.log[-1] == "edit original"
        assert await reply.show(notice_panel("Hello again")) == 78
        assert await reply.show_besides(notice_panel("For you")) == 79


async def test_nothing_private_follows_an_acknowledgement_whose_answer_was_lost(interaction, monkeypatch):
    monkeypatch.setattr("bot.interactions.reply.PATIENCE_S", 0)
    interaction.response.faults = [refused(502, 0), refused(400, 40060)]
    async with Reply(interaction, Kind.PUBLIC) as reply:
        await until(lambda: interaction.log)
        assert await reply.show(notice_panel("Hello")) is None
        assert await reply.show_besides(notice_panel("For you")) is None
    assert not any(line.startswith("follow-up") for line in interaction.log)


async def test_it_knows_which_message_it_updates(interaction):
    assert Reply(interaction, Kind.UPDATE).updates == 42
    assert Reply(interaction, Kind.PRIVATE).updates is None
    interaction.message = None
    assert Reply(interaction, Kind.UPDATE).updates is None
