"""The best show, and what can be chosen in particular hands."""

from dataclasses import replace
from itertools import combinations

import pytest

from marriage.actions import Show
from marriage.apply import apply
from marriage.cards import CARDS, Card, Cards, parse_cards, sort_cards
from marriage.decide import decide
from marriage.rules import preset
from marriage.scoring.hand_points import laid_marriages, points_of, score_hand
from marriage.solver import Hand, distances_after
from marriage.state import State
from marriage.strategy import showable_sets as showable_sets_module
from marriage.strategy.showable_sets import best_show, every_show, sets_to_add, showable_sets
from marriage.view import view
from tests.marriage.dealing import Script, arranged, expose
from tests.marriage.test_every_show import legal, primary_sets, reached


@pytest.fixture(autouse=True)
def forget() -> None:
    """Forget the shows that were found before: a process that tries mutants inherits them."""
    showable_sets_module._best_show.cache_clear()


def test_a_card_that_was_taken_to_show_with_is_in_one_of_the_sets():
    rules = preset("pagat", unseen_pickup="show_only", direction="clockwise")
    hand = "AS 2S 3S 5H 6H 7H 9C 9C 9C 2D 3D"
    deal = Script(arranged(hand, "", dealer=1, up="4D", rules=rules)).close_window()
    state = deal.state
    for event in decide(state, 0, deal.legal()[1]):
        state = apply(state, event)
    seen = view(state, 0)
    assert seen.taken == Card.parse("4D")
    assert set(reached(seen)) == legal(state)
    best = best_show(seen)
    assert best is not None
    assert sort_cards(parse_cards("2D 3D 4D")) in best


def drawn(hand: str, **options: object) -> State:
    rules = preset("wikipedia", direction="clockwise", **options)
    return Script(arranged(hand, "", dealer=1, stock="KD", rules=rules)).close_window().draw().state


def test_runs_of_four_can_be_chosen():
    seen = view(drawn("AS 2S 3S 4S 6H 7H 8H 9C 9C 9C"), 0)
    four = parse_cards("AS 2S 3S 4S")
    assert sort_cards(four) in sets_to_add(seen, ())
    best = best_show(seen, (sort_cards(four),))
    assert best is not None
    assert best[0] == sort_cards(four)


def test_no_show_leaves_nothing_to_discard():
    """Twenty-two cards in three runs: a card is needed for the discard."""
    hand = "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS 2H 3H 4H 5H 6H 7H 9D 10D"
    rules = preset("wikipedia", direction="clockwise")
    state = Script(arranged(hand, "", dealer=1, stock="JD", rules=rules)).close_window().draw().state
    seen = view(state, 0)
    chosen = (sort_cards(parse_cards(hand)[:13]), sort_cards(parse_cards("2H 3H 4H 5H 6H 7H")))
    assert sets_to_add(seen, chosen) == ()
    assert sets_to_add(seen, chosen[:1])


def test_sets_may_be_chosen_in_any_order():
    seen = view(drawn("5H 5H 5H 6H 6H 6H 7H 7H 7H AS 2S 3S 9C 10C JC"), 0)
    for one, other in combinations(sets_to_add(seen, ()), 2):
        assert sets_to_add(seen, (one, other)) == sets_to_add(seen, (other, one))


def test_with_a_hidden_tiplu_the_nearest_show_is_best_and_laid_marriages_decide_between_equals():
    """Each is an average over every tiplu that the seat cannot see."""
    hand = "4H 5H 6H 7H 8H 9H 10H AS 2S 3S 8H QC 2D 4D 6D KD JD 9C JC KC 4C"
    state = drawn(hand, laid_marriage=True)
    seen = view(state, 0)
    left = Hand.of(seen).left(seen.rules)
    assert seen.own.cards is not None

    def points(show: tuple[Cards, ...]) -> int:
        paid = 0
        for tiplu in CARDS[:52]:
            laid = laid_marriages(show, tiplu)
            items = score_hand(seen.own.cards or (), (), laid, tiplu, seen.rules) if left[tiplu] else ()
            paid += left[tiplu] * points_of(items)
        return paid

    def rank(show: tuple[Cards, ...]) -> tuple[int, int]:
        cards = sort_cards(card for group in show for card in group)
        [near] = distances_after(Hand.of(seen), seen.rules, {cards}).values()
        return near, -points(show)

    best = best_show(seen)
    assert best is not None
    assert rank(best) == min(map(rank, legal(state)))
    assert len(set(map(points, legal(state)))) > 1


def test_the_best_show_has_most_marriages_where_the_tiplu_is_open_and_a_laid_one_pays():
    hand = "5H 5H 5H 6H 6H 6H 7H 7H 7H AS 2S 3S 9C 10C JC"
    state = drawn(hand, laid_marriage=True)
    tiplu = Card.parse("6H")
    seen = replace(view(state, 0), tiplu=tiplu)
    most = max(laid_marriages(show, tiplu) for show in legal(state))
    best = best_show(seen)
    assert best is not None
    assert laid_marriages(best, tiplu) == most == 3


@pytest.mark.parametrize(
    ("hand", "options"),
    [
        ("AS 2S 3S 4S 6H 7H 8H 9C 9C 9C 9D 9H", {"long_trial": True, "primary_trial": True}),
        ("AS 2S 3S 4S MASTER 7H 8H 9C 9C 9D 9S", {"master_card": "always_primary", "primary_trial": True}),
        ("AS 2S MASTER 4S 6H 7H 8H 9C 9C 9C 5D 5D", {"master_card": "always_tunnelas"}),
    ],
)
def test_every_show_of_a_small_hand_is_found(hand: str, options: dict[str, object]):
    state = drawn(hand, **options)
    seen = view(state, 0)
    allowed = legal(state)
    assert allowed
    assert set(reached(seen)) == allowed
    assert sorted(tuple(sorted(show)) for show in every_show(seen)) == sorted(allowed)
    assert set(showable_sets(seen)) == primary_sets(seen.hand, state.rules)
    assert list(showable_sets(seen)) == sorted(showable_sets(seen), key=lambda group: (len(group), group))


def test_exposed_tunnelas_are_laid_with_sets_from_the_hand():
    rules = preset("wikipedia", direction="clockwise", laid_marriage=True)
    table = Script(arranged("5H 5H 5H 6C 7C 8C 9C AS 2S 3S JD JD JD", "", dealer=1, stock="QD", rules=rules))
    state = table.do(expose("5H JD"), seat=0).close_window().draw().state
    seen = view(state, 0)
    allowed = legal(state)
    assert set(reached(seen)) == allowed
    assert sorted(tuple(sorted(show)) for show in every_show(seen)) == sorted(allowed)
    best = best_show(seen)
    assert best is not None
    assert tuple(sorted(best)) in allowed


def test_after_the_show_there_is_no_other():
    state = drawn("AS 2S 3S 4S 6H 7H 8H 9C 9C 9C")
    show = next(every_show(view(state, 0)))
    for event in decide(state, 0, Show(show)):
        state = apply(state, event)
    assert list(every_show(view(state, 0))) == []
