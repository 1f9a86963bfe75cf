"""The result of a deal: the score sheet, from final hands or from points counted at a real table."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from marriage.cards import Card, Cards, sort_cards
from marriage.maal import Role, role
from marriage.rules import Rules
from marriage.scoring.hand_points import (
    Items,
    counting,
    groupings,
    laid_marriages,
    points_of,
    score_hand,
    tunnela_points,
)
from marriage.scoring.settlement import SeatShare, foulers, settle, settle_dismissed
from marriage.sheet import Ending, Sheet, SheetItem, SheetLine, Status, What


@dataclass(frozen=True, slots=True)
class FinalSeat:
    """One seat at the end of a deal."""

    cards: Cards = ()
    """All its cards, laid and exposed ones included; for the winner without the closing discard."""
    exposed: Cards = ()
    """The face of each tunnela exposed after the deal."""
    laid: tuple[Cards, ...] = ()
    """The primary groups shown; empty after a show by dublees or without a show."""
    status: Status = Status.SEEN
    dublees: bool = False
    """Whether the seat showed seven dublees."""
    points: int | None = None
    """The points counted at a real table, instead of cards, before `unseen_maal` is applied.

    With `murder_payback` the points of an unseen seat are those of its cards without tunnelas.
    """


def sheet_of(
    seats: Sequence[FinalSeat],
    tiplu: Card | None,
    winner: int,
    ending: Ending,
    rules: Rules,
    *,
    better: bool = False,
    carry: Sequence[int] = (),
    thrown: Sequence[int] = (),
) -> Sheet:
    """Return the score sheet of a deal that `winner` finished.

    `tiplu` may be None if every seat has points instead of cards. `better`: whether this is a better deal.
    `carry`: seats that owe the penalty of a foul in an earlier deal; a person who has left the table needs a
    seat with the status "pause". `thrown`: seats with a throw foul or a ruled foul in this deal.

    Raises ValueError if the winner has not seen, or if cards have to be counted without the tiplu.
    """
    if seats[winner].status is not Status.SEEN:
        raise ValueError("only a seat that has seen can win")
    items = _counted_items(seats, winner, tiplu, rules)
    points = [points_of(counted) for counted in items]
    dublee_seats = [index for index, seat in enumerate(seats) if seat.dublees]
    better = better or (rules.dublee_game == "double" and bool(dublee_seats))
    factor = rules.better_factor if better else 1
    status = [seat.status for seat in seats]
    shares = settle(
        points,
        status,
        winner,
        rules,
        dublee_win=ending is Ending.DUBLEES,
        dublee_seats=dublee_seats,
        factor=factor,
        carry=carry,
        thrown=thrown,
    )
    return Sheet(
        ending=ending,
        winner=winner,
        lines=tuple(map(_line, status, items, shares)),
        total=sum(points),
        factor=factor,
        owing=foulers(status, thrown) if rules.foul == "next" else (),
    )


def dismissed_sheet(
    seats: Sequence[FinalSeat], rules: Rules, *, carry: Sequence[int] = (), thrown: Sequence[int] = ()
) -> Sheet:
    """Return the score sheet of a deal without a winner.

    It has no points and no payments, at most the penalty of `foul="each"`.
    """
    status = [seat.status for seat in seats]
    shares = settle_dismissed(status, rules, thrown=thrown)
    noted = foulers(status, thrown) if rules.foul == "next" else ()
    return Sheet(
        ending=Ending.DISMISSED,
        winner=None,
        lines=tuple(_line(standing, (), share) for standing, share in zip(status, shares, strict=True)),
        total=0,
        owing=(*carry, *noted),
    )


def _line(status: Status, items: Items, share: SeatShare) -> SheetLine:
    return SheetLine(
        status=status,
        items=items,
        points=points_of(items),
        maal=share.maal,
        payment=share.payment,
        foul=share.foul,
        net=share.net,
    )


# The points of every seat


def _counted_items(seats: Sequence[FinalSeat], winner: int, tiplu: Card | None, rules: Rules) -> list[Items]:
    """Return the items of every seat, after `unseen_maal` is applied to the unseen ones."""
    moved = _kidnapped_cards(seats, winner, rules) if rules.unseen_maal == "kidnap_cards" else seats
    items = [_items(seat, tiplu, rules) for seat in moved]
    for index, seat in enumerate(seats):
        if seat.status is not Status.UNSEEN:
            continue
        lost = _lost(items[index], rules)
        gone = _maal(seat, tiplu, rules) if tiplu is not None and moved[index] is not seat else ()
        if not lost and not gone:
            continue
        items[index] += (SheetItem(What.UNSEEN, gone, -lost),)
        if rules.unseen_maal in ("kidnap_points", "kidnap_cards"):
            items[winner] += (SheetItem(What.KIDNAPPED, gone, lost),)
    return items


def _kidnapped_cards(seats: Sequence[FinalSeat], winner: int, rules: Rules) -> list[FinalSeat]:
    """Return the seats after the winner received the cards and the counting tunnelas of the unseen seats."""
    after = list(seats)
    for index, seat in enumerate(seats):
        holder = after[winner]
        if seat.status is Status.UNSEEN and seat.points is None and holder.points is None:
            tunnelas = counting(seat.exposed, rules, seen=False)
            after[winner] = replace(
                holder, cards=holder.cards + seat.cards, exposed=holder.exposed + tunnelas
            )
            after[index] = replace(seat, cards=(), exposed=())
    return after


def _items(seat: FinalSeat, tiplu: Card | None, rules: Rules) -> Items:
    """Return the items of a seat in its best grouping under these rules."""
    if seat.status in (Status.FOUL, Status.PAUSE):
        return ()
    if seat.points is not None:
        return (SheetItem(What.COUNTED, (), seat.points),)
    if tiplu is None:
        raise ValueError("cards cannot be counted without the tiplu")
    if seat.status is Status.SEEN:
        return score_hand(seat.cards, seat.exposed, laid_marriages(seat.laid, tiplu), tiplu, rules)
    if rules.unseen_maal == "murder_payback":
        return score_hand(seat.cards, (), 0, tiplu, rules)
    if rules.unseen_maal == "void":
        tunnelas = counting(seat.exposed, rules, seen=False)
        return max(groupings(seat.cards, tunnelas, 0, tiplu, rules), key=_tunnelas_first)
    return score_hand(seat.cards, seat.exposed, 0, tiplu, rules, seen=False)


def _tunnelas_first(items: Items) -> tuple[int, int]:
    return tunnela_points(items), points_of(items)


def _lost(items: Items, rules: Rules) -> int:
    """Return how many points an unseen seat loses; with `murder_payback` it loses them twice."""
    worth = points_of(items)
    match rules.unseen_maal:
        case "count":
            return 0
        case "void":
            return worth - tunnela_points(items)
        case "murder_payback":
            return 2 * worth
        case "murder" | "kidnap_points" | "kidnap_cards":
            return worth


def _maal(seat: FinalSeat, tiplu: Card, rules: Rules) -> Cards:
    """Return the cards of an unseen seat that can be worth points."""
    tunnelas = counting(seat.exposed, rules, seen=False)
    worthless = (None, Role.JOKER)
    return sort_cards(
        card for card in seat.cards if card in tunnelas or role(card, tiplu, rules) not in worthless
    )
