"""What `make load` measures with: real presses on the real bot, every answer judged. `make load` measures at length."""

import math

import pytest

from tests.load.measuring import percentile
from tests.load.report import for_programs
from tests.load.stages import bare_bot, real_bot
from tests.waiting import SLOW_DEADLINE

pytestmark = pytest.mark.slow


async def test_a_crowd_is_answered_and_every_answer_is_right(tmp_path):
    async with bare_bot(tmp_path / "bare", number=7) as stage:
        stage.discord.interactions.deadline = SLOW_DEADLINE
        bare = await stage.measure(rate=20, seconds=1)
        assert stage.discord.failures == []
    async with real_bot(tmp_path / "real", number=7, tables=3) as (stage, _):
        stage.discord.interactions.deadline = SLOW_DEADLINE
        step = await stage.measure(rate=6, seconds=4)
        assert stage.process.complaints == []
        assert stage.discord.failures == []
    assert bare.faults == step.faults == {}
    assert step.pressed["move"] > 0
    assert step.statements_for({"move"})["presses"] == step.pressed["move"]
    assert step.bot_cpu_ms > bare.bot_cpu_ms > 0
    assert '"answered_per_s"' in for_programs(step, bare)


def test_a_press_that_was_never_answered_took_for_ever():
    assert percentile([1.0] * 99 + [math.inf], 99) == 1.0
    assert percentile([1.0] * 98 + [math.inf] * 2, 99) == math.inf
    assert percentile([], 50) == math.inf
