"""The options of a moment and their worth: small hands whose figures can be counted."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from marriage.actions import CutTiplu, DeclineTunnelas, Discard, DrawStock, Finish, TakeDiscard
from marriage.analysis.options import (
    Option,
    Stage,
    after_discard,
    can_finish,
    can_show,
    difference,
    expected_points,
    figured,
    is_like,
    maal,
    options,
    second_best,
    waiting,
    with_card,
    worth_of_draw,
    worth_of_hand,
)
from marriage.cards import CARDS, FACES, Card, parse_cards, sort_cards
from marriage.rules import preset
from marriage.scoring.hand_points import points_of, score_hand
from marriage.scoring.point_tables import point_table
from marriage.sheet import What
from marriage.solver import Hand, distance
from marriage.state import Phase
from marriage.view import View
from tests.marriage.dealing import DULL_FACES, Script, arranged, expose, finish, finish_dublees
from tests.marriage.example_hands import (
    FOUR,
    LAID,
    OTHER,
    OTHER_LAID,
    PAIRS,
    PRIMARY,
    REST,
    SEVEN,
    SINGLES,
    begun,
    card,
)

NEAR = "AS 2S 3S 5H 6H 7H 9C 10C 4H 7D AC 4D QC 6H 10S 7S 9H KH 10H QS 5D"
"""Two sequences, and 26 unseen cards that complete a third one."""
DULL = " ".join(DULL_FACES[:21])
"""No two of these cards are of use to each other."""
HOPELESS = "MAN MAN MAN MAN MAN MAN 2S 5S 8S JS 2H 5H 8H JH 2D 5D 8D JD 2C 5C 8C"
"""Man cards help no show, and no two of the others are of use to each other for one."""
ONE_SHORT = f"{PRIMARY} 2D 3D 4D JS QS KS 9H 9S 9C AH 2H KD"
SCATTERED = f"{PRIMARY} 2D 5D 8D JD 2H 6H 8H JH 2C 6C JC 5S"
BLOCK = 4
"""The features of each distance: a constant, the outs, the rounds and the share of the others who have seen."""


def unseen(view: View) -> int:
    """Return how many cards the viewer cannot see."""
    return sum(Hand.of(view).left(view.rules))


def with_seat(view: View, seat: int, **changes: object) -> View:
    """Return the view with one seat changed."""
    changed = replace(view.seats[seat], **changes)
    return replace(view, seats=(*view.seats[:seat], changed, *view.seats[seat + 1 :]))


def with_unseen(view: View, cards: str) -> View:
    """Return the view with all cards on the pile but these, and the top one, that the viewer cannot see."""
    left = Hand.of(view).left(view.rules)
    for each in parse_cards(cards):
        left[each] -= 1
    gone = [each for each, copies in zip(CARDS, left, strict=False) for _ in range(copies)]
    return replace(view, pile=(*view.pile, *gone))


def points_by(found: Sequence[Option]) -> dict[object, float]:
    return {option.action: option.points for option in found}


# The features


def test_a_hand_that_lacks_one_card_has_its_share_of_the_unseen_cards_that_bring_it() -> None:
    seen = begun(NEAR, "").view(0)
    stage, features = waiting(seen)
    assert stage is Stage.UNSEEN
    assert features[:BLOCK] == (1.0, pytest.approx(26 / unseen(seen)), 0.05, 0.0)
    assert set(features[BLOCK : 4 * BLOCK]) == {0.0}


def test_outs_that_are_known_are_not_counted_again() -> None:
    seen = begun(NEAR, "").view(0)
    _, features = waiting(seen, 13)
    assert features[1] == pytest.approx(13 / unseen(seen))


def test_the_outs_of_a_seat_that_has_seen_are_those_of_a_finish() -> None:
    table = begun(f"{PRIMARY} {REST}", "", stock="6C QD").draw().do(LAID).cut_to("QD")
    seen = after_discard(table.view(0), card("KS"))
    hand, left = Hand.of(seen), Hand.of(seen).left(seen.rules)
    outs = sum(left[each] for each in CARDS[:FACES] if left[each] and not lacks(hand, each, seen))
    stage, features = waiting(seen)
    assert stage is Stage.SEEN
    assert features[:BLOCK] == (1.0, pytest.approx(outs / unseen(seen)), 0.1, 0.0)
    assert set(features[BLOCK : 4 * BLOCK]) == {0.0}


def lacks(hand: Hand, drawn: Card, seen: View) -> int:
    """Return how many cards a hand lacks for a finish after a draw."""
    return distance(hand._replace(concealed=sort_cards((*hand.concealed, drawn))), seen.rules)


@pytest.mark.parametrize(
    "rest", ["2D 4D 6D 8D 10D QD 2H 4H 8H 10H QH 4S", "2D 3D 4D JS QS KS 9H 9S 9C AH 2H 3H"]
)
def test_a_hand_that_lacks_nothing_for_its_show_needs_any_card(rest: str) -> None:
    stage, features = waiting(begun(f"{PRIMARY} {rest}", "").view(0))
    assert stage is Stage.UNSEEN
    assert features[:2] == (1.0, 1.0)


def test_outs_that_are_known_after_a_show_are_not_counted_again() -> None:
    seen = begun(f"{PRIMARY} {REST}", "", stock="6C QD").draw().do(LAID).cut_to("QD").view(0)
    after = after_discard(seen, card("KS"))
    assert waiting(after, 13)[1][1] == pytest.approx(13 / unseen(after))


def test_a_hand_that_lacks_nothing_for_its_finish_needs_any_card() -> None:
    seen = begun(f"{PRIMARY} {REST}", "", stock="6C QD").draw().do(LAID).cut_to("QD").view(0)
    _, features = waiting(after_discard(seen, card("6C")))
    assert features[:2] == (1.0, 1.0)


def test_a_hand_that_lacks_three_cards_has_its_share_of_outs() -> None:
    _, features = waiting(begun(DULL, "").view(0))
    assert features[2 * BLOCK] == 1.0
    assert 0 < features[2 * BLOCK + 1] < 1
    assert set(features[: 2 * BLOCK] + features[3 * BLOCK : 4 * BLOCK]) == {0.0}


@pytest.mark.parametrize(
    "hand", [HOPELESS, "MAN MAN MAN MAN MAN MAN AS 2S 3S 6S 9S QS 3H 6H 9H QH 3D 6D 9D QD 3C"]
)
def test_the_outs_of_a_hand_that_lacks_more_cards_are_not_counted(hand: str) -> None:
    _, features = waiting(begun(hand, "", man_cards=6).view(0))
    assert features[: 3 * BLOCK] == (0.0,) * (3 * BLOCK)
    assert features[3 * BLOCK : 3 * BLOCK + 2] == (1.0, 1.0)


def test_the_outs_of_a_hand_that_lacks_four_cards_for_its_finish_are_not_counted() -> None:
    rest = "2D 3D 6H 7H 10S JS QC KC 4C 9D JH 5S"
    seen = begun(f"{PRIMARY} {rest}", "", stock="8S AC").draw().do(LAID).cut_to("AC").view(0)
    _, features = waiting(after_discard(seen, card("8S")))
    assert features[3 * BLOCK : 3 * BLOCK + 2] == (1.0, 1.0)


def test_the_outs_of_a_show_that_needs_the_only_unseen_card_are_all_cards() -> None:
    _, features = waiting(with_unseen(begun(NEAR, "").view(0), "8C"))
    assert features[:2] == (1.0, 1.0)


def test_where_every_card_is_seen_no_card_helps() -> None:
    _, features = waiting(with_unseen(begun(NEAR, "").view(0), ""))
    assert features[BLOCK : BLOCK + 2] == (1.0, 0.0)
    assert waiting(with_unseen(shown_dublees().view(0), ""))[1][1] == 0.0


def test_a_hand_that_no_card_can_complete_counts_as_far_from_its_finish() -> None:
    hand = "4S 9S 9S QS KS 6H 9H 10H QH KH AD 5D 7D 9D 10D 3C 3C 5C 5C 7C 9C"
    seen = with_unseen(begun(hand, "").view(0), "")
    assert waiting(seen)[1][4 * BLOCK] == 8
    assert can_show(seen)[1] == 8


def test_a_hand_that_may_show_is_told_by_what_its_finish_lacks() -> None:
    near = begun(ONE_SHORT, "", stock="10D").draw().view(0)
    assert can_show(near) == (1.0, 1, 0.05, 0.0, maal(near))
    far = begun(SCATTERED, "", stock="10D").draw().view(0)
    assert can_show(far)[1] == 2


def test_a_hand_that_may_finish_is_told_by_the_table_and_its_maal() -> None:
    seen = begun(f"{PRIMARY} {REST}", "", stock="6C 2S").draw().do(LAID).cut_to("2S").view(0)
    assert can_finish(seen) == (1.0, 0.05, 0.0, 10.0)


def test_a_reshuffle_counts_as_a_round_like_a_card_of_each_seat_and_rounds_are_capped() -> None:
    seen = begun("", "", "", "").view(0)
    pile = CARDS[:8]
    assert can_finish(replace(seen, pile=pile))[1] == pytest.approx(0.2)
    assert can_finish(replace(seen, pile=pile, reshuffles=3))[1] == pytest.approx(0.5)
    assert can_finish(replace(seen, pile=pile, reshuffles=20))[1] == pytest.approx(1.5)


def test_the_share_of_the_others_who_have_seen_leaves_out_the_viewer() -> None:
    seen = begun("", "", "", "").view(0)
    assert can_finish(with_seat(seen, 0, seen=True))[2] == 0.0
    assert can_finish(with_seat(seen, 2, seen=True))[2] == pytest.approx(1 / 3)


@pytest.mark.parametrize(("pairs", "spare"), [(2, 0.0), (3, 0.0), (4, 1.0), (7, 4.0)])
def test_pairs_beyond_the_usual_number_are_spare(pairs: int, spare: float) -> None:
    singles = DULL_FACES[pairs : 21 - pairs]
    hand = " ".join(DULL_FACES[:pairs] * 2 + singles)
    assert waiting(begun(hand, "").view(0))[1][-1] == spare
    assert waiting(begun(hand, "", dublee=False).view(0))[1][-1] == 0.0


# Dublees


def shown_dublees(singles: str = SINGLES, **options: Any) -> Script:
    """Return a deal after a show by dublees."""
    table = begun(f"{PAIRS} {singles}", "", stock="JC QD", **options).draw()
    return table.do(SEVEN).cut_to("QD").throw("JC")


def test_towards_the_eighth_dublee_the_unseen_partners_count() -> None:
    """Seven single cards have two partners each among the cards that the seat does not see."""
    seen = shown_dublees().view(0)
    stage, features = waiting(seen)
    assert stage is Stage.DUBLEES
    assert features == (1.0, pytest.approx(14 / unseen(seen)), 0.1, 0.0, maal(seen))
    option = Option(Discard(seen.hand[0]), 3.0)
    assert figured(seen, option) is option


@pytest.mark.parametrize(("paired", "partners"), [(False, 12), (True, 13)])
def test_two_man_cards_are_a_dublee_only_if_the_rules_say_so(paired: bool, partners: int) -> None:
    table = shown_dublees("3C 5D 7S 9H JD 3H MAN", man_cards=2, joker_dublee=paired)
    seen = replace(table.view(0), pile=())
    assert waiting(seen)[1][1] == pytest.approx(partners / unseen(seen))


def test_the_only_unseen_card_is_sure_to_come() -> None:
    assert waiting(with_unseen(shown_dublees().view(0), "KC"))[1][1] == 1.0


# Maal


def test_a_known_tiplu_gives_the_points_of_the_hand() -> None:
    """A marriage counts 10, a laid one 15 where the rules say so, an exposed tunnela 5."""
    hand = f"{PRIMARY} {REST}"
    assert maal(begun(hand, "", stock="6C 2S").draw().do(LAID).cut_to("2S").view(0)) == 10
    laid = begun(hand, "", stock="6C 2S", laid_marriage=True).draw()
    assert maal(laid.do(LAID).cut_to("2S").view(0)) == 15
    exposed = Script(arranged(hand, "", stock="6C 2S")).do(expose("5H"), seat=0).close_window().draw()
    assert maal(exposed.do(LAID).cut_to("2S").view(0)) == 15


def test_an_unknown_tiplu_gives_the_average_over_the_cards_that_it_may_be() -> None:
    """The tiplu is the only ace of clubs, or one of the two kings of hearts left."""
    seen = with_unseen(begun("AC AC 2C QH", "").view(0), "AC KH KH")
    held = sort_cards(seen.hand)
    worth = {tiplu: points_of(score_hand(held, (), 0, tiplu, seen.rules)) for tiplu in parse_cards("AC KH")}
    assert worth[card("AC")] != worth[card("KH")] > 0
    assert maal(seen) == pytest.approx((worth[card("AC")] + 2 * worth[card("KH")]) / 3)


def test_man_cards_are_no_tiplu() -> None:
    seen = begun("AC", "", man_cards=2).view(0)
    only = with_unseen(seen, "AC MAN MAN")
    assert maal(only) == points_of(score_hand(seen.hand, (), 0, card("AC"), seen.rules)) > 0


def test_where_no_card_can_be_the_tiplu_there_is_no_maal() -> None:
    assert maal(with_unseen(begun("AC", "").view(0), "")) == 0.0


# Points


def test_every_opponent_pays_alike_and_a_better_deal_counts_more() -> None:
    two, four = begun("", "").view(0), begun("", "", "", "").view(0)
    features = (1.0, 0.5, 0.0, 10.0)
    worth = expected_points(two, Stage.CAN_FINISH, features)
    assert worth > 0
    assert expected_points(four, Stage.CAN_FINISH, features) == pytest.approx(3 * worth)
    better = replace(two, better=True)
    assert better.factor == 2
    assert expected_points(better, Stage.CAN_FINISH, features) == pytest.approx(2 * worth)


def test_a_finish_is_dearer_where_the_unseen_lose_their_maal() -> None:
    counted, void = (begun("", "", unseen_maal=kind).view(0) for kind in ("count", "murder"))
    features = (1.0, 0.5, 0.0, 10.0)
    assert expected_points(void, Stage.CAN_FINISH, features) > expected_points(
        counted, Stage.CAN_FINISH, features
    )


def test_only_the_difference_of_two_discards_is_corrected() -> None:
    throw, other = Option(Discard(CARDS[0]), 3.0), Option(Discard(CARDS[1]), 1.0)
    draw = Option(DrawStock(), 3.0)
    assert difference(throw, other) == pytest.approx(0.8)
    assert difference(draw, other) == 2.0
    assert difference(throw, replace(draw, points=1.0)) == 2.0


# The figures of an option


def test_a_discard_is_explained_by_what_its_hand_lacks_and_its_outs() -> None:
    seen = begun(NEAR, "", stock="4H").draw().view(0)
    option = figured(seen, Option(Discard(card("KH")), 1.5))
    assert option == Option(Discard(card("KH")), 1.5, missing=1, outs=27)


def test_a_draw_is_explained_by_the_hand_before_it() -> None:
    seen = begun(NEAR, "").view(0)
    assert figured(seen, Option(DrawStock(), 1.5)) == Option(DrawStock(), 1.5, missing=1, outs=26)


def test_taking_is_explained_by_the_hand_with_the_card() -> None:
    seen = begun(NEAR, "", up="8C").view(0)
    assert figured(seen, Option(TakeDiscard(), 1.5)) == Option(TakeDiscard(), 1.5, missing=0)


def test_after_a_show_the_finish_is_what_the_hand_lacks() -> None:
    seen = begun(f"{PRIMARY} {REST}", "", stock="6C QD").draw().do(LAID).cut_to("QD").view(0)
    assert figured(seen, Option(Discard(card("6C")), 1.5)).missing == 0
    option = figured(seen, Option(Discard(card("KS")), 1.5))
    after = after_discard(seen, card("KS"))
    assert option.missing == 1
    assert option.outs == pytest.approx(waiting(after)[1][1] * unseen(after))


def test_a_show_explains_itself() -> None:
    seen = begun(f"{PRIMARY} {REST}", "", stock="6C").draw().view(0)
    option = Option(LAID, 1.5)
    assert figured(seen, option) is option


# The options of a moment


def test_a_draw_and_the_top_of_the_pile_are_the_options_before_a_card() -> None:
    seen = begun(NEAR, "", up="8C").view(0)
    best, other = options(seen)
    assert (best.action, other.action) == (TakeDiscard(), DrawStock())
    assert best.points > other.points == pytest.approx(worth_of_draw(seen))


def test_taking_is_worth_what_the_hand_is_worth_with_the_card() -> None:
    table = begun(NEAR, "", up="8C")
    taking = points_by(options(table.view(0)))[TakeDiscard()]
    assert taking == pytest.approx(worth_of_hand(table.do(TakeDiscard()).view(0)))


def test_a_hand_is_worth_its_show() -> None:
    seen = begun(f"{PRIMARY} {REST}", "", stock="6C").draw().view(0)
    best = options(seen)[0]
    assert is_like(best.action, LAID)
    assert worth_of_hand(seen) == best.points == expected_points(seen, Stage.CAN_SHOW, can_show(seen))


def test_a_hand_is_worth_its_finish() -> None:
    seen = begun(f"{PRIMARY} {REST}", "", stock="6C QD").draw().do(LAID).cut_to("QD").view(0)
    best = options(seen)[0]
    assert isinstance(best.action, Finish)
    assert worth_of_hand(seen) == best.points == expected_points(seen, Stage.CAN_FINISH, can_finish(seen))


def test_a_hand_that_can_only_throw_is_worth_its_best_discard() -> None:
    seen = begun(NEAR, "", stock="4H").draw().view(0)
    best = options(seen)[0]
    assert best.action == Discard(card("KH"))
    assert best.points == expected_points(seen, *waiting(after_discard(seen, card("KH"))))
    assert worth_of_hand(seen) == pytest.approx(best.points)


def test_a_hand_with_many_pairs_is_worth_its_best_discard_although_it_keeps_the_pairs() -> None:
    hand = "3S 3S 5S 7S JS 5H 5H 8H 9H 9H 10H JH 2D 4D QD QD KD 6C 6C 8C 10C"
    seen = begun(hand, "", stock="JC").draw().view(0)
    assert worth_of_hand(seen) == pytest.approx(options(seen)[0].points)


def test_who_throws_instead_of_showing_shows_a_round_later() -> None:
    table = begun(f"{PRIMARY} {REST}", "", "", stock="6C").draw()
    seen = replace(table.view(0), better=True)
    best, *others = options(seen)
    assert [best.points - other.points for other in others] == pytest.approx([0.6 * 2 * 2] * len(others))


def test_who_throws_instead_of_finishing_finishes_a_round_later() -> None:
    table = begun(f"{PRIMARY} {REST}", "", "", stock="6C QD").draw().do(LAID).cut_to("QD")
    best, second, *_ = options(replace(table.view(0), better=True))
    assert second.action == Discard(card("6C"))
    assert best.points - second.points == pytest.approx(1.3 * 2 * 2)


def test_a_foul_throw_costs_its_penalty() -> None:
    """The other seat has seen, so throwing a wild card to it is a foul."""
    rules = {"throw_foul": True, "foul": "next", "foul_points": 20}
    table = begun(f"{PRIMARY} {REST}", f"{OTHER}", stock="QC 6C QD", **rules)
    seen = table.draw().do(LAID).cut_to("QD").view(0)
    fair = points_by(options(seen))[Discard(card("QC"))]
    foul = points_by(options(with_seat(seen, 1, seen=True)))[Discard(card("QC"))]
    assert fair - foul > 20


def test_whoever_cannot_act_has_no_options() -> None:
    table = begun(f"{PRIMARY} {REST}", "", stock="6C QD")
    assert options(table.view(1)) == ()
    table.draw().do(LAID)
    assert table.state.phase is Phase.CUT
    assert options(table.view(0)) == ()
    assert second_best(table.view(0), CutTiplu()) is None


# A draw


def test_a_draw_is_worth_the_average_of_the_cards_that_it_may_be() -> None:
    """Three cards complete the show, and the other two do not."""
    seen = with_unseen(begun(NEAR, "").view(0), "8C 8C JC KD AD")
    worth = {each: worth_of_hand(with_card(seen, each)) for each in parse_cards("8C JC KD AD")}
    assert worth[card("8C")] != worth[card("KD")]
    average = (2 * worth[card("8C")] + sum(worth[each] for each in parse_cards("JC KD AD"))) / 5
    assert worth_of_draw(seen) == pytest.approx(average)


def test_the_cards_that_are_tried_for_a_draw_are_not_only_the_lowest() -> None:
    """Of these cards the higher ones are worth more, and one completes the show."""
    low, high = parse_cards("KS 2D 8D 10D"), parse_cards("JD QD KD AC")
    seen = with_unseen(begun(NEAR, "").view(0), "KC KS 2D 8D 10D JD QD KD AC")
    worth = {each: worth_of_hand(with_card(seen, each)) for each in (*low, *high)}
    assert sum(worth[each] for each in low) < sum(worth[each] for each in high)
    completed = worth_of_hand(with_card(seen, card("KC")))
    assert worth_of_draw(seen) > (completed + 2 * sum(worth[each] for each in low)) / 9


def test_the_master_card_may_come_too() -> None:
    seen = with_unseen(begun(NEAR, "", master_card="after_seeing").view(0), "MASTER")
    assert worth_of_draw(seen) == pytest.approx(worth_of_hand(with_card(seen, card("MASTER"))))


def test_the_only_card_left_is_what_a_draw_brings() -> None:
    seen = with_unseen(begun(NEAR, "").view(0), "8C")
    assert worth_of_draw(seen) == pytest.approx(worth_of_hand(with_card(seen, card("8C"))))


def test_without_a_card_to_draw_a_draw_is_worth_nothing() -> None:
    assert worth_of_draw(with_unseen(begun(NEAR, "").view(0), "")) == 0.0


# Tunnelas


def test_in_the_window_every_tunnela_that_is_kept_hidden_costs_its_points() -> None:
    seen = Script(arranged("5H 5H 5H 6S 6S 6S", "", "")).view(0)
    worth = point_table("pagat", ()).worth
    one, two = (2 * worth(What.TUNNELA, count) for count in (1, 2))
    best, *others = options(seen)
    assert best.action == expose("6S 5H")
    assert {option.action: option.points - best.points for option in others} == {
        expose("5H"): pytest.approx(one - two),
        expose("6S"): pytest.approx(one - two),
        DeclineTunnelas(): pytest.approx(-two),
    }


def test_a_dealt_hand_is_worth_as_much_before_its_tunnela_is_exposed_as_after() -> None:
    dealt = Script(arranged("", "6S 6S 6S 2H 3H 4H 9D 9D 9D", up="KD"))
    exposing, *others = options(dealt.view(1))
    assert exposing.action == expose("6S 9D")
    exposed = dealt.do(expose("6S 9D"), seat=1).view(1)
    assert options(exposed) == ()
    assert exposing.points == expected_points(exposed, *waiting(exposed)) > 0
    assert exposing.points - others[-1].points == pytest.approx(10)
    assert others[-1].action == DeclineTunnelas()


@pytest.mark.parametrize("laid", [False, True])
def test_a_tunnela_of_the_lowest_face_counts_like_any_other(laid: bool) -> None:
    rules = preset("pagat", laid_marriage=laid)
    best, hidden = options(Script(arranged("AS AS AS", "", "", rules=rules)).view(0))
    assert best.action == expose("AS")
    assert best.points - hidden.points == pytest.approx(10)


def test_a_tunnela_of_man_cards_counts_what_the_rules_give_for_it() -> None:
    rules = preset("kathmandu", man_cards=6)
    best, hidden = options(Script(arranged("MAN MAN MAN", "", "", rules=rules)).view(0))
    assert best.action == expose("MAN")
    assert best.points > hidden.points


# The second best


def test_the_second_best_is_told_with_what_it_costs() -> None:
    seen = begun(NEAR, "", stock="4H").draw().view(0)
    best, second, *_ = options(seen)
    assert second_best(seen, best.action) == (second.action, pytest.approx(difference(best, second)))


def test_another_option_that_is_asked_for_is_told_instead() -> None:
    seen = begun(NEAR, "", stock="4H").draw().view(0)
    best, *_, worst = options(seen)
    assert second_best(seen, best.action, worst.action) == (
        worst.action,
        pytest.approx(difference(best, worst)),
    )


def test_an_option_that_is_estimated_to_be_better_costs_nothing() -> None:
    seen = begun(NEAR, "", stock="4H").draw().view(0)
    best, *_, worst = options(seen)
    assert second_best(seen, worst.action) == (best.action, 0.0)


def test_a_discard_is_weighed_against_a_show() -> None:
    seen = begun(f"{PRIMARY} {REST}", "", "", stock="6C").draw().view(0)
    assert second_best(seen, LAID, Discard(card("6C"))) == (Discard(card("6C")), pytest.approx(1.2))


def test_what_is_asked_for_but_cannot_be_done_is_no_second_best() -> None:
    seen = begun(NEAR, "", stock="4H").draw().view(0)
    assert second_best(seen, Discard(card("KH")), Discard(card("KD"))) is None


def test_the_only_option_has_no_second_best() -> None:
    seen = begun(NEAR, "").view(0)
    assert second_best(replace(seen, pile=()), DrawStock()) is None


def test_the_second_of_two_options_is_told() -> None:
    seen = begun(NEAR, "", up="8C").view(0)
    found = second_best(seen, TakeDiscard())
    assert found is not None
    assert found[0] == DrawStock()


def test_what_is_no_option_of_the_moment_has_no_second_best() -> None:
    """Exposing tunnelas, or not, costs no draw, so it is not weighed against drawing."""
    rules = preset("pagat", tunnela_window="own_first_draw")
    seen = Script(arranged("5H 5H 5H 6S 6S 6S", "", "", rules=rules)).view(0)
    assert second_best(seen, DrawStock()) is not None
    assert second_best(seen, expose("5H")) is None


def test_other_sets_of_a_show_or_a_finish_are_the_same_option() -> None:
    assert is_like(LAID, OTHER_LAID)
    assert is_like(finish(FOUR, "6C"), finish(FOUR, "7D"))
    assert is_like(SEVEN, replace(SEVEN, faces=SEVEN.faces[::-1]))
    assert is_like(finish_dublees("3C", "5D"), finish_dublees("3H", "5D"))


def test_another_kind_of_action_or_another_card_is_another_option() -> None:
    assert not is_like(LAID, SEVEN)
    assert not is_like(finish(FOUR, "6C"), LAID)
    assert not is_like(LAID, finish(FOUR, "6C"))
    assert not is_like(Discard(CARDS[0]), Discard(CARDS[1]))
    assert is_like(Discard(CARDS[0]), Discard(CARDS[0]))
