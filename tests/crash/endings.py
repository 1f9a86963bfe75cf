"""How a process ends in the middle of its work. Each ending waits for a random moment."""

import asyncio
import inspect
import os
import resource
import signal
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from random import Random

from playground.recorder import RecordedRequest
from playground.server import Playground
from tests.e2e.running import Process
from tests.evening.stage import Stage
from tests.games import FileOfGames, Games, ServedGames
from tests.waiting import until

OWN_CALLS = r"/channels/\d+/messages"
KILLED, STOPPED, FAILED = -signal.SIGKILL, 0, 70
PAGE = 4096
LONGEST_START_S = 3.0
LONGEST_OUTAGE_S = 3.0
PROCESSES = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() ORDER BY backend_start"


@dataclass
class Scene:
    """What an ending can see and control."""

    stage: Stage
    chance: Random
    acting: "asyncio.Future[object]"
    """Done when everyone has finished their actions."""

    @property
    def process(self) -> Process:
        """The running bot."""
        return self.stage.process

    @property
    def discord(self) -> Playground:
        """Discord."""
        return self.stage.discord

    @property
    def server(self) -> ServedGames:
        """The database server."""
        assert isinstance(self.stage.games, ServedGames)
        return self.stage.games

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait for a condition, until everyone is done, or until the process has ended."""

        async def come() -> bool:
            found = condition()
            if inspect.isawaitable(found):
                found = await found
            return bool(found) or self.acting.done() or self.process.life.done()

        await until(come, timeout=120)

    async def some_requests(self) -> None:
        """Wait until the bot has made some more requests to Discord."""
        entries = self.discord.recorder.entries
        enough = entries[-1].n + self.chance.randrange(1, 40)
        await self.until(lambda: entries[-1].n >= enough)


Ending = Callable[[Scene], Awaitable[set[int]]]
"""A fault that returns the valid exit codes; the process may continue to run."""


async def killed(scene: Scene) -> set[int]:
    """Kill the process at any moment."""
    await scene.some_requests()
    await asyncio.wait({scene.process.life}, timeout=scene.chance.random() / 20)
    return await _kill(scene)


async def killed_before_discord_answers(scene: Scene) -> set[int]:
    """Kill the process after Discord has handled a request, but before the bot receives the response."""
    left = scene.chance.randrange(1, 25)
    only_own = scene.chance.random() < 1 / 2

    def count(entry: RecordedRequest) -> None:
        nonlocal left
        left -= not only_own or ("/channels/" in entry.path and entry.method != "GET")
        if left == 0:
            os.kill(scene.process.pid, signal.SIGKILL)

    scene.discord.recorder.listeners.append(count)
    await scene.until(lambda: False)
    scene.discord.recorder.listeners.remove(count)
    return await _kill(scene)


async def killed_while_sending(scene: Scene) -> set[int]:
    """Kill the process with messages in flight, which arrive when no one waits for them any more."""
    hold = scene.discord.faults.hold(OWN_CALLS, method=scene.chance.choice(("POST", "PATCH")))
    reached = asyncio.ensure_future(hold.reached())
    await scene.until(reached.done)
    reached.cancel()
    expected = await _kill(scene)
    scene.discord.faults.holds.remove(hold)
    hold.release()
    return expected


async def killed_after_a_commit(scene: Scene) -> set[int]:
    """Kill the process just after a write, perhaps before anything is said about it."""
    changes = scene.chance.randrange(1, 12)
    async with aclosing(scene.stage.games.commits()) as commits:
        before = await anext(commits)

        async def written() -> bool:
            nonlocal before, changes
            now = await anext(commits)
            changes -= now != before
            before = now
            return changes <= 0

        await scene.until(written)
    return await _kill(scene)


async def killed_while_starting(scene: Scene) -> set[int]:
    """Kill the process, and kill it again while it starts, once or twice."""
    await killed(scene)
    for _ in range(scene.chance.randrange(1, 3)):
        await scene.stage.launch_bot()
        await asyncio.wait({scene.process.life}, timeout=scene.chance.random() * LONGEST_START_S)
        await _kill(scene)
    return {KILLED}


async def told_to_stop(scene: Scene) -> set[int]:
    """Tell the process to stop in the middle of its work, and let it stop."""
    await scene.some_requests()
    await scene.process.terminate()
    return {STOPPED}


async def told_to_stop_and_killed(scene: Scene) -> set[int]:
    """Tell the process to stop, and kill it before it has stopped."""
    await scene.some_requests()
    os.kill(scene.process.pid, signal.SIGTERM)
    await asyncio.wait({scene.process.life}, timeout=scene.chance.random() / 2)
    await _kill(scene)
    return {KILLED, STOPPED}


async def full_disk(scene: Scene) -> set[int]:
    """Fill the disk for a while; then free it, or kill the process."""
    os.kill(scene.process.pid, signal.SIGUSR2)
    await scene.until(lambda: False)
    if scene.chance.random() < 1 / 2:
        return await _kill(scene)
    os.kill(scene.process.pid, signal.SIGUSR2)
    return set()


async def file_may_not_grow(scene: Scene) -> set[int]:
    """Let writes fail within a file, so that the process ends itself. If it writes nothing, kill it."""
    path = scene.stage.games.place
    assert isinstance(path, Path)
    log = path.with_name(path.name + "-wal")
    most = log.stat().st_size + scene.chance.randrange(8) * PAGE
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.prlimit(scene.process.pid, resource.RLIMIT_FSIZE, (most, hard))
    await scene.until(lambda: False)
    await asyncio.wait({scene.process.life}, timeout=6)  # a heartbeat
    await _kill(scene)
    return {FAILED, KILLED}


async def server_restarted(scene: Scene) -> set[int]:
    """Tell the database server to stop in the middle of its work, and start it again a moment later."""
    await scene.some_requests()
    await scene.server.restart("fast", scene.chance.random() * LONGEST_OUTAGE_S)
    return set()


async def server_cut_off(scene: Scene) -> set[int]:
    """End the database server at any moment, as in a power cut, and start it again a moment later."""
    await scene.some_requests()
    await scene.server.restart("immediate", scene.chance.random() * LONGEST_OUTAGE_S)
    return set()


async def server_process_killed(scene: Scene) -> set[int]:
    """Kill one process of the database server, so that all of them restart."""
    await scene.some_requests()
    pids = [pid for (pid,) in await scene.server.rows(PROCESSES)]
    os.kill(scene.chance.choice(pids), signal.SIGKILL)
    return set()


async def server_and_bot_cut_off(scene: Scene) -> set[int]:
    """End the database server as in a power cut, and the bot before or after the server is back."""
    await scene.some_requests()
    restarting = asyncio.create_task(scene.server.restart("immediate", scene.chance.random()))
    await asyncio.wait({restarting, scene.process.life}, timeout=scene.chance.random() * LONGEST_OUTAGE_S)
    expected = await _kill(scene)
    await restarting
    return expected


async def _kill(scene: Scene) -> set[int]:
    await scene.process.kill()
    return {KILLED}


COMMON: tuple[Ending, ...] = (
    killed,
    killed_before_discord_answers,
    killed_before_discord_answers,
    killed_while_sending,
    killed_while_sending,
    killed_after_a_commit,
    killed_after_a_commit,
    killed_while_starting,
    told_to_stop,
    told_to_stop_and_killed,
)
"""Endings for any database; some are listed twice to be twice as frequent."""
OF_A_FILE: tuple[Ending, ...] = (full_disk, file_may_not_grow)
OF_A_SERVER: tuple[Ending, ...] = (
    server_restarted,
    server_restarted,
    server_cut_off,
    server_cut_off,
    server_process_killed,
    server_and_bot_cut_off,
)
_STORE_AWAY = {
    "store.unavailable",
    "store.outcome_unknown",
    "worker.store_unavailable",
    "job.failed",
    "job.put_off_failed",
}
_EXPECTED = {
    file_may_not_grow: {
        "worker.ended",
        "interaction.failed",
        "job.failed",
        "outbox.failed",
    },
}


def endings_of(games: Games) -> tuple[Ending, ...]:
    """Return the endings possible for a bot with these games."""
    return COMMON + (OF_A_FILE if isinstance(games, FileOfGames) else OF_A_SERVER)


def expected_errors(ending: Ending) -> set[str]:
    """Return the errors allowed in the log of a process with this ending.

    These include a store that was unavailable earlier.
    """
    return _STORE_AWAY | _EXPECTED.get(ending, set())
