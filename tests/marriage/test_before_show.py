"""What an unseen hand is worth: the features that decide between discards which leave the show equally near."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from marriage.cards import CARDS, FACES, Card, Cards, parse_cards, without
from marriage.legal import legal_discards
from marriage.maal import scoring_faces, wild_faces
from marriage.rules import preset
from marriage.scoring.hand_points import points_of, score_hand
from marriage.solver import Hand
from marriage.solver.hand import finish_question, holes, less, more, show_question
from marriage.solver.question import Question
from marriage.state import ShowKind
from marriage.strategy.before_show import WEIGHTS, ShowWeights, discard_values, maal_lost, tiplu_chances
from marriage.view import View
from tests.marriage.dealing import Script, arranged, expose

NEAR = "5C 6C 7C 9H 10H JH AD AD 4S 5S 10C KC 2H 4H 4D 8D 9S KS 2C JD 6H"
"""Two sequences, and one card missing for the third group: an ace of diamonds, or the three or six of spades."""
NOTHING = ShowWeights((0.0,) * 4, (0.0,) * 4, (0.0,) * 4, 0.0)


def seen(hand: str, **options: object) -> View:
    rules = preset("pagat", **options)
    return Script(arranged(hand, "2S 2S", up="9D", rules=rules)).close_window().view(0)


def value(view: View, card: str, weights: ShowWeights) -> float:
    values = discard_values(view, legal_discards(view), weights)
    assert values is not None
    return values[Card.parse(card)]


def test_only_discards_that_leave_the_show_near_are_weighed() -> None:
    values = discard_values(seen(NEAR), legal_discards(seen(NEAR)))
    assert values is not None
    assert not set(parse_cards("5C 6C 7C 9H 10H JH")) & set(values)
    assert set(parse_cards("KC 9S 4S AD")) <= set(values)


def test_outs_to_the_show_are_worth_points() -> None:
    by_outs = replace(NOTHING, outs=(0.0, 1.0, 0.0, 0.0))
    assert value(seen(NEAR), "KC", by_outs) > value(seen(NEAR), "AD", by_outs) > 0
    assert value(seen(NEAR), "KC", by_outs) > value(seen(NEAR), "4S", by_outs) > 0


def test_a_hand_near_a_finish_is_worth_more() -> None:
    by_finish = replace(NOTHING, finish=(-1.0,) * 4)
    assert value(seen(NEAR), "9S", by_finish) > value(seen(NEAR), "4S", by_finish)


def test_two_that_may_be_maal_together_are_worth_keeping() -> None:
    by_maal = replace(NOTHING, maal=1.0)
    assert value(seen(NEAR), "9S", by_maal) > value(seen(NEAR), "AD", by_maal)


def test_nothing_is_known_where_sets_of_a_rank_show() -> None:
    view = seen(NEAR, primary_trial=True)
    assert discard_values(view, legal_discards(view)) is None


@pytest.mark.parametrize("master_card", ["off", "after_seeing"])
def test_the_weights_are_used(master_card: str) -> None:
    view = seen(NEAR, master_card=master_card)
    assert discard_values(view, legal_discards(view), NOTHING) == dict.fromkeys(
        discard_values(view, legal_discards(view)) or {}, 0.0
    )
    assert discard_values(view, legal_discards(view)) == discard_values(view, legal_discards(view), WEIGHTS)


def test_a_hand_that_shows_whatever_is_thrown_has_nothing_to_wait_for() -> None:
    """Every discard leaves three of the four sequences, so only what is left for the finish decides."""
    view = seen("5C 6C 7C 9H 10H JH AD 2D 3D 5S 6S 7S KC 2H 4H 4D 8D 9S KS 2C 10D")
    by_outs = replace(NOTHING, outs=(9.0,) * 4, outs_after=(9.0,) * 4)
    values = discard_values(view, legal_discards(view), by_outs)
    assert values == dict.fromkeys(legal_discards(view), 0.0)
    by_finish = replace(NOTHING, finish=(-1.0,) * 4)
    assert value(view, "KC", by_finish) > value(view, "5C", by_finish)


FAR = "5C 6C 8H 9H AD AD 4S QS 10C KC 2H 4H 4D 8D 9S KS 2C JD 6H 2D 7S"
"""Two cards missing for a show."""
FARTHER = "AS 3S 6S 9S QS 2H 5H 8H JH KH 3D 6D 9D QD 4C 7C 10C KC AC 8S 10H"
"""Four cards missing for a show."""
UNEVEN = ShowWeights((5.0, 7.0, 11.0, 13.0), (17.0, 19.0, 23.0, 29.0), (-3.1, -3.7, -4.1, -4.3), 1.9)


def worth_anew(view: View, card: Card, weights: ShowWeights) -> float:
    """Return the worth of the hand without a card, worked out card by card."""
    hand, rules = Hand.of(view), view.rules
    left = hand.left(rules)
    asked = less(show_question(hand, rules), card, hand.wilds)
    missing = holes(asked)
    stage = min(missing, 3)
    finish = finish_question(hand, rules)._replace(plus=False)
    value = weights.finish[stage] * holes(less(finish, card, hand.wilds))
    value -= weights.maal * (view.players - 1) * view.factor * maal_lost_anew(view, card)
    if not missing:
        return value
    outs = nearer(asked, left, hand)
    count = sum(left[out] for out in outs)
    value += weights.outs[stage] * 10 * count / sum(left)
    if outs:
        second = sum(
            left[out] * sum(left[other] for other in nearer(more(asked, out, hand.wilds), left, hand))
            for out in outs
        )
        value += weights.outs_after[stage] * 10 * second / sum(left) / count
    return value


def nearer(asked: Question, left: Sequence[int], hand: Hand) -> list[Card]:
    """Return the faces that may come and bring the show nearer."""
    least = holes(asked)
    return [card for card in CARDS[:FACES] if left[card] and holes(more(asked, card, hand.wilds)) < least]


def maal_lost_anew(view: View, card: Card) -> float:
    """Return the points of maal lost with a card, as a mean over every face of the packs."""
    own = view.own
    chances = tiplu_chances(view, Hand.of(view).left(view.rules))

    def points(cards: Cards, tiplu: Card) -> int:
        return points_of(score_hand(cards, own.exposed, 0, tiplu, view.rules))

    assert own.cards is not None
    rest = without(own.cards, [card])
    possible = [tiplu for tiplu in CARDS[:FACES] if chances[tiplu]]
    lost = (chances[tiplu] * (points(own.cards, tiplu) - points(rest, tiplu)) for tiplu in possible)
    return sum(lost) / sum(chances)


SHOWING = "5C 6C 7C 9H 10H JH AD 2D 3D 5S 6S 7S KC 2H 4H 4D 8D 9S KS 2C 10D"
"""No card missing for a show, whichever is thrown."""


@pytest.mark.parametrize(
    ("hand", "options"),
    [
        (NEAR, {}),
        (FAR, {}),
        (FARTHER, {}),
        (SHOWING, {}),
        (FAR, {"group_size": "three_plus"}),
        (FAR.replace("2H 4H", "MAN MAN"), {"man_cards": 2}),
        (NEAR.replace("2H 4H", "MAN 4H"), {"man_cards": 2, "group_size": "three_plus"}),
    ],
)
@pytest.mark.parametrize("better", [False, True])
def test_the_worth_of_a_hand_is_that_of_its_features(
    hand: str, options: dict[str, object], better: bool
) -> None:
    view = replace(seen(hand, **options), better=better)
    values = discard_values(view, legal_discards(view), UNEVEN)
    assert values
    for card in {*sorted(values)[::3], max(values)}:
        assert values[card] == pytest.approx(worth_anew(view, card, UNEVEN))


def test_a_hand_that_no_card_brings_nearer_to_a_show_waits_for_none() -> None:
    view = seen(NEAR)
    few = parse_cards("KH KH 8C")
    rest = [card for card in CARDS[:FACES] for _ in range(3 - view.hand.count(card))]
    dead = replace(view, pile=without(tuple(rest), few), throwers=())
    values = discard_values(dead, legal_discards(dead), UNEVEN)
    assert values
    for card in values:
        asked = less(show_question(Hand.of(dead), dead.rules), card, frozenset())
        assert not nearer(asked, Hand.of(dead).left(dead.rules), Hand.of(dead))
        assert values[card] == pytest.approx(worth_anew(dead, card, UNEVEN))


@pytest.mark.parametrize("options", [{}, {"alter": True}, {"man_cards": 2, "master_card": "after_seeing"}])
def test_the_maal_lost_is_a_mean_over_all_tiplus(options: dict[str, object]) -> None:
    hand = "5C 6C 7C 6S AD KD KD 2D 9H 9H 9H" + (" MAN MASTER" if "man_cards" in options else "")
    table = Script(arranged(hand, "2S 2S", up="9D", rules=preset("pagat", **options)))
    view = table.do(expose("9H"), seat=0).close_window().view(0)
    cards = legal_discards(view)
    lost = maal_lost(view, cards, Hand.of(view).left(view.rules))
    assert lost == {card: pytest.approx(maal_lost_anew(view, card)) for card in cards}


def test_every_unseen_card_is_as_likely_the_tiplu_until_somebody_has_seen_it() -> None:
    view = seen(NEAR)
    left = Hand.of(view).left(view.rules)
    assert tiplu_chances(view, left) == left[:FACES]
    thrown = replace(view, pile=parse_cards("9D 7H 3C"), throwers=(0, 1))
    assert tiplu_chances(thrown, left) == left[:FACES]


def test_the_known_tiplu_is_certain() -> None:
    view = replace(seen(NEAR), tiplu=Card.parse("7H"))
    chances = tiplu_chances(view, Hand.of(view).left(view.rules))
    assert {face: chance for face, chance in enumerate(chances) if chance} == {Card.parse("7H"): 1.0}


def knowing(kind: ShowKind, pile: str, throwers: tuple[int, ...], **options: object) -> View:
    """Return a view in which the other player has seen the tiplu and these cards lie on the pile."""
    view = seen(NEAR, **options)
    other = replace(view.seats[1], seen=True, shown=kind)
    return replace(view, seats=(view.own, other), pile=parse_cards(pile), throwers=throwers)


def doubted(view: View) -> dict[Card, object]:
    """Return how much less likely a face is the tiplu than its unseen copies say, where it is."""
    left = Hand.of(view).left(view.rules)
    chances = tiplu_chances(view, left)
    assert len(chances) == FACES
    return {
        card: pytest.approx(chances[card] / left[card])
        for card in CARDS[:FACES]
        if left[card] and chances[card] != left[card]
    }


def unseen(view: View, expected: dict[Card, float]) -> dict[Card, float]:
    """Return what is expected of the faces of which the viewer cannot see all copies."""
    left = Hand.of(view).left(view.rules)
    return {card: chance for card, chance in expected.items() if left[card]}


def tiplus_of(card: str) -> set[Card]:
    """Return the tiplus under which a card is wild."""
    return {tiplu for tiplu in CARDS[:FACES] if Card.parse(card) in wild_faces(tiplu)}


def test_who_knows_the_tiplu_rarely_throws_a_wild_card() -> None:
    """Only the three latest discards of that player count; the latest most."""
    view = knowing(ShowKind.GROUPS, "9D JS 3H 7C 5S QH", (1, 1, 0, 1, 1))
    by_chance = {"QH": 0.05, "5S": 0.4, "3H": 0.7}
    expected: dict[Card, float] = {}
    for text, chance in by_chance.items():
        for tiplu in tiplus_of(text):
            expected[tiplu] = expected.get(tiplu, 1.0) * chance
    assert doubted(view) == unseen(view, expected)


def test_where_a_show_ends_the_turn_the_first_card_after_it_was_thrown_before_seeing() -> None:
    view = knowing(ShowKind.GROUPS, "9D 5S QH", (1, 1), same_turn_finish=False)
    expected = dict.fromkeys(tiplus_of("5S"), 0.7) | dict.fromkeys(tiplus_of("QH"), 0.4)
    assert doubted(view) == unseen(view, expected)


def test_who_showed_dublees_throws_jokers_like_any_card_but_keeps_maal() -> None:
    view = knowing(ShowKind.DUBLEES, "9D QH", (1,))
    scored = {tiplu for tiplu in CARDS[:FACES] if Card.parse("QH") in scoring_faces(tiplu, view.rules)}
    assert doubted(view) == unseen(view, dict.fromkeys(scored, 0.05))
    assert scored < tiplus_of("QH")
