"""The wheel is complete: installed without a checkout, it plays."""

import asyncio
import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import pytest

from marriage.game import Game
from tests.test_house import INSTALLED, ROOT
from tests.waiting import SLOW_DEADLINE

pytestmark = pytest.mark.real
"""The wheel is built and installed once."""

AT_ONCE = {"COMPUTER_PAUSE_MS": "0", "TUNNELA_WINDOW_S": "0", "PUZZLE_STOCK": "0", "CARD_EMOJIS": "false"}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel in an environment, and return its programs.

    Tiplu's dependencies are not downloaded again, but taken from the tests' environment.
    """
    place = tmp_path_factory.mktemp("installed")
    build = (sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(place / "dist"))
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    [wheel] = (place / "dist").iterdir()
    venv.create(place / "venv", with_pip=False)
    pip = (sys.executable, "-m", "pip", "--python", str(place / "venv"), "install", "--no-index", "--no-deps")
    subprocess.run((*pip, str(wheel)), check=True, capture_output=True)
    [packages] = (place / "venv").glob("lib/python*/site-packages")
    (packages / "needed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return place / "venv" / "bin"


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with someone else's settings, and a module that must not be taken for the bot."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "__init__.py").write_text("raise RuntimeError('somebody else is called bot')\n")
    return tmp_path


@asynccontextmanager
async def served(programs: Path) -> AsyncIterator[str]:
    """Run `tiplu play` on a free port, and yield the address that it prints once the bot is ready."""
    command = (str(programs / "tiplu"), "play", "--port", "0")
    process = await asyncio.create_subprocess_exec(
        *command, env=os.environ | AT_ONCE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(2 * SLOW_DEADLINE):
            async for line in process.stdout:
                if line.startswith(b"The bot is ready: "):
                    break
            else:
                pytest.fail("it ended before the bot was ready")
        yield line.decode().split()[-1]
    finally:
        process.terminate()
        assert await asyncio.wait_for(process.wait(), SLOW_DEADLINE) == 0


def buttons(part: Any) -> Iterator[str]:
    """Yield the custom ids of all buttons that can be pressed, anywhere in a message."""
    if isinstance(part, dict):
        if "custom_id" in part and not part.get("disabled"):
            yield part["custom_id"]
        part = list(part.values())
    if isinstance(part, list):
        for inner in part:
            yield from buttons(inner)


class Tab:
    """What one person's page receives and does."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket

    async def frame(self, *kinds: str) -> dict[str, Any]:
        async with asyncio.timeout(SLOW_DEADLINE):
            while True:
                frame = await self._socket.receive_json()
                assert frame.get("state") not in ("failed", "error"), frame
                if frame["t"] in kinds:
                    return frame

    async def press(self, verb: str) -> None:
        """Wait for a button of this verb and press it. If asked about a tunnela before that, keep it."""
        while True:
            frame = await self.frame("message_create", "message_update")
            for found in buttons(frame["message"]["components"]):
                if found.startswith((f"mr1:{verb}:", "mr1:decline:")):
                    about = {"channel_id": frame["channel_id"], "message_id": frame["message"]["id"]}
                    await self.tell("component", **about, custom_id=found)
                    if found.startswith(f"mr1:{verb}:"):
                        return
                    break

    async def tell(self, kind: str, **fields: Any) -> None:
        await self._socket.send_json({"t": kind, "nonce": kind} | fields)


async def test_the_installed_wheel_plays_a_move(installed: Path, bare: Path):
    async with served(installed) as address, aiohttp.ClientSession() as http:
        origin = "http://" + urlsplit(address).netloc
        socket = await http.ws_connect(
            f"{origin}/page/socket?user=asha", headers={"Origin": origin}, max_msg_size=0
        )
        tab = Tab(socket)
        hello = await tab.frame("hello")
        [marriage] = [command for command in hello["commands"] if command["name"] == "marriage"]
        [channel] = [channel for channel in hello["channels"] if channel.get("name") == "marriage"]
        play = {"type": 1, "name": "play", "options": []}
        await tab.tell("command", channel_id=channel["id"], command_id=marriage["id"], options=[play])
        await tab.press("start")
        await tab.press("draw")
        await tab.press("discard")
        assert (await tab.frame("interaction"))["state"] == "acknowledged"
        page = await http.get(f"{origin}/app.js")
        assert page.status == 200
    assert (bare / "var" / "playground.sqlite3").stat().st_mode & 0o777 == 0o600


DEAL = """
from marriage.game import Game
from marriage.rules import preset
from marriage.strategy.players import GreedyPlayer

game = Game.new(preset("kathmandu"), players=3, seed=bytes(32))
while not game.is_over:
    seat = game.acting[0]
    game.push(GreedyPlayer().choose(game.view(seat)), seat)
print(game.write())
"""


def test_the_installed_engine_plays_the_same_deal_as_the_checkout(installed: Path, bare: Path):
    def played(python: Path | str, **environment: str) -> str:
        command = (python, "-c", DEAL)
        return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout

    deal = played(installed / "python")
    assert deal == played(sys.executable, PYTHONPATH=str(ROOT))
    assert Game.read(deal).is_over
    [packages] = installed.parent.glob("lib/python*/site-packages")
    assert (packages / "marriage" / "py.typed").exists()


def test_every_command_is_there_and_says_what_is_missing(installed: Path, bare: Path):
    def tiplu(*arguments: str) -> "subprocess.CompletedProcess[str]":
        bare = {"PATH": os.environ["PATH"]}
        return subprocess.run(
            (installed / "tiplu", *arguments), capture_output=True, text=True, env=bare, check=False
        )

    listed = tiplu("--help").stdout
    for command in ("play", "run", "doctor", "backup", "restore", "recompute", "emojis"):
        assert f"    {command}" in listed
    assert tiplu("--version").stdout == f"Tiplu {version_built(installed)}\n"
    examined = tiplu("doctor")
    assert examined.returncode == 78
    assert "DISCORD_TOKEN" in examined.stdout
    refused = tiplu("run")
    assert refused.returncode == 78
    assert "Traceback" not in refused.stderr


def version_built(installed: Path) -> str:
    [wheel] = (installed.parents[1] / "dist").glob("*.whl")
    return wheel.name.split("-")[1]


def test_no_file_of_a_room_is_left_out(installed: Path):
    [packages] = installed.parent.glob("lib/python*/site-packages")
    for room in INSTALLED:
        assert listed(ROOT / room) == listed(packages / room)
    assert not (packages / "training").exists()


def listed(room: Path) -> set[str]:
    files = {path.relative_to(room).as_posix() for path in room.rglob("*") if path.is_file()}
    return {name for name in files if "__pycache__" not in name}
