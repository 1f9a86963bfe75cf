"""Which file a path means in the end."""

import os
from pathlib import Path


def real(path: Path) -> Path:
    """The same file, by its own path: what stands beside it stands there, whichever links lead to it.

    A link that leads nowhere yet is followed as well. One that leads to itself stays as it is: to open it fails.
    """
    return Path(os.path.realpath(path))
