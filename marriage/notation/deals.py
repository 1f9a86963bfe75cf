"""Whole deals as text: the rules, the seed and the seats, then one line for each move.

Replaying it gives the same events.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from marriage.actions import (
    Action,
    CutTiplu,
    DeclineTunnelas,
    Discard,
    DrawStock,
    ExposeTunnelas,
    Finish,
    FinishDublees,
    Show,
    ShowDublees,
    TakeDiscard,
)
from marriage.apply import apply, replay
from marriage.decide import decide, start
from marriage.errors import IllegalActionError
from marriage.events import (
    ClaimFailed,
    Dealt,
    Discarded,
    Dismissed,
    Drew,
    Event,
    Finished,
    FinishedDublees,
    FoulLifted,
    FoulRuled,
    Reshuffled,
    Settled,
    Showed,
    ShowedDublees,
    TipluCut,
    TipluSeen,
    TipluTurned,
    Took,
    TunnelasDeclined,
    TunnelasExposed,
    WindowClosed,
)
from marriage.notation.actions import read_action, write_action
from marriage.notation.lines import (
    Block,
    NotationLine,
    lines_of,
    read_flag,
    read_number,
    read_numbers,
    rules_lines,
    seed_lines,
    take_rules,
    take_seed,
    write_numbers,
)
from marriage.rules import SEATS_MAX, SEATS_MIN, Rules
from marriage.shuffle import HIDDEN_SEED, DealSeed

TITLE: Final = "marriage deal 1"

Move = tuple[int, Action]


@dataclass(frozen=True, slots=True, repr=False)
class Deal:
    """Everything that determines a deal. The seed must stay secret until the deal is over."""

    rules: Rules
    key: DealSeed
    seats: int
    dealer: int
    better: bool = False
    """Whether this is a better deal, which counts `better_factor`-fold."""
    carry: tuple[int, ...] = ()
    """Who still owes the penalty of a foul in an earlier deal (see `start`)."""
    board: bool = False
    """Whether this is a duplicate deal, with a stock for each seat."""
    moves: tuple[Move, ...] = ()
    """The moves, each a seat and its action."""


def write_deal(deal: Deal) -> str:
    """Return the deal as text; raises ValueError if its seed is hidden."""
    if deal.key == HIDDEN_SEED:
        raise ValueError("the seed of this deal is hidden, so nobody could play it again")
    head = [
        TITLE,
        *rules_lines(deal.rules),
        *seed_lines(deal.key),
        f"seats {deal.seats}",
        f"dealer {deal.dealer}",
        *(["better yes"] if deal.better else []),
        *([f"carry {write_numbers(deal.carry)}"] if deal.carry else []),
        *(["board yes"] if deal.board else []),
    ]
    moves = (f"{seat} {write_action(action)}" for seat, action in deal.moves)
    return "\n".join([*head, "", *moves, ""])


def read_deal(text: str) -> Deal:
    """Read a deal; raises ValueError with the number of the faulty line. `play` checks whether the moves are legal."""
    head = Block()
    moves: list[NotationLine] = []
    for line in lines_of(text, TITLE):
        if line.name.isdigit():
            moves.append(line)
        else:
            head.add(line)
    seats = head.take("seats", _read_seats)
    deal = Deal(
        rules=take_rules(head),
        key=take_seed(head),
        seats=seats,
        dealer=head.take("dealer", lambda text: _read_seat(text, seats)),
        better="better" in head.once and head.take("better", read_flag),
        carry=head.take("carry", read_numbers) if "carry" in head.once else (),
        board="board" in head.once and head.take("board", read_flag),
        moves=tuple(_read_move(line, seats) for line in moves),
    )
    head.done()
    return deal


def _read_move(line: NotationLine, seats: int) -> Move:
    seat = line.read(lambda _: _read_seat(line.name, seats))
    return seat, line.read(read_action)


def _read_seats(text: str) -> int:
    seats = read_number(text)
    if not SEATS_MIN <= seats <= SEATS_MAX:
        raise ValueError(f"a deal has {SEATS_MIN} to {SEATS_MAX} seats, not {seats}")
    return seats


def _read_seat(text: str, seats: int) -> int:
    seat = read_number(text)
    if seat >= seats:
        raise ValueError(f"there is no seat {seat}; seats count from 0 to {seats - 1}")
    return seat


# Conversion from and to events


def begin(deal: Deal) -> list[Event]:
    """Return the events before the first move.

    Raises ValueError for an impossible number of seats or dealer.
    """
    return start(
        deal.rules,
        deal.seats,
        deal.dealer,
        deal.key,
        better=deal.better,
        carry=deal.carry,
        board=deal.board,
    )


def play(deal: Deal) -> list[Event]:
    """Return the events of a deal; raises ValueError for an illegal move, with its number counted from 1."""
    events = begin(deal)
    state = replay(events)
    for number, (seat, action) in enumerate(deal.moves, 1):
        try:
            caused = decide(state, seat, action)
        except IllegalActionError as refused:
            what = f"move {number} ({seat} {write_action(action)}) is refused: {refused.code.value}"
            raise ValueError(what) from None
        for event in caused:
            state = apply(state, event)
        events += caused
    return events


def deal_of(events: Iterable[Event]) -> Deal:
    """Return the deal that these events record, finished or not.

    Raises ValueError if the first event is not Dealt.
    """
    match tuple(events):
        case (Dealt() as dealt, *others):
            return Deal(
                rules=dealt.rules,
                key=dealt.key,
                seats=len(dealt.hands),
                dealer=dealt.dealer,
                better=dealt.better,
                carry=dealt.carry,
                board=dealt.board,
                moves=tuple(move for event in others for move in moves_of(event)),
            )
        case _:
            raise ValueError("the first event of a deal is Dealt")


def moves_of(event: Event) -> Iterator[Move]:  # noqa: C901 - one plain case an event
    """Yield the move that an event records; nothing for an event that follows from another one."""
    match event:
        case TunnelasExposed():
            yield event.seat, ExposeTunnelas(event.faces)
        case TunnelasDeclined():
            yield event.seat, DeclineTunnelas()
        case Drew():
            yield event.seat, DrawStock()
        case Took():
            yield event.seat, TakeDiscard()
        case Showed():
            yield event.seat, Show(event.groups)
        case ShowedDublees():
            yield event.seat, ShowDublees(tuple(pair[0] for pair in event.pairs))
        case TipluCut():
            yield event.seat, CutTiplu(None if event.chosen is False else event.place)
        case Discarded():
            yield event.seat, Discard(event.card)
        case Finished():
            yield event.seat, Finish(event.groups, event.discard)
        case FinishedDublees():
            yield event.seat, FinishDublees(event.pair[0], event.discard)
        case ClaimFailed():
            if event.claim is None:
                raise ValueError("a failed claim is hidden, so the deal cannot be written")
            yield event.seat, event.claim
        case WindowClosed() | TipluTurned() | TipluSeen() | Reshuffled() | Dismissed() | Settled():
            return
        case FoulRuled() | FoulLifted():  # people ruled it, so it is not a move of the game
            return
        case Dealt():
            raise ValueError("a deal is dealt once")
