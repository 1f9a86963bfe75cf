"""The ledger of a match: what each player has made of each deal, and who pays whom to settle up."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from bot.words.names import seat_name
from data.values import ResultRow, SeatRow
from marriage.scoring.settle_up import Payment, settle_up
from marriage.sheet import Status


def player(row: SeatRow | ResultRow) -> int | str:
    """Whose seat or result this is, whatever the number of the seat: a person's id, or a computer's name."""
    return row.name if row.person_id is None else row.person_id


@dataclass(frozen=True, slots=True)
class Account:
    """One player's part of the ledger. Players who leave keep their account."""

    player: int | str
    name: str
    """As it is stored."""
    gains: tuple[int | None, ...]
    """The player's points in each deal; None for a deal in which they had no part."""

    @property
    def called(self) -> str:
        """The player's name as plain text, a computer's in the current language."""
        return seat_name(None if isinstance(self.player, str) else self.player, self.name)

    @property
    def total(self) -> int:
        """The sum of all gains."""
        return sum(gain for gain in self.gains if gain is not None)

    @property
    def since(self) -> int:
        """The number of the first deal of the match in which the player had a part, from 1."""
        return next((number for number, gain in enumerate(self.gains, 1) if gain is not None), 1)


@dataclass(frozen=True)
class Ledger:
    """The accounts of a match, in the order in which the players joined it."""

    accounts: tuple[Account, ...] = ()

    def total_of(self, one: int | str) -> int:
        """The running total of a player; 0 for a player who has not finished a deal yet."""
        return next((account.total for account in self.accounts if account.player == one), 0)

    @property
    def deals(self) -> int:
        """How many deals the ledger has."""
        return len(self.accounts[0].gains) if self.accounts else 0

    @cached_property
    def standing(self) -> tuple[tuple[int, Account], ...]:
        """All accounts with their places, the best first; equal totals share a place."""
        ranked = sorted(self.accounts, key=lambda account: -account.total)
        totals = [account.total for account in ranked]
        return tuple((totals.index(account.total) + 1, account) for account in ranked)

    @cached_property
    def payments(self) -> tuple[Payment, ...]:
        """The fewest payments that bring everybody to zero. They name players by their index in `accounts`."""
        return settle_up([account.total for account in self.accounts])


def ledger_of(results: Sequence[ResultRow]) -> Ledger:
    """The ledger of these results, which are all of one match."""
    deals = sorted({row.deal_no for row in results})
    names = {player(row): row.name for row in results}
    return Ledger(tuple(Account(key, name, _gains(key, results, deals)) for key, name in names.items()))


def _gains(one: int | str, results: Iterable[ResultRow], deals: Iterable[int]) -> tuple[int | None, ...]:
    own = {row.deal_no: row for row in results if player(row) == one}
    return tuple(_gain(own.get(deal)) for deal in deals)


def _gain(row: ResultRow | None) -> int | None:
    """A player who only owed a foul in a deal that nobody won had no part in it."""
    if row is None or (row.status is Status.PAUSE and not row.net):
        return None
    return row.net
