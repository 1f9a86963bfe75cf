"""What tests with real processes and sockets share: the fixtures of the tests over the wire."""

from tests.e2e.conftest import (  # noqa: F401 - pytest finds fixtures by their names here
    _light,
    _same_deals,
    arrange,
    bot,
    discord,
    dull,
    quick,
    size,
    start_bot,
    start_process,
    watch,
)
