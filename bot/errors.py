"""What the bot cannot do for a person: a message of the catalogue, never an exception he has to read."""

from typing import Any


class UserError(Exception):
    """A request that is refused. `key` is a message of the catalogue, `values` fill its places."""

    def __init__(self, key: str, **values: Any) -> None:
        super().__init__(key)
        self.key = key
        self.values = values


class UnexpectedInputError(UserError):
    """Something from outside that no panel and no command of this version sends; `why` is for the log alone.

    Whatever it is, its sender reads the same short answer, which says what to do.
    """

    def __init__(self, why: str) -> None:
        super().__init__("error.out_of_date")
        self.why = why


class StaleRevisionError(Exception):
    """The button belongs to an earlier state of the table: nothing was done, the fresh state is the answer."""


class RepeatedInteractionError(Exception):
    """The very same click was handled before: nothing is done again, the present state is the answer."""
