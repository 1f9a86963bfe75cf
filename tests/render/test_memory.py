from concurrent.futures import ThreadPoolExecutor

import pytest
from PIL import Image

from render.drawing.memory import ByteCache, _Deflated, once, once_deflated, pixel_bytes


def test_what_was_not_used_for_longest_goes_first():
    cache: ByteCache[str, bytes] = ByteCache(6_000, len)
    for name in "abc":
        cache.keep(name, bytes(1_000))
    assert cache.get("a") is not None
    cache.keep("d", bytes(1_000))
    assert cache.get("b") is not None  # there is still room for four
    cache.keep("e", bytes(1_000))
    assert [name for name in "abcde" if cache.get(name) is not None] == ["a", "b", "d", "e"]


def test_it_never_holds_more_bytes_than_it_may():
    cache: ByteCache[int, bytes] = ByteCache(10_000, len)
    for number in range(200):
        cache.keep(number % 50, bytes(97 * number % 12_000))
        assert cache.bytes <= 10_000
    cache.keep(1, bytes(20_000))
    assert cache.get(1) is None
    cache.clear()
    assert cache.bytes == 0


def test_pixels_are_counted_as_pillow_keeps_them():
    assert pixel_bytes(Image.new("P", (10, 20))) == 200
    assert pixel_bytes(Image.new("RGB", (10, 20))) == 800
    assert pixel_bytes((Image.new("L", (3, 1)), Image.new("RGBA", (1, 1)))) == 7
    assert pixel_bytes("no image") == 0


@pytest.mark.parametrize("mode", ["L", "RGB", "RGBA"])
def test_a_deflated_sprite_comes_back_as_it_was(mode: str):
    made: list[str] = []
    drawn = Image.linear_gradient("L").resize((50, 70)).convert(mode)

    @once_deflated(1_000_000)
    def sprite(mode: str) -> Image.Image:
        made.append(mode)
        return drawn

    for _ in range(2):
        found = sprite(mode)
        assert (found.mode, found.size, found.tobytes()) == (drawn.mode, drawn.size, drawn.tobytes())
        found.paste(0, (0, 0, 50, 70))  # changing the returned sprite changes no other
    assert made == [mode]


def test_flat_colours_take_little_room_when_deflated():
    cache: ByteCache[int, object] = ByteCache(10_000, pixel_bytes)
    deflated = _Deflated.of(Image.new("RGBA", (95, 129), (200, 30, 60, 255)))
    assert pixel_bytes(deflated) == len(deflated.data) < pixel_bytes(deflated.image()) / 12
    cache.keep(1, deflated)
    assert cache.bytes == len(deflated.data) + 500


def test_a_result_is_made_once_for_all_callers():
    made: list[int] = []

    @once(1_000_000)
    def image(side: int, *, mode: str = "L") -> Image.Image:
        made.append(side)
        return Image.new(mode, (side, side))

    with ThreadPoolExecutor(8) as pool:
        images = list(pool.map(image, [5] * 50))
    assert made == [5]
    assert all(one is images[0] for one in images)
    assert image(5, mode="RGB") is image(5, mode="RGB")
    assert made == [5, 5]
