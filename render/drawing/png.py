"""Images in palette mode: pasting many small ones, and a PNG writer. With Pillow's own writer, encoding took most of the time of a picture.

The pixels are not filtered, because filters gain nothing on palette indices. They are deflated by igzip,
which takes a tenth of zlib's time and makes files a fifth larger. A file that is then larger than
`MOST_BYTES` is deflated again by libdeflate, which saves that fifth in a third of zlib's time.

On average over forty first hands of 860 x 443 pixels it takes 0.36 ms of processor time and 23.2 KB. Pillow takes 1.4 ms and
25.3 KB at its level 1, and 3.5 ms and 18.4 KB at its default level.

Format: the PNG specification (third edition), sections 5 and 11.
"""

import hashlib
import struct
from collections.abc import Callable
from typing import Any, Final, cast

import deflate
from isal import isal_zlib
from PIL import Image

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_HEADER: Final = struct.Struct(">IIBBBBB")
_WORD: Final = struct.Struct(">I")
_BITS: Final = 8
_PALETTE_COLOUR: Final = 3
_UNFILTERED: Final = 0
MOST_BYTES: Final = 40_000
"""A larger file is deflated more thoroughly: pictures are sent often, and to phones."""
_QUICK: Final = 2
"""The level of igzip, from 0 to 3: the best trade of time for size, measured on a full hand."""
_THOROUGH: Final = 5
"""The level of libdeflate, from 1 to 12. The next ones take a third longer and save a twentieth of the size."""

# The stubs do not give the type of the data.
_igzip = cast("Callable[[bytes, int], bytes]", isal_zlib.compress)  # pyright: ignore[reportUnknownMemberType]
_libdeflate = cast("Callable[[bytes, int], bytes]", deflate.zlib_compress)  # pyright: ignore[reportUnknownMemberType]
_crc32 = cast("Callable[[bytes, int], int]", isal_zlib.crc32)  # pyright: ignore[reportUnknownMemberType]
# Pillow has no public way to get the pixels in one piece.
_encoder = cast("Callable[[str, str, tuple[str]], Any]", Image._getencoder)  # pyright: ignore[reportPrivateUsage]  # noqa: SLF001


def png(canvas: Image.Image) -> bytes:
    """Encode an image in mode P without transparency as a PNG file. The same pixels give the same bytes.

    Raises ValueError for an image in another mode.
    """
    if canvas.mode != "P" or canvas.palette is None:
        raise ValueError(f"a picture is encoded in palette mode, not in {canvas.mode}")
    return png_of_lines(lines_of(canvas), canvas.palette.tobytes())


def lines_of(canvas: Image.Image) -> Image.Image:
    """Return the image with a column of zeros in front, as `png_of_lines` needs it."""
    lines = Image.new("P", (canvas.width + 1, canvas.height), _UNFILTERED)
    lines.paste(canvas, (1, 0))
    return lines


def png_of_lines(lines: Image.Image, palette: bytes, most: int = MOST_BYTES) -> bytes:
    """Encode an image whose first column is zeros, which PNG reads as "no filter" for each line.

    `palette` has three bytes for each colour. A file larger than `most` bytes is deflated more thoroughly.
    """
    pixels = bytes_of(lines)
    header = _HEADER.pack(lines.width - 1, lines.height, _BITS, _PALETTE_COLOUR, 0, 0, 0)
    file = _file(header, palette, _igzip(pixels, _QUICK))
    clear_registers()
    if len(file) > most:
        file = _file(header, palette, _libdeflate(pixels, _THOROUGH))
        clear_registers()
    return file


def bytes_of(image: Image.Image) -> bytes:
    """Return the pixels of an image with one byte for each, as `Image.tobytes` does in pieces and then joins.

    In one piece it takes a tenth of the time, which is a quarter of a millisecond for a hand.
    """
    encoder = _encoder(image.mode, "raw", (image.mode,))
    encoder.setimage(image.im, (0, 0, *image.size))
    _, _, pixels = encoder.encode(image.width * image.height + 1)
    encoder.cleanup()
    return pixels


def _file(header: bytes, palette: bytes, data: bytes) -> bytes:
    chunks = ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", data), (b"IEND", b""))
    return b"".join((_SIGNATURE, *(_chunk(kind, content) for kind, content in chunks)))


def clear_registers() -> None:
    """Clear the upper halves of the processor's vector registers, so that other code runs at full speed again.

    igzip and its checksums leave them in use. Then the older vector instructions of zlib, Pillow and most
    other libraries take up to 2.5 times as long, in this thread and in those that it starts. Python cannot
    clear the registers, but OpenSSL does so after every SHA-512, which takes a microsecond.
    """
    hashlib.sha512(usedforsecurity=False).digest()


def _chunk(kind: bytes, data: bytes) -> bytes:
    checksum = _crc32(data, _crc32(kind, 0))
    return b"".join((_WORD.pack(len(data)), kind, data, _WORD.pack(checksum)))


def paste(onto: Image.Image, image: Image.Image, x: int, y: int, mask: Image.Image | None = None) -> None:
    """Paste like `Image.paste` for images of the same mode, without its checks.

    These take longer than a small paste. `onto` must belong to the caller alone: it must not be read from a
    file or shared.
    """
    box = (x, y, x + image.width, y + image.height)
    if mask is None:
        onto.im.paste(image.im, box)
    else:
        onto.im.paste(image.im, box, mask.im)
