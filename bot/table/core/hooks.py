"""What a table announces to its listeners, within the transaction in which it happens."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from data.ids import MessageId
from data.values import MatchEnd, MatchRow
from league.ids import PersonId, TableId

Tx = TypeVar("Tx")
"""The transaction of a table; it holds its hooks, so this module cannot name it."""


def _in_none(_table_id: TableId, _person_id: PersonId) -> MessageId | None:
    return None


def _nobody(_table_id: TableId, _person_id: PersonId) -> bool:
    return False


@dataclass(slots=True)
class TableHooks(Generic[Tx]):
    """The listeners, called in the order in which they were added; an exception undoes the transaction."""

    deal_begins: list[Callable[[Tx], Awaitable[None]]] = field(
        default_factory=list[Callable[[Tx], Awaitable[None]]]
    )
    """The prepared deal is about to be dealt: seats and options may still be changed."""
    deal_ended: list[Callable[[Tx], Awaitable[None]]] = field(
        default_factory=list[Callable[[Tx], Awaitable[None]]]
    )
    """The results of the deal are stored. The daily deal, which one person plays alone, is not announced."""
    attempt_ended: list[Callable[[Tx], Awaitable[None]]] = field(
        default_factory=list[Callable[[Tx], Awaitable[None]]]
    )
    """The result of an attempt at the deal of the day is stored."""
    match_ended: list[Callable[[Tx, MatchRow, MatchEnd], Awaitable[None]]] = field(
        default_factory=list[Callable[[Tx, MatchRow, MatchEnd], Awaitable[None]]]
    )
    """The match is over, with the reason: it was played out, ended by a vote, or its table closes."""

    played_in: Callable[[TableId, PersonId], MessageId | None] = _in_none
    """Answers in which direct message a person plays at this moment; None if they are in none. The next deal comes into it."""

    follows: Callable[[TableId, PersonId], bool] = _nobody
    """Answers whether a person sees the deal in an open hand that stays up to date."""

    async def announce_deal_begins(self, tx: Tx) -> None:
        """Call the listeners of `deal_begins`."""
        for listener in self.deal_begins:
            await listener(tx)

    async def announce_deal_ended(self, tx: Tx) -> None:
        """Call the listeners of `deal_ended`."""
        for listener in self.deal_ended:
            await listener(tx)

    async def announce_attempt_ended(self, tx: Tx) -> None:
        """Call the listeners of `attempt_ended`."""
        for listener in self.attempt_ended:
            await listener(tx)

    async def announce_match_ended(self, tx: Tx, match: MatchRow, why: MatchEnd) -> None:
        """Call the listeners of `match_ended`."""
        for listener in self.match_ended:
            await listener(tx, match, why)
