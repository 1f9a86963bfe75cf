from collections.abc import Iterator

import pytest

from training import simulator


@pytest.fixture(scope="session", autouse=True)
def _compiled_elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the compiled simulator in a temporary folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simulator, "COMPILED", tmp_path_factory.mktemp("compiled"))
        yield
