"""Compare ways to compose 22-card hands and encode them as PNG: ours, Pillow, pyvips, skia-python and resvg.

    python -m benchmarks.render [ROUNDS]

Pillow is used in its usual way. All contestants get the same sprites, in memory in the form that suits them
best, and the same positions. Their pictures are compared pixel by pixel. Each contestant runs in its own
process, bound to one core before it starts a thread, so that it does not suffer from caches and registers
left by another (after igzip, zlib would be half as fast: see `render/drawing/png.py`). In each round all
contestants draw the same hands, each in a block after some uncounted warm-up hands; the blocks take turns, so
that the ratios hold when the machine's speed drifts. CPU time is measured, so other work on the machine
hardly matters. At the end the other libraries run again on all cores, measured by wall-clock time. Libraries
that are not installed (`make bench` installs them) are named and left out.
"""

import base64
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from io import BytesIO
from itertools import cycle, islice
from multiprocessing import get_context

from PIL import Image, ImageChops

from marriage.apply import apply
from marriage.cards import CARDS, format_cards, sort_cards
from marriage.decide import decide, start
from marriage.events import Event
from marriage.rules import PRESETS
from marriage.shuffle import DealSeed
from marriage.state import Phase, State
from marriage.strategy.players import BeginnerPlayer
from marriage.view import View, view
from render.drawing.png import png_of_lines
from render.gallery import samples
from render.hand_layout import BY_SUIT, CardOrder, lay_out
from render.hand_picture import draw_hand, plan_hand
from render.picture import Picture, SpriteBoard
from render.replay_animation import Frame, draw_replay
from render.samples import NAMES, closed_seat, own_seat, sample_view
from render.seat_picture import MOST_HAND_BYTES, MOST_TABLE_BYTES, draw_hand_below, draw_seat, forget_hands
from render.style import DEFAULT, FELT
from render.table_picture import draw_table

Draw = Callable[[], bytes]
ROUNDS = 10
COMPARED = 5
"""The number of hands that all contestants draw."""
BLOCK = 20
WARMING = 5
HANDS = 200
SLOWEST_MS, LARGEST_BYTES, FASTER = 5.0, 40_000, 10.0
TABLE_MS, TABLE_KB, DEALS, TABLE_STEP = 5.0, 45.0, 3, 4
REPLAYED = 40
"""The number of steps of a deal."""
REPEATS = 5
"""Times that each picture is drawn; the least time counts, because other work disturbed it least."""
SEED = 7


def hand(chance: random.Random) -> View:
    """Return a player with 22 cards dealt at random from the three packs, one of them just drawn."""
    cards = chance.sample([card for card in CARDS[:52] for _ in range(3)], 22)
    seat = own_seat(format_cards(sort_cards(cards)))
    seats = (seat, closed_seat(), closed_seat())
    return sample_view(seats, viewer=0, phase=Phase.PLAY, drawn=str(cards[0]))


def ours(board: SpriteBoard) -> Draw:
    return lambda: png_of_lines(board.lines(), DEFAULT.palette_bytes)


def our_sprites_by_pillow(board: SpriteBoard) -> Draw:
    """Draw palette sprites with Pillow's own writer at its fastest level, to measure our writer's gain."""

    def draw() -> bytes:
        stream = BytesIO()
        canvas = Image.new("P", (board.width, board.height), FELT)
        canvas.putpalette(DEFAULT.palette_bytes)
        for sprite, at in board.placed:
            canvas.paste(sprite, at)
        canvas.save(stream, "PNG", compress_level=1)
        return stream.getvalue()

    return draw


def pillow(board: SpriteBoard) -> Draw:
    sprites = _in_full_colour(board)

    def draw() -> bytes:
        canvas = Image.new("RGBA", (board.width, board.height), DEFAULT.colours.felt)
        for sprite, at in sprites:
            canvas.alpha_composite(sprite, at)
        stream = BytesIO()
        canvas.save(stream, "PNG")
        return stream.getvalue()

    return draw


def pyvips(board: SpriteBoard) -> Draw:
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


def skia(board: SpriteBoard) -> Draw:
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


def resvg(board: SpriteBoard) -> Draw:
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


def _in_full_colour(board: SpriteBoard) -> list[tuple[Image.Image, tuple[int, int]]]:
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


class Runner:
    """One contestant in its own process, bound to these cores."""

    def __init__(self, name: str, pool: ProcessPoolExecutor) -> None:
        self.name = name
        self._pool = pool

    @classmethod
    @contextmanager
    def on(cls, cores: set[int], name: str) -> Iterator["Runner"]:
        """Start the process, and end it on exit."""
        context = get_context("spawn")
        with ProcessPoolExecutor(1, context, initializer=settle, initargs=(cores,)) as pool:
            yield cls(name, pool)

    def kilobytes(self) -> float:
        """Return the mean size of its pictures in kilobytes; raises ImportError if its library is missing."""
        return self._pool.submit(checked, self.name).result()

    def block(self, clock: Callable[[], float]) -> list[float]:
        """Return the milliseconds of each counted draw."""
        return self._pool.submit(block, self.name, clock).result()


def settle(cores: set[int]) -> None:
    """Bind this process to these cores, with as many threads, for all later imports."""
    os.environ["VIPS_CONCURRENCY"] = str(len(cores))
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, cores)


def cores() -> set[int]:
    """Return the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return os.sched_getaffinity(0)
    return set(range(os.cpu_count() or 1))


@cache
def prepared(name: str) -> list[tuple[SpriteBoard, Draw]]:
    chance = random.Random(SEED)
    boards = [plan_hand(hand(chance)) for _ in range(COMPARED)]
    return [(board, (OWN | RIVALS)[name](board)) for board in boards]


def checked(name: str) -> float:
    """Return the mean size in kilobytes of this contestant's pictures, after checking their pixels."""
    sizes: list[int] = []
    for board, draw in prepared(name):
        lines = board.lines()
        lines.putpalette(DEFAULT.palette_bytes)
        wanted = lines.crop((1, 0, *lines.size)).convert("RGB")
        data = draw()
        drawn = Image.open(BytesIO(data)).convert("RGB")
        most = max(high for _, high in ImageChops.difference(drawn, wanted).getextrema())
        assert most <= 2, f"{name} draws another picture: {most}"
        sizes.append(len(data))
    return statistics.mean(sizes) / 1000


def block(name: str, clock: Callable[[], float]) -> list[float]:
    draws = islice(cycle(draw for _, draw in prepared(name)), WARMING + BLOCK)
    return [timed(draw, clock) for draw in draws][WARMING:]


def race(rounds: int) -> None:
    """Run all contestants in turns on one core; then the rivals on all cores."""
    every = cores()
    with ExitStack() as stack:
        there = [stack.enter_context(Runner.on({min(every)}, name)) for name in OWN | RIVALS]
        sizes = {runner.name: size for runner in there if (size := size_of(runner)) is not None}
        there = [runner for runner in there if runner.name in sizes]
        times: dict[str, list[float]] = {name: [] for name in sizes}
        for _ in range(rounds):
            for runner in there:
                times[runner.name] += runner.block(time.process_time)
    middle = {name: statistics.median(found) for name, found in times.items()}
    free = {name: on_all(every, name, rounds) for name in RIVALS if name in sizes} if len(every) > 1 else {}
    print(
        f"{'a hand of 22 cards, one core':32}{'median ms':>10}{'p99 ms':>9}{'KB':>7}{'times ours':>12}",
        end="",
    )
    print(f"{f'on {len(every)} cores, wall ms':>24}" if free else "")
    for name, found in times.items():
        print(f"{name:32}{middle[name]:10.2f}{p99(found):9.2f}{sizes[name]:7.1f}", end="")
        print(f"{middle[name] / middle[OURS]:12.1f}{f'{free[name]:24.2f}' if name in free else ''}")
    if best := min((middle[name] for name in RIVALS if name in middle), default=None):
        print(f"{best / middle[OURS]:.1f} times as fast as the best of the others (goal: {FASTER:.0f})")
    if free:
        print(
            f"{min(free.values()) / middle[OURS]:.1f} times as fast as the best of them on {len(every)} cores"
        )


def size_of(runner: Runner) -> float | None:
    """Return the mean size in kilobytes, or None if the contestant's library is not installed."""
    try:
        return runner.kilobytes()
    except ImportError as missing:
        print(f"{runner.name}: left out, {missing.name} is not installed")
        return None


def on_all(every: set[int], name: str, rounds: int) -> float:
    """Return the median wall-clock time of a rival that may use all cores."""
    with Runner.on(every, name) as runner:
        return statistics.median([ms for _ in range(rounds) for ms in runner.block(time.perf_counter)])


def timed(draw: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    begun = clock()
    draw()
    return (clock() - begun) * 1000


def p99(times: list[float]) -> float:
    return statistics.quantiles(times, n=100)[98]


def ways() -> None:
    """Print our figures in every layout: time to compose and encode, size, and time from view to alt text."""
    chance = random.Random(SEED)
    views = [hand(chance) for _ in range(HANDS)]
    print(
        f"\n{f'{HANDS} hands of 22 cards, one core':32}{'median ms':>10}{'p99 ms':>9}{'KB':>7}{'largest':>9}",
        end="",
    )
    print(f"{'from the view: median':>24}{'p99':>7}")
    for large in (False, True):
        for name, order_of in ORDERS.items():
            boards = [plan_hand(view, order=order_of(view), large=large) for view in views]
            sizes = [len(ours(board)()) for board in boards]
            assert max(sizes) <= LARGEST_BYTES, f"{name}: {max(sizes)} bytes"
            times = [least(ours(board)) for board in boards]
            whole = [least(partial(fresh, view, order_of(view), large=large)) for view in views]
            print(f"{name + ', large' * large:32}{statistics.median(times):10.2f}{p99(times):9.2f}", end="")
            print(f"{statistics.median(sizes) / 1000:7.1f}{max(sizes) / 1000:9.1f}", end="")
            print(f"{statistics.median(whole):24.2f}{p99(whole):7.2f}", flush=True)
    print(f"goals: p99 under {SLOWEST_MS:.0f} ms, {LARGEST_BYTES / 1000:.0f} KB at most")


def tables() -> None:
    """Draw the tables of whole deals of two to five computers, from their views to picture and alt text."""
    views = [*played()][::TABLE_STEP]
    drawn = [draw_table(seen, NAMES[: len(seen.seats)]) for seen in views]
    times = [least(partial(draw_table, seen, NAMES[: len(seen.seats)])) for seen in views]
    sizes = [len(picture.png) / 1000 for picture in drawn]
    print(
        f"\n{f'{len(views)} tables of 2 to 5, one core':32}{'median ms':>10}{'p99 ms':>9}{'KB':>7}{'largest':>9}"
    )
    print(f"{'':32}{statistics.median(times):10.2f}{p99(times):9.2f}", end="")
    print(f"{statistics.median(sizes):7.1f}{max(sizes):9.1f}")
    print(f"goals: p99 under {TABLE_MS:.0f} ms, {TABLE_KB:.0f} KB at most")


def seats() -> None:
    """Draw the same tables from the players' seats, above their hands: with a cached hand, and with a new one."""
    seen = [view(state, state.version % len(state.seats)) for state in islice(states(), 0, None, TABLE_STEP)]
    print(
        f"\n{f'{len(seen)} seats of 2 to 5, one core':32}{'median ms':>10}{'p99 ms':>9}{'KB':>7}{'largest':>9}",
        end="",
    )
    print(f"{'with a new hand: median':>26}{'p99':>7}")
    for large in (False, True):
        for name in ("by suit", "by rank", "best sets"):
            order = ORDERS[name](seen[0])
            draws = [partial(seat, one, order, large=large) for one in seen]
            sizes = [sum(len(picture.png) for picture in draw()) / 1000 for draw in draws]
            known = [least(draw) for draw in draws]
            new = [least(partial(anew, draw)) for draw in draws]
            print(f"{name + ', large' * large:32}{statistics.median(known):10.2f}{p99(known):9.2f}", end="")
            print(f"{statistics.median(sizes):7.1f}{max(sizes):9.1f}", end="")
            print(f"{statistics.median(new):26.2f}{p99(new):7.2f}", flush=True)
    most = MOST_TABLE_BYTES + MOST_HAND_BYTES
    print(f"goals: p99 under {SLOWEST_MS:.0f} ms, {most / 1000:.0f} KB at most")


def seat(seen: View, order: CardOrder, *, large: bool) -> tuple[Picture, Picture]:
    """Return both pictures that a player sees."""
    table = draw_seat(seen, NAMES[: seen.players], DEFAULT, large=large)
    return table, draw_hand_below(seen, DEFAULT, order, large=large)


def others() -> None:
    """Draw the less frequent pictures, from values to picture and alt text, with warm caches."""
    kinds = {
        "score sheets": "sheet-", "open hands": "open-hands-", "lessons": "lesson-", "leaderboards": "board-",
        "standings": "standings-", "profiles": "profile-",
    }  # fmt: skip
    print(f"\n{'other samples, one core':32}{'median ms':>10}{'p99 ms':>9}{'KB':>7}{'largest':>9}")
    for kind, prefix in kinds.items():
        draws = [draw for name, draw in samples() if name.startswith(prefix)]
        report(kind, draws, [len(draw().png) / 1000 for draw in draws])
    frames = [Frame(seen, "A step", notable=False) for seen in played() if seen.players == 2]
    replays = [
        partial(draw_replay, tuple(frames[first : first + REPLAYED]), (0, 1), NAMES[:2], "A deal.")
        for first in range(0, len(frames) - REPLAYED, REPLAYED)
    ]
    report(f"replays of {REPLAYED} steps", replays, [len(replay().gif) / 1000 for replay in replays])


def report(kind: str, draws: Sequence[Callable[[], object]], sizes: Sequence[float]) -> None:
    times = [timed(draw) for draw in draws for _ in range(REPEATS)]
    print(f"{kind:32}{statistics.median(times):10.2f}{p99(times):9.2f}", end="")
    print(f"{statistics.median(sizes):7.1f}{max(sizes):9.1f}", flush=True)


def anew(draw: Callable[[], object]) -> None:
    """Draw a seat with empty caches."""
    lay_out.cache_clear()
    forget_hands()
    draw()


def played() -> Iterator[View]:
    """Yield what a spectator sees after every action of some deals."""
    return (view(state, None) for state in states())


def states() -> Iterator[State]:
    """Yield the state of some deals of computers after every action."""
    player = BeginnerPlayer()
    for number, players in enumerate((2, 3, 4, 5) * DEALS):
        state: State | None = None
        events: Sequence[Event] = start(
            PRESETS["pagat"], players, 0, DealSeed(bytes([number] * 32), "bench", 1)
        )
        while True:
            for event in events:
                state = apply(state, event)
            if state is None or state.phase is Phase.OVER:
                break
            yield state
            open_to = [seat for seat, held in enumerate(state.seats) if not held.answered]
            seat = open_to[0] if state.phase is Phase.WINDOW else state.turn
            events = decide(state, seat, player.choose(view(state, seat)))


def fresh(view: View, order: CardOrder, *, large: bool) -> None:
    """Draw a hand from its view with empty caches."""
    lay_out.cache_clear()
    draw_hand(view, order=order, large=large)


def least(draw: Callable[[], object]) -> float:
    return min(timed(draw) for _ in range(REPEATS))


def own_groups(view: View) -> CardOrder:
    """Return the order of a player with two groups of their own: the first two and the last four cards."""
    cards = view.own.concealed or ()
    return CardOrder("suit", (cards[:2], cards[-4:]))


ORDERS: dict[str, Callable[[View], CardOrder]] = {
    "by suit": lambda _: BY_SUIT,
    "by rank": lambda _: CardOrder("rank"),
    "best sets": lambda _: CardOrder("best"),
    "own groups": own_groups,
}
"""How a hand may be laid out."""


def main() -> None:
    race(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
    with ProcessPoolExecutor(1, get_context("spawn"), initializer=settle, initargs=({min(cores())},)) as pool:
        pool.submit(ways).result()
        pool.submit(tables).result()
        pool.submit(seats).result()
        pool.submit(others).result()


if __name__ == "__main__":
    main()
