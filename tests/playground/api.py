"""A REST client for requests that discord.py would never send."""

import io
import json
from dataclasses import dataclass
from typing import Any

import aiohttp

from playground.server import Playground


@dataclass
class Reply:
    """An answer: status, body, headers."""

    status: int
    body: Any
    headers: Any

    @property
    def code(self) -> int | None:
        """Discord's error code, if there is one."""
        return self.body.get("code") if isinstance(self.body, dict) else None


class Api:
    """Sends requests to the playground as the bot would."""

    def __init__(self, server: Playground, http: aiohttp.ClientSession) -> None:
        self.server = server
        self.http = http

    async def __call__(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        files: dict[str, bytes] | None = None,
        token: str | None = None,
    ) -> Reply:
        headers = {"Authorization": f"Bot {token or self.server.token}"}
        data: Any = None
        if files is not None:
            data = aiohttp.FormData()
            for number, (name, content) in enumerate(files.items()):
                data.add_field(f"files[{number}]", io.BytesIO(content), filename=name)
            data.add_field("payload_json", json.dumps(body))
            body = None
        url = self.server.api_url + path
        async with self.http.request(method, url, json=body, data=data, headers=headers) as got:
            text = await got.text()
            return Reply(got.status, json.loads(text) if text else None, got.headers)
