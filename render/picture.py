"""What goes into a picture, and what comes out: the facts of a deal, and the image file with its alt text.

`View` and `Outcome` provide the facts. File and alt text are made from the same view.
"""

from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Protocol

from PIL import Image

from marriage.cards import Card, Cards
from marriage.rules import Rules
from marriage.sheet import Sheet
from marriage.state import Phase
from marriage.view import SeatView, View
from render.drawing.png import MOST_BYTES, paste, png, png_of_lines
from render.style import FELT, Style


class Known(Protocol):
    """The facts needed for the badges of cards."""

    @property
    def tiplu(self) -> Card | None:
        """The tiplu, if the viewer may know it."""
        ...

    @property
    def rules(self) -> Rules:
        """The rules of the deal."""
        ...


class Ended(Known, Protocol):
    """The facts needed for a score sheet."""

    @property
    def sheet(self) -> Sheet | None:
        """The result, once there is one."""
        ...

    @property
    def finish(self) -> tuple[Cards, ...]:
        """The groups or pairs of the winner, if they are known."""
        ...

    @property
    def seats(self) -> tuple[SeatView, ...]:
        """The seats with their cards if they are known; else nothing."""
        ...

    @property
    def dublee_game(self) -> bool:
        """Whether the deal is announced as a dublee game."""
        ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a deal with real cards, or just a tiplu and rules for example cards."""

    tiplu: Card | None
    rules: Rules
    sheet: Sheet | None = None
    finish: tuple[Cards, ...] = ()
    dublee_game: bool = False
    seats: tuple[SeatView, ...] = ()


@dataclass(frozen=True, slots=True)
class Example:
    """Some groups of cards with a caption."""

    caption: str
    groups: tuple[Cards, ...]


def lit_seat(view: View) -> int | None:
    """Return the highlighted seat: the seat in turn, or the winner at the end; None in the tunnela window."""
    if view.phase is Phase.OVER:
        return None if view.sheet is None else view.sheet.winner
    return None if view.phase is Phase.WINDOW else view.turn


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
