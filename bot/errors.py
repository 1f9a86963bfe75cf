"""Requests that the bot refuses, each with a message of the catalogue for the person."""

from typing import Any


class UserError(Exception):
    """Raised when a request is refused.

    `key` names a message of the catalogue; `values` fill its placeholders.
    """

    def __init__(self, key: str, **values: Any) -> None:
        super().__init__(key)
        self.key = key
        self.values = values


class SeatedElsewhereError(UserError):
    """Raised when the person already sits at another table."""

    def __init__(self, table: int, link: str, channel: int) -> None:
        super().__init__("sorry.elsewhere", table=table, link=link, channel=channel)
        self.table = table


class UnexpectedInputError(UserError):
    """Raised for input that cannot come from a panel or command of this version. `why` is only for the log.

    The sender always gets the same short answer, which says what to do.
    """

    def __init__(self, why: str) -> None:
        super().__init__("error.out_of_date")
        self.why = why


class StaleRevisionError(Exception):
    """Raised when the button belongs to an earlier state of the table.

    Nothing is done, and the answer shows the current state.
    """


class ChangedElsewhereError(Exception):
    """Raised when another process has changed the table.

    The request has to be checked against the table's current state.
    """


class RepeatedInteractionError(Exception):
    """Raised when the same interaction was handled before.

    Nothing is done again, and the answer shows the current state.
    """
