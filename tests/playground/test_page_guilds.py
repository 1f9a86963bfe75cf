"""The page with several guilds: which one a tab shows, and how to switch."""

import aiohttp
import pytest
from playwright.async_api import async_playwright, expect

from playground.server import Playground
from tests.missing import CHROMIUM
from tests.playground.tabs import COMMANDS, V2, Bot, Tabs, overflow, text

pytestmark = [
    pytest.mark.browser,
    pytest.mark.real,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium"),
]


async def test_a_tab_goes_from_guild_to_guild():
    async with (
        Playground(guilds=40) as server,
        aiohttp.ClientSession() as http,
        async_playwright() as playwright,
    ):
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        bot = Bot(server, http)
        await bot.call("PUT", f"/applications/{server.world.application_id}/commands", COMMANDS)
        tabs = Tabs(browser, bot)
        page = await tabs.open()
        other = list(server.world.guilds.values())[36]
        there = server.world.channel("general", other)
        menu, log = page.get_by_label("Server"), page.get_by_role("log")
        await expect(menu.locator("option")).to_have_count(40)
        await expect(page.locator("#channels a")).to_have_count(5)  # four channels and the bot
        asha = server.person("asha")

        await menu.select_option(label=other.name)
        await page.locator("#channels a", has_text="general").click()
        await expect(page.locator("#channel-title")).to_have_text("# general")
        asha.say("only here", channel=there)
        asha.say("only at home", channel="general")
        await expect(log.get_by_text("only here")).to_be_visible()
        await expect(log.get_by_text("only at home")).to_have_count(0)

        home = server.world.channel("marriage")
        link = f"https://discord.com/channels/{server.world.guild.id}/{home.id}"
        await bot.call(
            "POST", f"/channels/{there.id}/messages", {"flags": V2, "components": [text(f"[home]({link})")]}
        )
        await log.get_by_role("link", name="home").click()
        await expect(page.locator("#channel-title")).to_have_text("# marriage")
        await expect(menu).to_have_value(str(server.world.guild.id))

        await page.set_viewport_size({"width": 360, "height": 740})
        assert await overflow(page) <= 0
        await browser.close()
        assert tabs.complaints == []
        assert server.failures == []
