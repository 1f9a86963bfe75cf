"""A file of an earlier version is served: its games are there, and the players continue."""

import lzma
from pathlib import Path

import pytest

KEPT = Path(__file__).parents[1] / "data" / "upgrades"


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """Two deals of Asha and Bikram, as a bot of the first schema has left them."""
    path = tmp_path / "older.sqlite3"
    path.write_bytes(lzma.decompress((KEPT / "first-deals.sqlite3.xz").read_bytes()))
    return path


async def test_deals_of_an_earlier_version_are_history_and_a_new_one_begins(discord, start_bot, older: Path):
    await start_bot(older)
    asha = discord.person("asha")
    assert "Bikram −11" in (await asha.slash("history")).message.text
    profile = (await asha.slash("profile")).message.text
    assert "**2** deals · **1** match" in profile
    assert "in all +17" in profile
    await asha.slash("marriage leave")  # the old table, which is still open
    answer = await asha.slash("marriage play", computers=1)
    (hand,) = await asha.wait_for(lambda: answer.followups)
    assert "Your hand" in hand.text
