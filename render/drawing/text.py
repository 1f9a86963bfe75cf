"""Lines of text written by people: cleaned, cut to a width, and drawn in any script."""

import unicodedata
from collections.abc import Callable
from functools import lru_cache
from itertools import groupby
from typing import Any, Final, Protocol, TypeVar

import regex
from PIL import Image, ImageDraw

from render.drawing.fonts import Weight, face, face_for, font


class _Cached(Protocol):
    """A function decorated with `lru_cache`."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def cache_clear(self) -> None: ...


C = TypeVar("C", bound=_Cached)

ELLIPSIS = "…"
LONGEST = 64
_JOINERS = "\u200c\u200d"
_LETTER = regex.compile(r"\X")
"""One grapheme cluster, which readers see as one letter."""
_WORD = regex.compile(r"[\p{L}\p{M}\u200c\u200d]+|[^\p{L}\p{M}\u200c\u200d]+")
"""A run of letters, or a run of other characters."""
_LOOSE = regex.compile(r"(?<![\p{L}\p{M}])[\u200c\u200d]+")
"""Joiners without neighbours to join."""
_MOST_MARKS = 4
"""The most combining marks on one letter: as many as Devanagari needs. Names with dozens of them are a prank."""


def clean(name: str) -> str:
    """Return the drawable name, without control characters, line breaks and piles of marks; may be empty."""
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", name[: 4 * LONGEST]):
        category = unicodedata.category(character)
        marks = marks + 1 if category.startswith("M") else 0
        if character.isspace():
            kept.append(" ")
        elif marks <= _MOST_MARKS and (category[0] != "C" or character in _JOINERS):
            kept.append(character)
    return shortened(" ".join("".join(kept).split()), LONGEST)


def shortened(text: str, most: int) -> str:
    """Return whole letters from the beginning of the text, with at most `most` characters together."""
    if len(text) <= most:
        return text.rstrip()
    end = 0
    for letter in _LETTER.finditer(text, 0, most + 1):
        if letter.end() <= most:
            end = letter.end()
    return text[:end].rstrip()


_kept: Final[list[Callable[[], None]]] = []
"""The functions that clear the caches with texts."""


def forgettable(cached: C) -> C:
    """Register this cache, so that `forget_texts` clears it."""
    _kept.append(cached.cache_clear)
    return cached


@forgettable
@lru_cache(maxsize=1024)
def drawable(name: str, otherwise: str) -> str:
    """Return the cleaned name without the characters that no font can draw; `otherwise` if nothing is left."""
    text = _LOOSE.sub("", "".join(map(_drawable, clean(name))))
    return " ".join(text.split()) or otherwise


def _drawable(character: str) -> str:
    """Return the character, or its plain letters if it is an ornate form, if a face has them; else nothing."""
    plain = unicodedata.normalize("NFKC", character)
    return next((form for form in (character, plain) if face_for(form) is not None), "")


@forgettable
@lru_cache(maxsize=2048)
def width(text: str, size: int, weight: Weight = "Bold") -> float:
    """Return the width of the text in pixels."""
    return sum(face(index, size, weight).getlength(run) for index, run in _runs(text))


@forgettable
@lru_cache(maxsize=1024)
def fit(text: str, most: int, size: int, weight: Weight = "Bold") -> str:
    """Return the text, cut with an ellipsis if it is wider than `most` pixels, never within a grapheme cluster."""
    if width(text, size, weight) <= most:
        return text
    letters = _LETTER.findall(text)
    low, high = 0, len(letters)
    while low < high:
        middle = (low + high + 1) // 2
        if width("".join(letters[:middle]) + ELLIPSIS, size, weight) <= most:
            low = middle
        else:
            high = middle - 1
    return "".join(letters[:low]).rstrip() + ELLIPSIS


def fit_words(text: str, most: int, size: int) -> str:
    """Return as many whole words of the text as fit, at least a part of the first."""
    parts = text.split(" ")
    fitting = (" ".join(parts[:count]) for count in range(len(parts), 0, -1))
    return next((words for words in fitting if width(words, size) <= most), fit(parts[0], most, size))


def draw_text(
    draw: ImageDraw.ImageDraw,
    at: tuple[float, float],
    text: str,
    size: int,
    fill: str,
    *,
    weight: Weight = "Bold",
    anchor: str = "ls",
) -> float:
    """Draw a line anchored at `at`: l, m or r, then s (baseline) or m (middle of capitals); returns its width."""
    mask, corner, whole = placed(at, text, size, weight, anchor=anchor)
    draw.bitmap(corner, mask, fill=fill)
    return whole


def placed(
    at: tuple[float, float], text: str, size: int, weight: Weight = "Bold", *, anchor: str
) -> tuple[Image.Image, tuple[int, int], float]:
    """Lay out a line without drawing it: its mask, the position of the mask's upper left corner, and its width."""
    x, y = at
    whole = width(text, size, weight)
    x -= {"l": 0, "m": whole / 2, "r": whole}[anchor[0]]
    if anchor[1] == "m":  # the middle of capitals, whatever the letters are, so that lines keep their height
        top, bottom = _capitals(size, weight)
        y += (bottom - top) / 2
    mask, left, above = _mask(text, size, weight)
    return mask, (round(x) - left, round(y) - above), whole


@forgettable
@lru_cache(maxsize=512)
def _mask(text: str, size: int, weight: Weight) -> tuple[Image.Image, int, int]:
    """Return the line as a mask, and the offset of its start. It is cached: shaping is slow, and names recur."""
    above, below, side = round(1.3 * size), round(0.8 * size), round(0.3 * size)
    mask = Image.new("L", (round(width(text, size, weight)) + 2 * side, above + below))
    draw = ImageDraw.Draw(mask)
    x: float = side
    for index, run in _runs(text):
        drawn = face(index, size, weight)
        draw.text((x, above), run, fill=255, font=drawn, anchor="ls")
        x += drawn.getlength(run)
    box = mask.getbbox() or (0, 0, 1, 1)  # a blank has nothing to show
    return mask.crop(box), side - box[0], above - box[1]


@lru_cache
def _capitals(size: int, weight: Weight) -> tuple[float, float]:
    _, top, _, bottom = font(size, weight).getbbox("H", anchor="ls")
    return top, bottom


@forgettable
@lru_cache(maxsize=2048)
def _runs(text: str) -> tuple[tuple[int, str], ...]:
    """Split the text into pieces that one face each can draw, from left to right.

    Joiners and blanks stay with the piece before them. A word is drawn in a single face if one has all its
    characters.
    """
    indices: list[int] = []
    for word in _WORD.findall(text):
        whole = face_for(word) if word[0].isalpha() else None
        for character in word:
            follows = bool(indices) and (character in _JOINERS or character == " ")
            own = whole if whole is not None else indices[-1] if follows else face_for(character)
            indices.append(own or 0)
    grouped = groupby(zip(indices, text, strict=True), key=lambda pair: pair[0])
    runs = tuple((index, "".join(character for _, character in pairs)) for index, pairs in grouped)
    return runs[::-1] if _is_right_to_left(text) else runs


def _is_right_to_left(text: str) -> bool:
    """Return whether the first letter belongs to a right-to-left script."""
    kinds = map(unicodedata.bidirectional, text)
    return next((kind != "L" for kind in kinds if kind in ("L", "R", "AL")), False)


def forget_texts() -> None:
    """Clear the caches of drawn texts."""
    for clear in _kept:
        clear()
