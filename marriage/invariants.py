"""The invariants of a deal. Tests call `check` after every event and `check_waiting` after every action."""

from collections import Counter

from marriage.cards import CARDS, MAN, MASTER, PACKS, Card, sort_cards
from marriage.rules import HAND_SIZE, Rules
from marriage.state import Phase, Seat, State


def check(state: State) -> None:
    """Raise AssertionError, with a sentence, if the state breaks an invariant."""
    _require(state.all_cards() == _deck(state.rules), "the deck is not whole")
    _require(0 <= state.turn < len(state.seats), "the seat in turn does not exist")
    turned_up = len(state.pile) - len(state.throwers)
    _require(turned_up in (0, 1), "a card of the pile was discarded by nobody or twice")
    for index, seat in enumerate(state.seats):
        _check_seat(state, index, seat)
    if state.sheet is not None:
        _require(state.phase is Phase.OVER, "there is a score sheet before the end")
        _require(sum(line.net for line in state.sheet.lines) == 0, "the nets do not sum to zero")


def check_waiting(state: State) -> None:
    """Do `check`, and raise AssertionError also if the deal is not over and no seat could act."""
    check(state)
    _require(
        (state.phase is Phase.OVER) == (state.sheet is not None),
        "a deal has a score sheet when it is over, and only then",
    )
    playing = state.phase is Phase.PLAY or (state.phase is Phase.CUT and state.rules.same_turn_finish)
    _require(
        playing == (state.drawn is not None), "a card was drawn outside a turn, or a turn goes on without one"
    )
    _require(state.phase is Phase.OVER or not state.seats[state.turn].out, "a dead hand has the turn")
    match state.phase:
        case Phase.DRAW:
            _require(bool(state.stock), "there is no stock to draw from")
        case Phase.CUT:
            _require(
                any(card.is_pack for card in state.aside[:1] or state.stock),
                "no card in the stock can be the tiplu",
            )
            _require(state.tiplu is None, "the tiplu is cut twice")
        case Phase.WINDOW | Phase.PLAY | Phase.OVER:
            pass


def _check_seat(state: State, index: int, seat: Seat) -> None:
    drawn = index == state.turn and (state.drawn is not None or _stopped_in_turn(state, seat))
    expected = HAND_SIZE + drawn + seat.out
    _require(len(seat.cards) == expected, f"seat {index} holds {len(seat.cards)} cards, not {expected}")
    _require(seat.cards == sort_cards(seat.cards), f"the hand of seat {index} is not sorted")
    _require(seat.locked() <= Counter(seat.cards), f"seat {index} does not hold the cards that it laid")
    _require(
        (seat.shown is None) == (not seat.laid), f"seat {index} has shown without laying, or laid unshown"
    )
    _require(not seat.threw or seat.seen, f"seat {index} threw without having seen")
    _require(not seat.seen or seat.shown is not None, f"seat {index} has seen without showing")
    if seat.seen:
        _require(state.tiplu is not None, f"seat {index} has seen a tiplu that was not cut")


def _stopped_in_turn(state: State, seat: Seat) -> bool:
    """Return whether the deal was dismissed while the seat in turn still held the card that it had drawn.

    Players may agree to dismiss a deal at any moment, and a first show dismisses it if no card can be cut.
    After that the state no longer records whether the seat had drawn, but its number of cards shows it.
    """
    before_the_turn = state.phase in (Phase.WINDOW, Phase.DRAW)
    after_the_discard = state.phase is Phase.CUT and not state.rules.same_turn_finish
    won = state.sheet is not None and state.sheet.winner is not None
    stopped = not (before_the_turn or after_the_discard or won)
    return stopped and len(seat.cards) > HAND_SIZE + seat.out


def _deck(rules: Rules) -> tuple[Card, ...]:
    packs = [card for card in CARDS if card.is_pack for _ in range(PACKS)]
    extra = [MAN] * rules.man_cards + [MASTER] * (rules.master_card != "off")
    return (*packs, *extra)


def _require(holds: bool, sentence: str) -> None:  # noqa: FBT001 - reads as a sentence where it is called
    if not holds:
        raise AssertionError(sentence)
