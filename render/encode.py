"""PNG from a canvas in palette mode, written by hand: Pillow's own writer takes most of a picture's time.

The pixels are not filtered (filters gain nothing on palette indices) and deflated by igzip, which is ten times as fast
as zlib and a fifth less thorough. Where a picture may only be so large and is larger, Pillow's writer has a go at it:
its zlib-ng is thorough in half the time that zlib takes.
"""

import hashlib
import struct
from io import BytesIO
from typing import Final

from isal import isal_zlib
from PIL import Image

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_HEADER: Final = struct.Struct(">IIBBBBB")
_WORD: Final = struct.Struct(">I")
_BITS: Final = 8
_PALETTE_COLOUR: Final = 3
_UNFILTERED: Final = 0
LEVEL: Final = 2
"""Of igzip's 0 to 3. Measured on a full hand."""
_THOROUGH: Final = ((3, 0.95), (4, 0.915), (5, 0.85), (6, 0.805), (8, 0.72), (9, 0.0))
"""Levels of zlib-ng, which take some 2, 2.5, 3, 4.5, 15 and 30 milliseconds, and to what part of igzip's size they bring all but
one hand of a hundred: the one that will do is known before it is tried."""


def png(canvas: Image.Image) -> bytes:
    """The canvas, in mode P without transparency, as a PNG file. The same pixels give the same bytes."""
    if canvas.mode != "P" or canvas.palette is None:
        raise ValueError(f"a picture is encoded in palette mode, not in {canvas.mode}")
    lines = Image.new("P", (canvas.width + 1, canvas.height), _UNFILTERED)
    lines.paste(canvas, (1, 0))
    return png_of_lines(lines, canvas.palette.tobytes())


def png_of_lines(lines: Image.Image, palette: bytes, most: int | None = None) -> bytes:
    """The same for indices that have a column of zeros before them, PNG's mark of a line without a filter.

    Where the file would be larger than `most` bytes, time is spent to make it smaller: as little as will probably do.
    """
    header = _HEADER.pack(lines.width - 1, lines.height, _BITS, _PALETTE_COLOUR, 0, 0, 0)
    data = isal_zlib.compress(lines.tobytes(), LEVEL)
    chunks = ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", data), (b"IEND", b""))
    file = b"".join((_SIGNATURE, *(_chunk(kind, content) for kind, content in chunks)))
    _clear_registers()
    return file if most is None or len(file) <= most else _smaller(lines, palette, most, len(file))


def _smaller(lines: Image.Image, palette: bytes, most: int, quick: int) -> bytes:
    """The same picture in at most so many bytes, or as few as there can be; `quick` is what igzip made of it."""
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
    """Let other code run at its own speed again.

    igzip and its checksums leave the upper halves of the processor's vector registers in use, with which the older vector
    instructions of zlib, Pillow and most others take up to 2.5 times as long, in this thread and those that it starts. Python
    has no means to clear them, but OpenSSL does so whenever it has computed a SHA-512: a microsecond.
    """
    hashlib.sha512(usedforsecurity=False).digest()


def _chunk(kind: bytes, data: bytes) -> bytes:
    checksum = isal_zlib.crc32(data, isal_zlib.crc32(kind))
    return b"".join((_WORD.pack(len(data)), kind, data, _WORD.pack(checksum)))
