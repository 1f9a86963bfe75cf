"""Choosing a show set by set reaches every legal show, and no other; and the best show is the best."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, combinations_with_replacement

import pytest

from marriage.actions import Show
from marriage.apply import apply
from marriage.cards import CARDS, MASTER, Card, Cards, parse_cards, sort_cards
from marriage.decide import decide
from marriage.errors import IllegalActionError
from marriage.groups import is_primary
from marriage.rules import Rules, preset
from marriage.scoring.hand_points import laid_marriages
from marriage.state import State
from marriage.strategy.showable_sets import best_show, every_show, may_show, sets_to_add, showable_sets
from marriage.view import View, view
from tests.marriage.dealing import Script, arranged, expose

RULES = {
    "pagat": preset("pagat"),
    "longer": preset("wikipedia", direction="clockwise", false_claim="reject", foul="off"),
    "trials": preset("wikipedia-2010", direction="clockwise", false_claim="reject", foul="off"),
    "master": preset("wikipedia", direction="clockwise", master_card="always", foul="off"),
    "master tunnelas": preset(
        "wikipedia", direction="clockwise", master_card="always_tunnelas", primary_trial=True, foul="off"
    ),
    "master primary": preset(
        "wikipedia", direction="clockwise", master_card="always_primary", primary_trial=True, foul="off"
    ),
    "show only": preset("pagat", unseen_pickup="show_only"),
}


def rich(chance: random.Random, rules: Rules) -> str:
    """Return a hand of runs, tunnelas and a few other cards."""
    left = Counter(CARDS[:52] * 3)
    cards: list[Card] = []
    if rules.master_card.startswith("always") and chance.random() < 0.8:
        cards.append(MASTER)
    while len(cards) < 12:
        suit, start = chance.randrange(4), chance.randrange(11)
        kind = chance.random()
        first = CARDS[suit * 13 + start]
        part = [first] * 3 if kind < 0.25 else [CARDS[suit * 13 + start + step] for step in range(3)]
        if len(cards) + 3 <= 21 and all(left[card] >= count for card, count in Counter(part).items()):
            left -= Counter(part)
            cards += part
    return " ".join(map(str, cards))


def primary_sets(cards: Cards, rules: Rules) -> set[Cards]:
    """Return every primary set in a hand, found by trying all subsets of a suit and of a rank."""
    faces, master = sorted(set(cards)), [MASTER] if MASTER in cards else []
    held = Counter(cards)
    found: set[Cards] = {(card,) * 3 for card, count in held.items() if count >= 3}
    found |= {
        sort_cards((card, card, *master)) for card, count in held.items() if count >= 2 and card.is_pack
    }
    for suit in range(4):
        suited = [card for card in faces if card.is_pack and card.suit == suit] + master
        found |= {sort_cards(some) for size in range(3, 14) for some in combinations(suited, size)}
    for rank in range(13):
        same = [card for card in faces if card.is_pack and card.rank == rank] + master
        found |= {sort_cards(some) for size in (3, 4, 5) for some in combinations(same, size)}
    return {group for group in found if is_primary(group, rules)}


def legal(state: State) -> set[tuple[Cards, ...]]:
    """Return every show that the engine accepts, out of all existing sets."""
    seat = state.seats[state.turn]
    groups = sorted(primary_sets(seat.concealed(), state.rules) | {(face,) * 3 for face in seat.exposed})
    held = Counter(seat.cards)
    threes = combinations_with_replacement(groups, 3)
    fitting = (three for three in threes if Counter(card for group in three for card in group) <= held)
    return {tuple(sorted(three)) for three in fitting if accepts(state, three)}


def accepts(state: State, groups: tuple[Cards, ...]) -> bool:
    try:
        decide(state, state.turn, Show(groups))
    except IllegalActionError:
        return False
    return True


def reached(seen: View, chosen: tuple[Cards, ...] = ()) -> Iterator[tuple[Cards, ...]]:
    for group in sets_to_add(seen, chosen):
        if len(chosen) == 2:
            yield tuple(sorted((*chosen, group)))
        else:
            yield from reached(seen, (*chosen, group))


def positions(name: str, count: int) -> Iterator[State]:
    rules, chance = RULES[name], random.Random(name)
    for _ in range(count):
        hand = rich(chance, rules)
        deal = Script(arranged(hand, "", dealer=1, rules=rules))
        exposed = next((card for card, held in Counter(parse_cards(hand)).items() if held > 2), None)
        if exposed is not None and chance.random() < 0.5:
            deal.do(expose(str(exposed)), seat=0)
        deal.close_window()
        state = deal.state
        takes = rules.unseen_pickup == "show_only" and any(
            type(action).__name__ == "TakeDiscard" for action in deal.legal()
        )
        for event in decide(state, 0, deal.legal()[1 if takes else 0]):
            state = apply(state, event)
        yield state


@pytest.mark.parametrize("name", RULES)
def test_every_show_that_the_rules_allow_is_reached_and_no_other(name: str):
    shows = 0
    for state in positions(name, 3):
        seen = view(state, 0)
        allowed = legal(state)
        assert set(reached(seen)) == allowed
        listed = [tuple(sorted(show)) for show in every_show(seen)]
        assert set(listed) == allowed
        assert len(listed) == len(allowed)
        assert all(may_show(seen, show) for show in allowed)
        best = best_show(seen)
        assert (best is None) == (not allowed)
        assert best is None or tuple(sorted(best)) in allowed
        shows += len(allowed)
    assert shows


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


def test_the_best_show_has_most_marriages_where_the_tiplu_is_open_and_a_laid_one_pays():
    hand = "5H 5H 5H 6H 6H 6H 7H 7H 7H AS 2S 3S 9C 10C JC"
    state = drawn(hand, laid_marriage=True)
    tiplu = Card.parse("6H")
    seen = replace(view(state, 0), tiplu=tiplu)
    most = max(laid_marriages(show, tiplu) for show in legal(state))
    best = best_show(seen)
    assert best is not None
    assert laid_marriages(best, tiplu) == most == 3


def test_the_sets_of_a_hand_are_those_of_the_rules():
    for name, rules in RULES.items():
        for state in positions(name, 3):
            seen = view(state, 0)
            exposed = {(face,) * 3 for face in seen.own.exposed}
            assert set(showable_sets(seen)) - exposed == primary_sets(seen.hand, rules)
