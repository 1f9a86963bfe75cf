"""Auditing a finished deal: every card dealt, drawn, cut or reshuffled is checked against the deck of its seed."""

from collections.abc import Sequence

from marriage.apply import apply
from marriage.cards import Cards
from marriage.decide import start
from marriage.events import Dealt, Drew, Event, Reshuffled, TipluCut
from marriage.shuffle import DealSeed
from marriage.state import State


def audit(events: Sequence[Event], seed: DealSeed) -> None:
    """Raise ValueError, with a sentence, if a card in these unmasked events does not follow from `seed`.

    For a tiplu cut at a place that the player chose, the card must be the one at that place.
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
        case TipluCut() if (state.aside[:1] if state.stocks else state.stock)[
            event.place : event.place + 1
        ] != (event.card,):
            raise ValueError("the tiplu is not the card at the place where it was cut")
        case Reshuffled() if event.stock != _reshuffled(state, seed):
            raise ValueError(f"reshuffle {state.reshuffles + 1} does not follow from the seed")
        case _:
            return


def _reshuffled(state: State, seed: DealSeed) -> Cards:
    return (*state.stock, *seed.reshuffle(state.reshuffles + 1, state.pile[:-1]))
