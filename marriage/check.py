"""The invariants of a deal. Tests call `check` after every event, `check_waiting` after every action.

They never repair anything.
"""

from collections import Counter

from marriage.cards import CARDS, MAN, MASTER, PACKS, Card, sort_cards
from marriage.rules import HAND_SIZE, Rules
from marriage.state import Phase, Seat, State


def check(state: State) -> None:
    """Raise AssertionError, with a sentence, when the state breaks an invariant of the game."""
    _require(state.all_cards() == _deck(state.rules), "the deck is not whole")
    _require(0 <= state.turn < len(state.seats), "the turn belongs to no seat")
    for index, seat in enumerate(state.seats):
        _check_seat(state, index, seat)
    if state.sheet is not None:
        _require(state.phase is Phase.OVER, "a sheet before the end")
        _require(sum(line.net for line in state.sheet.lines) == 0, "the nets do not sum to zero")


def check_waiting(state: State) -> None:
    """`check`, and that the deal is over or waits for something that somebody can do."""
    check(state)
    _require((state.phase is Phase.OVER) == (state.sheet is not None), "a deal that is over has a sheet")
    playing = state.phase is Phase.PLAY or (state.phase is Phase.CUT and state.rules.same_turn_finish)
    _require(playing == (state.drawn is not None), "a card drawn, and nothing to do with it")
    _require(state.phase is Phase.OVER or not state.seats[state.turn].out, "a dead hand has the turn")
    match state.phase:
        case Phase.WINDOW:
            _require(not all(seat.answered for seat in state.seats), "a window that nobody is asked in")
        case Phase.DRAW:
            _require(bool(state.stock), "no stock to draw from")
        case Phase.CUT:
            _require(any(card.is_pack for card in state.aside[:1] or state.stock), "no card to cut as tiplu")
            _require(state.tiplu is None, "the tiplu is cut once")
        case Phase.PLAY | Phase.OVER:
            pass


def _check_seat(state: State, index: int, seat: Seat) -> None:
    drawn = index == state.turn and (state.drawn is not None or _stopped_by_show(state, seat))
    expected = HAND_SIZE + drawn + seat.out
    _require(len(seat.cards) == expected, f"seat {index} holds {len(seat.cards)} cards, not {expected}")
    _require(seat.cards == sort_cards(seat.cards), f"the hand of seat {index} is not sorted")
    _require(seat.locked() <= Counter(seat.cards), f"seat {index} does not hold what it laid")
    _require(
        (seat.shown is None) == (not seat.laid), f"seat {index} has shown without laying, or laid unshown"
    )
    _require(not seat.threw or seat.seen, f"seat {index} threw without having seen")
    _require(not seat.seen or seat.shown is not None, f"seat {index} has seen without showing")
    if seat.seen:
        _require(state.tiplu is not None, "somebody has seen a tiplu that was not cut")


def _stopped_by_show(state: State, seat: Seat) -> bool:
    """Whether the deal was dismissed when this seat showed first and no card was left to cut: it never discarded."""
    after_discard = state.phase is Phase.CUT and not state.rules.same_turn_finish
    return seat.shown is not None and state.tiplu is None and not after_discard


def _deck(rules: Rules) -> tuple[Card, ...]:
    packs = [card for card in CARDS if card.is_pack for _ in range(PACKS)]
    extra = [MAN] * rules.man_cards + [MASTER] * (rules.master_card != "off")
    return (*packs, *extra)


def _require(holds: bool, sentence: str) -> None:  # noqa: FBT001 - reads as a sentence where it is called
    if not holds:
        raise AssertionError(sentence)
