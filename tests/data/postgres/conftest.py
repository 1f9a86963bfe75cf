from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import URL

from tests.postgres import Server


@pytest.fixture
def created(server: Server) -> Iterator[Callable[[str], URL]]:
    """Create databases without tables, dropped after the test."""
    urls: list[URL] = []

    def create(how: str = "") -> URL:
        urls.append(server.create(how))
        return urls[-1]

    yield create
    for url in urls:
        server.drop(url)
