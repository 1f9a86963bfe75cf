"""The requests of the page of a cluster: the state of the processes, and ending and starting them."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, cast

from aiohttp import web

from playground.cluster.fleet import MOST_PROCESSES, Fleet, FleetMember
from playground.cluster.postgres import Mode, PostgresServer
from playground.server import Playground


class ClusterPage:
    """The routes below `/cluster/`. The page itself is `/cluster.html`."""

    def __init__(self, postgres: PostgresServer) -> None:
        self._postgres = postgres
        self._restarting = asyncio.Lock()
        self._fleet: Fleet
        self._discord: Playground
        self.routes = [
            web.get("/cluster/state", self._state),
            web.post("/cluster/add", self._add),
            web.post("/cluster/restart/{mode:fast|immediate}", self._restart),
            web.post(r"/cluster/{deed:start|stop|kill}/{number:\d{1,4}}", self._act),
        ]

    def shows(self, discord: Playground, fleet: Fleet) -> None:
        """Set the playground and the fleet that the page shows."""
        self._discord, self._fleet = discord, fleet

    async def _state(self, _: web.Request) -> web.Response:
        count = self._discord.services.sharding.shards
        return web.json_response(
            {
                "shards": count,
                "restarting": self._restarting.locked(),
                "postgres": f"127.0.0.1:{self._postgres.port}",
                "most": MOST_PROCESSES,
                "processes": [_shown(member) for member in self._fleet.members],
                "guilds": [
                    {"id": str(guild.id), "name": guild.name, "shard": (guild.id >> 22) % count}
                    for guild in self._discord.world.guilds.values()
                ],
            }
        )

    async def _add(self, request: web.Request) -> web.Response:
        self._only_own(request)
        if len(self._fleet.members) >= MOST_PROCESSES:
            raise web.HTTPConflict(text="There are as many processes as there may be.")
        await self._fleet.add()
        return await self._state(request)

    async def _act(self, request: web.Request) -> web.Response:
        self._only_own(request)
        number = int(request.match_info["number"])
        if not 1 <= number <= len(self._fleet.members):
            raise web.HTTPNotFound(text="There is no such process.")
        deeds: dict[str, Callable[[FleetMember], Awaitable[None]]] = {
            "start": self._fleet.start,
            "stop": self._fleet.stop,
            "kill": self._fleet.kill,
        }
        await deeds[request.match_info["deed"]](self._fleet.members[number - 1])
        return await self._state(request)

    async def _restart(self, request: web.Request) -> web.Response:
        self._only_own(request)
        async with self._restarting:
            await asyncio.to_thread(self._postgres.stop, cast("Mode", request.match_info["mode"]))
            await asyncio.to_thread(self._postgres.start)
        return await self._state(request)

    def _only_own(self, request: web.Request) -> None:
        """Refuse requests that another site makes its visitors send."""
        if not self._discord.services.same_origin(request):
            raise web.HTTPForbidden(text="Only the playground's own page may do this.")


def _shown(member: FleetMember) -> dict[str, Any]:
    return {
        "number": member.number,
        "pid": member.process.pid if member.runs and member.process else None,
        "state": member.state,
        "code": member.code,
        "shards": list(member.shards),
        "lines": list(member.lines),
    }
