"""The processes of a cluster: each is a separate bot that can be started, stopped and killed."""

import asyncio
import re
from collections import Counter, deque
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

import aiohttp

from playground.cluster.postgres import free_port
from playground.starting import BOT, start_bot, stop_bot

LINES_KEPT: Final = 4
MOST_PROCESSES: Final = 16
_LOOK_S: Final = 1.0
_SHARD_UP: Final = re.compile(r'^tiplu_gateway_up\{shard="(\d+)"\} 1', re.MULTILINE)

State = Literal["starting", "serving", "stopping", "stopped", "killed", "ended"]


@dataclass
class FleetMember:
    """One process, or the place of a process that has ended."""

    number: int
    port: int
    """The port of its metrics."""
    state: State = "starting"
    code: int | None = None
    """The exit code of a process that ended without being stopped."""
    shards: Sequence[int] = ()
    """The shards that it holds now, as it reports."""
    lines: deque[str] = field(default_factory=lambda: deque(maxlen=LINES_KEPT))
    """The latest lines of its log."""
    process: asyncio.subprocess.Process | None = None

    @property
    def runs(self) -> bool:
        """Whether the process is running."""
        return self.process is not None and self.process.returncode is None


class Fleet:
    """All processes, numbered from 1.

    `settings` are common to all of them. `tell` receives the number of a process and a line of its log.
    """

    def __init__(
        self,
        settings: Mapping[str, str],
        tell: Callable[[int, str], None],
        command: Sequence[str] = BOT,
    ) -> None:
        self._settings = settings
        self._tell = tell
        self._command = command
        self._tasks: set[asyncio.Task[None]] = set()
        self.members: list[FleetMember] = []
        self.deeds: Counter[Literal["killed", "stopped", "started"]] = Counter()
        """The actions done to processes so far, counted by kind."""

    async def add(self) -> FleetMember:
        """Start one more process."""
        member = FleetMember(len(self.members) + 1, free_port())
        self.members.append(member)
        await self.start(member)
        return member

    async def start(self, member: FleetMember) -> None:
        """Start the process, unless it is running."""
        if member.runs:
            return
        own = {"MONITORING_PORT": str(member.port)}
        process = await start_bot(self._command, {**self._settings, **own}, stderr=asyncio.subprocess.PIPE)
        member.process, member.state, member.code, member.shards = process, "starting", None, ()
        self.deeds["started"] += 1
        self._keep(self._follow(member, process))

    async def stop(self, member: FleetMember) -> None:
        """Ask the process to end, and wait for that."""
        if member.runs and member.process is not None:
            member.state = "stopping"
            self.deeds["stopped"] += 1
            await stop_bot(member.process)

    async def kill(self, member: FleetMember) -> None:
        """Kill the process, like a failing machine."""
        if member.runs and member.process is not None:
            member.state = "killed"
            self.deeds["killed"] += 1
            member.process.kill()
            await member.process.wait()

    async def close(self) -> None:
        """Stop all of them."""
        await asyncio.gather(*map(self.stop, self.members))
        await asyncio.gather(*self._tasks)

    def _keep(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _follow(self, member: FleetMember, process: asyncio.subprocess.Process) -> None:
        """Read its log and its metrics until it ends."""
        looking = asyncio.create_task(self._look(member))
        try:
            while process.stderr is not None and (line := await process.stderr.readline()):
                said = line.decode(errors="replace").rstrip()
                member.lines.append(said)
                self._tell(member.number, said)
            code = await process.wait()
        finally:
            looking.cancel()
        if member.process is not process:
            return  # restarted meanwhile
        member.shards = ()
        if member.state == "stopping":
            member.state = "stopped"
        elif member.state != "killed":
            member.state, member.code = "ended", code

    async def _look(self, member: FleetMember) -> None:
        """Keep polling the shards that it holds; until it can answer, there are none."""
        address = f"http://127.0.0.1:{member.port}/metrics"
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=5)) as session:
            while True:
                try:
                    async with session.get(address) as answer:
                        member.shards = sorted(map(int, _SHARD_UP.findall(await answer.text())))
                except (OSError, aiohttp.ClientError, TimeoutError):
                    member.shards = ()
                if member.shards and member.state == "starting":
                    member.state = "serving"
                await asyncio.sleep(_LOOK_S)
