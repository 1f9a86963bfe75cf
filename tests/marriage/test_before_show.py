"""What an unseen hand is worth: the features that decide between discards which leave the show equally near."""

from dataclasses import replace

import pytest

from marriage.cards import Card, parse_cards
from marriage.legal import legal_discards
from marriage.rules import preset
from marriage.strategy.before_show import WEIGHTS, ShowWeights, discard_values
from marriage.view import View
from tests.marriage.dealing import Script, arranged

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
