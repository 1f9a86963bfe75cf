"""Which cases of a test the default run plays: a few of many, and `make thorough` all of them."""

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def cases(values: Iterable[Any], usual: Collection[Any]) -> list[Any]:
    """Return all values as parameters; only the usual ones are part of the default run."""
    return [value if value in usual else pytest.param(value, marks=pytest.mark.thorough) for value in values]
