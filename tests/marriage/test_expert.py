"""The expert: when its nets play, what they get as input, and that nothing hidden changes what it does."""

import random
from collections.abc import Iterator
from functools import cache
from itertools import chain

import pytest

from marriage.actions import Action, Discard, DrawStock, TakeDiscard
from marriage.apply import apply, replay
from marriage.arena.ladder import EXPERTS, at_table
from marriage.cards import parse_cards
from marriage.decide import decide, start
from marriage.events import Event
from marriage.legal import may_take
from marriage.maal import jhiplu, poplu
from marriage.rules import PRESETS, preset
from marriage.state import Phase, State
from marriage.strategy.before_show import maal_lost
from marriage.strategy.discards import Aim, aim, safe_faces
from marriage.strategy.expert import NETS, ExpertPlayer, Net, nets, nets_for
from marriage.strategy.master import MasterPlayer
from marriage.strategy.net_features import (
    DISCARD_FEATURES,
    TAKE_FEATURES,
    Situation,
    discard_features,
    discard_options,
    take_features,
)
from marriage.strategy.players import GreedyPlayer, play_on
from marriage.strategy.tempers import Temper
from marriage.view import View, view
from tests.marriage.dealing import Script, actor, arranged, deal, play, seed
from tests.marriage.test_resample import OPENS_HANDS, told_anew

PAGAT = PRESETS["pagat"]
EXPERT = ExpertPlayer()

pytestmark = pytest.mark.xdist_group("expert")  # so that only one process plays each deal


def decisions(*numbers: int) -> Iterator[tuple[View, Action]]:
    """Yield what the expert sees and does in deals between experts, which its nets were trained for."""
    return chain.from_iterable(map(decided, numbers))


@cache
def decided(number: int) -> tuple[tuple[View, Action], ...]:
    made: list[tuple[View, Action]] = []

    def choose(seen: View) -> Action:
        made.append((seen, EXPERT.choose(seen)))
        return made[-1][1]

    state, _ = deal(number, 4, **PAGAT.model_dump())
    assert list(play(state, choose))
    return tuple(made)


def test_its_nets_play_where_a_hand_is_worth_the_same_and_at_four_seats() -> None:
    for name, trained in NETS.items():
        assert nets_for(PRESETS[name], 4) is nets(trained)
        assert nets_for(PRESETS[name], 3) is None
        assert nets_for(PRESETS[name].with_options(seen_pay=4), 4) is None
    assert nets_for(PAGAT.with_options(direction="anticlockwise", foul="each"), 4) is nets("pagat")
    assert nets_for(PRESETS["wikipedia-2010"], 4) is None


def test_void_maal_is_that_of_murder_where_tunnelas_of_the_unseen_count_for_nothing() -> None:
    void = PAGAT.with_options(unseen_maal="void")
    assert nets_for(void, 4) is nets_for(PRESETS["murder"], 4) is not None
    assert nets_for(void.with_options(tunnel_pachaunu=False), 4) is None


@pytest.mark.parametrize(("name", "players"), [("pagat", 3), ("murder", 5), ("wikipedia-2010", 4)])
def test_elsewhere_it_is_the_master(name: str, players: int) -> None:
    state, _ = deal(2, players, **PRESETS[name].model_dump())
    for after, _, _, _ in play(state, MasterPlayer().choose):
        if after.phase is not Phase.OVER:
            seen = view(after, actor(after))
            assert EXPERT.choose(seen) == MasterPlayer().choose(seen)


def test_its_nets_decide_takes_and_discards_before_a_show_and_nothing_else() -> None:
    other: set[tuple[type[Action], bool]] = set()
    for seen, action in decisions(*range(4)):
        greedy = GreedyPlayer().choose(seen)
        if action != greedy:
            other.add((type(action), seen.own.shown is None))
        if seen.own.shown is not None and seen.phase is Phase.DRAW:
            assert action == MasterPlayer().choose(seen)
        elif seen.own.shown is not None:
            assert action == greedy
    assert {(DrawStock, True), (Discard, True)} <= other
    assert (Discard, False) not in other


@pytest.mark.parametrize("name", sorted(NETS))
def test_it_differs_from_the_master_wherever_its_nets_play(name: str) -> None:
    state, _ = deal(4, 4, **PRESETS[name].model_dump())
    moments = (
        view(after, actor(after))
        for after, _, _, _ in play(state, MasterPlayer().choose)
        if after.phase in (Phase.DRAW, Phase.PLAY)
    )
    assert any(EXPERT.choose(seen) != MasterPlayer().choose(seen) for seen in moments)


def test_it_takes_what_the_net_says_is_worth_more_than_a_draw() -> None:
    taken: set[bool] = set()
    for seen, action in decisions(5, 6):
        if seen.phase is Phase.DRAW and seen.own.shown is None and may_take(seen):
            wins = nets("pagat").take.value(take_features(Situation(seen))) > 0
            assert action == (TakeDiscard() if wins else DrawStock())
            taken.add(wins)
    assert taken == {True, False}


def test_it_throws_what_the_net_says_leaves_most() -> None:
    chosen = 0
    for seen, action in decisions(5, 6):
        base = GreedyPlayer().choose(seen)
        if seen.own.shown is None and isinstance(action, Discard) and isinstance(base, Discard):
            situation = Situation(seen)
            options = discard_options(situation, base.card)
            values = {
                card: nets("pagat").discard.value(
                    discard_features(situation, card, is_base=card == base.card)
                )
                for card in options
            }
            assert options[0] == base.card
            assert action.card in options
            if len(options) > 1:
                assert values[action.card] == max(values.values())
                chosen += 1
    assert chosen > 5


def resampled(events: list[Event], viewer: int, chance: random.Random) -> State:
    return replay(told_anew(events, viewer, chance))


@pytest.mark.parametrize(("number", "rules"), [(0, "pagat"), (1, "kidnap")])
def test_cards_that_it_cannot_see_change_nothing(number: int, rules: str) -> None:
    chance = random.Random(3)
    compared = 0
    events = start(PRESETS[rules], 4, number, seed(number))
    state = replay(events)
    while state.phase is not Phase.OVER:
        seat = actor(state)
        action = EXPERT.choose(view(state, seat))
        if not any(isinstance(event, OPENS_HANDS) for event in events):
            other = view(resampled(events, seat, chance), seat)
            for player in EXPERTS.values():
                assert player.choose(other) == player.choose(view(state, seat))
            compared += 1
        for event in decide(state, seat, action):
            state = apply(state, event)
            events = [*events, event]
    assert compared > 10


@pytest.mark.parametrize("name", EXPERTS)
def test_every_temper_plays_deals_to_their_end(name: str) -> None:
    state, _ = deal(7, 4, **PAGAT.model_dump())
    *_, (_, last) = play_on(state, [EXPERTS[name]] * 4)
    assert last.sheet is not None


def test_tempers_are_those_of_the_master() -> None:
    assert at_table("master") is EXPERTS["expert"]
    for temper in Temper:
        assert at_table("master", temper) is EXPERTS[f"expert/{temper}"]
    assert at_table("greedy", Temper.BOLD) != at_table("greedy")


def test_the_careful_throw_more_safe_cards_and_hoarders_keep_more_maal() -> None:
    careful, hoarder = EXPERTS["expert/careful"], EXPERTS["expert/hoarder"]
    safe = kept = 0
    for seen, action in decisions(*range(8)):
        if seen.own.shown is not None or not isinstance(action, Discard):
            continue
        near, thrown = careful.choose(seen), hoarder.choose(seen)
        if isinstance(near, Discard) and near != action:
            assert near.card in safe_faces(seen)
            assert action.card not in safe_faces(seen)
            safe += 1
        if isinstance(thrown, Discard) and thrown != action:
            lost = maal_lost(seen, (thrown.card, action.card), Situation(seen).left)
            assert lost[thrown.card] < lost[action.card]
            kept += 1
    assert safe
    assert kept


def test_the_bold_collect_dublees_as_the_bold_master_does() -> None:
    bold = EXPERTS["expert/bold"]
    collected = 0
    for seen, _ in decisions(*range(8)):
        if seen.own.shown is None and aim(seen, bold.dublees_from) is Aim.DUBLEES:
            assert bold.choose(seen) == bold.habits.choose(seen)
            collected += 1
    assert collected


def test_a_net_sums_its_linear_part_and_the_units_above_zero() -> None:
    net = Net(units=((1.0, 2.0), (-1.0, 0.0)), bias=(0.5, -1.0), out=(3.0, 100.0), linear=(0.25, 0.0))
    assert net.value((2.0, 1.0)) == 0.25 * 2 + 3 * (0.5 + 2 + 2)
    assert net.value((-2.0, 0.0)) == -0.5 + 100 * (-1 + 2)


@pytest.mark.parametrize("name", sorted(set(NETS.values())))
def test_the_packaged_nets_take_all_features_and_say_where_they_come_from(name: str) -> None:
    packaged = nets(name)
    for net, features in ((packaged.discard, DISCARD_FEATURES), (packaged.take, TAKE_FEATURES)):
        assert {len(net.linear), *map(len, net.units)} == {features}
        assert len(net.units) == len(net.bias) == len(net.out)
    assert packaged.preset == name
    assert packaged.deals > (1000 if packaged.begun_from is None else 100)
    assert packaged.begun_from in (None, *NETS)
    assert packaged.rollouts == 4


def test_a_spectator_has_no_decision() -> None:
    state, _ = deal(1, 4)
    with pytest.raises(ValueError, match="spectator"):
        Situation(view(state, None))


def test_what_is_said_of_a_hand() -> None:
    """A hand of four pairs and an exposed tunnela, before its first draw."""
    state = Script(arranged("5H 6H 9C 9C KD KD 2S 2S AH", "5D", "", "", rules=preset("pagat"))).state
    situation = Situation(view(state, 0))
    [five] = parse_cards("5H")
    assert situation.held[five] == 1
    assert situation.pairs >= 3
    chance = sum(situation.left[face] for face in (poplu(five), jhiplu(five))) / situation.unseen
    assert situation.wild(five) > chance
