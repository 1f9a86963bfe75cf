"""A tiny season of each kind, with everything that `python -m tests.season` does to large ones.

This covers no-shows, disputes, an outage and changed clocks.
"""

import pytest

from tests.season.seasons import KINDS, play


@pytest.mark.parametrize("name", KINDS)
async def test_a_season_survives_what_people_and_machines_do(discord, start_bot, monkeypatch, name):
    monkeypatch.setattr("bot.upkeep.HEARTBEAT_S", 0.1)
    outcome, broken = await play(KINDS[name], discord, start_bot, monkeypatch, few=True)
    assert broken == []
    assert outcome.rows_recounted > 0
    assert outcome.outages == 1
    assert outcome.disputes > 0
