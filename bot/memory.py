"""The memory that the C library keeps for a process. Only glibc knows of it."""

import ctypes
import sys
from typing import Any, Final

_ARENA_MAX: Final = -8
"""M_ARENA_MAX of glibc's malloc.h."""
_POOLS: Final = 2


def share_pools() -> None:
    """Let all threads share a few pools of memory; call it before there are others.

    It keeps a pool for nearly every thread otherwise, and what one thread has freed is of no use to the others. Those of
    the six threads that draw took 160 MB, of which less than half was in use.
    """
    if (library := _glibc()) is not None:
        library.mallopt(_ARENA_MAX, _POOLS)


def give_back() -> None:
    """Give memory that is free back to the system. It takes some milliseconds."""
    if (library := _glibc()) is not None:
        library.malloc_trim(0)


def _glibc() -> Any:
    """Return the C library if it has these calls, else None."""
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "mallopt") and hasattr(library, "malloc_trim") else None
