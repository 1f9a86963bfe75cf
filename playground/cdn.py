"""Serves files: attachments, emojis and avatars, as they were uploaded."""

import zlib
from struct import pack

from aiohttp import web

from playground.model import Attachment
from playground.world import World

IMAGES = {"image/png", "image/jpeg", "image/gif", "image/webp"}
AVATAR_COLOURS = (
    (88, 101, 242),
    (117, 126, 138),
    (59, 165, 92),
    (250, 166, 26),
    (237, 66, 69),
    (235, 69, 158),
)


def respond(content: bytes, content_type: str, name: str = "") -> web.Response:
    """Return a file; browsers download anything that is not an image."""
    headers = {"X-Content-Type-Options": "nosniff", "Content-Type": content_type}
    if content_type not in IMAGES:
        headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return web.Response(body=content, headers=headers)


class Cdn:
    """Serves the world's files from memory."""

    def __init__(self, world: World) -> None:
        self.world = world

    def add_routes(self, app: web.Application) -> None:
        """Register the file routes."""
        app.router.add_get(r"/attachments/{channel:\d+}/{id:\d+}/{name}", self.attachment)
        app.router.add_get(r"/emojis/{id:\d+}.{kind:png|gif|webp|jpg}", self.emoji)
        app.router.add_get(r"/embed/avatars/{number:\d}.png", self.avatar)

    async def attachment(self, request: web.Request) -> web.Response:
        """Return the file of a message, or one uploaded to a command or modal."""
        attachment_id = int(request.match_info["id"])
        file = self.world.uploads.get(attachment_id) or self._on_a_message(
            int(request.match_info["channel"]), attachment_id
        )
        if file is None or file.filename != request.match_info["name"]:
            raise web.HTTPNotFound
        return respond(file.content, file.content_type, file.filename)

    def _on_a_message(self, channel_id: int, attachment_id: int) -> Attachment | None:
        channel = self.world.channels.get(channel_id)
        messages = channel.messages.values() if channel is not None else ()
        files = (file for message in messages for file in message.attachments)
        return next((file for file in files if file.id == attachment_id), None)

    async def emoji(self, request: web.Request) -> web.Response:
        """Return an emoji's image, whatever extension the request names."""
        emoji = self.world.emojis.get(int(request.match_info["id"]))
        if emoji is None:
            raise web.HTTPNotFound
        return respond(emoji.content, emoji.content_type)

    async def avatar(self, request: web.Request) -> web.Response:
        """Return one of the default avatars."""
        colour = AVATAR_COLOURS[int(request.match_info["number"]) % len(AVATAR_COLOURS)]
        return respond(_plain_png(colour), "image/png")


def _plain_png(colour: tuple[int, int, int]) -> bytes:
    """Return an 8 by 8 PNG of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return pack(">I", len(data)) + kind + data + pack(">I", zlib.crc32(kind + data))

    header = chunk(b"IHDR", pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0))
    rows = (b"\0" + bytes(colour) * 8) * 8
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
