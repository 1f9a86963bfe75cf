"""Finds the content type and the size in pixels of a file from its name and first bytes."""

import mimetypes
import re
import struct

START_OF_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def clean_name(name: str) -> str:
    """Return a file name as Discord stores it."""
    return re.sub(r"[^A-Za-z0-9_.\-]", "_", name)[-200:] or "file"


def content_type(name: str, content: bytes) -> str:
    """Return the content type of a file, from its first bytes or else from its name."""
    return image_type(content) or mimetypes.guess_type(name)[0] or "application/octet-stream"


def size_in_pixels(content: bytes) -> tuple[int, int] | None:
    """Return the width and height of a PNG, GIF, WebP or JPEG; None for anything else."""
    if content.startswith(b"\x89PNG\r\n\x1a\n") and len(content) >= 24:
        return struct.unpack(">II", content[16:24])
    if content[:6] in (b"GIF87a", b"GIF89a") and len(content) >= 10:
        return struct.unpack("<HH", content[6:10])
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return _webp(content)
    if content.startswith(b"\xff\xd8"):
        return _jpeg(content)
    return None


def image_type(content: bytes) -> str | None:
    """Return the content type of an image; None for anything else."""
    for start, kind in ((b"\x89PNG", "image/png"), (b"GIF8", "image/gif"), (b"\xff\xd8", "image/jpeg")):
        if content.startswith(start):
            return kind
    return "image/webp" if content[:4] == b"RIFF" and content[8:12] == b"WEBP" else None


def _webp(content: bytes) -> tuple[int, int] | None:
    kind = content[12:16]
    if kind == b"VP8X" and len(content) >= 30:
        wide, high = content[24:27], content[27:30]
        return int.from_bytes(wide, "little") + 1, int.from_bytes(high, "little") + 1
    if kind == b"VP8 " and len(content) >= 30:
        wide, high = struct.unpack("<HH", content[26:30])
        return wide & 0x3FFF, high & 0x3FFF
    if kind == b"VP8L" and len(content) >= 25:
        packed = int.from_bytes(content[21:25], "little")
        return (packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1
    return None


def _jpeg(content: bytes) -> tuple[int, int] | None:
    place = 2
    while place + 9 <= len(content) and content[place] == 0xFF:
        marker = content[place + 1]
        if marker in START_OF_FRAME:
            high, wide = struct.unpack(">HH", content[place + 5 : place + 9])
            return wide, high
        place += 2 + struct.unpack(">H", content[place + 2 : place + 4])[0]
    return None
