"""A rate-limiting proxy for Discord's REST API: every call uses it, but the gateway does not."""

import aiohttp
import pytest
from aiohttp import web

from tests.e2e.players import open_table
from tests.waiting import until

HOP_BY_HOP = {"host", "transfer-encoding", "content-length", "content-encoding"}


class Proxy:
    """Forwards every request, and records it."""

    def __init__(self, origin, http):
        self.origin = origin
        self.http = http
        self.passed = []

    async def pass_on(self, request):
        self.passed.append(request.path)
        headers = {name: value for name, value in request.headers.items() if name.lower() not in HOP_BY_HOP}
        async with self.http.request(
            request.method, self.origin + request.path_qs, data=await request.read(), headers=headers
        ) as answer:
            kept = {name: value for name, value in answer.headers.items() if name.lower() not in HOP_BY_HOP}
            return web.Response(body=await answer.read(), status=answer.status, headers=kept)


@pytest.fixture
async def proxy(discord):
    async with aiohttp.ClientSession() as http:
        proxy = Proxy(discord.url, http)
        app = web.Application(client_max_size=32 * 1024 * 1024)
        app.router.add_route("*", "/{tail:.*}", proxy.pass_on)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        proxy.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield proxy
        await runner.cleanup()


async def test_all_rest_calls_go_to_the_proxy(discord, start_bot, proxy):
    await start_bot(discord_proxy_url=proxy.url)
    asha, bikram = discord.person("asha"), discord.person("bikram")
    await open_table(asha, bikram)

    def asked():
        return [entry.path for entry in discord.recorder.entries if entry.path.startswith("/api")]

    await until(lambda: sorted(asked()) == sorted(proxy.passed))
    assert any("/callback" in path for path in proxy.passed)
    assert {entry.path for entry in discord.recorder.entries} - set(asked()) == {"/"}, (
        "the gateway is connected directly"
    )
