"""A finished picture: its bytes and its alt text, drawn from the same view."""

from dataclasses import dataclass

from PIL import Image

from render.encode import png


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG and the words that say the same. Nothing in either depends on what the viewer may not see."""

    png: bytes
    alt: str
    width: int
    height: int


def finish(canvas: Image.Image, alt: str) -> Picture:
    """Encode a canvas in palette mode."""
    return Picture(png(canvas), alt, canvas.width, canvas.height)
