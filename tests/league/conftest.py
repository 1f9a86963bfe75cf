"""What all tests of leagues share."""

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module")
def quick_draws() -> Iterator[None]:
    """Pods are drawn with little care for who has met before, for tests that ask for other things."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("league.pairing.schedule._MOST_SWAPS", 1_000)
        yield
