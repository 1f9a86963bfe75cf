"""What a view contains, field by field, and what of each event a viewer may know."""

from dataclasses import replace

import pytest

from marriage.actions import Show, TakeDiscard
from marriage.apply import apply, replay
from marriage.bits import pack
from marriage.cards import UNKNOWN, parse_cards
from marriage.decide import start
from marriage.errors import Refusal
from marriage.events import (
    ClaimFailed,
    Dealt,
    Discarded,
    Drew,
    Event,
    FoulReason,
    FoulRuled,
    Reshuffled,
    TipluCut,
    TipluSeen,
    Took,
)
from marriage.rules import preset
from marriage.shuffle import HIDDEN_SEED
from marriage.state import Phase, ShowKind, State
from marriage.view import SeatView, View, mask, own_view, view
from tests.marriage.dealing import Script, arranged, expose, finish, finish_dublees, seed
from tests.marriage.example_hands import FOUR, LAID, PAIRS, PRIMARY, REST, SEVEN, SINGLES, begun, card

OTHER = "2C 3C 4C 5C 6C 7C 9C 10C JC QC KC 2H 3H 4H 6H 7H 8H 10H JH QH KH"
UNSHOWN = SeatView(
    cards=None,
    concealed=None,
    count=21,
    concealed_count=21,
    exposed=(),
    laid=(),
    shown=None,
    seen=False,
    answered=True,
)


def shown() -> Script:
    """Return a deal of two in which seat 0 has taken the KD, shown and cut the QD."""
    hands = arranged(f"{PRIMARY} {REST}", "", stock="6C QD", rules=preset("pagat"))
    deal = Script(replace(hands, better=True, carry=(1,))).close_window()
    return deal.do(TakeDiscard(), LAID).cut_to("QD")


def test_a_view_of_ones_own_turn() -> None:
    deal = shown()
    own = SeatView(
        cards=parse_cards("AS 2S 3S 9S JS QS KS AH 2H 3H 5H 5H 5H 9H 2D 3D 4D KD 7C 8C 9C 9C"),
        concealed=parse_cards("9S JS QS KS AH 2H 3H 9H 2D 3D 4D KD 9C"),
        count=22,
        concealed_count=13,
        exposed=(),
        laid=LAID.groups,
        shown=ShowKind.GROUPS,
        seen=True,
        answered=True,
    )
    assert deal.view(0) == View(
        viewer=0,
        rules=preset("pagat"),
        dealer=1,
        seats=(own, UNSHOWN),
        stock_count=112,
        pile=(),
        phase=Phase.PLAY,
        turn=0,
        tiplu=card("QD"),
        tiplu_cut=True,
        taken=card("KD"),
        drawn=card("KD"),
        shown_now=True,
        reshuffles=0,
        version=7,
        sheet=None,
        better=True,
        carry=(1,),
    )


@pytest.mark.parametrize("viewer", [1, None])
def test_the_view_of_others_hides_cards_tiplu_and_what_was_drawn(viewer: int | None) -> None:
    deal = shown()
    seen, own = deal.view(0), deal.state.seats[1].cards
    laid = replace(seen.seats[0], cards=None, concealed=None)
    other = UNSHOWN if viewer is None else replace(UNSHOWN, cards=own, concealed=own)
    assert view(deal.state, viewer) == replace(
        seen, viewer=viewer, seats=(laid, other), tiplu=None, drawn=None
    )


def test_before_the_first_show_there_is_no_tiplu() -> None:
    seen = begun("", "").view()
    assert (seen.tiplu, seen.tiplu_cut, seen.taken, seen.drawn) == (None, False, None, None)
    assert not seen.board


def test_when_the_deal_is_over_everyone_sees_everything() -> None:
    state = (
        begun(f"{PRIMARY} {REST}", "", stock="6C QD")
        .draw()
        .do(LAID)
        .cut_to("QD")
        .do(finish(FOUR, "6C"))
        .state
    )
    for viewer in (0, 1, None):
        seen = view(state, viewer)
        assert [seat.cards for seat in seen.seats] == [seat.cards for seat in state.seats]
        assert [seat.concealed for seat in seen.seats] == [seat.concealed() for seat in state.seats]
        assert seen.seats[0].finish == tuple(tuple(sorted(group)) for group in finish(FOUR, "6C").groups)
        assert (seen.tiplu, seen.sheet) == (card("QD"), state.sheet)
        assert seen.throwers == (0,)


def test_a_dead_hand_and_a_ruled_foul_are_seen_by_all() -> None:
    state = begun("", "", "", false_claim="foul", foul="next").draw().do(Show(())).state
    ruled = apply(state, FoulRuled(seat=1, why=FoulReason.LOOKED, by=2))
    seats = view(ruled, None).seats
    assert [(seat.out, seat.ruled) for seat in seats] == [
        (True, None),
        (False, FoulReason.LOOKED),
        (False, None),
    ]


def test_a_board_has_a_stock_for_each_seat() -> None:
    state = replay(start(preset("pagat"), 3, 0, seed(1), board=True))
    assert view(state, 0).board
    assert view(state, 0).stock_count == len(state.stock) == 30


def test_a_spectator_has_no_hand() -> None:
    seen = view(shown().state, None)
    for use in (lambda: seen.own, lambda: seen.hand, lambda: seen.packed):
        with pytest.raises(ValueError, match=r"^a spectator has no seat$"):
            use()


def stages() -> list[tuple[State, int]]:
    """Return stages of deals, each with a seat."""
    states = [
        shown().state,
        shown().throw("9S").state,
        begun("", "", open_tiplu=False).draw().state,
        Script(*start(preset("pagat", open_tiplu=True), 3, 0, seed(2))).state,
        begun("", "", unseen_pickup="show_only", same_face_discard="allow").state,
        begun(f"{PRIMARY} {REST}", "", stock="6C QD")
        .draw()
        .do(LAID)
        .cut_to("QD")
        .do(finish(FOUR, "6C"))
        .state,
    ]
    return [(state, seat) for state in states for seat in range(len(state.seats))]


@pytest.mark.parametrize(("state", "seat"), stages())
def test_the_view_of_ones_own_seat_is_part_of_the_whole_view(state: State, seat: int) -> None:
    own, whole = own_view(state, seat), view(state, seat)
    for name in (
        *[
            "viewer",
            "rules",
            "players",
            "pile",
            "phase",
            "turn",
            "tiplu",
            "taken",
            "shown_now",
            "hand",
            "packed",
        ],
    ):
        assert getattr(own, name) == getattr(whole, name), name
    assert own.own is state.seats[seat]
    assert own.hand == state.seats[seat].concealed()
    assert own.packed == pack(own.hand)


def test_each_discard_has_its_thrower_except_the_card_turned_up() -> None:
    deal = begun("", "5D", stock="6C 7C", up="KD")
    deal.draw().throw("6C").draw().throw("5D")
    assert deal.view().discards == ((card("KD"), None), (card("6C"), 0), (card("5D"), 1))
    taken = begun("5D", "", up="KD").do(TakeDiscard()).throw("5D")
    assert taken.view().discards == ((card("5D"), 0),)


@pytest.mark.parametrize(("direction", "after"), [("clockwise", [1, 2, 0]), ("anticlockwise", [2, 0, 1])])
def test_the_next_seat_is_the_neighbour_in_the_direction_of_play(direction: str, after: list[int]) -> None:
    deal = Script(arranged("", "", "", rules=preset("pagat", direction=direction)))
    for table in (deal.view(), deal.state):
        assert [table.next_seat(seat) for seat in range(3)] == after
        assert [table.next_live(seat) for seat in range(3)] == after


def test_the_next_to_act_is_not_dead() -> None:
    deal = begun("", "", "", "", false_claim="foul", foul="next", dead_hand="pays")
    deal.draw().do(Show(())).draw().do(Show(()))
    for table in (deal.view(), deal.state):
        assert [table.next_live(seat) for seat in range(4)] == [2, 2, 3, 2]
    deal.draw().do(Show(()))
    for table in (deal.view(), deal.state):
        assert [table.next_live(seat) for seat in range(4)] == [3, 3, 3, 3]


@pytest.mark.parametrize(
    ("game", "better", "announced", "factor"),
    [
        ("off", False, False, 1),
        ("mark", False, True, 1),
        ("double", False, True, 3),
        ("off", True, False, 3),
        ("double", True, True, 3),
    ],
)
def test_dublees_shown_may_make_the_deal_count_more(
    game: str, better: bool, announced: bool, factor: int
) -> None:
    rules = preset("pagat", dublee_game=game, better_factor=3)
    dealt = replace(arranged(f"{PAIRS} {SINGLES}", "", stock="JC", rules=rules), better=better)
    deal = Script(dealt).close_window().draw()
    assert not deal.view().dublee_game
    assert deal.view().factor == (3 if better else 1)
    deal.do(SEVEN)
    assert (deal.view().dublee_game, deal.view().factor) == (announced, factor)


def test_the_finish_has_the_sets_laid_then_those_of_the_end_then_the_exposed() -> None:
    hand = f"{PRIMARY} 8S 8S 8S 2D 3D 4D JS QS KS 9H 9S 9C"
    deal = begun(hand, "", stock="6C QD")
    assert deal.view().finish == ()
    exposed = Script(arranged(hand, "", stock="6C QD")).do(expose("8S"), seat=0).close_window().draw()
    exposed.do(LAID).cut_to("QD").do(finish("JS QS KS | 2D 3D 4D | 9S 9H 9C", "6C"))
    last = tuple(map(parse_cards, ("JS QS KS", "2D 3D 4D", "9S 9H 9C", "8S 8S 8S")))
    assert view(exposed.state, 1).finish == (*LAID.groups, *last)


def test_the_finish_by_dublees_has_no_exposed_tunnela() -> None:
    hand = f"2S {PAIRS} 3C 5D 7S 9H JD KC"
    deal = Script(arranged(hand, "", stock="3C QD")).do(expose("2S"), seat=0).close_window().draw()
    deal.do(SEVEN).cut_to("QD").do(finish_dublees("3C", "KC"))
    assert view(deal.state, None).finish == tuple((face, face) for face in (*SEVEN.faces, card("3C")))


# Masked events

CLAIM = ClaimFailed(seat=1, claim=Show(()), reason=Refusal.NOT_THREE_GROUPS)
MASKED: list[tuple[Event, Event]] = [
    (Drew(seat=1, card=card("5H")), Drew(seat=1, card=UNKNOWN)),
    (TipluCut(seat=1, place=7, card=card("5H")), TipluCut(seat=1, place=7, card=UNKNOWN)),
    (TipluSeen(seat=1, card=card("5H")), TipluSeen(seat=1, card=UNKNOWN)),
    (CLAIM, ClaimFailed(seat=1, claim=None, reason=None)),
]


@pytest.mark.parametrize(("event", "masked"), MASKED)
def test_what_a_seat_sees_alone_is_masked_for_all_others(event: Event, masked: Event) -> None:
    assert mask(event, 1) == event
    assert mask(event, 0) == mask(event, None) == masked


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_a_throw_foul_and_a_new_stock_are_masked_for_everyone(viewer: int | None) -> None:
    assert mask(Discarded(seat=1, card=card("5H"), threw=True), viewer) == Discarded(seat=1, card=card("5H"))
    assert mask(Reshuffled(parse_cards("5H 6H 7H")), viewer) == Reshuffled((UNKNOWN,) * 3)
    assert mask(Took(seat=1, card=card("5H")), viewer) == Took(seat=1, card=card("5H"))


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_of_the_deal_a_viewer_knows_only_the_hand_and_the_card_turned_up(viewer: int | None) -> None:
    dealt = arranged("", "", up="KD")
    seen = mask(dealt, viewer)
    assert isinstance(seen, Dealt)
    assert seen.hands == tuple(
        hand if seat == viewer else (UNKNOWN,) * 21 for seat, hand in enumerate(dealt.hands)
    )
    assert (seen.stock, seen.key) == ((UNKNOWN,) * 113, HIDDEN_SEED)
    assert replace(seen, hands=dealt.hands, stock=dealt.stock, key=dealt.key) == dealt
