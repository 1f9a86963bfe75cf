import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.workpool.pool import SupersededError, WorkKind, WorkPool
from bot.workpool.worker import WorkerDiedError
from tests.bot.workpool import jobs
from tests.waiting import until

pytestmark = pytest.mark.threads

RAM, SITA = 11, 12
ANIMATION, HINT = WorkKind.ANIMATION, WorkKind.HINT


@pytest.fixture
async def pool() -> AsyncIterator[WorkPool]:
    pool = WorkPool(most=1)
    yield pool
    await pool.close()


async def test_a_function_runs_in_another_process_and_its_answer_comes_back(pool: WorkPool):
    assert await pool.run(HINT, RAM, jobs.double, 21) == 42
    assert await pool.run(HINT, None, jobs.talk) == 1


async def test_what_the_function_raises_is_raised_where_it_is_awaited(pool: WorkPool):
    with pytest.raises(ValueError, match="no such card") as caught:
        await pool.run(HINT, RAM, jobs.fail, "no such card")
    assert any("jobs.py" in note for note in caught.value.__notes__)
    with pytest.raises(TypeError, match="cannot be sent"):
        await pool.run(HINT, RAM, jobs.answer_with_a_function)
    with pytest.raises(TypeError, match="cannot be sent"):
        await pool.run(HINT, RAM, jobs.fail_unreadably)
    assert await pool.run(HINT, RAM, jobs.double, 2) == 4


async def test_long_work_lets_the_work_of_others_through(pool: WorkPool, tmp_path: Path):
    gate, log = tmp_path / "gate", tmp_path / "log"
    long = asyncio.create_task(pool.run(ANIMATION, RAM, jobs.steps_until, gate, log, "r"))
    other = asyncio.create_task(pool.run(ANIMATION, SITA, jobs.steps_until, gate, log, "s"))
    await until(lambda: log.exists() and "rsrs" in log.read_text())
    assert await pool.run(HINT, SITA, jobs.double, 1) == 2
    assert not long.done()
    gate.touch()
    assert [await long, await other] == ["r", "s"]


async def test_the_same_work_is_done_once_for_all_who_wait_for_it(pool: WorkPool, tmp_path: Path):
    log, gate = tmp_path / "log", tmp_path / "gate"
    first = asyncio.create_task(pool.run(HINT, SITA, jobs.wait_for, gate))
    both = [asyncio.create_task(pool.run(ANIMATION, who, jobs.note, log, "x")) for who in (RAM, SITA)]
    again = asyncio.create_task(pool.run(ANIMATION, RAM, jobs.note, log, "x"))
    await asyncio.sleep(0)
    gate.touch()
    await first
    assert [await task for task in (*both, again)] == ["x", "x", "x"]
    assert log.read_text() == "x"


async def test_a_person_who_asks_for_something_newer_gives_the_former_up(pool: WorkPool, tmp_path: Path):
    never, log = tmp_path / "never", tmp_path / "log"
    former = asyncio.create_task(pool.run(ANIMATION, RAM, jobs.steps_until, never, log, "a"))
    others = asyncio.create_task(pool.run(ANIMATION, SITA, jobs.steps_until, tmp_path / "gate", log, "s"))
    await until(lambda: log.exists() and "as" in log.read_text())
    assert await pool.run(HINT, RAM, jobs.double, 4) == 8  # another kind has its own place
    assert not former.done()
    assert await pool.run(ANIMATION, RAM, jobs.double, 3) == 6
    with pytest.raises(SupersededError):
        await former
    log.write_text("")
    await until(lambda: log.read_text().count("s") > 2)
    assert "a" not in log.read_text()
    (tmp_path / "gate").touch()
    assert await others == "s"


async def test_work_that_nobody_waits_for_is_given_up(pool: WorkPool, tmp_path: Path):
    never, log = tmp_path / "never", tmp_path / "log"
    ones = [
        asyncio.create_task(pool.run(ANIMATION, who, jobs.steps_until, never, log, "a"))
        for who in (RAM, SITA)
    ]
    await until(log.exists)
    ones[0].cancel()
    await asyncio.wait([ones[0]])
    log.write_text("")
    await until(lambda: "a" in log.read_text())
    ones[1].cancel()
    await asyncio.wait([ones[1]])
    assert await pool.run(HINT, RAM, jobs.double, 1) == 2
    log.write_text("")
    assert await pool.run(HINT, RAM, jobs.double, 2) == 4
    assert log.read_text() == ""


async def test_a_process_that_dies_is_replaced(pool: WorkPool):
    with pytest.raises(WorkerDiedError):
        await pool.run(HINT, RAM, jobs.die)
    assert await pool.run(HINT, RAM, jobs.double, 5) == 10


async def test_who_waits_for_a_process_that_is_killed_is_answered_by_another(pool: WorkPool, tmp_path: Path):
    killed = await pool.run(HINT, RAM, jobs.process_id)
    again = await pool.run(HINT, RAM, jobs.die_once, tmp_path / "died")
    assert again != killed
    await until(lambda: not Path(f"/proc/{again}").exists())


async def test_work_that_kills_every_process_takes_no_other_along(pool: WorkPool, tmp_path: Path):
    gate, log = tmp_path / "gate", tmp_path / "log"
    other = asyncio.create_task(pool.run(ANIMATION, SITA, jobs.steps_until, gate, log, "s"))
    await until(log.exists)
    killing = asyncio.create_task(pool.run(HINT, RAM, jobs.die_after, gate))
    assert await other == "s"
    with pytest.raises(WorkerDiedError):
        await killing


async def test_a_process_ends_when_it_has_been_idle(pool: WorkPool, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("bot.workpool.worker.IDLE_S", 0)
    one = await pool.run(HINT, RAM, jobs.process_id)
    await until(lambda: not Path(f"/proc/{one}").exists())
    assert await pool.run(HINT, RAM, jobs.process_id) != one


async def test_renewed_processes_finish_their_work_first(pool: WorkPool, tmp_path: Path):
    old = await pool.run(HINT, RAM, jobs.process_id)
    gate, log = tmp_path / "gate", tmp_path / "log"
    long = asyncio.create_task(pool.run(ANIMATION, RAM, jobs.steps_until, gate, log, "a"))
    await until(log.exists)
    pool.renew()
    assert await pool.run(HINT, SITA, jobs.process_id) != old
    gate.touch()
    assert await long == "a"
    await until(lambda: not Path(f"/proc/{old}").exists())


async def test_closing_ends_even_work_without_steps(tmp_path: Path):
    pool = WorkPool(most=2)
    ids = [await pool.run(HINT, RAM, jobs.process_id)]
    held = asyncio.create_task(pool.run(HINT, SITA, jobs.hold, tmp_path / "held"))
    await until((tmp_path / "held").exists)
    ids.append(await pool.run(HINT, RAM, jobs.process_id))
    assert len(set(ids)) == 2
    await pool.close()
    with pytest.raises(asyncio.CancelledError):
        await held
    assert not any(Path(f"/proc/{one}").exists() for one in ids)
