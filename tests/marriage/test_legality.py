"""One legality: `decide` accepts what `legal_actions` lists, in any deal, and someone can always act."""

import random
from collections import Counter
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marriage.actions import (
    Action,
    ExposeTunnelas,
    Finish,
    FinishDublees,
    Show,
    ShowDublees,
    TakeDiscard,
)
from marriage.apply import replay
from marriage.arena.ladder import AT_TABLES
from marriage.cards import CARDS, MAN, MASTER, PACKS, Card, format_cards, parse_cards
from marriage.decide import decide
from marriage.events import Event
from marriage.legal import legal_actions
from marriage.moves import refusal_of
from marriage.rules import HAND_SIZE, PRESETS, Rules
from marriage.state import Phase, State
from marriage.strategy.players import Player
from marriage.view import View, view
from tests.marriage.dealing import (
    CHANCE,
    DEALING,
    Chooser,
    Script,
    actor,
    any_rules,
    arranged,
    expose,
    play,
    show_dublees,
    turned_open,
)

TUNNELAS = "9C 9C 9C QC QC QC KC KC KC JC JC JC"
FIVE_PAIRS = "2S 2S 3S 3S 4S 4S 5S 5S 6S 6S"


def extreme_rules(chance: random.Random) -> Rules:
    """Return a preset or any rules, mostly with all man cards, dublees, and a pile only for shows."""
    rules = any_rules(chance)
    options = {
        "man_cards": chance.randint(3, 6),
        "joker_dublee": True,
        "dublee": True,
        "dublee_min_players": 2,
        "unseen_pickup": "show_only",
        "group_size": "three_plus",
    }
    return rules.with_options(**{name: value for name, value in options.items() if chance.random() < 0.7})


def crowded_deal(number: int) -> list[Event]:
    """Return a deal whose hands are tunnelas and pairs, with copies of their faces on pile and stock."""
    chance = random.Random(number)
    rules, players = extreme_rules(chance), chance.randint(2, 4)
    left = Counter({card: PACKS for card in CARDS if card.is_pack})
    left += Counter({MAN: rules.man_cards, MASTER: int(rules.master_card != "off")})
    hands = [format_cards(_crowded(left, chance)) for _ in range(players)]
    spare = [card for card in (MAN, MASTER) for _ in range(left[card])]
    top = chance.choice([spare or [*left.elements()], [*left.elements()]])
    up = chance.choice(top)
    dealt = arranged(*hands, up=str(up), rules=rules, number=number)
    return [dealt, *turned_open(dealt)]


def _crowded(left: Counter[Card], chance: random.Random) -> list[Card]:
    """Return up to 21 cards taken out of `left`: tunnelas first, then pairs."""
    hand: list[Card] = []
    for size, most in ((PACKS, chance.randint(0, 7)), (2, 7)):
        faces = [card for card, count in left.items() if count >= size and card not in hand]
        liked = [MAN] * (MAN in faces and chance.random() < 0.7)
        for face in (liked + chance.sample(faces, len(faces)))[:most]:
            if len(hand) + size <= HAND_SIZE and face not in hand:
                hand += [face] * size
                left[face] -= size
    return hand


CROWDED = st.integers(0, 2**32).map(crowded_deal)


def freely(chance: random.Random) -> Chooser:
    """Return a chooser of random legal actions that mostly exposes, takes, shows and finishes if it may."""

    def choose(seen: View) -> Action:
        actions = legal_actions(seen)
        assert actions, "a seat that is asked can do nothing"
        binds = seen.own.shown is None and seen.rules.unseen_pickup == "show_only"
        rare = (ExposeTunnelas, Show, ShowDublees, Finish, FinishDublees, *([TakeDiscard] if binds else []))
        liked = [action for action in actions if isinstance(action, rare)]
        longest = max(
            (a for a in liked if isinstance(a, ExposeTunnelas)), key=lambda a: len(a.faces), default=None
        )
        if longest is not None and chance.random() < 0.8:
            return longest
        return chance.choice(liked if liked and chance.random() < 0.8 else actions)

    return choose


def all_listed_are_accepted(state: State) -> None:
    for seat in range(len(state.seats)):
        for action in legal_actions(view(state, seat)):
            assert refusal_of(view(state, seat), action) is None, action
            assert decide(state, seat, action)
    assert state.phase is Phase.OVER or legal_actions(view(state, actor(state)))


@settings(DEALING, max_examples=60)
@given(CROWDED, CHANCE)
def test_what_is_listed_is_accepted_and_somebody_can_act(events: list[Event], chance: random.Random) -> None:
    begun = replay(events)
    all_listed_are_accepted(begun)
    for turn, (state, _, _, _) in enumerate(play(begun, freely(chance))):
        if turn < 40 or chance.random() < 0.05:
            all_listed_are_accepted(state)


@pytest.mark.parametrize("name", PRESETS)
def test_a_show_of_dublees_leaves_a_card_to_discard(name: str) -> None:
    rules = PRESETS[name].with_options(dublee=True, dublee_min_players=2, direction="clockwise")
    script = Script(arranged(f"{TUNNELAS} {FIVE_PAIRS[:-3]}", "", up="KD", stock="6S", rules=rules))
    script.do(expose("9C QC KC JC"), seat=0).close_window().draw()
    assert script.state.seats[0].concealed() == parse_cards(FIVE_PAIRS)
    shown = [action for action in script.legal() if isinstance(action, ShowDublees)]
    assert shown == [show_dublees("2S 3S 4S 9C JC QC KC")]
    script.do(shown[0])


def test_seven_dublees_that_leave_no_card_are_not_offered() -> None:
    """The exposed man cards are not a dublee here, so the seven take every card of the hand."""
    rules = Rules(man_cards=3)
    hand = "MAN MAN MAN 9C 9C 9C QC QC QC KC KC KC JC JC JC 7H 7H 7H 2S 2S 3S"
    script = Script(arranged(hand, "", stock="3S", rules=rules))
    script.do(expose("MAN 9C QC KC JC 7H"), seat=0).close_window().draw()
    assert not [action for action in script.legal() if isinstance(action, ShowDublees)]
    assert script.refusal(show_dublees("9C QC KC JC 7H 2S 3S")) == "nothing_to_discard"


@pytest.mark.parametrize("player", [AT_TABLES["greedy"], AT_TABLES["master"]], ids=["greedy", "master"])
def test_a_computer_shows_what_it_may(player: Player) -> None:
    script = Script(arranged(f"{TUNNELAS} {FIVE_PAIRS[:-3]}", "", up="KD", stock="6S"))
    script.do(expose("9C QC KC JC"), seat=0).close_window().draw()
    script.do(player.choose(script.view()))


@settings(DEALING, max_examples=15)
@given(CROWDED, st.sampled_from([*AT_TABLES]))
def test_computers_choose_only_what_is_accepted(events: list[Event], name: str) -> None:
    for _ in islice(play(replay(events), AT_TABLES[name].choose), 60):
        pass
