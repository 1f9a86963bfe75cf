"""The typefaces of the pictures, packaged with this file, and the machine's fonts for scripts that they lack.

Mukta has Latin and Devanagari. DejaVu Sans has Cyrillic, Greek, Arabic, Hebrew, Vietnamese, signs and plain
faces. For all other scripts the machine's own fonts are used if it has any. Characters that no font has are
not drawn (`text.drawable`).
"""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

from PIL import Image, ImageDraw, ImageFont, features

Weight = Literal["SemiBold", "Bold"]

_FOLDER: Final = Path(__file__).parents[1] / "fonts"
_WIDE: Final = "DejaVuSans-Bold.ttf"
_OF_THE_MACHINE: Final = (
    *(f"NotoSans{script}-Bold.ttf" for script in (
        "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala", "Thai", "Lao",
        "Khmer", "Myanmar", "Ethiopic",
    )),
    "NotoSerifTibetan-Bold.ttf", "NotoSansNewa-Regular.ttf", "NotoSansSymbols2-Regular.ttf",
    "NotoSansCJK-Bold.ttc", "NotoSansCJK-Regular.ttc", "NotoSansCJKjp-Bold.otf", "NotoSansCJKjp-Regular.otf",
    "unifont.ttf",
)  # fmt: skip
"""The file names of the machine's fonts. The first font that has a character draws it."""
_EAST_ASIAN: Final = "漢あ한"
_NO_SUCH_CHARACTER: Final = "\U0010ffff"
_PROBE: Final = 32


def missing_for_shaping() -> str:
    """Return what to install so that Devanagari is drawn correctly; empty if it is.

    Pillow needs raqm, and raqm the system's FriBidi library.
    """
    if not features.check("raqm"):
        return "Pillow with raqm, which its wheels have"
    return "" if features.check("fribidi") else "the FriBidi library (Debian and Ubuntu: libfribidi0)"


def shaping() -> str:
    """Return a message for the operator on whether Devanagari and Arabic names are drawn correctly."""
    if missing_for_shaping():
        return "missing: names in Devanagari are drawn with their signs out of order"
    return f"raqm {features.version('raqm')} with FriBidi {features.version('fribidi')}"


def found() -> tuple[str, ...]:
    """Return the font families for names, in the order in which they are tried."""
    return tuple(dict.fromkeys(str(probe.font.family) for probe in _probes()))


def draws_east_asian() -> bool:
    """Return whether Chinese, Japanese and Korean names can be drawn.

    If not, pictures show the seat or a number instead.
    """
    return all(face_for(character) is not None for character in _EAST_ASIAN)


@lru_cache(maxsize=256)
def font(size: int, weight: Weight = "Bold") -> ImageFont.FreeTypeFont:
    """Mukta in that size."""
    return ImageFont.truetype(_FOLDER / f"Mukta-{weight}.ttf", size)


@lru_cache(maxsize=512)
def face(index: int, size: int, weight: Weight = "Bold") -> ImageFont.FreeTypeFont:
    """Return Mukta for 0, else another face, scaled so that its capitals are as high as Mukta's of that size."""
    if not index:
        return font(size, weight)
    probe = _probes()[index]
    return ImageFont.truetype(probe.path, round(size * _capital(_probes()[0]) / _capital(probe)))


@lru_cache(maxsize=4096)
def face_for(characters: str) -> int | None:
    """Return the index of the first face with a glyph for each of these characters; None if there is none."""
    indices = range(len(_probes()))
    return next((index for index in indices if all(_has(index, character) for character in characters)), None)


@lru_cache(maxsize=16384)
def _has(index: int, character: str) -> bool:
    probe = _probes()[index]
    return _ink(probe, character) != _ink(probe, _NO_SUCH_CHARACTER)


def _ink(probe: ImageFont.FreeTypeFont, character: str) -> bytes:
    left, top, right, bottom = probe.getbbox(character)
    image = Image.new("L", (max(1, round(right)), max(1, round(bottom))))
    ImageDraw.Draw(image).text((0, 0), character, fill=255, font=probe)
    return repr((left, top, right, bottom)).encode() + image.tobytes()


def _capital(probe: ImageFont.FreeTypeFont) -> float:
    """Return the height of capitals. A face without capitals counts as average."""
    return (
        -probe.getbbox("H", anchor="ls")[1]
        if _ink(probe, "H") != _ink(probe, _NO_SUCH_CHARACTER)
        else 0.7 * _PROBE
    )


@lru_cache
def _probes() -> tuple[ImageFont.FreeTypeFont, ...]:
    """Return all available faces without shaping, in which a missing glyph always shows as the face's empty box."""
    packaged = (_FOLDER / "Mukta-Bold.ttf", _FOLDER / _WIDE)
    return (*(_probe(path) for path in packaged), *_probes_of_the_machine())


def _probes_of_the_machine() -> Iterator[ImageFont.FreeTypeFont]:
    for name in _OF_THE_MACHINE:
        try:
            yield _probe(name)
        except OSError:  # raised by Pillow if there is no such font
            continue


def _probe(path: Path | str) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, _PROBE, layout_engine=ImageFont.Layout.BASIC)
