"""Every refusal, caused by an example, and the details that some name; the deal does not change."""

from collections.abc import Callable

import pytest

from marriage.actions import Action, CutTiplu, DeclineTunnelas, Discard, DrawStock, TakeDiscard
from marriage.cards import Card, parse_cards
from marriage.decide import decide
from marriage.errors import IllegalActionError, Refusal
from marriage.moves import may_finish, refusal_of
from marriage.rules import preset
from tests.marriage.dealing import Script, arranged, expose, finish, finish_dublees, show, show_dublees
from tests.marriage.example_hands import FOUR, LAID, PAIRS, PRIMARY, REST, SEVEN, SINGLES


def begun(*hands: str, up: str = "KD", stock: str = "", **options: object) -> Script:
    """Return a deal whose window is closed, with seat 0 to draw."""
    hands = hands if len(hands) > 1 else (*hands, "")
    rules = preset("pagat", **options)
    return Script(arranged(*hands, up=up, stock=stock, rules=rules, number=5)).close_window()


def ready(stock: str = "6C", other: str = "", up: str = "KD", **options: object) -> Script:
    """Return a deal in which seat 0 holds a hand to show and finish with, and has drawn."""
    return begun(f"{PRIMARY} {REST}", other, up=up, stock=f"{stock} QD", **options).draw()


def seen(stock: str = "6C", other: str = "", up: str = "KD", **options: object) -> Script:
    """Return the deal of `ready` after seat 0 has shown and cut the QD."""
    return ready(stock, other, up, **options).do(LAID).cut_to("QD")


def paired(stock: str = "JC", other: str = "", up: str = "KD", **options: object) -> Script:
    """Return a deal in which seat 0 holds seven dublees and has drawn."""
    return begun(f"{PAIRS} {SINGLES}", other, up=up, stock=f"{stock} QD", **options).draw()


def seen_by_dublees(stock: str = "JC", other: str = "") -> Script:
    return paired(stock, other).do(SEVEN).cut_to("QD")


def failed() -> Script:
    """Return a deal in which seat 0 has taken the only discard and claimed falsely, with seat 1 to draw."""
    deal = begun("5H", "", "", false_claim="foul", foul="next")
    return deal.do(TakeDiscard(), show("5H"))


Case = tuple[Script, Action] | tuple[Script, Action, int]
CASES: list[tuple[Refusal, Callable[[], Case]]] = [
    (Refusal.NO_SUCH_SEAT, lambda: (begun(""), DrawStock(), 2)),
    (Refusal.NO_SUCH_SEAT, lambda: (begun(""), DrawStock(), -1)),
    (Refusal.DEAL_OVER, lambda: (seen().do(finish(FOUR, "6C")), DrawStock(), 1)),
    (Refusal.NOT_YOUR_TURN, lambda: (begun(""), DrawStock(), 1)),
    (Refusal.NOT_YOUR_TURN, lambda: (ready(), LAID, 1)),
    (Refusal.WINDOW_OPEN, lambda: (Script(arranged("", "")), DrawStock())),
    (Refusal.WINDOW_OPEN, lambda: (Script(arranged("", "")), TakeDiscard(), 1)),
    (Refusal.WINDOW_CLOSED, lambda: (begun("5H 5H 5H"), expose("5H"))),
    (Refusal.WINDOW_CLOSED, lambda: (begun(""), DeclineTunnelas(), 1)),
    (Refusal.WINDOW_CLOSED, lambda: (begun("5H 5H 5H", tunnela_window="own_first_draw").draw(), expose("5H"))),
    (Refusal.WINDOW_CLOSED, lambda: (
        begun("5H 5H 5H 6S 6S 6S", tunnela_window="own_first_draw").do(expose("5H")), expose("6S")
    )),
    (Refusal.ALREADY_ANSWERED, lambda: (
        Script(arranged("5H 5H 5H", "")).do(DeclineTunnelas(), seat=0), expose("5H"), 0
    )),
    (Refusal.NO_TUNNELA, lambda: (Script(arranged("5H 5H", "5H")), expose("5H"), 0)),
    (Refusal.NO_TUNNELA, lambda: (Script(arranged("5H 5H 5H", "")), expose("5H 5H"), 0)),
    (Refusal.NO_TUNNELA, lambda: (Script(arranged("5H 5H 5H", "")), expose("5H 6H"), 0)),
    (Refusal.NO_TUNNELA, lambda: (Script(arranged("5H 5H 5H", "")), expose(""), 0)),
    (Refusal.NO_TUNNELA, lambda: (Script(arranged("5H 5H 5H", "")), expose("5H"), 1)),
    (Refusal.ALREADY_DRAWN, lambda: (ready(), DrawStock())),
    (Refusal.ALREADY_DRAWN, lambda: (ready(), TakeDiscard())),
    (Refusal.DRAW_FIRST, lambda: (begun(PRIMARY), LAID)),
    (Refusal.DRAW_FIRST, lambda: (begun(PAIRS), SEVEN)),
    (Refusal.DRAW_FIRST, lambda: (begun("5H"), Discard(Card.parse("5H")))),
    (Refusal.DRAW_FIRST, lambda: (seen().throw("6C").pass_turn(), finish(FOUR, "6C"))),
    (Refusal.SEEN_TAKES_NO_WILD, lambda: (seen("6C QC").throw("6C").pass_turn(), TakeDiscard())),
    (Refusal.SEEN_TAKES_NO_WILD, lambda: (seen("6C JD").throw("6C").pass_turn(), TakeDiscard())),
    (Refusal.SEEN_TAKES_NO_WILD, lambda: (
        seen("6C MAN", man_cards=1).throw("6C").pass_turn(), TakeDiscard()
    )),
    (Refusal.DUBLEE_TAKES_TO_FINISH, lambda: (
        seen_by_dublees("JC 6H").throw("JC").pass_turn(), TakeDiscard()
    )),
    # A third copy of a shown pair does not make an eighth.
    (Refusal.DUBLEE_TAKES_TO_FINISH, lambda: (
        seen_by_dublees("JC 2S").throw("JC").pass_turn(), TakeDiscard()
    )),
    (Refusal.MUST_FINISH, lambda: (
        seen_by_dublees("JC 3C").throw("JC").pass_turn().do(TakeDiscard()), Discard(Card.parse("KC"))
    )),
    (Refusal.CUT_FIRST, lambda: (ready().do(LAID), Discard(Card.parse("6C")))),
    (Refusal.CUT_FIRST, lambda: (ready().do(LAID), finish(FOUR, "6C"))),
    (Refusal.CUT_FIRST, lambda: (
        ready(same_turn_finish=False).do(LAID).throw("6C"), Discard(Card.parse("2D"))
    )),
    (Refusal.NOTHING_TO_CUT, lambda: (ready(), CutTiplu())),
    (Refusal.NOTHING_TO_CUT, lambda: (seen(), CutTiplu(3))),
    (Refusal.NOTHING_TO_CUT, lambda: (begun(""), CutTiplu(3))),
    (Refusal.NO_SUCH_PLACE, lambda: (ready().do(LAID), CutTiplu(112))),
    (Refusal.NO_SUCH_PLACE, lambda: (ready().do(LAID), CutTiplu(-1))),
    (Refusal.NOT_HELD, lambda: (ready(), Discard(Card.parse("KH")))),
    (Refusal.NOT_HELD, lambda: (ready(), show("AS 2S 3S | 5H 5H 5H | KH KH KH"))),
    (Refusal.NOT_HELD, lambda: (ready(), show("AS 2S 3S | AS 2S 3S | 7C 8C 9C"))),
    (Refusal.NOT_HELD, lambda: (seen(), finish("2D 3D 4D | JS QS KS | 9H 9S 9D | AH 2H 3H", "6C"))),
    (Refusal.NOT_HELD, lambda: (seen(), finish(FOUR, "KH"))),
    (Refusal.CARD_LOCKED, lambda: (seen(), Discard(Card.parse("AS")))),
    (Refusal.CARD_LOCKED, lambda: (
        seen(), finish("2D 3D 4D | JS QS KS | 7C 8C 9C | AH 2H 3H", "6C")
    )),
    (Refusal.CARD_LOCKED, lambda: (
        Script(arranged("5H 5H 5H 6H 7H", "")).do(expose("5H"), seat=0).close_window().draw(),
        Discard(Card.parse("5H")),
    )),
    (Refusal.CARD_LOCKED, lambda: (
        Script(arranged(f"{PRIMARY} 6H 7H", "")).do(expose("5H"), seat=0).close_window().draw(),
        show("AS 2S 3S | 5H 6H 7H | 7C 8C 9C"),
    )),
    (Refusal.SAME_FACE, lambda: (begun("", up="KD").do(TakeDiscard()), Discard(Card.parse("KD")))),
    # Another piece of the same face: copies cannot be distinguished.
    (Refusal.SAME_FACE, lambda: (begun("KD KD", up="KD").do(TakeDiscard()), Discard(Card.parse("KD")))),
    (Refusal.SAME_FACE, lambda: (
        seen("6C 6H").throw("6C").pass_turn().do(TakeDiscard()), finish(FOUR, "6H")
    )),
    (Refusal.ALREADY_SHOWN, lambda: (seen(), LAID)),
    (Refusal.ALREADY_SHOWN, lambda: (seen_by_dublees(), SEVEN)),
    (Refusal.ALREADY_SHOWN, lambda: (seen(), SEVEN)),
    (Refusal.NOT_THREE_GROUPS, lambda: (ready(), show("AS 2S 3S | 5H 5H 5H"))),
    (Refusal.NOT_THREE_GROUPS, lambda: (ready(), show("AS 2S 3S | 5H 5H 5H | 7C 8C 9C | 2D 3D 4D"))),
    (Refusal.NOT_PRIMARY, lambda: (ready(), show("AS 2S 3S | 5H 5H 5H | 9H 9S 9C"))),
    (Refusal.NOT_PRIMARY, lambda: (ready(), show("AS 2S 3S | 5H 5H 5H | 7C 8C"))),
    (Refusal.NOT_PRIMARY, lambda: (
        begun("KS AS 2S 5H 5H 5H 7C 8C 9C").draw(), show("KS AS 2S | 5H 5H 5H | 7C 8C 9C")
    )),
    (Refusal.NOT_PRIMARY, lambda: (
        begun("7H 8H 9H 10H 5H 5H 5H 7C 8C 9C").draw(), show("7H 8H 9H 10H | 5H 5H 5H | 7C 8C 9C")
    )),
    # Man cards: no tunnela unless exposed, and no stand-ins before the tiplu is seen.
    (Refusal.NOT_PRIMARY, lambda: (
        begun("MAN MAN MAN 5H 5H 5H 7C 8C 9C", man_cards=3).draw(), show("MAN MAN MAN | 5H 5H 5H | 7C 8C 9C")
    )),
    (Refusal.NOT_PRIMARY, lambda: (
        begun("AS MAN 3S 5H 5H 5H 7C 8C 9C", man_cards=3).draw(), show("AS MAN 3S | 5H 5H 5H | 7C 8C 9C")
    )),
    (Refusal.NOTHING_TO_DISCARD, lambda: (
        begun(
            "AS 2S 3S 4S 5S 6S 7S 8S AH 2H 3H 4H 5H 6H 7H AC 2C 3C 4C 5C 6C", stock="7C", group_size="three_plus"
        ).draw(),
        show("AS 2S 3S 4S 5S 6S 7S 8S | AH 2H 3H 4H 5H 6H 7H | AC 2C 3C 4C 5C 6C 7C"),
    )),
    (Refusal.NO_DUBLEES, lambda: (paired(dublee=False), SEVEN)),
    (Refusal.NO_DUBLEES, lambda: (paired(dublee_min_players=3), SEVEN)),
    (Refusal.NOT_SEVEN_DUBLEES, lambda: (paired(), show_dublees("2S 4H 6C 8D 10S QH"))),
    (Refusal.NOT_SEVEN_DUBLEES, lambda: (paired(), show_dublees("2S 4H 6C 8D 10S QH QH"))),
    (Refusal.NOT_SEVEN_DUBLEES, lambda: (paired(), show_dublees("2S 4H 6C 8D 10S QH 3C"))),
    (Refusal.NOT_SEVEN_DUBLEES, lambda: (paired("JC"), show_dublees("2S 4H 6C 8D 10S QH AC JC"))),
    (Refusal.NOT_SEVEN_DUBLEES, lambda: (
        begun("2S 2S 4H 4H 6C 6C 8D 8D 10S 10S QH QH MAN MAN", man_cards=2).draw(),
        show_dublees("2S 4H 6C 8D 10S QH MAN"),
    )),
    (Refusal.NOT_HELD, lambda: (paired(), show_dublees("2S 4H 6C 8D 10S QH KS"))),
    (Refusal.SHOW_FIRST, lambda: (ready(), finish(FOUR, "6C"))),
    (Refusal.SHOW_FIRST, lambda: (paired(), finish_dublees("3C", "KC"))),
    (Refusal.SHOWED_DUBLEES, lambda: (seen_by_dublees(), finish("3C 5D 7S", "KC"))),
    (Refusal.SHOWED_GROUPS, lambda: (seen(), finish_dublees("2D", "6C"))),
    (Refusal.FINISH_NEXT_TURN, lambda: (ready(same_turn_finish=False).do(LAID), finish(FOUR, "6C"))),
    (Refusal.FINISH_NEXT_TURN, lambda: (
        paired("3C", same_turn_finish=False).do(SEVEN), finish_dublees("3C", "KC")
    )),
    (Refusal.NOT_A_GROUP, lambda: (seen(), finish("2D 3D 4D | JS QS KS | 9H 9S 9C | AH 2H 6C", "3H"))),
    (Refusal.NOT_A_GROUP, lambda: (seen(), finish("2D 3D 4D JS | QS KS | 9H 9S 9C | AH 2H 3H", "6C"))),
    (Refusal.CARDS_LEFT_OVER, lambda: (seen(), finish("2D 3D 4D | JS QS KS | 9H 9S 9C", "6C"))),
    (Refusal.CARDS_LEFT_OVER, lambda: (seen(), finish(f"{FOUR} 6C", "6C"))),
    (Refusal.NO_EIGHTH_DUBLEE, lambda: (seen_by_dublees("3C"), finish_dublees("5D", "KC"))),
    (Refusal.NO_EIGHTH_DUBLEE, lambda: (seen_by_dublees("2S"), finish_dublees("2S", "KC"))),
    (Refusal.MUST_FINISH, lambda: (
        seen_by_dublees("5D 3C").throw("KC").pass_turn().do(TakeDiscard()), finish_dublees("5D", "7S")
    )),
    (Refusal.TAKE_ONLY_TO_SHOW, lambda: (begun("", unseen_pickup="show_only"), TakeDiscard())),
    # There is a show, but not with this card.
    (Refusal.TAKE_ONLY_TO_SHOW, lambda: (
        begun(f"{PRIMARY} {REST}", up="KD", unseen_pickup="show_only"), TakeDiscard()
    )),
    (Refusal.MUST_SHOW, lambda: (
        begun(f"{PRIMARY} {REST}", up="4S", unseen_pickup="show_only").do(TakeDiscard()),
        Discard(Card.parse("9H")),
    )),
    (Refusal.MUST_SHOW, lambda: (
        begun(f"{PRIMARY} {REST}", up="4S", unseen_pickup="show_only").do(TakeDiscard()), LAID
    )),
    (Refusal.OUT_OF_DEAL, lambda: (failed(), DrawStock(), 0)),
    (Refusal.PILE_EMPTY, lambda: (failed(), TakeDiscard())),
]  # fmt: skip


@pytest.mark.parametrize(("code", "case"), CASES, ids=[code.value for code, _ in CASES])
def test_refusal(code: Refusal, case: Callable[[], Case]) -> None:
    script, action, *seat = case()
    assert script.refusal(action, *seat) is code


RULINGS = {Refusal.NO_FOULS, Refusal.ALREADY_RULED, Refusal.NOT_RULED}
"""Refusals for ruling fouls, not for a seat that acts; `test_ruled_fouls.py` has examples."""


def test_every_refusal_has_an_example() -> None:
    assert {code for code, _ in CASES} == set(Refusal) - RULINGS


NOT_PRIMARY = {"trial": False, "master": False, "tunnela": False, "any": False}

DETAILS: list[tuple[Callable[[], Case], dict[str, object]]] = [
    (lambda: (begun(""), DrawStock(), 2), {"seat": 2}),
    (lambda: (begun(""), DrawStock(), 1), {"turn": 0}),
    (lambda: (Script(arranged("", "")), DrawStock()), {}),
    (lambda: (Script(arranged("5H 5H", "5H")), expose("5H"), 0), {"faces": parse_cards("5H")}),
    (lambda: (seen("6C QC").throw("6C").pass_turn(), TakeDiscard()), {"card": Card.parse("QC")}),
    (lambda: (begun("", unseen_pickup="show_only"), TakeDiscard()), {"card": Card.parse("KD")}),
    (lambda: (failed(), TakeDiscard()), {}),
    (lambda: (ready().do(LAID), CutTiplu(-1)), {"places": 112}),
    (lambda: (ready(), Discard(Card.parse("KH"))), {"card": Card.parse("KH")}),
    (lambda: (seen(), Discard(Card.parse("AS"))), {"card": Card.parse("AS")}),
    (lambda: (ready(), show("AS 2S 3S | 5H 5H 5H | QH JH KH")), {"card": Card.parse("JH")}),
    (lambda: (seen(), finish("2D 3D 4D | JS QS KS | 9C 8C 7C | AH 2H 3H", "6C")), {"card": Card.parse("7C")}),
    (lambda: (begun("", up="KD").do(TakeDiscard()), Discard(Card.parse("KD"))), {"card": Card.parse("KD")}),
    (lambda: (ready(), show("AS 2S 3S | 5H 5H 5H")), {"count": 2}),
    (
        lambda: (ready(), show("AS 2S 3S | 5H 5H 5H | 9S 9H 9C")),
        NOT_PRIMARY | {"group": parse_cards("9S 9H 9C")},
    ),
    (
        lambda: (ready(primary_trial=True), show("AS 2S 3S | 5H 5H 5H | QS JS 9S")),
        NOT_PRIMARY | {"group": parse_cards("9S JS QS"), "trial": True},
    ),
    (
        lambda: (
            ready(primary_trial=True, master_card="always_primary"),
            show("AS 2S 3S | 5H 5H 5H | QS JS 9S"),
        ),
        {"group": parse_cards("9S JS QS"), "trial": True, "master": True, "tunnela": True, "any": True},
    ),
    (
        lambda: (
            ready(primary_trial=True, master_card="always_tunnelas"),
            show("AS 2S 3S | 5H 5H 5H | QS JS 9S"),
        ),
        {"group": parse_cards("9S JS QS"), "trial": True, "master": True, "tunnela": True, "any": False},
    ),
    (lambda: (paired(), show_dublees("2S 4H 6C 8D 10S KS QS")), {"card": Card.parse("QS")}),
    (
        lambda: (paired(), show_dublees("2S 4H 6C 8D 10S QH 3C")),
        {"faces": parse_cards("2S 10S 4H QH 8D 3C 6C")},
    ),
    (lambda: (seen(), finish("2D 3D 4D | JS QS KS | 9H 9S 9C", "6C")), {"cards": parse_cards("AH 2H 3H 6C")}),
    (
        lambda: (seen(), finish("2D 3D 4D | JS QS KS | 9H 9S 9C | AH 2H 6C", "3H")),
        {"group": parse_cards("AH 2H 6C")},
    ),
    (lambda: (seen(), finish(FOUR, "KH")), {"card": Card.parse("KH")}),
    (lambda: (seen_by_dublees("3C"), finish_dublees("5D", "KC")), {"face": Card.parse("5D")}),
    (
        lambda: (
            seen_by_dublees("5D 3C").throw("KC").pass_turn().do(TakeDiscard()),
            finish_dublees("5D", "7S"),
        ),
        {"card": Card.parse("3C")},
    ),
    (
        lambda: (
            begun(f"{PRIMARY} {REST}", up="4S", unseen_pickup="show_only").do(TakeDiscard()),
            Discard(Card.parse("9H")),
        ),
        {"card": Card.parse("4S")},
    ),
    (
        lambda: (begun(f"{PRIMARY} {REST}", up="4S", unseen_pickup="show_only").do(TakeDiscard()), LAID),
        {"card": Card.parse("4S")},
    ),
]


@pytest.mark.parametrize(("case", "details"), DETAILS)
def test_a_refusal_names_the_cards_or_numbers_that_it_is_about(
    case: Callable[[], Case], details: dict[str, object]
) -> None:
    script, action, *seat = case()
    with pytest.raises(IllegalActionError) as refused:
        decide(script.state, *seat or [script.state.turn], action)
    assert refused.value.details == details


def test_a_choice_that_is_checked_in_a_view_has_the_reason_that_decide_gives() -> None:
    deal, eighth, thrown = begun(f"{PAIRS} {SINGLES}"), finish_dublees("2S", "3C"), Discard(Card.parse("2S"))
    for action in (eighth, thrown):
        assert refusal_of(deal.view(), action) is deal.refusal(action) is Refusal.DRAW_FIRST
    deal.draw()
    assert refusal_of(deal.view(), eighth) is deal.refusal(eighth) is Refusal.SHOW_FIRST
    assert not may_finish(deal.view(), eighth)
    assert refusal_of(deal.view(), thrown) is None
