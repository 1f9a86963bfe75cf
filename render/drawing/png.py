"""A PNG writer for images in palette mode. With Pillow's own writer most of the time of a picture went into encoding.

The pixels are not filtered, since filters gain nothing on palette indices. They are deflated by igzip, which is ten
times as fast as zlib and leaves files a fifth larger. A file over its size limit is encoded again by Pillow, whose
zlib-ng compresses well in half the time that zlib takes.

Format: the PNG specification (third edition), sections 5 and 11.
"""

import hashlib
import struct
from collections.abc import Callable
from io import BytesIO
from typing import Final, cast

from isal import isal_zlib
from PIL import Image

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_HEADER: Final = struct.Struct(">IIBBBBB")
_WORD: Final = struct.Struct(">I")
_BITS: Final = 8
_PALETTE_COLOUR: Final = 3
_UNFILTERED: Final = 0
LEVEL: Final = 2
"""The compression level of igzip, from 0 to 3: the best trade of time for size, measured on a full hand."""
_THOROUGH: Final = ((3, 0.95), (4, 0.915), (5, 0.85), (6, 0.805), (8, 0.72), (9, 0.0))
"""Levels of zlib-ng, each with the part of igzip's size that it reaches for 99 hands of 100. They take about 2, 2.5, 3,
4.5, 15 and 30 milliseconds. The parts tell which level will do before it is tried."""

# The stubs of isal leave the type of the data open.
_deflate = cast("Callable[[bytes, int], bytes]", isal_zlib.compress)  # pyright: ignore[reportUnknownMemberType]
_crc32 = cast("Callable[[bytes, int], int]", isal_zlib.crc32)  # pyright: ignore[reportUnknownMemberType]


def png(canvas: Image.Image) -> bytes:
    """Encode an image in mode P without transparency as a PNG file. The same pixels give the same bytes.

    Raises ValueError for an image in another mode.
    """
    if canvas.mode != "P" or canvas.palette is None:
        raise ValueError(f"a picture is encoded in palette mode, not in {canvas.mode}")
    lines = Image.new("P", (canvas.width + 1, canvas.height), _UNFILTERED)
    lines.paste(canvas, (1, 0))
    return png_of_lines(lines, canvas.palette.tobytes())


def png_of_lines(lines: Image.Image, palette: bytes, most: int | None = None) -> bytes:
    """Encode an image whose first column is zeros: PNG's mark of a line without a filter.

    `palette` has three bytes a colour. A file larger than `most` bytes is compressed better, with as little extra time
    as will probably do; it may still come out larger.
    """
    header = _HEADER.pack(lines.width - 1, lines.height, _BITS, _PALETTE_COLOUR, 0, 0, 0)
    data = _deflate(lines.tobytes(), LEVEL)
    chunks = ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", data), (b"IEND", b""))
    file = b"".join((_SIGNATURE, *(_chunk(kind, content) for kind, content in chunks)))
    _clear_registers()
    return file if most is None or len(file) <= most else _smaller(lines, palette, most, len(file))


def _smaller(lines: Image.Image, palette: bytes, most: int, quick: int) -> bytes:
    """The same picture in at most `most` bytes, or in as few as possible; `quick` is the size that igzip reached."""
    canvas = lines.crop((1, 0, *lines.size))
    canvas.putpalette(palette)
    file = b""
    for level, part in _THOROUGH:
        if part * quick <= most:
            stream = BytesIO()
            canvas.save(stream, "PNG", compress_level=level)
            file = stream.getvalue()
            if len(file) <= most:
                break
    return file


def _clear_registers() -> None:
    """Clear the upper halves of the processor's vector registers, so that other code runs at full speed again.

    igzip and its checksums leave them in use. Then the older vector instructions of zlib, Pillow and most other
    libraries take up to 2.5 times as long, in this thread and in those that it starts. Python cannot clear the
    registers, but OpenSSL does after every SHA-512, which takes a microsecond.
    """
    hashlib.sha512(usedforsecurity=False).digest()


def _chunk(kind: bytes, data: bytes) -> bytes:
    checksum = _crc32(data, _crc32(kind, 0))
    return b"".join((_WORD.pack(len(data)), kind, data, _WORD.pack(checksum)))
