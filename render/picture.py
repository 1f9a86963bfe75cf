"""Finished pictures: the image file and its alt text, both made from the same view."""

from dataclasses import dataclass, field
from hashlib import blake2b

from PIL import Image

from render.drawing.png import MOST_BYTES, paste, png, png_of_lines
from render.style import FELT, Style


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG file and its alt text. Neither depends on anything that the viewer may not see."""

    png: bytes
    alt: str
    width: int
    height: int
    digest: str = field(init=False, compare=False)
    """A name for the file and its alt text; equal pictures have equal digests.

    It is computed in the process that draws the picture.
    """

    def __post_init__(self) -> None:
        content = blake2b(self.png, digest_size=8)
        content.update(self.alt.encode())
        object.__setattr__(self, "digest", content.hexdigest())


@dataclass(frozen=True, slots=True)
class SpriteBoard:
    """Sprites in the shared palette (see `deck.flatten`) and where they go, on plain felt."""

    width: int
    height: int
    placed: tuple[tuple[Image.Image, tuple[int, int]], ...]

    def lines(self) -> Image.Image:
        """Return the board as palette indices for `png_of_lines`. Sprites are pasted without a mask."""
        lines = Image.new("P", (self.width + 1, self.height), FELT)
        for sprite, (x, y) in self.placed:
            paste(lines, sprite, x + 1, y)
        return lines


def finish(canvas: Image.Image, alt: str) -> Picture:
    """Encode a canvas in palette mode."""
    return Picture(png(canvas), alt, canvas.width, canvas.height)


def finish_sprites(board: SpriteBoard, alt: str, style: Style, most: int = MOST_BYTES) -> Picture:
    """Compose and encode sprites, which is faster than drawing on a canvas."""
    file = png_of_lines(board.lines(), style.palette_bytes, most)
    return Picture(file, alt, board.width, board.height)
