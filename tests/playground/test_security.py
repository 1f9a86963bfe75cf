"""The playground serves this machine only, and its own page only."""

import aiohttp
import pytest

from playground.server import Playground


@pytest.fixture
async def http():
    async with aiohttp.ClientSession() as session:
        yield session


async def test_it_listens_on_this_machine_only(server):
    assert server._runner.addresses == [("127.0.0.1", server.port)]


@pytest.mark.parametrize("path", ["/", "/api/v10/users/@me", "/app.js", "/page/socket"])
async def test_a_rebound_name_is_refused(server, http, path):
    async with http.get(server.url + path, headers={"Host": "evil.example"}) as got:
        assert got.status == 403


@pytest.mark.parametrize("origin", [None, "http://evil.example", "null", "http://127.0.0.1:1"])
async def test_a_foreign_page_cannot_open_the_socket(server, http, origin):
    headers = {} if origin is None else {"Origin": origin}
    with pytest.raises(aiohttp.WSServerHandshakeError) as caught:
        await http.ws_connect(f"{server.url}/page/socket?user=asha", headers=headers)
    assert caught.value.status == 403


@pytest.mark.parametrize("name", ["Asha", "a b", "", "x" * 33, "<b>", "tiplu", "../x"])
async def test_a_person_has_a_plain_name(server, http, name):
    with pytest.raises(aiohttp.WSServerHandshakeError) as caught:
        await http.ws_connect(
            f"{server.url}/page/socket", params={"user": name}, headers={"Origin": server.url}
        )
    assert caught.value.status == 400


async def test_the_page_may_load_from_nowhere_else(server, http):
    async with http.get(server.url) as got:
        assert "default-src 'self'" in got.headers["Content-Security-Policy"]
        assert got.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "path", ["/../server.py", "/%2e%2e/server.py", "/server.py", "/attachments/1/1/..%2f..%2fx", "/x.js"]
)
async def test_no_path_leads_out_of_the_page(server, http, path):
    async with http.get(server.url + path) as got:
        assert got.status == 404


def test_a_real_token_is_refused():
    with pytest.raises(ValueError, match="no real token"):
        Playground(token="MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs")
