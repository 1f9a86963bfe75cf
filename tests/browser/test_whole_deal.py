"""A person in a browser plays whole deals: the launcher of `make play`, the real bot, a real page."""

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Locator, Page, async_playwright, expect

from tests.missing import CHROMIUM
from tests.waiting import SLOW_DEADLINE

DEALS = int(os.environ.get("BROWSER_DEALS", "1"))
SHOTS = os.environ.get("BROWSER_SHOTS")
MOST_TURNS = 120
expect.set_options(timeout=SLOW_DEADLINE * 1000)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.real,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium"),
]


@pytest_asyncio.fixture
async def address(tmp_path: Path) -> AsyncIterator[str]:
    """The address of the page, with the bot behind it; the bot's log must be clean afterwards."""
    log = tmp_path / "bot.log"
    environment = os.environ | {
        "COMPUTER_PAUSE_MS": "0",
        "TABLE_EDIT_GAP_MS": "100",
        "GUILD_READY_TIMEOUT_S": "0.2",
        "PRESSES_PER_PERSON_S": "1000",
    }
    launch = (sys.executable, "-m", "playground", "--port", "0", "--database", tmp_path / "games.sqlite3")
    with log.open("wb") as errors:
        play = await asyncio.create_subprocess_exec(
            *launch, env=environment, stdout=asyncio.subprocess.PIPE, stderr=errors
        )
        try:
            assert play.stdout is not None
            async with asyncio.timeout(SLOW_DEADLINE):
                while not (found := re.search(rb"http://\S+", await play.stdout.readline())):
                    assert play.returncode is None, log.read_text()
            yield found[0].decode().split("/?")[0]
        finally:
            if play.returncode is None:
                play.terminate()
            await play.wait()
    assert play.returncode == 0
    said = log.read_text()
    assert not re.search(r"\[(error|critical)|Traceback", said, re.IGNORECASE), said


@pytest_asyncio.fixture
async def page() -> AsyncIterator[Page]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = await browser.new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
        page.set_default_timeout(SLOW_DEADLINE * 1000)
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        yield page
        await browser.close()
        assert errors == []


class Table:
    """What a person does on the page, found by what they can press."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.log = page.get_by_role("log")

    async def go(self, name: str) -> None:
        await self.page.get_by_role("link", name=re.compile(name)).click()
        await expect(self.page.locator("#channel-title")).to_contain_text(name.removeprefix("# "))

    async def type_command(self, command: str) -> None:
        await self.page.get_by_role("textbox", name="Message").fill(command)
        await self.page.get_by_role("option", name=command).first.wait_for()
        await self.page.keyboard.press("Enter")
        await self.page.get_by_role("button", name=f"Send {command}").click()

    @property
    def panel(self) -> Locator:
        """The newest permanent message of the open channel; the hand is played in direct messages."""
        return self.log.locator("article[data-message-id]:not([data-ephemeral])").last

    @asynccontextmanager
    async def moving(self) -> AsyncIterator[None]:
        """Do something that changes the panel, and wait until it has: its custom ids carry the table's revision."""
        control = self.panel.locator("[data-custom-id]").first
        before = await control.get_attribute("data-custom-id") or ""
        yield
        await expect(self.panel.locator(f'[data-custom-id="{before}"]')).to_have_count(0)

    async def press(self, name: str) -> None:
        async with self.moving():
            await self.panel.get_by_role("button", name=name, exact=True).click()

    async def offers(self, name: str) -> bool:
        button = self.panel.get_by_role("button", name=name, exact=True)
        return await button.count() > 0 and await button.is_enabled()

    async def throw(self) -> None:
        """Discard the first card that is offered: one press."""
        async with self.moving():
            await self.panel.locator('[data-custom-id^="mr1:discard:"]').first.click()

    async def picture(self, name: str) -> None:
        if SHOTS:
            for width, height in ((1280, 800), (390, 844)):
                await self.page.set_viewport_size({"width": width, "height": height})
                await self.page.screenshot(path=Path(SHOTS) / f"{name}-{width}.png")
            await self.page.set_viewport_size({"width": 1280, "height": 800})


async def play_deal(table: Table, number: int) -> None:
    """Play in the direct message, which follows the deal automatically, until the deal is over."""
    await table.go("Tiplu")
    await expect(table.panel).to_contain_text(re.compile(rf"Deal {number}(?!\d)"))
    for turn in range(MOST_TURNS):
        await expect(table.panel).to_contain_text(
            re.compile("Keep hidden|Your turn|You show first|The deal is over")
        )
        if "The deal is over" in await table.panel.inner_text():
            await table.picture(f"over-{number}")
            return
        if turn < 2:
            await table.picture(f"turn-{number}-{turn}")
        for name in (
            "Keep hidden",
            "Finish",
            "Show three sets",
            "Show seven dublees",
            "Cut by chance",
            "Draw from the stock",
        ):
            if await table.offers(name):
                await table.press(name)
                break
        else:
            await table.throw()
    pytest.fail("the deal does not end")


async def test_a_person_and_three_computers_play_deals_to_the_score_sheet(address: str, page: Page) -> None:
    await page.goto(f"{address}/?user=asha")
    table = Table(page)
    await table.go("# marriage")
    await table.type_command("/marriage play")
    await expect(table.panel).to_contain_text("Table 1")
    await table.picture("lobby")
    await table.press("Start")
    await expect(table.panel.get_by_role("img").first).to_be_visible()
    await table.picture("window")
    for number in range(1, DEALS + 1):
        await play_deal(table, number)
        await table.go("# marriage")
        await expect(table.panel).to_contain_text("Next deal")
        await expect(table.panel).to_contain_text(re.compile(rf"deal {number}\b", re.IGNORECASE))
        await expect(table.panel).to_contain_text("More")
        await table.picture(f"sheet-{number}")
        if number < DEALS:
            await table.press("Next deal")
