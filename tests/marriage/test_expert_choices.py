"""The expert's choices in single positions, with nets whose values the test chooses."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from marriage.actions import Action, Discard, DrawStock, ExposeTunnelas, TakeDiscard
from marriage.cards import Card, parse_cards
from marriage.strategy.before_show import maal_lost
from marriage.strategy.expert import ExpertPlayer, Net, nets
from marriage.strategy.master import SAFETY, MasterPlayer
from marriage.strategy.net_features import IS_BASE, Situation, discard_options
from marriage.strategy.players import GreedyPlayer
from marriage.strategy.tempers import Temper, tempered
from marriage.view import View
from tests.marriage.example_hands import LAID, PRIMARY, begun, one_from_the_finish, script

EXPERT = ExpertPlayer()
CAREFUL = tempered(EXPERT, Temper.CAREFUL)
HOARDER = tempered(EXPERT, Temper.HOARDER)
FAR = "AS 4S 5S 8S JS QS 2H 3H 6H 9H KH 3D 7D 10D JD 2C 4C 7C 8C JC QC"
"""A hand far from a show. Some of its cards would make more marriages than others."""

Give = Callable[..., None]


def to_draw() -> View:
    return begun(FAR, "", "", "").view(0)


def to_throw() -> View:
    return begun(FAR, "", "", "", stock="5D").draw().view(0)


@pytest.fixture
def give(monkeypatch: pytest.MonkeyPatch) -> Give:
    """Let the expert play with other nets than its own: `give(take=...)`."""

    def give(**changed: Net) -> None:
        given = nets("pagat").model_copy(update=changed)
        monkeypatch.setattr("marriage.strategy.expert.nets", lambda _: given)

    return give


def linear(*weights: float) -> Net:
    """Return a net that only multiplies the first features by these weights."""
    return Net(units=(), bias=(), out=(), linear=weights)


@pytest.mark.parametrize(
    ("points", "action"), [(0.5, TakeDiscard()), (0.0, DrawStock()), (-0.5, DrawStock())]
)
def test_it_takes_what_is_worth_more_than_a_draw(give: Give, points: float, action: Action) -> None:
    give(take=linear(points))  # the first feature of a take is always 1
    assert EXPERT.choose(to_draw()) == action


def test_it_draws_where_there_is_nothing_to_take() -> None:
    assert EXPERT.choose(replace(to_draw(), pile=(), throwers=())) == DrawStock()


def test_before_its_first_draw_it_exposes_its_tunnelas() -> None:
    seen = script("5H 5H 5H", "", "", "").view(0)
    assert EXPERT.choose(seen) == ExposeTunnelas(parse_cards("5H"))


def test_after_a_show_it_takes_what_the_master_takes(give: Give) -> None:
    give(take=linear(-1.0))
    seen = one_from_the_finish("8S").view(0)
    assert GreedyPlayer().choose(seen) == DrawStock()
    assert EXPERT.choose(seen) == TakeDiscard()


def test_after_a_show_even_a_careful_one_throws_as_greedy_does() -> None:
    """The next player threw 2D, so a careful master throws it rather than 6S, which is as useless."""
    hand = f"{PRIMARY} AH 2H 3H JS QS KS 8D 9D 10H JH AC 2D"
    table = script(hand, "", "", "", dealer=0, stock="2D JC JC 6S 4C").close_window()
    table.pass_turn().pass_turn().pass_turn().draw().do(LAID).cut_to("4C")
    assert CAREFUL.habits.choose(table.view(0)) == Discard(Card.parse("2D"))
    assert CAREFUL.choose(table.view(0)) == Discard(Card.parse("6S"))


@pytest.mark.parametrize(("points", "card"), [(SAFETY - 0.01, "10D"), (SAFETY + 0.01, "KH")])
def test_before_a_show_a_careful_one_throws_a_safe_card_unless_that_costs_too_much(
    give: Give, points: float, card: str
) -> None:
    """The net likes the discard of greedy, which is KH, better than all others by some points."""
    give(discard=linear(*[0.0] * IS_BASE, points))
    table = script(FAR, "", "", "", dealer=0, stock="10D JC JC 5D").close_window()
    seen = table.pass_turn().pass_turn().pass_turn().draw().view(0)
    assert EXPERT.choose(seen) == Discard(Card.parse("KH"))
    assert CAREFUL.choose(seen) == Discard(Card.parse(card))


@pytest.fixture
def only_maal(give: Give, monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Let the net add this number of points for each point of maal that a discard loses, and see nothing else."""

    def lost(situation: Situation, card: Card, *, is_base: bool) -> list[float]:
        return [maal_lost(situation.view, [card], situation.left)[card]]

    monkeypatch.setattr("marriage.strategy.expert.discard_features", lost)
    return lambda weight: give(discard=linear(weight))


def maal_of_discards(seen: View) -> dict[Card, float]:
    """Return the maal lost with each card that the expert considers."""
    base = GreedyPlayer().choose(seen)
    assert isinstance(base, Discard)
    situation = Situation(seen)
    return maal_lost(seen, discard_options(situation, base.card), situation.left)


def thrown(player: ExpertPlayer, seen: View) -> Card:
    action = player.choose(seen)
    assert isinstance(action, Discard)
    return action.card


def test_a_hoarder_counts_maal_three_times_for_each_other_player(only_maal: Callable[[float], None]) -> None:
    """The nets count it once, so it adds two times three points."""
    lost = maal_of_discards(seen := to_throw())
    assert min(lost.values()) < max(lost.values())
    only_maal(5.9)
    assert lost[thrown(HOARDER, seen)] == min(lost.values())
    assert lost[thrown(EXPERT, seen)] == max(lost.values())
    only_maal(6.1)
    assert lost[thrown(HOARDER, seen)] == max(lost.values())


def test_a_master_without_weights_adds_nothing(only_maal: Callable[[float], None]) -> None:
    lost = maal_of_discards(seen := to_throw())
    only_maal(1.0)
    assert lost[thrown(ExpertPlayer(MasterPlayer(weights=None)), seen)] == max(lost.values())


def test_a_net_whose_layers_have_different_sizes_has_no_value() -> None:
    with pytest.raises(ValueError, match="zip"):
        Net(units=((1.0,),), bias=(0.0,), out=(), linear=(1.0,)).value((1.0,))
