"""The PNG writer: other programs read what it writes, pixel by pixel."""

import random
import struct
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from render.drawing.png import bytes_of, png, png_of_lines
from render.hand_picture import plan_hand
from render.picture import Picture, SpriteBoard, finish_sprites
from render.samples import hand_views
from render.style import DEFAULT, FELT
from tests.render.looking import opened


def chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    """Return the chunks of a PNG, after checking their checksums."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    found: list[tuple[bytes, bytes]] = []
    at = 8
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        kind, content = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        assert struct.unpack_from(">I", data, at + 8 + length) == (zlib.crc32(kind + content),)
        found.append((kind, content))
        at += 12 + length
    return found


@given(st.integers(1, 90), st.integers(1, 60), st.integers(0, 2**32))
@settings(deadline=None)
def test_what_is_written_is_read(width: int, height: int, number: int) -> None:
    canvas = Image.frombytes("P", (width, height), random.Random(number).randbytes(width * height))
    canvas.putpalette(DEFAULT.palette_bytes)
    data = png(canvas)
    image = opened(Picture(data, "", width, height))
    assert (image.mode, image.size, image.tobytes()) == ("P", canvas.size, canvas.tobytes())
    assert image.convert("RGB").tobytes() == canvas.convert("RGB").tobytes()
    assert png(canvas.copy()) == data


@pytest.mark.parametrize("mode", ["P", "L"])
def test_pixels_are_those_that_pillow_joins(mode: str) -> None:
    size = (861, 431)
    image = Image.frombytes(mode, size, random.Random(7).randbytes(size[0] * size[1]))
    assert bytes_of(image) == image.tobytes()


def test_a_file_is_only_what_it_must_be() -> None:
    canvas = Image.new("P", (3, 2))
    canvas.putpalette(DEFAULT.palette_bytes)
    kinds = [kind for kind, _ in chunks(png(canvas))]
    assert kinds == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L"])
def test_only_palettes_are_written(mode: str) -> None:
    with pytest.raises(ValueError, match="palette mode"):
        png(Image.new(mode, (3, 2)))


def test_a_board_is_felt_and_its_sprites() -> None:
    sprite = Image.new("P", (2, 2), 7)
    board = SpriteBoard(5, 3, ((sprite, (0, 0)), (sprite, (3, 1))))
    picture = finish_sprites(board, "alt", DEFAULT)
    image = opened(picture)
    assert (image.size, picture.alt) == ((5, 3), "alt")
    assert list(image.tobytes()) == [7, 7, 0, 0, 0, 7, 7, 0, 7, 7, 0, 0, 0, 7, 7]
    assert FELT == 0
    assert png_of_lines(board.lines(), DEFAULT.palette_bytes) == picture.png


def test_a_picture_that_would_be_too_large_is_deflated_more_thoroughly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board = plan_hand(hand_views()["drawn"], large=True)

    def written(most: int) -> Picture:
        return Picture(
            png_of_lines(board.lines(), DEFAULT.palette_bytes, most), "", board.width, board.height
        )

    quick = written(1_000_000)
    assert written(len(quick.png)) == quick
    thorough = written(1)
    assert len(thorough.png) < 0.9 * len(quick.png)
    assert [kind for kind, _ in chunks(thorough.png)] == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]
    assert opened(thorough).tobytes() == opened(quick).tobytes()
