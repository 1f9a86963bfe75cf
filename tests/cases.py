"""Which cases of a test the default run plays: a few of many, and `make thorough` all of them."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import pytest


def cases(values: Iterable[Any], usual: Collection[Any]) -> list[Any]:
    """All values as parameters; only the usual ones are part of the default run."""
    return [value if value in usual else pytest.param(value, marks=pytest.mark.thorough) for value in values]


def every_pair(firsts: Iterable[Any], seconds: Sequence[Any]) -> list[Any]:
    """All pairs as parameters; the default run has each value at least once, as long as there are more of the first kind."""
    return [
        pytest.param(first, second, marks=() if place % len(seconds) == at else pytest.mark.thorough)
        for place, first in enumerate(firsts)
        for at, second in enumerate(seconds)
    ]
