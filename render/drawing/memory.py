"""A cache for results of pure functions, limited in bytes. Sprites of all sizes share it."""

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
"""The approximate size of an entry without its pixels: its key and the objects."""


class ByteCache(Generic[K, V]):
    """A cache of the most recently used values that fit. It is thread-safe."""

    def __init__(self, most_bytes: int, size_of: Callable[[V], int]) -> None:
        self._most = most_bytes
        self._size_of = size_of
        self._lock = RLock()
        self._kept: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._bytes = 0

    @property
    def bytes(self) -> int:
        """The size of all cached values."""
        return self._bytes

    def get(self, key: K) -> V | None:
        """Return the value of this key if it is cached."""
        with self._lock:
            found = self._kept.get(key)
            if found is None:
                return None
            self._kept.move_to_end(key)
            return found[0]

    def keep(self, key: K, value: V) -> None:
        """Cache a value and drop the least recently used ones. A value that is larger than the cache is not cached."""
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
        """Return the value of this key. Threads that ask at the same time compute it once."""
        with self._lock:
            found = self.get(key)
            if found is None:
                found = make()
                self.keep(key, found)
            return found

    def clear(self) -> None:
        """Clear the cache."""
        with self._lock:
            self._kept.clear()
            self._bytes = 0


def once(most_bytes: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Cache the images that a pure function makes from hashable arguments.

    Concurrent threads compute a value once.
    """

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
    """An image without a palette, stored compressed."""

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
    """Do the same for sprites of flat colours without a palette, deflated to a twelfth of their size.

    Inflating a card takes a twentieth of a millisecond; drawing it again takes two milliseconds.
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
    """Clear all caches of `once`."""
    for clear in _clearing:
        clear()


def pixel_bytes(value: object) -> int:
    """Return the size in bytes of an image, compressed or not, or of a tuple of images.

    Pillow stores RGB in four bytes a pixel.
    """
    if isinstance(value, Image.Image):
        bands = len(value.getbands())
        return value.width * value.height * (4 if bands > 1 else 1)
    if isinstance(value, tuple):
        return sum(map(pixel_bytes, value))  # pyright: ignore[reportUnknownArgumentType]
    if isinstance(value, _Deflated):
        return len(value.data)
    return 0
