"""Results of pure functions that are kept, bounded in bytes: sprites of all sizes share a cache with a known limit."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import wraps
from threading import RLock
from typing import Any, Final, Generic, ParamSpec, TypeVar, cast

from isal import isal_zlib
from PIL import Image

from render.drawing.png import clear_registers

P = ParamSpec("P")
R = TypeVar("R")
_deflate = cast("Callable[[bytes, int], bytes]", isal_zlib.compress)  # pyright: ignore[reportUnknownMemberType]
_inflate = cast("Callable[[bytes], bytes]", isal_zlib.decompress)  # pyright: ignore[reportUnknownMemberType]
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

MEGABYTE: Final = 1_000_000
_QUICK: Final = 1
"""The level of igzip for sprites."""
_BESIDE: Final = 500
"""About what an entry takes beside its pixels: its key and the objects."""


class ByteCache(Generic[K, V]):
    """The values that were used last, as many as have room. It may be used by several threads."""

    def __init__(self, most_bytes: int, size_of: Callable[[V], int]) -> None:
        self._most = most_bytes
        self._size_of = size_of
        self._lock = RLock()
        self._kept: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._bytes = 0

    @property
    def bytes(self) -> int:
        """How large everything that is kept is."""
        return self._bytes

    def get(self, key: K) -> V | None:
        """The value of this key, if it is kept."""
        with self._lock:
            found = self._kept.get(key)
            if found is None:
                return None
            self._kept.move_to_end(key)
            return found[0]

    def keep(self, key: K, value: V) -> None:
        """Keep a value; those that were not used for longest go. One that has no room for itself is not kept."""
        size = self._size_of(value) + _BESIDE
        with self._lock:
            _, former = self._kept.pop(key, (None, 0))
            self._bytes -= former
            if size > self._most:
                return
            self._kept[key] = value, size
            self._bytes += size
            while self._bytes > self._most:
                _, (_, dropped) = self._kept.popitem(last=False)
                self._bytes -= dropped

    def get_or_make(self, key: K, make: Callable[[], V]) -> V:
        """The value of this key; threads that ask at once make it once."""
        with self._lock:
            found = self.get(key)
            if found is None:
                found = make()
                self.keep(key, found)
            return found

    def clear(self) -> None:
        """Keep nothing."""
        with self._lock:
            self._kept.clear()
            self._bytes = 0


def once(most_bytes: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keep what a pure function of hashable arguments makes of pixels, so that threads that ask at once make it once."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        cache: ByteCache[tuple[Any, ...], R] = ByteCache(most_bytes, pixel_bytes)
        _clearing.append(cache.clear)

        @wraps(function)
        def kept(*args: P.args, **kwargs: P.kwargs) -> R:
            key = (args, tuple(kwargs.items())) if kwargs else args
            found = cache.get(key)
            return cache.get_or_make(key, lambda: function(*args, **kwargs)) if found is None else found

        return kept

    return decorate


@dataclass(frozen=True, slots=True)
class _Deflated:
    """An image without a palette, kept in little room."""

    mode: str
    size: tuple[int, int]
    data: bytes

    @classmethod
    def of(cls, image: Image.Image) -> "_Deflated":
        deflated = _deflate(image.tobytes(), _QUICK)
        clear_registers()
        return cls(image.mode, image.size, deflated)

    def image(self) -> Image.Image:
        pixels = _inflate(self.data)
        clear_registers()
        return Image.frombytes(self.mode, self.size, pixels)


def once_deflated(most_bytes: int) -> Callable[[Callable[P, Image.Image]], Callable[P, Image.Image]]:
    """The same for sprites of flat colours without a palette, deflated: in a twelfth of the room.

    To inflate a card takes a twentieth of a millisecond, to draw it anew two.
    """

    def decorate(function: Callable[P, Image.Image]) -> Callable[P, Image.Image]:
        @once(most_bytes)
        def deflated(*args: P.args, **kwargs: P.kwargs) -> _Deflated:
            return _Deflated.of(function(*args, **kwargs))

        @wraps(function)
        def inflated(*args: P.args, **kwargs: P.kwargs) -> Image.Image:
            return deflated(*args, **kwargs).image()

        return inflated

    return decorate


_clearing: Final[list[Callable[[], None]]] = []


def forget_sprites() -> None:
    """Keep nothing of what `once` has kept."""
    for clear in _clearing:
        clear()


def pixel_bytes(value: object) -> int:
    """How many bytes the pixels of an image take, deflated or not, or of all the images in a tuple; Pillow has four a pixel of RGB."""
    if isinstance(value, Image.Image):
        bands = len(value.getbands())
        return value.width * value.height * (4 if bands > 1 else 1)
    if isinstance(value, tuple):
        return sum(map(pixel_bytes, value))  # pyright: ignore[reportUnknownArgumentType]
    if isinstance(value, _Deflated):
        return len(value.data)
    return 0
