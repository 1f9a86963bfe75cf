"""What is told of something that is stored already when the store cannot be asked any more."""

from collections.abc import Generator
from contextlib import contextmanager

import structlog

from bot.errors import UserError
from data.errors import StoreUnavailableError

log = structlog.get_logger(__name__)


@contextmanager
def after_it_is_stored() -> Generator[None, None, None]:
    """What somebody did is stored: if it cannot be shown now, nobody may read that nothing was done. Raises UserError."""
    try:
        yield
    except StoreUnavailableError as error:
        log.exception("move.not_shown")
        raise UserError("error.not_shown") from error
