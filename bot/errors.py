"""Requests that the bot refuses, each with a message of the catalogue for the person."""

from typing import Any


class UserError(Exception):
    """A request is refused. `key` names a message of the catalogue, and `values` fill its placeholders."""

    def __init__(self, key: str, **values: Any) -> None:
        super().__init__(key)
        self.key = key
        self.values = values


class SeatedElsewhereError(UserError):
    """The person sits at another table already."""

    def __init__(self, table: int, link: str, channel: int) -> None:
        super().__init__("sorry.elsewhere", table=table, link=link, channel=channel)
        self.table = table


class UnexpectedInputError(UserError):
    """The input cannot come from a panel or command of this version; `why` is only for the log.

    The sender always reads the same short answer, which says what to do.
    """

    def __init__(self, why: str) -> None:
        super().__init__("error.out_of_date")
        self.why = why


class StaleRevisionError(Exception):
    """The button belongs to an earlier state of the table: nothing is done, and the answer shows the current state."""


class ChangedElsewhereError(Exception):
    """Raised when another process has changed the table: the request has to be checked against its present state."""


class RepeatedInteractionError(Exception):
    """Raised when the same interaction was handled before: nothing is done again, and the answer shows the current state."""
