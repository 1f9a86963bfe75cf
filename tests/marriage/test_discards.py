"""The discards offered to a seat, best first, compared with the same figures computed one by one."""

import random
from dataclasses import replace

import pytest

from marriage.cards import CARDS, parse_cards, sort_cards, without
from marriage.rules import Rules, preset
from marriage.solver import Hand, pairs
from marriage.solver.hand import finish_question, holes, more, show_question
from marriage.state import Phase
from marriage.strategy.discards import Aim, aim, discards, safe_faces
from marriage.strategy.players import GreedyPlayer
from marriage.view import view
from tests.marriage.dealing import Script, arranged, deal, play

GREEDY = GreedyPlayer(count_outs=False)


def turns(number, rules):
    """Yield the views of seats that are about to discard."""
    dealt, _ = deal(number, 4, **rules.model_dump())
    for state, _, _, _ in play(dealt, GREEDY.choose):
        if state.phase is Phase.PLAY:
            yield view(state, state.turn)


@pytest.mark.parametrize("name", ["pagat", "kathmandu", "wikipedia-2010"])
def test_distances_and_outs_are_what_they_say(name):
    rules = preset(name)
    chance = random.Random(name)
    views = [seen for number in range(2) for seen in turns(number, rules) if aim(seen) is not Aim.DUBLEES]
    for seen in chance.sample(views, 12):
        options = discards(seen)
        hand = Hand.of(seen)
        question = show_question if seen.own.shown is None else finish_question
        for option in options:
            rest = Hand(
                without(hand.concealed, [option.card]), hand.exposed, hand.laid, hand.tiplu, hand.dead
            )
            asked = question(rest, rules)._replace(live=question(hand, rules).live)
            assert holes(asked) == option.distance
            if option.outs is not None and option in options[:3]:
                left = hand.left(rules)
                better = [
                    card
                    for card in CARDS[:54]
                    if left[card] and holes(more(asked, card, hand.wilds)) < option.distance
                ]
                assert option.outs == sum(left[card] for card in better)
        distances = [option.distance for option in options]
        assert distances == sorted(distances)
        assert all((option.outs is None) == (option.distance > distances[0]) for option in options)


def test_every_card_that_may_be_thrown_is_an_option_once():
    for seen in turns(3, Rules()):
        cards = [option.card for option in discards(seen, count_outs=False)]
        allowed = [card for card in dict.fromkeys(seen.own.concealed) if card != seen.taken]
        assert sorted(cards) == sorted(allowed)


def test_wild_cards_and_maal_are_kept_where_nothing_speaks_for_throwing_them():
    for seen in turns(5, Rules()):
        if seen.own.shown is None or aim(seen) is Aim.DUBLEES:
            continue
        options = discards(seen, count_outs=False)
        wilds = Hand.of(seen).wilds
        least = [option.card for option in options if option.distance == options[0].distance]
        if any(card not in wilds for card in least):
            assert options[0].card not in wilds


def test_towards_dublees_a_card_without_live_copies_goes_first():
    six = "AS AS 4S 4S 8H 8H QH QH 6D 6D 10C 10C"
    hand = f"{six} 2H 3D KD JS 6S 9D AC 4C 9S"
    table = Script(arranged(hand, "JS JS", up="7D", stock="7H")).close_window().draw()
    seen = table.view(0)
    assert aim(seen) is Aim.DUBLEES
    options = discards(seen)
    assert [option.distance for option in options] == sorted(option.distance for option in options)
    assert options[0].distance == 1
    assert options[0].outs == 2 * 9
    assert options[-1].distance == 2
    assert options[-1].card in pairs(sort_cards(parse_cards(hand)), Rules())


def test_a_spectator_has_nothing_to_throw():
    state, _ = deal(1)
    with pytest.raises(ValueError, match="spectator"):
        aim(view(state, None))


def test_what_the_next_player_threw_and_its_neighbours_are_safe():
    state, _ = deal(1)
    seen = view(state, 2)
    follower = seen.next_live(2)
    thrown = replace(seen, pile=parse_cards("9D KH MAN 4C"), throwers=(None, follower, follower, 2))
    assert safe_faces(thrown) == frozenset(parse_cards("QH KH AH MAN"))
    with pytest.raises(ValueError, match="spectator"):
        safe_faces(view(state, None))
