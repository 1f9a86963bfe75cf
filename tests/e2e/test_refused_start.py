"""A start at which Discord takes no commands, or no more sessions."""

import asyncio

import pytest

from bot.app import TipluBot
from bot.commands import NOTE
from playground.gateway.sockets import SESSION_STARTS
from tests.e2e.running import QuickTiplu
from tests.waiting import until

COMMANDS = r"/applications/\d+/commands$"
REFUSALS = [
    pytest.param({"status": 429, "code": 30034}, id="too many for five tries"),
    pytest.param({"status": 429, "code": 30034, "headers": {"Via": ""}}, id="blocked"),
    pytest.param({"status": 429, "code": 30034, "retry_after": 4000}, id="too many for an hour"),
    pytest.param({"status": 403, "code": 50001}, id="not allowed"),
]


@pytest.fixture(autouse=True)
def _registers(monkeypatch):
    monkeypatch.setattr(QuickTiplu, "registers", True)


def refusals(watch):
    return [line for line in watch.warnings if "commands.refused" in line]


@pytest.fixture
async def changed(start_bot):
    """A bot that has registered its commands, followed by one with different commands."""
    running = await start_bot()
    await running.store.write(lambda db: db.key_values.set(NOTE, "others"))
    await running.stop()


@pytest.mark.parametrize("refusal", REFUSALS)
async def test_a_bot_whose_commands_are_registered_goes_on_with_them(
    discord, changed, start_bot, watch, refusal
):
    discord.faults.fail(COMMANDS, method="PUT", times=99, **refusal)
    running = await start_bot()
    assert len(refusals(watch)) == 1
    assert "</marriage" in running.bot.services.mentions["marriage play"]
    assert (await discord.person("asha").slash("help")).message
    assert await running.store.read(lambda db: db.key_values.get(NOTE)) == "others", (
        "so that the next start tries again"
    )


async def test_it_goes_on_where_discord_does_not_even_tell_them(discord, changed, start_bot, watch):
    discord.faults.fail(COMMANDS, times=99, status=403, code=50001)
    await start_bot()
    assert len(refusals(watch)) == 1


@pytest.mark.parametrize("refusal", REFUSALS)
async def test_a_bot_without_commands_does_not_start(discord, start_bot, refusal):
    discord.faults.fail(COMMANDS, method="PUT", times=99, **refusal)
    with pytest.raises(RuntimeError, match="CommandsRefusedError"):
        await start_bot()


async def test_a_bot_that_has_begun_nearly_all_sessions_of_the_day_waits_for_others(
    discord, start_bot, watch, monkeypatch
):
    monkeypatch.setattr(QuickTiplu, "before_identify_hook", TipluBot.before_identify_hook)
    discord.gateway.identified = spent = SESSION_STARTS - 20
    starting = asyncio.create_task(start_bot())
    await until(lambda: [line for line in watch.warnings if "identify.few_left" in line])
    assert discord.gateway.identified == spent
    discord.gateway.identified = 0
    await starting
    assert discord.gateway.identified == 1
