"""Pictures whose bytes name every card passed to the drawing function.

A picture shows what its function receives, so the function must receive nothing that the viewer may not know.
The usual pictures of a table and of hands are not drawn here, which makes a deal three times as fast: a tiny
file with the picture's alt text replaces them. `drawn.py` checks real pictures.
"""

import base64
import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import pytest

import bot.pictures as drawing
from bot.workpool.hand_facts import HandFacts, HandLook, hand_facts
from marriage.cards import Card
from marriage.rules import Rules
from marriage.view import View
from render.alt import hand_alt, sheet_alt, strip_alt, table_alt
from render.picture import Ended, Picture
from render.replay_animation import Animation, Frame
from render.style import Style

_KEY = b"canary"
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_FACES = 52


def _chunk(kind: bytes, content: bytes) -> bytes:
    checked = kind + content
    return len(content).to_bytes(4, "big") + checked + zlib.crc32(checked).to_bytes(4, "big")


_BEGUN = _SIGNATURE + _chunk(b"IHDR", bytes((0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0)))
_ENDED = _chunk(b"IDAT", zlib.compress(b"\0\0")) + _chunk(b"IEND", b"")
_GIF = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")


def cards_of(value: object) -> Iterator[str]:
    """Yield every card anywhere in the arguments of a function."""
    if isinstance(value, Card):
        if value < _FACES:
            yield str(value)
    elif isinstance(value, (str, bytes, int, float, Rules)):
        return
    elif is_dataclass(value):
        for one in fields(value):
            yield from cards_of(getattr(value, one.name))
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from cards_of(key)
            yield from cards_of(one)
    elif isinstance(value, Iterable):
        for one in value:
            yield from cards_of(one)


def marked(given: object, alt: str) -> Picture:
    """Return a tiny picture that names the cards in the arguments."""
    return Picture(_BEGUN + _mark(given) + _ENDED, alt, 1, 1)


def _mark(given: object) -> bytes:
    return _chunk(b"tEXt", _KEY + b"\0" + json.dumps(sorted(set(cards_of(given)))).encode())


def marks_in(content: bytes) -> set[str] | None:
    """Return the cards in such a picture, or None for any other file."""
    start = content.find(_KEY + b"\0")
    if start < 0:
        return None
    words = content[start + len(_KEY) + 1 :]
    return set(json.loads(words[: words.index(b"]") + 1]))


@dataclass(frozen=True)
class Marked:
    """A drawing function whose pictures are marked with the cards passed to it.

    It can be pickled, as the pool requires.
    """

    draw: Callable[..., Picture]
    alt: Callable[..., str] | None = None
    """The alt text of the arguments, if the picture itself need not be drawn."""

    def __call__(self, *given: Any) -> Picture:
        if self.alt is not None:
            return marked(given, self.alt(*given))
        picture = self.draw(*given)
        content = picture.png.removeprefix(_BEGUN[:8])
        header, rest = content[:25], content[25:]  # the first chunk takes this much
        return Picture(_SIGNATURE + header + _mark(given) + rest, picture.alt, picture.width, picture.height)


def _table_alt(view: View, names: tuple[str, ...], *_: object) -> str:
    return table_alt(view, names)


def marked_facts(view: View, names: tuple[str, ...], look: HandLook) -> HandFacts:
    """Return the facts of a hand with a marked picture."""
    facts = hand_facts(view, names, look._replace(words=True))
    if look.words:
        return facts
    alts = [*([strip_alt(view, names)] if names else []), hand_alt(view, look.order)]
    return facts._replace(pictures=tuple(marked((view, names, look), alt) for alt in alts))


def marked_replay(
    language: str,
    frames: tuple[Frame, ...],
    hands: tuple[int, ...],
    names: tuple[str, ...],
    title: str,
    style: Style,
) -> Animation:
    """Return a whole deal as one small picture, with the captions of its turning points."""
    told = "; ".join(frame.caption for frame in frames)
    return Animation(_GIF + _mark(frames), f"{title} {told}"[:1000], 1, 1)


def _sheet_alt(end: Ended, names: tuple[str, ...], totals: tuple[int, ...] | None, *_: object) -> str:
    return sheet_alt(end, names, totals)


def mark_pictures(patch: pytest.MonkeyPatch) -> None:
    """Mark all pictures of the bot from now on."""
    patch.setattr(drawing, "draw_table", Marked(drawing.draw_table, _table_alt))
    patch.setattr(drawing, "draw_sheet", Marked(drawing.draw_sheet, _sheet_alt))
    patch.setattr(drawing, "draw_result", Marked(drawing.draw_result, _sheet_alt))
    for name in ("lesson", "open_hands", "leaderboard", "standings", "profile", "analysis"):
        patch.setattr(drawing, f"draw_{name}", Marked(getattr(drawing, f"draw_{name}")))
    patch.setattr(drawing, "hand_facts", marked_facts)
    patch.setattr(drawing, "replay_steps", marked_replay)
