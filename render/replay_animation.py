"""A whole deal as an animated GIF: one frame for each step, small enough for a phone.

GIF is the only animated format that Discord plays automatically in every client. All frames share the palette of the
still pictures, and each frame contains only what has changed since the previous one.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Final

from PIL import Image

from marriage.view import View
from render.alt import LONGEST
from render.drawing.cloth import Canvas
from render.drawing.deck import nearest
from render.drawing.text import fit, width
from render.style import DEFAULT, Style
from render.table_picture import WIDTH, draw_hands, table_lines
from render.words import in_language, spoken

REDUCED: Final = 2
"""The factor by which the still pictures are reduced."""
_STRIP: Final = 76
_EDGE: Final = 24
_WORDS: Final = 40

SHORT_MS: Final = 800
LONG_MS: Final = 2_500
LAST_MS: Final = 6_000


@dataclass(frozen=True, slots=True)
class Frame:
    """One step: its view and its caption."""

    view: View
    caption: str
    notable: bool
    """Whether the frame is shown longer."""


@dataclass(frozen=True, slots=True, repr=False)
class Animation:
    """A GIF, and a shorter description in words."""

    gif: bytes
    alt: str
    width: int
    height: int


def draw_replay(
    frames: tuple[Frame, ...],
    hands: tuple[int, ...],
    names: tuple[str, ...],
    title: str,
    style: Style = DEFAULT,
) -> Animation:
    """Draw the deal of these frames, with the hands of these seats below the table.

    `title` begins the alt text. The same frames give the same bytes. Raises ValueError without a frame.
    """
    steps = replay_steps(spoken(), frames, hands, names, title, style)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return done.value


def replay_steps(
    language: str,
    frames: tuple[Frame, ...],
    hands: tuple[int, ...],
    names: tuple[str, ...],
    title: str,
    style: Style,
) -> Generator[None, None, Animation]:
    """Draw the same in this language, one frame at a time, so that it can be interleaved or cancelled."""
    if not frames:
        raise ValueError("an animation has at least one frame")
    images: list[Image.Image] = []
    for number, frame in enumerate(frames, 1):
        images.append(in_language(language, _draw, frame, hands, names, f"{number}/{len(frames)}", style))
        yield
    stream = BytesIO()
    images[0].save(
        stream,
        "GIF",
        save_all=True,
        append_images=images[1:],
        duration=durations(frames),
        loop=0,
        disposal=1,
        optimize=True,
    )
    return Animation(stream.getvalue(), _alt(frames, title), images[0].width, images[0].height)


def durations(frames: Sequence[Frame]) -> list[int]:
    """Return the duration of each frame in milliseconds."""
    return [*(LONG_MS if frame.notable else SHORT_MS for frame in frames[:-1]), LAST_MS]


def _draw(frame: Frame, hands: Sequence[int], names: Sequence[str], number: str, style: Style) -> Image.Image:
    """Draw caption, table and hands below each other, and reduce the result."""
    table = table_lines(frame.view, names, style)
    below = draw_hands(frame.view, hands, names, style)
    lines = Image.new("L", (table.width, _STRIP + table.height + below.height))
    lines.paste(table, (0, _STRIP))
    lines.paste(below, (0, _STRIP + table.height))
    canvas = Canvas(lines, style)
    _put_caption(canvas, frame.caption, number, style)
    image = canvas.lines.crop((1, 0, *lines.size))
    image.putpalette(style.palette_bytes)
    return nearest(image.convert("RGB").reduce(REDUCED), style)


def _put_caption(canvas: Canvas, caption: str, number: str, style: Style) -> None:
    colours = style.colours
    middle, right = _STRIP / 2, WIDTH - _EDGE
    canvas.write((right, middle), number, _WORDS, colours.muted, colours.felt, anchor="rm")
    most = right - 2 * _EDGE - width(number, _WORDS)
    canvas.write((_EDGE, middle), fit(caption, most, _WORDS), _WORDS, colours.text, colours.felt, anchor="lm")


def _alt(frames: Sequence[Frame], title: str) -> str:
    """Describe the turning points, as far as there is room."""
    told = [frame.caption for frame in frames if frame.notable or frame is frames[-1]]
    text = f"{title} {'; '.join(told)}"
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"
