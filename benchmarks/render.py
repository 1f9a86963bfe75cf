"""22-card hands, composed and encoded as PNG: our way beside Pillow's usual one, pyvips, skia-python and resvg.

    python benchmarks/render.py [ROUNDS]

Everybody gets the same sprites, ready in memory in the form he likes best, and the same places; the pictures are compared
pixel by pixel. In each round everybody draws the same hands in a block of his own, after a few that are not counted, so
that each is measured as he runs by himself and not with the caches that another has left; the blocks take turns, on one
core, so that the ratios hold when the machine's speed drifts. What is measured is the process's CPU time, so other work
on the machine hardly shows. Rivals that are not installed (`make bench` sees to them) are named and left out.
"""

import base64
import os
import random
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from io import BytesIO
from itertools import cycle, islice
from pathlib import Path

os.environ.setdefault("VIPS_CONCURRENCY", "1")
sys.path.insert(0, str(Path(__file__).parents[1]))

from PIL import Image, ImageChops

from marriage.cards import CARDS, format_cards, sort_cards
from marriage.state import Phase
from marriage.view import View
from render.encode import png_of_lines
from render.hand import draw_hand, plan_hand
from render.layout import BY_SUIT, Order
from render.picture import MOST_BYTES, Board
from render.samples import closed_seat, own_seat, sample_view
from render.style import DEFAULT, FELT

Draw = Callable[[], bytes]
ROUNDS = 10
COMPARED = 5
"""Hands that everybody draws."""
BLOCK = 20
WARMING = 5
HANDS = 200
SLOWEST_MS, LARGEST_BYTES, FASTER = 5.0, 40_000, 10.0
WAYS: dict[str, tuple[Order, bool]] = {
    "by suit": (BY_SUIT, False),
    "by rank": (Order("rank"), False),
    "best sets": (Order("best"), False),
    "large, by suit": (BY_SUIT, True),
    "large, best sets": (Order("best"), True),
}
"""How a hand may be laid out, and whether its cards are large."""


def hand(chance: random.Random) -> View:
    """A player with 22 cards dealt at random from the three packs, one of them just drawn."""
    cards = chance.sample([card for card in CARDS[:52] for _ in range(3)], 22)
    own = own_seat(format_cards(sort_cards(cards)))
    seats = (own, closed_seat(), closed_seat())
    return sample_view(seats, viewer=0, phase=Phase.PLAY, drawn=str(cards[0]))


def ours(board: Board) -> Draw:
    return lambda: png_of_lines(board.lines(), DEFAULT.palette_bytes, MOST_BYTES)


def our_sprites_by_pillow(board: Board) -> Draw:
    """What palette sprites gain without our own writer: Pillow's, at its fastest level."""

    def draw() -> bytes:
        stream = BytesIO()
        canvas = Image.new("P", (board.width, board.height), FELT)
        canvas.putpalette(DEFAULT.palette_bytes)
        for sprite, at in board.placed:
            canvas.paste(sprite, at)
        canvas.save(stream, "PNG", compress_level=1)
        return stream.getvalue()

    return draw


def pillow(board: Board) -> Draw:
    sprites = _in_full_colour(board)

    def draw() -> bytes:
        canvas = Image.new("RGBA", (board.width, board.height), DEFAULT.colours.felt)
        for sprite, at in sprites:
            canvas.alpha_composite(sprite, at)
        stream = BytesIO()
        canvas.save(stream, "PNG")
        return stream.getvalue()

    return draw


def pyvips(board: Board) -> Draw:
    import pyvips

    def image(picture: Image.Image) -> "pyvips.Image":
        rgb = picture.convert("RGB")
        made = pyvips.Image.new_from_memory(rgb.tobytes(), rgb.width, rgb.height, 3, "uchar")
        return made.copy(interpretation="srgb")

    felt = image(Image.new("RGB", (board.width, board.height), DEFAULT.colours.felt))
    sprites = [(image(sprite), at) for sprite, at in _in_full_colour(board)]

    def draw() -> bytes:
        canvas = felt
        for sprite, (x, y) in sprites:
            canvas = canvas.insert(sprite, x, y)
        return canvas.pngsave_buffer(compression=1, filter="none")

    return draw


def skia(board: Board) -> Draw:
    import numpy as np
    import skia

    sprites = [
        (skia.Image.fromarray(np.asarray(sprite), skia.ColorType.kRGBA_8888_ColorType), at)
        for sprite, at in _in_full_colour(board)
    ]
    felt = skia.Color(*Image.new("RGB", (1, 1), DEFAULT.colours.felt).tobytes())

    def draw() -> bytes:
        surface = skia.Surface(board.width, board.height)
        with surface as canvas:
            canvas.clear(felt)
            for sprite, (x, y) in sprites:
                canvas.drawImage(sprite, x, y)
        return bytes(surface.makeImageSnapshot().encodeToData())

    return draw


def resvg(board: Board) -> Draw:
    import resvg_py

    pieces = [
        f'<image x="{x}" y="{y}" width="{sprite.width}" height="{sprite.height}" href="{_data(sprite)}"/>'
        for sprite, (x, y) in _in_full_colour(board)
    ]
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{board.width}" height="{board.height}">'
        f'<rect width="100%" height="100%" fill="{DEFAULT.colours.felt}"/>{"".join(pieces)}</svg>'
    )
    return lambda: bytes(resvg_py.svg_to_bytes(svg_string=svg))


def _in_full_colour(board: Board) -> list[tuple[Image.Image, tuple[int, int]]]:
    return [(sprite.convert("RGBA"), at) for sprite, at in board.placed]


def _data(sprite: Image.Image) -> str:
    stream = BytesIO()
    sprite.save(stream, "PNG")
    return "data:image/png;base64," + base64.b64encode(stream.getvalue()).decode()


OURS = "tiplu"
OWN = {OURS: ours, "its sprites, Pillow's writer": our_sprites_by_pillow}
RIVALS = {
    "Pillow: RGBA, default PNG": pillow,
    "pyvips: insert, PNG level 1": pyvips,
    "skia-python: raster, PNG": skia,
    "resvg: one SVG of sprites": resvg,
}


def contestants(boards: list[Board]) -> dict[str, list[Draw]]:
    """Who is there, and how he draws each of the boards; each picture is compared to ours."""
    there: dict[str, list[Draw]] = {}
    wanted = [_pixels(ours(board)()) for board in boards]
    for name, prepare in (OWN | RIVALS).items():
        try:
            draws = [prepare(board) for board in boards]
        except ImportError as missing:
            print(f"{name}: left out, {missing.name} is not installed")
            continue
        for draw, picture in zip(draws, wanted, strict=True):
            most = max(high for _, high in ImageChops.difference(_pixels(draw()), picture).getextrema())
            assert most <= 2, f"{name} draws another picture: {most}"
        there[name] = draws
    return there


def _pixels(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data)).convert("RGB")


def race(there: dict[str, list[Draw]], rounds: int) -> dict[str, list[float]]:
    """Milliseconds of every counted draw, by name."""
    times: dict[str, list[float]] = {name: [] for name in there}
    for _ in range(rounds):
        for name, draws in there.items():
            block = list(islice(cycle(draws), WARMING + BLOCK))
            times[name] += [timed(draw) for draw in block][WARMING:]
    return times


def timed(draw: Callable[[], object]) -> float:
    begun = time.process_time()
    draw()
    return (time.process_time() - begun) * 1000


def p99(times: list[float]) -> float:
    return statistics.quantiles(times, n=100)[98]


def print_race(there: dict[str, list[Draw]], times: dict[str, list[float]]) -> None:
    best = min((statistics.median(times[name]) for name in RIVALS if name in times), default=None)
    print(f"{'a hand of 22 cards':32}{'median ms':>10}{'p99 ms':>9}{'KB':>7}{'times ours':>12}")
    mine = statistics.median(times[OURS])
    for name, draws in there.items():
        middle = statistics.median(times[name])
        size = statistics.mean(len(draw()) for draw in draws) / 1000
        print(f"{name:32}{middle:10.2f}{p99(times[name]):9.2f}{size:7.1f}{middle / mine:12.1f}")
    if best is not None:
        print(f"{best / mine:.1f} times as fast as the best of the others (goal: {FASTER:.0f})")


def print_ways(views: list[View]) -> None:
    """Ours in every way to lay out a hand: how long it takes to compose and encode, and how large it gets."""
    print(
        f"\n{f'{len(views)} hands of 22 cards':32}{'median ms':>10}{'p99 ms':>9}{'KB':>7}{'largest KB':>12}"
    )
    for name, (order, large) in (
        WAYS | {"own groups": (None, False), "large, own groups": (None, True)}
    ).items():
        boards = [plan_hand(view, order=order or own_groups(view), large=large) for view in views]
        draws = [ours(board) for board in boards]
        sizes = [len(draw()) for draw in draws]
        times = [timed(draw) for draw in draws + draws]
        assert max(sizes) <= LARGEST_BYTES, f"{name}: {max(sizes)} bytes"
        print(f"{name:32}{statistics.median(times):10.2f}{p99(times):9.2f}", end="")
        print(f"{statistics.median(sizes) / 1000:7.1f}{max(sizes) / 1000:12.1f}")
    print(f"goals: p99 under {SLOWEST_MS:.0f} ms, {LARGEST_BYTES / 1000:.0f} KB at most")


def own_groups(view: View) -> Order:
    """A player who has put together two groups of his own: his first two and his last four cards."""
    cards = view.own.concealed or ()
    return Order("suit", (cards[:2], cards[-4:]))


def print_whole(views: list[View]) -> None:
    """From the view, with layout and alt text, to the finished picture."""
    whole = [timed(partial(draw_hand, view)) for view in views]
    print(
        f"from view to picture with alt text: median {statistics.median(whole):.2f} ms, p99 {p99(whole):.2f} ms"
    )


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    chance = random.Random(7)
    there = contestants([plan_hand(hand(chance)) for _ in range(COMPARED)])
    print_race(there, race(there, rounds))
    views = [hand(chance) for _ in range(HANDS)]
    print_ways(views)  # which also draws every sprite that is needed
    print_whole(views)


if __name__ == "__main__":
    main()
