"""The memory that the C library keeps for a process. This works only with glibc."""

import ctypes
import sys
from typing import Any, Final

_ARENA_MAX: Final = -8
"""M_ARENA_MAX of glibc's malloc.h."""
_POOLS: Final = 2


def share_pools() -> None:
    """Make all threads share a few memory pools. Call this before other pools exist.

    Otherwise glibc keeps a pool for nearly every thread, and memory freed by one thread is of no use to the
    others. The pools of the six drawing threads took 160 MB, of which less than half was in use.
    """
    if (library := _glibc()) is not None:
        library.mallopt(_ARENA_MAX, _POOLS)


def give_back() -> None:
    """Give free memory back to the system. It takes some milliseconds."""
    if (library := _glibc()) is not None:
        library.malloc_trim(0)


def _glibc() -> Any:
    """Return the C library if it has these calls, else None."""
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "mallopt") and hasattr(library, "malloc_trim") else None
