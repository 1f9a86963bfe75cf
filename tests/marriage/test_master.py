"""The strongest computer player: how it differs from the frozen ones, and that it plays by all rules."""

from collections.abc import Iterable, Iterator

import pytest

from marriage.actions import Discard, DrawStock, Show, TakeDiscard
from marriage.cards import parse_cards, sort_cards, without
from marriage.legal import legal_discards
from marriage.rules import PRESETS, preset
from marriage.sheet import Ending
from marriage.solver import Hand, distance, pairs, show_distance
from marriage.state import Phase
from marriage.strategy.before_show import discard_values
from marriage.strategy.discards import Aim, aim
from marriage.strategy.master import MasterPlayer
from marriage.strategy.players import GreedyPlayer
from marriage.strategy.showable_sets import best_show
from marriage.view import View, view
from tests.marriage.dealing import Script, actor, arranged, deal, play
from tests.marriage.test_players import HOUSE_RULES, SCATTERED

MASTER = MasterPlayer()
GREEDY = GreedyPlayer()


def views(deals: Iterable[int], phase: Phase) -> Iterator[View]:
    """Yield what the seat in turn sees in this phase, in deals that the master plays against itself."""
    for number in deals:
        state, _ = deal(number, 4)
        for after, _, _, _ in play(state, MASTER.choose):
            if after.phase is phase:
                yield view(after, actor(after))


def after_taking(seen: View) -> Hand:
    """Return the viewer's hand with the top of the pile added."""
    hand, top = Hand.of(seen), seen.pile[-1]
    return hand._replace(concealed=sort_cards((*hand.concealed, top)), dead=without(hand.dead, [top]))


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("players", [2, 4])
def test_it_finishes_its_deals(name: str, players: int) -> None:
    state, _ = deal(1, players, **PRESETS[name].model_dump())
    *_, (last, _, _, _) = play(state, MASTER.choose)
    assert last.sheet is not None
    assert last.sheet.ending in (Ending.GROUPS, Ending.DUBLEES)


@pytest.mark.parametrize(("place", "name"), [*enumerate(HOUSE_RULES)])
def test_it_plays_by_every_house_rule(place: int, name: str) -> None:
    state, _ = deal(place, 2 + 3 * (place % 2), **HOUSE_RULES[name])
    *_, (last, _, _, _) = play(state, MASTER.choose)
    assert last.sheet is not None


def test_before_a_show_it_leaves_what_only_brings_the_finish_nearer() -> None:
    """This holds unless it shows in this turn anyway."""
    left = 0
    for seen in views(range(3, 6), Phase.DRAW):
        hand = Hand.of(seen)
        if seen.own.shown is None and aim(seen) is Aim.SHOW and show_distance(hand, seen.rules) > 0:
            missing = show_distance(hand, seen.rules)
            nearer = show_distance(after_taking(seen), seen.rules) < missing
            if len(pairs(seen.own.cards or (), seen.rules)) < 5:
                assert isinstance(MASTER.choose(seen), TakeDiscard) == nearer
            left += not nearer and isinstance(GREEDY.choose(seen), TakeDiscard)
    assert left > 3


def test_before_a_show_it_throws_what_leaves_the_most_points() -> None:
    otherwise = 0
    for seen in views(range(3, 5), Phase.PLAY):
        action = MASTER.choose(seen)
        if seen.own.shown is None and isinstance(action, Discard) and aim(seen) is Aim.SHOW:
            values = discard_values(seen, legal_discards(seen))
            assert values is not None
            if len(pairs(seen.own.cards or (), seen.rules)) < 5:
                assert values[action.card] == max(values.values())
            otherwise += action != MasterPlayer(weights=None).choose(seen)
    assert otherwise > 3


def test_one_card_from_the_finish_it_takes_a_card_that_many_more_go_with() -> None:
    found = 0
    for seen in views((3, 14), Phase.DRAW):
        if seen.own.shown is None or aim(seen) is not Aim.FINISH:
            continue
        hand = Hand.of(seen)
        nearer = distance(after_taking(seen), seen.rules) < distance(hand, seen.rules)
        if isinstance(MASTER.choose(seen), TakeDiscard) and not nearer:
            assert distance(hand, seen.rules) == 1
            assert isinstance(MasterPlayer(wider=1).choose(seen), DrawStock)
            found += 1
    assert found > 0


def test_it_makes_the_best_show() -> None:
    shown = 0
    for seen in views(range(2), Phase.PLAY):
        action = MASTER.choose(seen)
        if isinstance(action, Show):
            assert action.groups == best_show(seen)
            shown += 1
    assert shown > 3


def test_where_a_discard_is_taken_only_to_show_it_shows_with_it() -> None:
    hand = f"5C 6C 7C 9C 10C JC AD AD {SCATTERED} 5H QS"
    table = Script(
        arranged(hand, "2S 2S", up="AD", rules=preset("pagat", unseen_pickup="show_only"))
    ).close_window()
    table.do(MASTER.choose(table.view(0)))
    shown = MASTER.choose(table.view(0))
    assert isinstance(shown, Show)
    assert parse_cards("AD AD AD") in shown.groups
