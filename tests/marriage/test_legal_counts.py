"""How many ways a deal can begin: pinned counts of all legal sequences, some recounted by a naive model."""

import pytest

from marriage.apply import apply, replay
from marriage.cards import Cards
from marriage.decide import decide, start
from marriage.legal import legal_actions
from marriage.rules import PRESETS, preset
from marriage.state import Phase, State
from marriage.view import view
from tests.marriage.dealing import Script, actor, arranged, seed


def deal_search(state: State, depth: int) -> int:
    """Return the number of sequences of `depth` legal actions from here; a finished deal has none."""
    if depth == 0:
        return 1
    if state.phase is Phase.OVER:
        return 0
    seat = actor(state)
    total = 0
    for action in legal_actions(view(state, seat)):
        after = state
        for event in decide(state, seat, action):
            after = apply(after, event)
        total += deal_search(after, depth - 1)
    return total


def turns(hands: tuple[Cards, ...], stock: Cards, pile: Cards, count: int) -> int:
    """Count the same for `count` whole turns without a show, seat 0 first: sequences of draw and discard."""
    if count == 0:
        return 1
    total = 0
    for taken, card in ((None, stock[0]), (pile[-1], pile[-1])):
        hand = (*hands[0], card)
        left = stock[1:] if taken is None else stock
        kept = pile if taken is None else pile[:-1]
        for thrown in set(hand) - {taken}:
            place = hand.index(thrown)
            after = (*hands[1:], hand[:place] + hand[place + 1 :])
            total += turns(after, left, (*kept, thrown), count - 1)
    return total


@pytest.mark.parametrize(
    ("number", "players", "count"), [(32, 2, 1381), (17, 3, 1470), (14, 4, 1320), (55, 5, 1493)]
)
def test_two_turns_in_which_nobody_can_show(number: int, players: int, count: int) -> None:
    state = replay(start(preset("pagat"), players, players - 1, seed(number)))
    hands = tuple(seat.cards for seat in state.seats)
    assert turns(hands, state.stock, state.pile, 2) == count
    assert deal_search(state, players + 4) == count


def ready(**options: object) -> Script:
    """Return a deal in which seat 0 can show in its first turn and finish, and seat 1 was dealt a tunnela."""
    hand = "AS 2S 3S 5H 5H 5H 7C 8C 9C 2D 3D 4D JS QS KS 9H 9S 9C AH 2H 3H"
    return Script(arranged(hand, "8S 8S 8S", "2S 4S", stock="6C QD", **options))  # type: ignore[arg-type]


def test_a_window_a_show_and_a_cut() -> None:
    state = ready().state
    assert [deal_search(state, depth) for depth in range(1, 8)] == [2, 4, 4, 8, 152, 296, 5446]


# First draw or take. Then 19 discards (18 if the face just taken may not be thrown back) and a show. After
# it, the cut or, if the cut comes at the end of the turn, the 10 or 9 remaining discards.
_CUT_AT_ONCE = {
    "forbid": [2, 20 + 19, 2 * 19 + 1 + 2 * 18 + 1, 1434, 2792],
    "allow": [2, 20 + 20, 2 * (2 * 19 + 1), 1512, 2944],
}
_CUT_WITH_THE_DISCARD = {"allow": [2, 20 + 20, 2 * (2 * 19 + 10), 1510, 3822]}


@pytest.mark.parametrize("name", PRESETS)
def test_the_first_moves_of_every_preset(name: str) -> None:
    rules = preset(name, direction="clockwise")
    counts = (_CUT_AT_ONCE if rules.same_turn_finish else _CUT_WITH_THE_DISCARD)[rules.same_face_discard]
    state = ready(rules=rules).close_window().state
    assert [deal_search(state, depth) for depth in range(1, 6)] == counts
