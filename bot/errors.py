"""What the bot cannot do for a person: a message of the catalogue, never an exception he has to read."""

from typing import Any


class Sorry(Exception):  # noqa: N818 - an apology to a person, not a fault of the program
    """A request that is refused. `key` is a message of the catalogue, `values` fill its places."""

    def __init__(self, key: str, **values: Any) -> None:
        super().__init__(key)
        self.key = key
        self.values = values


class Stale(Exception):  # noqa: N818 - see Sorry
    """The button belongs to an earlier state of the table: nothing was done, the fresh state is the answer."""


class Repeated(Exception):  # noqa: N818 - see Sorry
    """The very same click was handled before: nothing is done again, the present state is the answer."""
