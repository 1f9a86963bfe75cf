"""What happens to the processes and the server that they share. Each event waits for a random moment."""

import asyncio
import signal
from collections.abc import Awaitable, Callable
from typing import Protocol

from playground.cluster.fleet import Fleet, FleetMember
from tests.games import ServedGames

LONGEST_OUTAGE_S = 3.0
LONGEST_START_S = 3.0
"""A starting process may be killed within this time."""
LONGEST_STANDSTILL_S = 30.0
"""Twice as long as the database server waits until it gives up a suspended process."""
ROUNDS = 12


class Scene(Protocol):
    """What a deed can see and do."""

    fleet: Fleet
    games: ServedGames

    async def a_moment(self) -> None:
        """Wait for some requests."""
        ...

    def some(self) -> list[FleetMember]:
        """Return some running processes, up to half of them. One that serves shards is spared."""
        ...

    def within(self, seconds: float) -> float:
        """Return a random time up to that."""
        ...

    async def shared_out(self) -> float:
        """Wait until all shards are served and every process has its share.

        Return the seconds that it took.
        """
        ...

    async def stop(self, member: FleetMember) -> None:
        """Stop a process, and wait for its end."""
        ...

    async def served(self) -> None:
        """Wait until all shards are served, by any of the processes."""
        ...

    async def restart_server(self, mode: str) -> None:
        """Stop the database server in this mode, and start it again a while later."""
        ...


Deed = Callable[[Scene], Awaitable[None]]


async def killed(scene: Scene) -> None:
    """Processes killed, and started again once the others have taken over."""
    await scene.a_moment()
    victims = scene.some()
    await _all(scene.fleet.kill, victims)
    await scene.shared_out()
    await _all(scene.fleet.start, victims)


async def killed_and_started(scene: Scene) -> None:
    """Processes killed, and started again at once."""
    await scene.a_moment()
    victims = scene.some()
    await _all(scene.fleet.kill, victims)
    await _all(scene.fleet.start, victims)


async def killed_while_starting(scene: Scene) -> None:
    """Processes killed, and killed again while they start."""
    await killed_and_started(scene)
    starting = [member for member in scene.fleet.members if member.state == "starting"]
    await asyncio.sleep(scene.within(LONGEST_START_S))
    await _all(scene.fleet.kill, starting)
    await _all(scene.fleet.start, starting)


async def killed_one_after_the_other(scene: Scene) -> None:
    """Processes killed and started, then others, as soon as all shards are served."""
    for _ in range(ROUNDS):
        await killed_and_started(scene)
        await scene.served()


async def stopped(scene: Scene) -> None:
    """Processes stopped, and started again once the others have taken over."""
    await scene.a_moment()
    leaving = scene.some()
    await _all(scene.stop, leaving)
    await scene.shared_out()
    await _all(scene.fleet.start, leaving)


async def stopped_and_started(scene: Scene) -> None:
    """Processes stopped, and started again at once."""
    await scene.a_moment()
    leaving = scene.some()
    await _all(scene.stop, leaving)
    await _all(scene.fleet.start, leaving)


async def stopped_one_after_the_other(scene: Scene) -> None:
    """Processes stopped and started, then others, as soon as all shards are served."""
    for _ in range(ROUNDS):
        await stopped_and_started(scene)
        await scene.served()


async def stood_still(scene: Scene) -> None:
    """Processes stood still for a while, and went on."""
    await scene.a_moment()
    still = [member.process for member in scene.some() if member.process is not None]
    for process in still:
        process.send_signal(signal.SIGSTOP)
    await asyncio.sleep(scene.within(LONGEST_STANDSTILL_S))
    for process in still:
        process.send_signal(signal.SIGCONT)


async def server_restarted(scene: Scene) -> None:
    """The database's server restarted."""
    await scene.a_moment()
    await scene.restart_server("fast")


async def server_cut_off(scene: Scene) -> None:
    """The database's server ended as in a power cut, and started again."""
    await scene.a_moment()
    await scene.restart_server("immediate")


async def server_restarted_and_processes_stopped(scene: Scene) -> None:
    """The database's server restarted while processes stop."""
    await scene.a_moment()
    leaving = scene.some()
    await asyncio.gather(_all(scene.stop, leaving), scene.restart_server("fast"))
    await _all(scene.fleet.start, leaving)


async def server_and_processes_killed(scene: Scene) -> None:
    """A process of the database's server killed, and bots with it."""
    await scene.a_moment()
    victims = scene.some()
    await asyncio.gather(
        _all(scene.fleet.kill, victims),
        asyncio.to_thread(scene.games.server.crash, scene.games.place.database or ""),
    )
    await _all(scene.fleet.start, victims)


async def rolling_restart(scene: Scene) -> None:
    """All processes restarted, one after the other."""
    for member in scene.fleet.members:
        await scene.stop(member)
        await scene.fleet.start(member)
        await scene.shared_out()


async def _all(act: Callable[[FleetMember], Awaitable[None]], members: list[FleetMember]) -> None:
    await asyncio.gather(*map(act, members))


DEEDS: tuple[Deed, ...] = (
    killed,
    killed_and_started,
    killed_while_starting,
    *(killed_one_after_the_other,) * 4,
    stopped,
    stopped_and_started,
    *(stopped_one_after_the_other,) * 4,
    rolling_restart,
    stood_still,
    server_restarted,
    server_cut_off,
    server_restarted_and_processes_stopped,
    server_and_processes_killed,
)
"""The things that may happen. Those with many ends in a row come more often."""
LOSES_NOTHING: tuple[Deed, ...] = (stopped, stopped_and_started, stopped_one_after_the_other, rolling_restart)
"""After these every press is answered."""
