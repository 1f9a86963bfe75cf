"""The permissions that the bot requires are those of the invitation, and suffice to play."""

import asyncio
import re
from pathlib import Path

import discord as library
import pytest

from playground.permissions import bits
from tests.e2e.players import HAND, START, open_table, play_by_buttons

ROOT = Path(__file__).parents[2]
INVITATION = re.compile(
    r"oauth2/authorize\?client_id=APPLICATION_ID&scope=bot\+applications\.commands&permissions=([0-9]+)"
)
VISITORS = bits("VIEW_CHANNEL", "READ_MESSAGE_HISTORY", "USE_APPLICATION_COMMANDS")


def asked_for(page: str) -> int:
    found = INVITATION.search((ROOT / page).read_text())
    assert found is not None
    return int(found[1])


def test_the_invitation_is_the_same_wherever_it_stands_and_names_what_the_readme_lists():
    granted = library.Permissions(asked_for("README.md"))
    assert asked_for("docs/hosting.md") == granted.value
    table = (ROOT / "README.md").read_text().split("| permission |")[1].split("\n\n")[0]
    listed = re.findall(r"^\| ([A-Z][^|]*) \|", table, re.MULTILINE)
    names = {name.strip().lower().replace(" ", "_") for row in listed for name in row.split(",")}
    assert library.Permissions(**dict.fromkeys(names, True)) == granted


@pytest.fixture
async def invited(discord, start_bot):
    """A bot with the permissions of the invitation, in a server that gives its members no others."""
    discord.world.guild.bot_role.permissions = asked_for("README.md")
    discord.world.guild.everyone.permissions = VISITORS
    return await start_bot()


async def test_what_it_asks_for_is_enough_to_play(discord, invited, quick):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await asyncio.gather(*(play_by_buttons(person) for person in (asha, bikram)))
    await asha.press(HAND, message=asha.find("Marriage · Table 1"))
    await bikram.slash("history")
    assert [entry.path for entry in discord.recorder.entries if entry.status == 403] == []


async def test_it_listens_to_servers_and_to_nothing_else(discord, bot):
    sessions = discord.gateway.sessions.values()
    assert {session.intents for session in sessions} == {library.Intents(guilds=True).value}
