"""Exports over the wire: who may have them, and what they contain."""

import csv
import json
from io import StringIO

import pytest

from playground.person import CannotDoError
from tests.e2e.looking import published
from tests.e2e.players import START, open_table, play_by_buttons


async def test_staff_take_the_deals_of_the_server_along(discord, bot, quick):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    assert "nothing to export" in (await asha.slash("export deals")).message.text
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await play_by_buttons(bikram, most=2)
    await play_by_buttons(asha)
    await published(bot)
    answer = (await asha.slash("export deals", since="week")).message
    assert answer.ephemeral
    files = {file.filename: file.content for file in answer.files}
    assert sorted(files) == ["deals.csv", "deals.json"]
    rows = list(csv.DictReader(StringIO(files["deals.csv"].decode("utf-8-sig"))))
    assert [row["name"] for row in rows] == ["Asha", "Bikram"]
    assert sum(int(row["points"]) for row in rows) == 0
    assert [row["net"] if "net" in row else row["points"] for row in json.loads(files["deals.json"])] == [
        int(row["points"]) for row in rows
    ]


async def test_nobody_else_may(discord, bot):
    bikram = discord.person("bikram")
    with pytest.raises(CannotDoError, match="offered no"):
        await bikram.slash("export deals")
    command = next(command for command in discord.world.commands.values() if command.name == "export")
    command.data["default_member_permissions"] = None
    assert "Only this server's staff" in (await bikram.slash("export deals")).message.text


async def test_fair_play_is_for_staff(discord, bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    told = (await asha.slash("fairplay")).message
    assert told.ephemeral
    assert "No pair stands out" in told.text
    assert "0.00 of them" in told.text
    command = next(command for command in discord.world.commands.values() if command.name == "fairplay")
    command.data["default_member_permissions"] = None
    assert "Only this server's staff" in (await bikram.slash("fairplay")).message.text
