"""PNG from a canvas in palette mode, written by hand: Pillow's own writer takes most of a picture's time.

The pixels are not filtered (filters gain nothing on palette indices) and deflated by igzip, which is ten times as fast
as zlib and a fifth less thorough. Where a picture may only be so large and is larger, zlib has another go at it.
"""

import struct
import zlib
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
_SLOWER: Final = ((4, 0.9), (6, 0.8), (8, 0.7), (9, 0.0))
"""Levels of zlib, which take some 3, 5, 15 and 35 milliseconds, and to which part of igzip's size they bring most hands."""


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
    before = (_SIGNATURE, _chunk(b"IHDR", header), _chunk(b"PLTE", palette))
    after = _chunk(b"IEND", b"")
    raw = lines.tobytes()
    data = isal_zlib.compress(raw, LEVEL)
    if most is not None:
        data = _at_most(max(0, most - len(b"".join((*before, _chunk(b"IDAT", b""), after)))), raw, data)
    return b"".join((*before, _chunk(b"IDAT", data), after))


def _at_most(most: int, raw: bytes, quick: bytes) -> bytes:
    """What igzip made of the raw bytes, or something smaller by the first level of zlib that gets there."""
    data = quick
    for level, part in _SLOWER:
        if len(data) > most >= part * len(quick):
            data = min(data, zlib.compress(raw, level), key=len)
    return data


def _chunk(kind: bytes, data: bytes) -> bytes:
    checksum = isal_zlib.crc32(data, isal_zlib.crc32(kind))
    return b"".join((_WORD.pack(len(data)), kind, data, _WORD.pack(checksum)))
