"""Choosing a show set by set reaches every legal show, and no other; and the best show is the best."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement

import pytest

from marriage.actions import Show
from marriage.apply import apply
from marriage.cards import CARDS, MASTER, Card, Cards, parse_cards, sort_cards
from marriage.decide import decide
from marriage.errors import IllegalActionError
from marriage.groups import is_primary
from marriage.rules import Rules, preset
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
    """Yield the shows that are chosen set by set, two of the three in the order of their cards."""
    for group in sets_to_add(seen, chosen):
        if len(chosen) == 2:
            yield tuple(sorted((*chosen, group)))
        elif not chosen or chosen[0] <= group:
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
        assert all(may_show(seen, show) for show in sorted(allowed)[::7])
        best = best_show(seen)
        assert (best is None) == (not allowed)
        assert best is None or tuple(sorted(best)) in allowed
        shows += len(allowed)
    assert shows


def test_the_sets_of_a_hand_are_those_of_the_rules():
    for name, rules in RULES.items():
        for state in positions(name, 3):
            seen = view(state, 0)
            exposed = {(face,) * 3 for face in seen.own.exposed}
            assert set(showable_sets(seen)) - exposed == primary_sets(seen.hand, rules)
