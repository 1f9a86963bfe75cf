"""What is offered to a seat, and what anyone can see that a seat may not take."""

from dataclasses import replace

import pytest

from marriage.actions import Action, DeclineTunnelas, Discard, DrawStock, Finish, FinishDublees, TakeDiscard
from marriage.cards import Card, parse_cards
from marriage.legal import (
    dublee_show,
    every_finish,
    finishes,
    is_barred_in_public,
    legal_actions,
    legal_discards,
    may_take,
    shows,
    throw_fouls,
    tunnelas,
)
from marriage.rules import Rules, preset
from marriage.state import ShowKind
from marriage.view import View, view
from tests.marriage.dealing import Script, arranged, expose, finish, show, show_dublees
from tests.marriage.example_hands import FOUR, LAID, PAIRS, PRIMARY, REST, SEVEN, SINGLES, begun, card

OPEN = {"seen_pickup_wild": "forbid"}
STRICT = {"unseen_pickup": "show_only"}


def on_pile(top: str, shown: ShowKind | None = None, tiplu: str | None = None, **options: object) -> View:
    """Return what a spectator sees of a deal of three with this card on the pile, after seat 1 has shown."""
    seen = begun("", "", "").view()
    taker = replace(seen.seats[1], shown=shown, laid=tuple((face, face) for face in SEVEN.faces))
    return replace(
        seen,
        viewer=None,
        rules=preset("pagat", man_cards=2, **{"master_card": "after_seeing"} | options),
        pile=parse_cards(f"5D 6D {top}") if top else (),
        seats=(seen.seats[0], taker, seen.seats[2]),
        tiplu=None if tiplu is None else card(tiplu),
    )


BARRED: list[tuple[bool, View]] = [
    (True, on_pile("")),
    # after a show of dublees only an eighth one is taken
    (True, on_pile("2S", ShowKind.DUBLEES)),
    (False, on_pile("3S", ShowKind.DUBLEES)),
    (True, on_pile("MAN", ShowKind.DUBLEES)),
    (False, on_pile("MAN", ShowKind.DUBLEES, joker_dublee=True)),
    (True, on_pile("MASTER", ShowKind.DUBLEES, joker_dublee=True)),
    # after a show of groups no card is taken that all know to be wild
    (False, on_pile("QC", ShowKind.GROUPS, **OPEN)),
    (True, on_pile("QC", ShowKind.GROUPS, "JC", **OPEN)),
    (False, on_pile("QD", ShowKind.GROUPS, "JC", **OPEN)),
    (True, on_pile("MAN", ShowKind.GROUPS, **OPEN)),
    (False, on_pile("MAN", ShowKind.GROUPS, seen_pickup_wild="allow")),
    (False, on_pile("QC", ShowKind.GROUPS, "JC", seen_pickup_wild="allow")),
    # before a show
    (False, on_pile("MAN", unseen_pickup="free")),
    (False, on_pile("QC", **STRICT)),
    (True, on_pile("MAN", **STRICT)),
    (False, on_pile("MAN", joker_dublee=True, **STRICT)),
    (True, on_pile("MAN", joker_dublee=True, dublee_min_players=4, **STRICT)),
    (False, on_pile("MAN", joker_dublee=True, dublee_min_players=3, **STRICT)),
    (True, on_pile("MASTER", joker_dublee=True, **STRICT)),
    (False, on_pile("MASTER", master_card="always", **STRICT)),
    (True, on_pile("MAN", master_card="always", **STRICT)),
]


@pytest.mark.parametrize(("barred", "seen"), BARRED)
def test_who_may_not_take_the_top_of_the_pile_for_all_to_see(barred: bool, seen: View) -> None:
    assert is_barred_in_public(seen, 1) is barred


# Whose turn it is


def test_a_spectator_a_dead_hand_and_the_seats_of_a_finished_deal_may_do_nothing() -> None:
    deal = begun(f"{PRIMARY} {REST}", "", stock="6C QD")
    assert legal_actions(view(deal.state, None)) == ()
    dead = begun("", "", "", false_claim="foul", foul="next", tunnela_window="own_first_draw")
    assert (
        legal_actions(
            replace(dead.view(), seats=(replace(dead.view().own, out=True), *dead.view().seats[1:]))
        )
        == ()
    )
    deal.draw().do(LAID).cut_to("QD").do(finish(FOUR, "6C"))
    assert [legal_actions(view(deal.state, seat)) for seat in (0, 1)] == [(), ()]


def test_until_their_first_draw_players_may_expose_out_of_turn() -> None:
    deal = begun("", "5H 5H 5H", tunnela_window="own_first_draw")
    choices = (expose("5H"), DeclineTunnelas())
    assert deal.legal(1) == choices
    assert deal.legal(0) == (DeclineTunnelas(), DrawStock(), TakeDiscard())
    deal.draw()
    assert deal.legal(1) == choices
    assert deal.legal(0) == tuple(Discard(face) for face in dict.fromkeys(deal.state.seats[0].cards))
    deal.do(DeclineTunnelas(), seat=1)
    assert deal.legal(1) == ()


def test_four_man_cards_are_one_tunnela() -> None:
    rules = preset("pagat", man_cards=4)
    deal = Script(arranged("MAN MAN MAN MAN 5H 5H 5H 6S 6S", "", rules=rules))
    assert set(tunnelas(deal.view(0))) == set(parse_cards("MAN 5H"))
    exposed = deal.legal(0)
    assert len(exposed) == 4
    assert exposed[-1] == DeclineTunnelas()


def test_what_may_be_taken_is_offered() -> None:
    deal = begun("", "", up="KD")
    assert may_take(deal.view())
    strict = begun("", "", up="KD", unseen_pickup="show_only")
    assert not may_take(strict.view())
    assert strict.legal() == (DrawStock(),)


# Throw fouls


def both_seen(**options: object) -> Script:
    """Return a deal in which seat 0, with 22 cards, and seat 1 have seen the tiplu QD."""
    other = "AD 2D 3D 6H 7H 8H 10S 10S 10S"
    deal = begun(f"{PRIMARY} {REST}", other, "", stock="6C 4C QD 4H 6S", foul="each", **options)
    deal.draw().do(LAID).cut_to("QD").throw("6C")
    deal.draw().do(show("AD 2D 3D | 6H 7H 8H | 10S 10S 10S")).throw("4C")
    return deal.pass_turn().draw()


def test_what_would_be_a_throw_foul() -> None:
    seen = both_seen(throw_foul=True).view()
    wild = parse_cards("QD KD JD QH QS QC")
    assert throw_fouls(seen) <= set(wild)
    assert throw_fouls(seen) >= set(parse_cards("QD KD JD QH"))
    assert throw_fouls(both_seen().view()) == frozenset()


def test_no_throw_is_a_foul_before_both_have_seen() -> None:
    seen = both_seen(throw_foul=True).view()
    own, following, third = seen.seats
    for changed in (
        (replace(own, seen=False), following, third),
        (own, replace(following, seen=False), third),
        (own, replace(following, out=True), third),
        (own, replace(following, out=True), replace(third, out=True)),
    ):
        assert throw_fouls(replace(seen, seats=changed)) == frozenset()
    to_third = (own, replace(following, out=True), replace(third, seen=True))
    assert throw_fouls(replace(seen, seats=to_third)) == throw_fouls(seen)
    assert throw_fouls(replace(seen, viewer=None)) == frozenset()


# Shows


def test_a_show_by_groups_and_one_by_dublees_are_offered() -> None:
    hand = "2S 2S 3S 3S 4S 4S 5H 5H 6H 6H 7H 7H 9C 9C 10C JC KD KD 8D QS"
    deal = begun(hand, "", stock="2D").draw()
    by_groups, by_dublees = shows(deal.view())
    assert by_dublees == dublee_show(deal.view())
    assert [type(action).__name__ for action in (by_groups, by_dublees)] == ["Show", "ShowDublees"]
    without = begun(hand, "", stock="2D", dublee=False).draw()
    assert (shows(without.view()), dublee_show(without.view())) == ((by_groups,), None)


def test_a_card_taken_to_show_with_leaves_only_shows_with_it() -> None:
    deal = begun(f"{PRIMARY} {REST}", "", up="4S", unseen_pickup="show_only").do(TakeDiscard())
    assert legal_discards(deal.view()) == ()
    assert deal.legal() == shows(deal.view())
    assert deal.legal()
    for action in deal.legal():
        assert isinstance(action, type(LAID))
        assert any(card("4S") in group for group in action.groups)


def test_a_show_with_the_master_card_is_offered() -> None:
    hand = "3S MASTER 5S QH KH AH 6D 6D 6D 2C 4C 8C 10C 2H 4H 8S 10S JD KD 9H 7C"
    deal = begun(hand, "", stock="5C", master_card="always").draw()
    [offered] = shows(deal.view())
    assert isinstance(offered, type(LAID))
    assert any(card("MASTER") in group for group in offered.groups)
    deal.do(offered)


def test_no_second_show_is_offered() -> None:
    deal = begun(f"{PRIMARY} {REST}", "", stock="6C QD").draw().do(LAID).cut_to("QD")
    assert shows(deal.view()) == ()


def test_exposed_tunnelas_are_among_the_dublees() -> None:
    deal = Script(arranged(f"2S {PAIRS} 3C 5D 7S 9H JD KC", "", stock="3H QD")).do(expose("2S"), seat=0)
    deal.close_window().draw()
    assert dublee_show(deal.view()) == show_dublees(" ".join(map(str, SEVEN.faces)))


def test_the_dublees_of_exposed_tunnelas_come_first() -> None:
    hand = "2S 2S 4H 4H 6C 6C 8D 8D 10S 10S QH QH 3C 3C KC KC KC 5D 7S 9H JD"
    deal = Script(arranged(hand, "", stock="3H")).do(expose("KC"), seat=0).close_window().draw()
    assert dublee_show(deal.view()) == show_dublees("2S 4H 3C 8D 10S QH KC")


def test_seven_dublees_that_leave_no_card_are_no_show() -> None:
    """The exposed man cards are not a dublee here, so the seven take every card of the hand."""
    hand = "MAN MAN MAN 9C 9C 9C QC QC QC KC KC KC JC JC JC 7H 7H 7H 2S 2S 3S"
    deal = Script(arranged(hand, "", stock="3S", rules=preset("pagat", man_cards=3)))
    deal.do(expose("MAN 9C QC KC JC 7H"), seat=0).close_window().draw()
    assert dublee_show(deal.view()) is None


# Finishes


def dublees(stock: str, **options: object) -> Script:
    deal = begun(f"{PAIRS} {SINGLES}", "", stock=f"{stock} QD 4C 5C", **options).draw()
    return deal.do(SEVEN).cut_to("QD")


def closing(actions: list[Action]) -> list[str]:
    """Return the closing discards of finishes, in their order."""
    return [str(action.discard) for action in actions if isinstance(action, Finish | FinishDublees)]


def test_an_eighth_dublee_is_offered_with_every_discard_and_maal_comes_last() -> None:
    seen = dublees("3C").view()
    found = [*every_finish(seen)]
    assert {action.face for action in found if isinstance(action, FinishDublees)} == {card("3C")}
    assert closing(found) == ["7S", "3H", "9H", "5D", "KC", "JD"]
    assert finishes(seen) == (found[0],)
    assert finishes(dublees("JC").view()) == ()


def test_a_wild_card_without_points_is_discarded_before_maal() -> None:
    deal = begun(f"{PAIRS} 3C 5D 7S QS JD 3H KC", "", stock="3C QD").draw().do(SEVEN).cut_to("QD")
    assert closing([*every_finish(deal.view())]) == ["7S", "3H", "5D", "KC", "QS", "JD"]
    hand = f"{PRIMARY} 2D 3D 4D 9H 9S 9C AH 2H 3H 5S 6S JD"
    by_groups = begun(hand, "", stock="QC QD").draw().do(LAID).cut_to("QD")
    assert closing([*every_finish(by_groups.view())])[-2:] == ["QC", "JD"]


def test_the_card_taken_to_finish_with_is_the_eighth_dublee() -> None:
    deal = dublees("5D").throw("KC").draw()
    deal.do(Discard(deal.state.drawn or card("4C")))
    again = replace(deal.view(0), turn=0)
    pair = replace(again.own, cards=(*(again.own.cards or ()), card("3C")))
    concealed = tuple(sorted((*(again.own.concealed or ()), card("3C"))))
    held = replace(
        again, seats=(replace(pair, concealed=concealed), again.seats[1]), taken=card("3C"), drawn=card("3C")
    )
    offered = [*every_finish(held)]
    assert {action.face for action in offered if isinstance(action, FinishDublees)} == {card("3C")}
    assert closing(offered) == ["7S", "3H", "9H", "5D", "JD"]


def test_a_finish_by_groups_is_offered_once_for_each_closing_discard() -> None:
    hand = f"{PRIMARY} 2D 3D 4D JS QS KS 9H 9S 9C AH 2H 3H"
    seen = begun(hand, "", stock="4H QD").draw().do(LAID).cut_to("QD").view()
    assert sorted(closing([*every_finish(seen)])) == ["4H", "AH"]
    assert finishes(seen) == (next(every_finish(seen)),)


def test_an_exposed_tunnela_that_was_not_laid_saves_a_group_of_the_finish() -> None:
    hand = f"{PRIMARY} 8S 8S 8S 2D 3D 4D JS QS KS 9H 9S 9C"
    deal = Script(arranged(hand, "", stock="6C QD")).do(expose("8S 5H"), seat=0).close_window().draw()
    deal.do(LAID).cut_to("QD")
    [offered] = finishes(deal.view())
    assert isinstance(offered, Finish)
    assert len(offered.groups) == 3
    deal.do(offered)


def test_no_finish_is_offered_in_the_turn_of_the_show_where_it_must_wait() -> None:
    deal = begun(f"{PRIMARY} {REST}", "", stock="6C QD", same_turn_finish=False).draw()
    assert finishes(deal.view()) == ()
    deal.do(LAID)
    assert finishes(deal.view()) == ()
    assert deal.legal() == tuple(map(Discard, legal_discards(deal.view())))


def test_another_discard_is_offered_if_the_face_taken_would_be_the_first() -> None:
    hand = f"{PRIMARY} 2D 3D 4D JS QS KS 9H 9S 9C 2C 3C 4C"
    deal = begun(hand, "AC", stock="6C QD").draw().do(LAID).cut_to("QD").throw("6C")
    deal.draw().throw("AC").do(TakeDiscard())
    assert closing([*finishes(deal.view())]) == ["4C"]


def test_the_face_taken_is_not_the_closing_discard() -> None:
    deal = begun(f"{PRIMARY} {REST}", "4H", stock="6C QD").draw().do(LAID).cut_to("QD").throw("6C")
    deal.draw().throw("4H").do(TakeDiscard())
    assert closing([*every_finish(deal.view())]) == ["AH"]
    free = replace(deal.view(), rules=Rules(same_face_discard="allow"))
    assert sorted(closing([*every_finish(free)])) == ["4H", "AH"]
    assert Discard(Card.parse("4H")) not in deal.legal()
