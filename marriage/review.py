"""Review finished deals: their steps, what each seat did, and their audit.

The steps are as one seat saw the deal, as spectators saw it, or with all hands open. Use them only for deals that are over:
`ReviewStep.opened` hides nothing. What each seat did are the facts that statistics and achievements need. The audit checks
every card dealt, drawn, cut or reshuffled against the deck of the deal's seed.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from marriage.apply import apply
from marriage.cards import Card, Cards
from marriage.decide import pack_place, start
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
from marriage.maal import jhiplu, poplu
from marriage.sheet import Status
from marriage.shuffle import DealSeed
from marriage.state import ShowKind, State
from marriage.view import View, mask, view

QUIET = (TunnelasDeclined, WindowClosed, TipluTurned, Settled)
"""Events shown together with the step before them."""
_NOTABLE = (
    Dealt,
    TunnelasExposed,
    Showed,
    ShowedDublees,
    TipluCut,
    TipluSeen,
    ClaimFailed,
    FoulRuled,
    FoulLifted,
    Finished,
    FinishedDublees,
    Dismissed,
)


@dataclass(frozen=True, slots=True)
class SeenStep:
    """One step as one viewer saw it."""

    event: Event
    """The event; cards that the viewer did not see are `UNKNOWN`."""
    view: View
    """The deal right after the event."""


@dataclass(frozen=True, slots=True, repr=False)
class ReviewStep:
    """One event and the complete state after it. Call `seen_by` or `opened` to get a `SeenStep` to show."""

    event: Event
    state: State

    @property
    def notable(self) -> bool:
        """Whether the step is a turning point: the deal, an exposure, a show, a look at the tiplu, a foul or the end."""
        return isinstance(self.event, _NOTABLE)

    def seen_by(self, seat: int | None) -> SeenStep:
        """Return what this seat knew then; None stands for a spectator."""
        return SeenStep(mask(self.event, seat), view(self.state, seat))

    def opened(self) -> SeenStep:
        """Return the step with all hands and the tiplu open, as no player could see it before the deal was over."""
        whole = view(self.state, None)
        seats = tuple(view(self.state, seat).seats[seat] for seat in range(whole.players))
        return SeenStep(
            self.event, replace(whole, seats=seats, tiplu=self.state.tiplu, drawn=self.state.drawn)
        )


def steps(events: Iterable[Event]) -> tuple[ReviewStep, ...]:
    """Return the steps of a deal, starting with the dealing.

    Raises ValueError for an impossible sequence of events.
    """
    return tuple(step_by_step(events))


def step_by_step(events: Iterable[Event]) -> Iterator[ReviewStep]:
    """Yield the same steps, each computed when it is needed."""
    step: ReviewStep | None = None
    state: State | None = None
    for event in events:
        state = apply(state, event)
        if step is not None and isinstance(event, QUIET):
            step = ReviewStep(step.event, state)
            continue
        if step is not None:
            yield step
        step = ReviewStep(event, state)
    if step is not None:
        yield step


@dataclass(slots=True)
class SeatSummary:
    """What one seat did in one deal."""

    turns: int = 0
    """The number of its turns."""
    shown: ShowKind | None = None
    shown_turn: int | None = None
    """The turn in which the seat showed, counting its own turns from 1."""
    one_turn: bool = False
    """Whether the seat showed and finished in the same turn."""
    tunnelas: int = 0
    """The number of exposed tunnelas."""
    marriages: int = 0
    """The number of marriages held at the end; 0 for a seat that has not seen."""
    tiplus: int = 0
    """The number of tiplus held at the end; 0 for a seat that has not seen."""


def seat_summaries(events: Iterable[Event]) -> tuple[SeatSummary, ...]:
    """Return what each seat did; raises ValueError for a deal that is not over.

    `events` must be unmasked, as they are stored.
    """
    seats: dict[int, SeatSummary] = {}
    for event in events:
        match event:
            case Settled():
                return tuple(
                    _counted(seats.get(seat, SeatSummary()), cards, event, seat)
                    for seat, cards in enumerate(event.hands)
                )
            case Drew() | Took():
                seats.setdefault(event.seat, SeatSummary()).turns += 1
            case TunnelasExposed():
                seats.setdefault(event.seat, SeatSummary()).tunnelas += len(event.faces)
            case Showed() | ShowedDublees():
                shower = seats.setdefault(event.seat, SeatSummary())
                shower.shown = ShowKind.GROUPS if isinstance(event, Showed) else ShowKind.DUBLEES
                shower.shown_turn = shower.turns
            case Finished() | FinishedDublees():
                winner = seats.setdefault(event.seat, SeatSummary())
                winner.one_turn = winner.shown_turn == winner.turns
            case _:
                pass
    raise ValueError("the deal is not over")


def _counted(summary: SeatSummary, cards: Cards, end: Settled, seat: int) -> SeatSummary:
    """Add the tiplus and marriages that a seat held at the end, if it has seen."""
    if end.tiplu is not None and end.sheet.lines[seat].status is Status.SEEN:
        summary.tiplus = cards.count(end.tiplu)
        summary.marriages = _marriages(cards, end.tiplu)
    return summary


def _marriages(cards: Cards, tiplu: Card) -> int:
    held = Counter(cards)
    return min(held[jhiplu(tiplu)], held[tiplu], held[poplu(tiplu)])


def rulings(events: Iterable[Event]) -> dict[int, int | None]:
    """Return the fouls that people ruled and did not lift: by seat, the seat that ruled it, or None for a person without one."""
    found: dict[int, int | None] = {}
    for event in events:
        if isinstance(event, FoulRuled):
            found[event.seat] = event.by
        elif isinstance(event, FoulLifted):
            del found[event.seat]
    return found


def only_ruled(events: Sequence[Event]) -> frozenset[int]:
    """Return the seats that pay for a foul of a finished deal only because people ruled it.

    There is one penalty per seat and deal, so they are those with neither a throw foul nor a dead hand.
    """
    threw = {event.seat for event in events if isinstance(event, Discarded) and event.threw}
    dead = {seat for seat, line in enumerate(_settled(events).sheet.lines) if line.status is Status.FOUL}
    return frozenset(rulings(events).keys() - threw - dead)


def kept_debts(events: Sequence[Event]) -> tuple[int, ...]:
    """Return the seats that owe for fouls before a finished deal and still do after it, because it had no winner."""
    sheet, dealt = _settled(events).sheet, events[0]
    return dealt.carry if isinstance(dealt, Dealt) and sheet.winner is None else ()


def ruled_debts(events: Sequence[Event], kept: Sequence[bool]) -> list[bool]:
    """Return of each foul that is owed after a deal whether it is owed only because people ruled it.

    `kept` is the same of `kept_debts`, which are the first of them.
    """
    ruled = only_ruled(events)
    return [*kept, *(seat in ruled for seat in _settled(events).sheet.owing[len(kept) :])]


def _settled(events: Sequence[Event]) -> Settled:
    if not events or not isinstance(events[-1], Settled):
        raise ValueError("the deal is not over")
    return events[-1]


def audit(events: Sequence[Event], seed: DealSeed) -> None:
    """Raise ValueError, with a sentence, if a card in these unmasked events does not follow from `seed`.

    For a tiplu cut at a place that the player chose, the card must be the one at that place. Older events do not say
    whether the place was chosen, so there it counts as chosen.
    """
    if not events or not isinstance(events[0], Dealt):
        raise ValueError("the first event is not the deal")
    dealt = events[0]
    opening = start(
        dealt.rules,
        len(dealt.hands),
        dealt.dealer,
        seed,
        better=dealt.better,
        carry=dealt.carry,
        board=dealt.board,
    )
    if list(events[: len(opening)]) != opening:
        raise ValueError("the cards were not dealt in the order of the deck")
    state: State | None = None
    for event in events:
        if state is not None:
            _check(state, event, seed)
        state = apply(state, event)


def _check(state: State, event: Event, seed: DealSeed) -> None:
    match event:
        case Drew() if state.stock[:1] != (event.card,):
            raise ValueError(f"a card drawn by seat {event.seat} was not the top of the stock")
        case TipluCut():
            _check_cut(state.aside[:1] if state.stocks else state.stock, event, seed)
        case Reshuffled() if event.stock != _reshuffled(state, seed):
            raise ValueError(f"reshuffle {state.reshuffles + 1} does not follow from the seed")
        case _:
            return


def _check_cut(places: Cards, event: TipluCut, seed: DealSeed) -> None:
    if places[event.place : event.place + 1] != (event.card,):
        raise ValueError("the tiplu is not the card at the place where it was cut")
    if event.chosen is False and event.place != pack_place(places, seed.cut(len(places))):
        raise ValueError("the tiplu was not cut at the place that follows from the seed")


def _reshuffled(state: State, seed: DealSeed) -> Cards:
    return (*state.stock, *seed.reshuffle(state.reshuffles + 1, state.pile[:-1]))
