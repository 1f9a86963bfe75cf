"""The typeface of the pictures: Mukta, Latin and Devanagari in one face, packaged beside this file."""

from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

from PIL import Image, ImageDraw, ImageFont, features

Weight = Literal["SemiBold", "Bold"]

_FOLDER: Final = Path(__file__).parent / "fonts"
_FALLBACKS: Final = ("DejaVuSans-Bold.ttf", "NotoSansCJK-Bold.ttc", "NotoSansCJK-Regular.ttc", "unifont.ttf")
"""Faces that the machine may have, for names in scripts that Mukta lacks."""
_NO_SUCH_CHARACTER: Final = "\U0010ffff"


def shaping_available() -> bool:
    """Whether Devanagari comes out right: Pillow needs raqm, and raqm the system's FriBidi library."""
    return bool(features.check("raqm") and features.check("fribidi"))


def shaping() -> str:
    """One line for whoever runs the bot: whether names in Devanagari come out right, and what to do if not."""
    if shaping_available():
        return f"Text shaping works (raqm {features.version('raqm')}, FriBidi {features.version('fribidi')})"
    missing = (
        "FriBidi library (Debian and Ubuntu: libfribidi0)" if features.check("raqm") else "Pillow with raqm"
    )
    return f"No text shaping: names in Devanagari are drawn with their signs out of order. Install {missing}."


@lru_cache(maxsize=256)
def font(size: int, weight: Weight = "Bold") -> ImageFont.FreeTypeFont:
    """Mukta in that size."""
    return ImageFont.truetype(_FOLDER / f"Mukta-{weight}.ttf", size)


@lru_cache(maxsize=256)
def faces(size: int, weight: Weight = "Bold") -> tuple[ImageFont.FreeTypeFont, ...]:
    """Mukta and after it the fallback faces that this machine has."""
    return (font(size, weight), *(ImageFont.truetype(name, size) for name in _present_fallbacks()))


@lru_cache(maxsize=4096)
def face_for(character: str) -> int | None:
    """Which of `faces` has a glyph for this character: its index, or None when none has."""
    for index, face in enumerate(_probes()):
        if _ink(face, character) != _ink(face, _NO_SUCH_CHARACTER):
            return index
    return None


def _ink(face: ImageFont.FreeTypeFont, character: str) -> bytes:
    left, top, right, bottom = face.getbbox(character)
    image = Image.new("L", (max(1, round(right)), max(1, round(bottom))))
    ImageDraw.Draw(image).text((0, 0), character, fill=255, font=face)
    return repr((left, top, right, bottom)).encode() + image.tobytes()


@lru_cache
def _probes() -> tuple[ImageFont.FreeTypeFont, ...]:
    """The same faces without shaping, in which a missing glyph always shows as the face's empty box."""
    paths = (_FOLDER / "Mukta-Bold.ttf", *_present_fallbacks())
    return tuple(ImageFont.truetype(path, 32, layout_engine=ImageFont.Layout.BASIC) for path in paths)


@lru_cache
def _present_fallbacks() -> tuple[str, ...]:
    return tuple(name for name in _FALLBACKS if _is_present(name))


def _is_present(name: str) -> bool:
    try:
        ImageFont.truetype(name, 32)
    except OSError:
        return False
    return True
