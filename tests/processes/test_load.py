"""The tools of `make load`: real presses on the real bot, every answer judged.

`make load` measures at length.
"""

import json
import math

import pytest

from tests.load.measuring import percentile
from tests.load.report import for_programs, whole
from tests.load.stages import Floors, Setup, bare_bot, real_bot
from tests.postgres import MISSING, binaries
from tests.waiting import SLOW_DEADLINE


@pytest.mark.real
async def test_a_crowd_is_answered_and_every_answer_is_right(tmp_path):
    async with bare_bot(tmp_path / "bare", number=7) as stages:
        stages[0].discord.interactions.deadline = SLOW_DEADLINE
        bare = Floors(*[await stage.measure(rate=20, seconds=1) for stage in stages])
        assert stages[0].discord.failures == []
    setup = Setup(tables=3)
    async with real_bot(tmp_path / "real", setup) as (stage, _):
        stage.discord.interactions.deadline = SLOW_DEADLINE
        step = await stage.measure(rate=8, seconds=2)
        assert [process.complaints for process in stage.processes] == [[]]
        assert stage.discord.failures == []
    assert bare.ok.faults == bare.full.faults == step.faults == {}
    assert bare.full.traffic.kb > 20 * bare.full.count
    assert step.pressed["move"] > 0
    assert step.statements_for({"move"})["presses"] == step.pressed["move"]
    assert step.bot_cpu_ms > bare.ok.bot_cpu_ms > 0
    assert "complete:" in whole(step, bare, setup)
    told = json.loads(for_programs(step, bare, setup))
    assert told["moves_share"] > 0
    assert told["requests_per_press"] >= 1
    assert told["kb_per_press"] > 1
    assert told["p99_ms_by_kind"].keys() == step.pressed.keys()


@pytest.mark.by_name
@pytest.mark.skipif(binaries() is None, reason=MISSING)
async def test_two_bots_share_a_server_and_what_a_crowd_presses(tmp_path):
    setup = Setup(tables=3, database="postgres", bots=2, at_table=50)
    async with real_bot(tmp_path / "real", setup) as (stage, crowd):
        stage.discord.interactions.deadline = SLOW_DEADLINE
        step = await stage.measure(rate=6, seconds=4)
        assert [process.complaints for process in stage.processes] == [[], []]
        assert stage.discord.failures == []
    assert step.faults == {}
    assert sum(step.received) == step.count > 0
    assert len(step.cores) == 2
    assert step.database_cpu_ms > 0
    assert step.statements_for({"move"})["presses"] == step.pressed["move"]
    assert {player.is_at_table for player in crowd.tables.players} == {True, False}


def test_a_press_that_was_never_answered_took_for_ever():
    assert percentile([1.0] * 99 + [math.inf], 99) == 1.0
    assert percentile([1.0] * 98 + [math.inf] * 2, 99) == math.inf
    assert percentile([], 50) == math.inf
