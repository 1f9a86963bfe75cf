"""Tabs of a real browser with the page, and a bot that the test controls."""

import asyncio
import io
import json
from typing import Any

import aiohttp
from PIL import Image
from playwright.async_api import Browser, Locator, Page, expect

from playground.model import Interaction
from playground.server import Playground
from tests.waiting import SLOW_DEADLINE

DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
EPHEMERAL, LOADING, V2 = 64, 128, 1 << 15
expect.set_options(timeout=SLOW_DEADLINE * 1000)


COMMANDS = [
    {
        "name": "marriage",
        "description": "Play Marriage",
        "options": [
            {
                "type": 1,
                "name": "play",
                "name_localizations": {"hi": "खेलें"},
                "description": "Open a table",
                "description_localizations": {"hi": "टेबल खोलें"},
                "options": [
                    {"type": 4, "name": "seats", "description": "How many", "required": True, "max_value": 6},
                    {"type": 3, "name": "player", "description": "A friend", "autocomplete": True},
                ],
            },
            {"type": 1, "name": "rules", "description": "How to play"},
        ],
    },
    {"name": "help", "description": "What this bot does"},
]


def row(*components: dict) -> dict:
    return {"type": 1, "components": list(components)}


def button(label: str, style: int = 2, **more: Any) -> dict:
    return {"type": 2, "style": style, "label": label} | ({} if style == 5 else {"custom_id": label}) | more


def text(content: str) -> dict:
    return {"type": 10, "content": content}


def hand(count: int = 22, **more: Any) -> dict:
    faces = [f"{'A23456789TJQK'[n % 13]}{'♠♥♦♣'[n % 4]}" for n in range(count)]
    options = [{"label": face, "value": f"card-{n}", "description": "loose"} for n, face in enumerate(faces)]
    return {"type": 3, "custom_id": "hand", "placeholder": "Choose a card", "options": options} | more


def png() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (300, 120), "#1f6b45").save(out, "PNG")
    return out.getvalue()


def shown(page: Page, message: dict) -> Locator:
    return page.locator(f'[data-message-id="{message["id"]}"]')


async def overflow(page: Page) -> float:
    """Return by how many pixels the page is wider than its screen."""
    return await page.evaluate("document.documentElement.scrollWidth - innerWidth")


class Bot:
    """A bot that the test controls: it posts over REST and answers interactions."""

    def __init__(self, server: Playground, http: aiohttp.ClientSession) -> None:
        self.server = server
        self.http = http

    async def call(
        self, method: str, path: str, body: Any = None, *, file: tuple[str, bytes] | None = None
    ) -> Any:
        data: Any = None
        if file is not None:
            data = aiohttp.FormData()
            data.add_field("payload_json", json.dumps(body), content_type="application/json")
            data.add_field("files[0]", file[1], filename=file[0], content_type="image/png")
            body = None
        headers = {"Authorization": f"Bot {self.server.token}"}
        async with self.http.request(
            method, self.server.api_url + path, json=body, data=data, headers=headers
        ) as got:
            text = await got.text()
            assert got.status < 300, text
            return json.loads(text) if text else None

    async def post(
        self, *components: dict, channel: str = "marriage", file: Any = None, **fields: Any
    ) -> dict:
        body = fields | ({"components": list(components)} if components else {})
        if file is not None:
            body["attachments"] = [{"id": 0, "filename": file[0], "description": "Two aces and a tiplu"}]
        path = f"/channels/{self.server.world.channel(channel).id}/messages"
        return await self.call("POST", path, body, file=file)

    async def interaction(self, kind: int) -> Interaction:
        """Wait for the next unanswered interaction of a kind."""
        async with asyncio.timeout(SLOW_DEADLINE):
            while True:
                for interaction in self.server.world.interactions.values():
                    unanswered = interaction.callback_type is None and interaction.state != "failed"
                    if interaction.type == kind and unanswered:
                        return interaction
                await self.server.world.changed()

    async def answer(self, interaction: Interaction, kind: int, **data: Any) -> None:
        path = f"/interactions/{interaction.id}/{interaction.token}/callback"
        await self.call("POST", path, {"type": kind, "data": data})


class Tabs:
    """Opens the page as different people. Script errors are kept and fail the test."""

    def __init__(self, browser: Browser, bot: Bot) -> None:
        self.browser = browser
        self.bot = bot
        self.complaints: list[str] = []

    async def open(
        self, name: str = "asha", size: dict = DESK, channel: str = "marriage", *, touch: bool = False
    ) -> Page:
        context = await self.browser.new_context(viewport=size, has_touch=touch, is_mobile=touch)
        page = await context.new_page()
        page.set_default_timeout(SLOW_DEADLINE * 1000)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        channel_id = self.bot.server.world.channel(channel).id
        await page.goto(f"{self.bot.server.url}/?user={name}#c/{channel_id}")
        await expect(page.locator("#channel-title")).to_have_text(f"# {channel}")
        return page
