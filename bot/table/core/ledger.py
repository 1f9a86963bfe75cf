"""The ledger of a match: what each player has made of each deal, and who pays whom to settle up."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from data.values import ResultRow, SeatRow
from marriage.scoring.settle_up import Payment, settle_up
from marriage.sheet import Status


def player(row: SeatRow | ResultRow) -> int | str:
    """Who a seat or a result belongs to, whatever number his seat has: a person's id, a computer's name."""
    return row.name if row.person_id is None else row.person_id


@dataclass(frozen=True, slots=True)
class Account:
    """One player's part of the ledger. Who leaves keeps his."""

    player: int | str
    name: str
    """As plain text."""
    gains: tuple[int | None, ...]
    """What he made of each deal, in points; None where he had no part in it."""

    @property
    def total(self) -> int:
        """All his gains together."""
        return sum(gain for gain in self.gains if gain is not None)

    @property
    def since(self) -> int:
        """The number of the first deal of the match in which he had a part, from 1."""
        return next((number for number, gain in enumerate(self.gains, 1) if gain is not None), 1)


@dataclass(frozen=True)
class Ledger:
    """The accounts of a match, in the order in which people first played."""

    accounts: tuple[Account, ...] = ()

    def total_of(self, one: int | str) -> int:
        """The running total of a player; 0 for one who has not finished a deal yet."""
        return next((account.total for account in self.accounts if account.player == one), 0)

    @property
    def deals(self) -> int:
        """How many deals are written down."""
        return len(self.accounts[0].gains) if self.accounts else 0

    @cached_property
    def standing(self) -> tuple[tuple[int, Account], ...]:
        """Everybody with his place, the best first; equal totals share a place."""
        ranked = sorted(self.accounts, key=lambda account: -account.total)
        totals = [account.total for account in ranked]
        return tuple((totals.index(account.total) + 1, account) for account in ranked)

    @cached_property
    def payments(self) -> tuple[Payment, ...]:
        """The fewest payments that bring everybody to zero; their places are those of `accounts`."""
        return settle_up([account.total for account in self.accounts])


def ledger_of(results: Sequence[ResultRow]) -> Ledger:
    """The ledger that these results, of one match, add up to."""
    deals = sorted({row.deal_no for row in results})
    names = {player(row): row.name for row in results}
    return Ledger(tuple(Account(one, name, _gains(one, results, deals)) for one, name in names.items()))


def _gains(one: int | str, results: Iterable[ResultRow], deals: Iterable[int]) -> tuple[int | None, ...]:
    own = {row.deal_no: row for row in results if player(row) == one}
    return tuple(_gain(own.get(deal)) for deal in deals)


def _gain(row: ResultRow | None) -> int | None:
    """Whoever only owed a foul in a deal that nobody won had no part in it."""
    if row is None or (row.status is Status.PAUSE and not row.net):
        return None
    return row.net
