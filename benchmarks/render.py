"""A 22-card hand, composed and encoded as PNG: our way beside Pillow's usual one, pyvips, skia-python and resvg.

    python benchmarks/render.py [ROUNDS]

Everybody gets the same sprites, ready in memory in the form he likes best, and the same places; the pictures are compared
pixel by pixel. In each round everybody draws a few times, one after the other, on one core, so that the ratios hold when
the machine's speed drifts; what is measured is the process's CPU time, so other work on the machine hardly shows. Rivals
that are not installed (`make bench` sees to them) are named and left out.
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
from pathlib import Path

os.environ.setdefault("VIPS_CONCURRENCY", "1")
sys.path.insert(0, str(Path(__file__).parents[1]))

from PIL import Image, ImageChops

from marriage.cards import CARDS, format_cards, sort_cards
from marriage.state import Phase
from marriage.view import View
from render.encode import png_of_lines
from render.hand import draw_hand, plan_hand
from render.picture import Board
from render.samples import closed_seat, own_seat, sample_view
from render.style import DEFAULT, FELT

Draw = Callable[[], bytes]
ROUNDS = 100
IN_A_ROW = 5
HANDS = 200
SLOWEST_MS, LARGEST_KB, FASTER = 5.0, 40.0, 10.0


def hand(chance: random.Random) -> View:
    """A player with 22 cards dealt at random from the three packs, one of them just drawn."""
    cards = chance.sample([card for card in CARDS[:52] for _ in range(3)], 22)
    own = own_seat(format_cards(sort_cards(cards)))
    seats = (own, closed_seat(), closed_seat())
    return sample_view(seats, viewer=0, phase=Phase.PLAY, drawn=str(cards[0]))


def ours(board: Board) -> Draw:
    return lambda: png_of_lines(board.lines(), DEFAULT.palette_bytes)


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


def contestants(board: Board) -> dict[str, Draw]:
    """Who is there, each with its picture compared to ours."""
    there: dict[str, Draw] = {}
    wanted = _pixels(ours(board)())
    for name, prepare in (OWN | RIVALS).items():
        try:
            draw = prepare(board)
        except ImportError as missing:
            print(f"{name}: left out, {missing.name} is not installed")
            continue
        most = max(high for _, high in ImageChops.difference(_pixels(draw()), wanted).getextrema())
        assert most <= 2, f"{name} draws another picture: {most}"
        there[name] = draw
    return there


def _pixels(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data)).convert("RGB")


def race(there: dict[str, Draw], rounds: int) -> dict[str, list[float]]:
    """Milliseconds of every draw, by name."""
    times: dict[str, list[float]] = {name: [] for name in there}
    for _ in range(rounds):
        for name, draw in there.items():
            times[name] += [timed(draw) for _ in range(IN_A_ROW)]
    return times


def timed(draw: Callable[[], object]) -> float:
    begun = time.process_time()
    draw()
    return (time.process_time() - begun) * 1000


def p99(times: list[float]) -> float:
    return statistics.quantiles(times, n=100)[98]


def print_race(there: dict[str, Draw], times: dict[str, list[float]]) -> None:
    best = min((statistics.median(times[name]) for name in RIVALS if name in times), default=None)
    print(f"{'one hand of 22 cards':32}{'median ms':>10}{'p99 ms':>9}{'KB':>7}{'times ours':>12}")
    mine = statistics.median(times[OURS])
    for name, draw in there.items():
        middle = statistics.median(times[name])
        print(f"{name:32}{middle:10.2f}{p99(times[name]):9.2f}{len(draw()) / 1024:7.1f}{middle / mine:12.1f}")
    if best is not None:
        print(f"{best / mine:.1f} times as fast as the best of the others (goal: {FASTER:.0f})")


def print_many(chance: random.Random) -> None:
    """Ours over many hands: the sizes, and the time from the view, with layout and alt text, to the finished picture."""
    views = [hand(chance) for _ in range(HANDS)]
    boards = [plan_hand(view) for view in views]  # which also draws every sprite that is needed
    encoded = [ours(board) for board in boards]
    times = race({str(number): draw for number, draw in enumerate(encoded)}, 2)
    every = [one for each in times.values() for one in each]
    sizes = sorted(len(draw()) / 1024 for draw in encoded)
    whole = [timed(partial(draw_hand, view)) for view in views]
    print(f"{HANDS} hands, composed and encoded: median {statistics.median(every):.2f} ms, ", end="")
    print(f"p99 {p99(every):.2f} ms (goal: {SLOWEST_MS:.0f})")
    print(
        f"sizes: median {statistics.median(sizes):.1f} KB, nine of ten up to {sizes[len(sizes) * 9 // 10]:.1f} KB, ",
        end="",
    )
    print(f"largest {sizes[-1]:.1f} KB (goal: {LARGEST_KB:.0f} for the usual hand)")
    print(
        f"from view to picture with alt text: median {statistics.median(whole):.2f} ms, p99 {p99(whole):.2f} ms"
    )


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    chance = random.Random(7)
    there = contestants(plan_hand(hand(chance)))
    print_race(there, race(there, rounds))
    print_many(chance)


if __name__ == "__main__":
    main()
