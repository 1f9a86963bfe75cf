"""The settlement of a deal: what each seat gains by maal, payments to the winner and fouls. It sums to zero.

Source: Pagat, "Marriage"; the penalties of fouls are from Wikipedia, "Marriage (card game)".
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from marriage.rules import Rules
from marriage.sheet import Status


@dataclass(frozen=True, slots=True)
class SeatShare:
    """What one seat gains by a deal, in points."""

    maal: int
    """The sum of the differences in points from every other player."""
    payment: int
    """The payment to the winner: negative for a loser, positive for the winner."""
    foul: int
    """The penalties for fouls: negative if paid, positive if received."""

    @property
    def net(self) -> int:
        """The sum of all three."""
        return self.maal + self.payment + self.foul


def settle(
    points: Sequence[int],
    status: Sequence[Status],
    winner: int,
    rules: Rules,
    *,
    dublee_win: bool = False,
    dublee_seats: Collection[int] = (),
    factor: int = 1,
    carry: Iterable[int] = (),
    thrown: Iterable[int] = (),
) -> tuple[SeatShare, ...]:
    """Settle a deal with a winner; all sequences are by seat. Raises RuntimeError if the shares do not sum to zero.

    With n players, a seat with S points, and a total of T points, the maal of the seat is `factor * (n * S - T)`.

    `points`: the counted points, 0 for dead hands and for seats that sit out.
    `dublee_win`: whether the winner finished by eight dublees; `dublee_seats`: the seats that showed seven.
    `factor`: multiplies maal and payments.
    `carry`: seats that owe the penalty of a foul in an earlier deal, listed once for each foul.
    `thrown`: seats with a throw foul or a ruled foul in this deal.

    A dead hand pays neither `seen_pay` nor `unseen_pay`. If its penalty is less than `unseen_pay`, it pays the
    difference to the winner, unless `dead_hand` is "spared".

    Pagat's example, its third player winning and its fourth unseen:

    >>> from marriage.rules import preset
    >>> seen, unseen = Status.SEEN, Status.UNSEEN
    >>> [share.net for share in settle([2, 5, 3, 0], [seen, seen, seen, unseen], 2, preset("pagat"))]
    [-5, 7, 18, -20]
    """
    players = _players(status)
    total = sum(points)
    maal = [
        factor * (len(players) * counted - total) if seat in players else 0
        for seat, counted in enumerate(points)
    ]
    payments = [0] * len(points)
    for seat in players:
        if seat != winner:
            pay = factor * _payment(status[seat], rules, dublee_win=dublee_win, dublees=seat in dublee_seats)
            if status[seat] is Status.FOUL:
                pay += _shortfall(rules, total, len(players) - 1, factor)
            payments[seat] -= pay
            payments[winner] += pay
    return _shares(
        maal, payments, penalties(status, rules, total, foulers(status, thrown), winner=winner, carry=carry)
    )


def settle_dismissed(
    status: Sequence[Status], rules: Rules, *, thrown: Iterable[int] = ()
) -> tuple[SeatShare, ...]:
    """Settle a deal without a winner: only the penalty of `foul="each"` is due."""
    nothing = [0] * len(status)
    return _shares(nothing, nothing, penalties(status, rules, 0, foulers(status, thrown)))


def foulers(status: Sequence[Status], thrown: Iterable[int]) -> tuple[int, ...]:
    """Return the seats with a foul in this deal: dead hands and `thrown`, each seat once."""
    dead = (seat for seat, standing in enumerate(status) if standing is Status.FOUL)
    return tuple(sorted({*dead, *thrown}))


def _players(status: Sequence[Status]) -> list[int]:
    return [seat for seat, standing in enumerate(status) if standing is not Status.PAUSE]


def _payment(status: Status, rules: Rules, *, dublee_win: bool, dublees: bool) -> int:
    """Return what a loser with this status pays to the winner."""
    bonus = rules.dublee_bonus if dublee_win else 0
    if status is Status.FOUL or (dublees and rules.dublee_exempt):
        return bonus
    return bonus + (rules.seen_pay if status is Status.SEEN else rules.unseen_pay)


def _penalty_each(rules: Rules, total: int) -> int:
    """Return what the player who fouled pays to each other player at the end of the deal."""
    return {"each": rules.foul_points, "total": max(total, 0)}.get(rules.foul, 0)


def _shortfall(rules: Rules, total: int, others: int, factor: int) -> int:
    """By how much a dead hand's penalty falls short of what an unseen loser pays: a foul never costs less."""
    if rules.dead_hand == "spared":
        return 0
    owed = rules.foul_points if rules.foul == "next" else others * _penalty_each(rules, total)
    return max(0, factor * rules.unseen_pay - owed)


def penalties(
    status: Sequence[Status],
    rules: Rules,
    total: int,
    fouling: Iterable[int],
    *,
    winner: int | None = None,
    carry: Iterable[int] = (),
) -> list[int]:
    """Return the foul points by seat that are due at the end of a deal with `total` points.

    `fouling`: seats with a foul in this deal. `carry`: seats that owe for an earlier one to the winner, if there is one.
    """
    fouls = [0] * len(status)
    players, penalty = _players(status), _penalty_each(rules, total)
    for fouler in fouling:
        fouls[fouler] -= penalty * len(players)
        for seat in players:
            fouls[seat] += penalty
    if winner is not None:
        for debtor in carry:
            fouls[debtor] -= rules.foul_points
            fouls[winner] += rules.foul_points
    return fouls


def _shares(maal: Sequence[int], payments: Sequence[int], fouls: Sequence[int]) -> tuple[SeatShare, ...]:
    shares = tuple(map(SeatShare, maal, payments, fouls))
    if sum(share.net for share in shares):
        raise RuntimeError(f"a settlement must sum to zero: {shares}")
    return shares
