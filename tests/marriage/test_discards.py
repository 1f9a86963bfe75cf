"""The discards offered to a seat, best first, compared with the same figures computed one by one."""

import random
from dataclasses import replace

import pytest

from marriage.cards import CARDS, MAN, parse_cards, sort_cards, without
from marriage.legal import throw_fouls
from marriage.maal import scoring_faces
from marriage.rules import Rules, preset
from marriage.scoring.hand_points import points_of, score_hand
from marriage.solver import Hand, distance, pairs, show_distance
from marriage.solver.hand import finish_question, holes, less, more, show_question
from marriage.state import Phase
from marriage.strategy.before_show import maal_lost
from marriage.strategy.discards import Aim, Lean, aim, all_cards, discards, missing, neighbours, safe_faces
from marriage.strategy.players import GreedyPlayer
from marriage.view import view
from tests.marriage.dealing import Script, arranged, deal, play
from tests.marriage.example_hands import LAID, PAIRS, PRIMARY, SEVEN, SINGLES, begun

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


def test_after_a_show_only_the_finish_with_longer_groups_counts():
    """Without KC the hand can finish, but not with groups of three alone."""
    hand = f"{PRIMARY} 3D 4D 5D 6D 6H KC KH 2D JH 8S 10H 6S"
    table = begun(hand, "", stock="8H 8C", group_size="three_plus").draw().do(LAID).cut_to("8C")
    seen = table.view(0)
    ranked = [option for option in discards(seen) if option.distance == 0]
    assert [str(option.card) for option in ranked] == ["KC", "2D", "5D"]
    assert ranked == sorted(ranked, key=lambda option: criteria(seen, option, None))


def test_outs_are_counted_only_on_request():
    seen = begun(f"{PAIRS} {SINGLES}", "").draw().view(0)
    assert {option.outs for option in discards(seen, goal=Aim.SHOW, count_outs=False)} == {None}


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
    with pytest.raises(ValueError, match=r"^a spectator discards nothing$"):
        safe_faces(view(state, None))


def criteria(seen, option, lean):
    """Return what decides between discards that leave the aim equally near, the first first."""
    hand, rules, card = Hand.of(seen), seen.rules, option.card
    further = False
    if seen.own.shown is None:
        asked = finish_question(hand, rules)._replace(plus=False)
        further = holes(less(asked, card, hand.wilds)) > holes(asked)
    keep = hand.wilds | (scoring_faces(seen.tiplu, rules) if seen.tiplu is not None else set())
    objection = 0
    if lean is Lean.SAFE:
        objection = card not in safe_faces(seen)
    elif lean is Lean.MAAL and not seen.own.seen:
        objection = round(maal_lost(seen, (card,), hand.left(rules))[card] * 20)
    outs = option.outs // 3 if lean else 0
    near = sum(other in neighbours(card) for other in hand.concealed)
    return (further, card in keep, -outs, objection, -option.outs, near, card)


@pytest.mark.parametrize("lean", [None, *Lean])
def test_equally_near_discards_are_ranked_by_the_criteria_in_their_order(lean):
    deals = ((1, Rules()), (4, Rules()), (2, preset("pagat", man_cards=3)))
    views = [seen for deal in deals for seen in turns(*deal) if aim(seen) is not Aim.DUBLEES]
    ranked = 0
    for seen in views:
        tied = [option for option in discards(seen, lean=lean) if option.outs is not None]
        assert tied == sorted(tied, key=lambda option: criteria(seen, option, lean))
        ranked += len(tied) > 2
    assert ranked > 9


def test_after_a_show_by_dublees_the_cards_that_score_least_go_first():
    """Of equal ones that goes which leaves most unseen partners of single cards."""
    options = {"alter": True, "laid_marriage": True}
    table = begun(f"{PAIRS} 3C 5D 7S 9H JD QD KD", "", up="3C", stock="JC QD", **options)
    seen = table.draw().do(SEVEN).cut_to("QD").view(0)
    rules, left = seen.rules, Hand.of(seen).left(seen.rules)

    def points(cards):
        return points_of(score_hand(cards, (), 0, seen.tiplu, rules))

    def rank(option):
        lost = points(seen.own.cards) - points(without(seen.own.cards, [option.card]))
        return (option.distance, lost, -option.outs, option.card)

    options = list(discards(seen))
    assert options == sorted(options, key=rank)
    assert {option.distance for option in options} == {1}
    singles = set(seen.hand) - set(pairs(seen.own.cards, rules))
    for option in options:
        assert option.outs == sum(left[card] for card in singles - {option.card})
    assert {option.card for option in options[-3:]} == {*parse_cards("JD QD KD")}
    assert options[0].card == parse_cards("3C")[0]


def test_a_marriage_in_hand_is_worth_no_more_than_one_that_was_not_laid():
    """So JD, of which one copy is gone, goes before the man card, which is worth as much and may still be paired."""
    options = {"laid_marriage": True, "man_cards": 3, "joker_dublee": True}
    table = begun(f"{PAIRS} 3C 5D 7S 9H JD MAN KD", "", up="JD", stock="QD QD", **options)
    seen = table.draw().do(SEVEN).cut_to("QD").view(0)
    order = [option.card for option in discards(seen)]
    assert order.index(parse_cards("JD")[0]) < order.index(MAN)


def test_with_more_pairs_than_it_needs_a_hand_misses_none():
    seen = begun(f"{PAIRS} 3C 3C 7S 9H JD 3H KC", "").draw().view(0)
    assert {option.distance for option in discards(seen, goal=Aim.DUBLEES)} == {0}


@pytest.mark.parametrize("joker_dublee", [True, False])
def test_two_man_cards_are_a_dublee_only_by_a_rule(joker_dublee):
    six = "AS AS 4S 4S 8H 8H QH QH 6D 6D 10C 10C"
    rules = {"man_cards": 3, "joker_dublee": joker_dublee}
    one = begun(f"{six} MAN 2H 3D KD JS 6S 9D AC 4C", "MAN", up="7D", stock="7H", **rules).draw().view(0)
    left = Hand.of(one).left(one.rules)
    for option in discards(one, goal=Aim.DUBLEES):
        singles = {*parse_cards("2H 3D KD JS 6S 9D AC 4C 7H"), *([MAN] if joker_dublee else [])}
        if option.card in singles:
            assert option.outs == sum(left[card] for card in singles - {option.card})
    two = begun(f"{six} MAN MAN 3D KD JS 6S 9D AC 4C", "", up="7D", stock="7H", **rules).draw().view(0)
    options = {option.card: option.distance for option in discards(two, goal=Aim.DUBLEES)}
    assert options[parse_cards("3D")[0]] == (0 if joker_dublee else 1)


def test_what_is_missing_depends_on_the_goal():
    seen = begun(f"{PAIRS} {SINGLES}", "", stock="JC QD").draw().view(0)
    hand = Hand.of(seen)
    assert missing(hand, seen, Aim.SHOW) == show_distance(hand, seen.rules) > 0
    assert missing(hand, seen, Aim.FINISH) == distance(hand, seen.rules) > missing(hand, seen, Aim.SHOW)
    assert missing(hand, seen, Aim.DUBLEES) == 0
    fewer = hand._replace(concealed=without(hand.concealed, parse_cards("2S 4H")))
    assert missing(fewer, seen, Aim.DUBLEES) == 2
    shown = begun(f"{PAIRS} {SINGLES}", "", stock="JC QD").draw().do(SEVEN).cut_to("QD").view(0)
    assert missing(Hand.of(shown), shown, Aim.DUBLEES) == 1
    more = hand._replace(concealed=sort_cards((*hand.concealed, *parse_cards("3C 5D"))))
    assert missing(more, seen, Aim.DUBLEES) == 0


def test_all_cards_of_a_hand_are_those_concealed_laid_and_exposed_each_once():
    concealed, tunnelas = parse_cards("2S 3D"), parse_cards("5H 9C KD")
    laid = (parse_cards("AS 2S 3S"), parse_cards("5H 5H 5H"), parse_cards("9C 9C"))
    hand = Hand(concealed, exposed=tunnelas, laid=laid)
    assert all_cards(hand) == sort_cards(parse_cards("2S 3D AS 2S 3S 5H 5H 5H 9C 9C 9C KD KD KD"))


def test_throws_that_are_fouls_come_last():
    """After a show by dublees a joker is worth nothing, but throwing it to somebody who has seen is a foul."""
    options = {"foul": "next", "throw_foul": True}
    table = begun(f"{PAIRS} 3C 5D 7S 9H JD 3H QS", "", stock="6C QD", **options).draw().do(SEVEN).cut_to("QD")
    seen = table.view(0)
    seen = replace(seen, seats=(seen.own, replace(seen.seats[1], seen=True)))
    fouls = throw_fouls(seen)
    allowed = replace(seen, rules=seen.rules.with_options(throw_foul=False))
    usual = [option.card for option in discards(allowed)]
    ranked = [option.card for option in discards(seen)]
    assert ranked == sorted(usual, key=lambda card: card in fouls)
    assert ranked != usual


def test_six_pairs_are_collected_only_far_from_a_show():
    near = "5C 6C 7C 9H 10H JH AD AD 4S 4S 8H 8H QH QH KS KS 2H 2H 7D JS 10C"
    assert aim(begun(near, "").view(0)) is Aim.SHOW
    far = near.replace("5C 6C 7C 9H 10H JH", "5C 9C KC 3H 6D JH")
    assert aim(begun(far, "").view(0)) is Aim.DUBLEES
