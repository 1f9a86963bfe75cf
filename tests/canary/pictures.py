"""Pictures whose bytes name every card that the function which draws them was handed.

What a picture shows is what its function is given; so what matters is that it is given nothing the viewer may not know. The
usual pictures of a table and of hands are not drawn at all here, which makes a deal three times as fast: a tiny file
takes their place, with the alt text that the picture has. `drawn.py` looks at real pictures.
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
    """Every card anywhere within what a function is handed."""
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
    """A tiny picture that names the cards of what was given."""
    return Picture(_BEGUN + _mark(given) + _ENDED, alt, 1, 1)


def _mark(given: object) -> bytes:
    return _chunk(b"tEXt", _KEY + b"\0" + json.dumps(sorted(set(cards_of(given)))).encode())


def marks_in(content: bytes) -> set[str] | None:
    """The cards that such a picture was made of; None for any other file."""
    start = content.find(_KEY + b"\0")
    if start < 0:
        return None
    words = content[start + len(_KEY) + 1 :]
    return set(json.loads(words[: words.index(b"]") + 1]))


@dataclass(frozen=True)
class Marked:
    """A function that draws, its picture marked with the cards that it was handed. It can be pickled, as the pool asks."""

    draw: Callable[..., Picture]
    alt: Callable[..., str] | None = None
    """The alt text of what was handed over, where the picture itself need not be drawn."""

    def __call__(self, *given: Any) -> Picture:
        if self.alt is not None:
            return marked(given, self.alt(*given))
        picture = self.draw(*given)
        content = picture.png.removeprefix(_BEGUN[:8])
        header, rest = content[:25], content[25:]  # of which the first chunk takes so much
        return Picture(_SIGNATURE + header + _mark(given) + rest, picture.alt, picture.width, picture.height)


def _table_alt(view: View, names: tuple[str, ...], *_: object) -> str:
    return table_alt(view, names)


def marked_facts(view: View, names: tuple[str, ...], look: HandLook) -> HandFacts:
    """The facts of a hand with a marked picture."""
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
    """A whole deal as one small picture, with the captions of its turning points."""
    told = "; ".join(frame.caption for frame in frames)
    return Animation(_GIF + _mark(frames), f"{title} {told}"[:1000], 1, 1)


def _sheet_alt(end: Ended, names: tuple[str, ...], totals: tuple[int, ...] | None, *_: object) -> str:
    return sheet_alt(end, names, totals)


def mark_pictures(patch: pytest.MonkeyPatch) -> None:
    """Let all pictures of the bot be marked from now on."""
    patch.setattr(drawing, "draw_table", Marked(drawing.draw_table, _table_alt))
    patch.setattr(drawing, "draw_sheet", Marked(drawing.draw_sheet, _sheet_alt))
    patch.setattr(drawing, "draw_result", Marked(drawing.draw_result, _sheet_alt))
    for name in ("lesson", "open_hands", "leaderboard", "standings", "profile", "analysis"):
        patch.setattr(drawing, f"draw_{name}", Marked(getattr(drawing, f"draw_{name}")))
    patch.setattr(drawing, "hand_facts", marked_facts)
    patch.setattr(drawing, "replay_steps", marked_replay)
