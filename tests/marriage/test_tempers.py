"""Tempers: what identifies each, that it changes nothing else, and that each plays by all rules."""

from collections.abc import Iterator

import pytest

from marriage.actions import Discard, TakeDiscard
from marriage.arena.ladder import AT_TABLES, LADDER, TEMPERED
from marriage.cards import parse_cards
from marriage.legal import may_take
from marriage.rules import PRESETS
from marriage.solver import Hand, pairs, show_distance
from marriage.state import Phase
from marriage.strategy.discards import Aim, Lean, aim, discards, safe_faces
from marriage.strategy.expert import ExpertPlayer
from marriage.strategy.master import MasterPlayer
from marriage.strategy.players import BeginnerPlayer, GreedyPlayer, Player
from marriage.strategy.tempers import Temper, tempered
from marriage.view import View, view
from tests.marriage.dealing import Script, actor, arranged, deal, play

SETTLED = {name: player for name, player in AT_TABLES.items() if not isinstance(player, BeginnerPlayer)}
STEADY = GreedyPlayer(count_outs=False)
CAREFUL = tempered(STEADY, Temper.CAREFUL)


def views(phase: Phase, player: Player = STEADY) -> Iterator[View]:
    """Yield what the seat in turn sees in this phase, in deals that the player plays against itself."""
    for number in range(3, 8):
        state, _ = deal(number, 4)
        for after, _, _, _ in play(state, player.choose):
            if after.phase is phase:
                yield view(after, actor(after))


@pytest.mark.parametrize(("place", "name"), [*enumerate(TEMPERED)])
def test_each_plays_deals_to_their_end_in_its_own_way(place: int, name: str) -> None:
    """Each temper plays by every third preset, so that several play each preset."""
    plain = SETTLED[name.partition("/")[0]]
    for number, preset in list(enumerate(PRESETS))[place % 3 :: 3]:
        state, _ = deal(number, 2 + number % 4, **PRESETS[preset].model_dump())
        *_, (last, _, _, _) = play(state, TEMPERED[name].choose)
        assert last.sheet is not None
    assert TEMPERED[name] != plain


@pytest.mark.parametrize("name", SETTLED)
def test_the_bold_collect_dublees_earliest_and_the_careful_only_with_seven(name: str) -> None:
    bold, careful = (tempered(SETTLED[name], temper).dublees_from for temper in (Temper.BOLD, Temper.CAREFUL))
    goals: set[tuple[Aim, Aim]] = set()
    for seen in views(Phase.PLAY):
        if seen.own.shown is None:
            have = len(pairs(seen.own.cards or (), seen.rules))
            goals.add((aim(seen, bold), aim(seen, careful)))
            assert (aim(seen, careful) is Aim.DUBLEES) <= (have >= 7)
            if have >= 5 and show_distance(Hand.of(seen), seen.rules) >= 2:
                assert aim(seen, bold) is Aim.DUBLEES
    assert goals == {(Aim.SHOW, Aim.SHOW), (Aim.DUBLEES, Aim.SHOW)}


@pytest.mark.parametrize("temper", Temper)
def test_the_expert_has_the_temper_of_the_master(temper: Temper) -> None:
    expert = tempered(ExpertPlayer(), temper)
    assert expert.habits == tempered(MasterPlayer(), temper)
    assert expert.habits != ExpertPlayer().habits


def test_the_bold_expert_collects_dublees_like_the_master_and_other_experts_leave_that_to_the_nets() -> None:
    bold, *others = (tempered(ExpertPlayer(), temper).dublees_from for temper in Temper)
    assert bold == tempered(MasterPlayer(), Temper.BOLD).dublees_from
    assert set(others) == {ExpertPlayer().dublees_from}


def test_the_hoarding_master_keeps_what_may_be_maal_more_often() -> None:
    plain, hoarding = MasterPlayer(), tempered(MasterPlayer(), Temper.HOARDER)
    assert plain.weights is not None
    assert hoarding.weights is not None
    assert hoarding.weights.maal > plain.weights.maal


def test_before_a_show_the_careful_take_only_what_brings_it_nearer() -> None:
    left = 0
    for seen in views(Phase.DRAW):
        if not may_take(seen) or seen.own.shown is not None:
            continue
        hand, top = Hand.of(seen), seen.pile[-1]
        after = hand._replace(concealed=tuple(sorted((*hand.concealed, top))))
        missing = show_distance(hand, seen.rules)
        if isinstance(CAREFUL.choose(seen), TakeDiscard):
            assert show_distance(after, seen.rules) < missing or not missing
        elif isinstance(STEADY.choose(seen), TakeDiscard):
            left += 1
    assert left > 3


def test_the_careful_throw_what_the_next_player_threw_if_it_costs_no_more_than_a_few_outs() -> None:
    safe = 0
    for seen in views(Phase.PLAY):
        plain, careful = STEADY.choose(seen), CAREFUL.choose(seen)
        if isinstance(plain, Discard) and isinstance(careful, Discard) and aim(seen) is not Aim.DUBLEES:
            ranked = {option.card: option.distance for option in discards(seen, count_outs=False)}
            assert ranked[careful.card] == ranked[plain.card]
            assert (plain.card in safe_faces(seen)) <= (careful.card in safe_faces(seen))
            safe += careful.card != plain.card
    assert safe > 10


def test_safe_is_what_the_next_player_threw_and_what_is_beside_it() -> None:
    table = Script(arranged("5H 9C", "KS 2S", up="7D")).close_window()
    assert not safe_faces(table.view(0))
    table.draw().throw("5H").draw().throw("KS").draw()
    assert safe_faces(table.view(0)) == {*parse_cards("QS KS AS")}
    assert safe_faces(table.view(1)) == {*parse_cards("4H 5H 6H")}


def test_the_hoarder_keeps_what_may_be_maal() -> None:
    """Among otherwise equal discards, it never throws the one that may be worth more."""
    kept = 0
    for seen in views(Phase.PLAY):
        if seen.own.shown is None and aim(seen) is Aim.SHOW:
            plain, hoarding = (discards(seen, count_outs=False, lean=lean)[0] for lean in (None, Lean.MAAL))
            assert plain.distance == hoarding.distance
            kept += plain.card != hoarding.card
    assert kept > 10


def test_a_match_may_be_between_tempers() -> None:
    assert set(TEMPERED) < set(LADDER)
    assert not {"novice/bold", "beginner/bold"} & set(LADDER)
