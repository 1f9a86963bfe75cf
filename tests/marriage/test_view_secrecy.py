"""Secrecy of views: a view is the fold of masked events, and contains nothing that the viewer cannot know."""

import random
from dataclasses import replace
from itertools import combinations

from hypothesis import given, settings

from marriage.actions import (
    Action,
    CutTiplu,
    DeclineTunnelas,
    Discard,
    DrawStock,
    ExposeTunnelas,
    Finish,
    FinishDublees,
    Show,
    ShowDublees,
    TakeDiscard,
)
from marriage.apply import apply, replay
from marriage.cards import CARDS, UNKNOWN, sort_cards
from marriage.decide import decide
from marriage.errors import IllegalActionError
from marriage.events import EVENT, Event
from marriage.legal import legal_actions
from marriage.state import Phase, State
from marriage.strategy.advice import cards_missing
from marriage.view import View, mask, own_view, view
from tests.marriage.dealing import CHANCE, DEALING, DEALS, at_random, deal, play, seed


@settings(DEALING, max_examples=12)
@given(DEALS, CHANCE)
def test_a_view_is_the_fold_of_masked_events(events: list[Event], chance: random.Random) -> None:
    state = replay(events)
    viewers = [None, *range(len(state.seats))]
    folds = {viewer: replay(mask(event, viewer) for event in events) for viewer in viewers}
    for after, _, _, caused in play(state, at_random(chance)):
        for event in caused:
            state = apply(state, event)
            for viewer in viewers:
                folds[viewer] = apply(folds[viewer], mask(event, viewer))
                assert view(folds[viewer], viewer) == view(state, viewer)
        assert state == after


@settings(DEALING, max_examples=6)
@given(DEALS, CHANCE)
def test_masked_events_survive_json_and_masking_again(events: list[Event], chance: random.Random) -> None:
    for _, _, _, caused in play(replay(events), at_random(chance)):
        events = [*events, *caused]
    for viewer in [None, *range(len(replay(events).seats))]:
        for event in events:
            masked = mask(event, viewer)
            assert EVENT.validate_json(EVENT.dump_json(masked)) == masked
            assert mask(masked, viewer) == masked
            assert mask(mask(event, 0), viewer) == mask(mask(event, viewer), 0)


@settings(DEALING, max_examples=15)
@given(DEALS, CHANCE)
def test_what_a_seat_cannot_know_changes_nothing_for_it(events: list[Event], chance: random.Random) -> None:
    """The twin has other hidden cards and another seed, yet everything sent to the seat is the same."""
    begun = replay(events)
    twins_agree(begun, chance)
    for state, _, _, _ in play(begun, at_random(chance)):
        if state.phase is Phase.CUT or chance.random() < 0.03:
            twins_agree(state, chance)


def twins_agree(state: State, chance: random.Random) -> None:
    for viewer in [None, *range(len(state.seats))]:
        other = twin(state, viewer, chance)
        if state.phase is not Phase.OVER:
            assert other != state
        seen = view(state, viewer)
        assert view(other, viewer) == seen
        assert repr(view(other, viewer)) == repr(seen)
        assert legal_actions(view(other, viewer)) == legal_actions(seen)
        assert cards_missing(view(other, viewer)) == cards_missing(seen)
        if viewer is not None:
            assert own_view(other, viewer) == own_view(state, viewer)
            assert legal_actions(own_view(state, viewer)) == legal_actions(seen)
            for action in attempts(seen, chance):
                assert answer(other, viewer, action) == answer(state, viewer, action), action


def twin(state: State, viewer: int | None, chance: random.Random) -> State:
    """Return the same deal for this viewer, with everything that it cannot know dealt again."""
    if state.phase is Phase.OVER:
        return replace(state, key=seed(chance.getrandbits(32)))
    knows = state.rules.open_tiplu or (viewer is not None and state.seats[viewer].seen)
    hides_tiplu = state.tiplu is not None and not knows
    stocks = [state.stock, *state.stocks, state.aside]
    hidden = [
        *(card for stock in stocks for card in stock),
        *([state.tiplu] if hides_tiplu else []),
        *(card for index, seat in enumerate(state.seats) if index != viewer for card in seat.concealed()),
    ]
    chance.shuffle(hidden)
    tiplu = state.tiplu
    if hides_tiplu:
        tiplu = hidden.pop(next(place for place, card in enumerate(hidden) if card.is_pack))
    turned = 0 if state.tiplu is not None or not state.stocks else 1
    aside = [
        hidden.pop(next(place for place, card in enumerate(hidden) if card.is_pack)) for _ in range(turned)
    ]
    seats = list(state.seats)
    for index, seat in enumerate(seats):
        if index != viewer:
            cards = [hidden.pop() for _ in seat.concealed()]
            cards += seat.locked().elements()
            threw = seat.seen and chance.random() < 0.5
            seats[index] = replace(seat, cards=sort_cards(cards), threw=threw)
    drawn = state.drawn
    if drawn is not None and state.turn != viewer:
        drawn = seats[state.turn].cards[0]
    stock, *others = [tuple(hidden.pop() for _ in stock) for stock in stocks[:-1]]
    return replace(
        state,
        seats=tuple(seats),
        stock=stock,
        stocks=tuple(others),
        aside=(*aside, *hidden),
        tiplu=tiplu,
        drawn=drawn,
        key=seed(chance.getrandbits(32)),
    )


def attempts(seen: View, chance: random.Random) -> list[Action]:
    """Return sensible and foolish actions of the viewer."""
    hand = seen.own.cards or ()
    triples = [chance.sample(hand, 3) for _ in range(4)]
    runs = [part for part in combinations(sort_cards(set(hand)), 3) if part[2] - part[0] == 2][:4]
    groups = tuple(map(sort_cards, [*runs, *triples]))
    return [
        *legal_actions(seen),
        DeclineTunnelas(),
        DrawStock(),
        TakeDiscard(),
        *(CutTiplu(place) for place in (None, -1, 0, 49, 200)),
        *map(Discard, CARDS),
        *(ExposeTunnelas((card,)) for card in set(hand)),
        Show(groups[:3]),
        Show(groups[-3:]),
        ShowDublees(hand[:7]),
        Finish(groups[:4], hand[0]),
        Finish((), hand[-1]),
        *(FinishDublees(card, hand[0]) for card in set(hand)),
    ]


def answer(state: State, seat: int, action: Action) -> object:
    """Return the refusal, or the kinds of the events."""
    try:
        return [type(event) for event in decide(state, seat, action)]
    except IllegalActionError as refusal:
        return refusal.code, refusal.details, str(refusal)


def test_the_hidden_is_not_in_a_masked_event() -> None:
    state, (dealt,) = deal(3, 3)
    for viewer in (None, 0, 1, 2):
        masked = mask(dealt, viewer)
        shown = EVENT.dump_json(masked).decode()
        assert state.key.seed.hex() not in shown
        assert masked.key == replace(masked.key, seed=b"", table="", deal=0, items=())
        for seat, hand in enumerate(masked.hands):
            assert (set(hand) == {UNKNOWN}) == (seat != viewer)
        assert set(masked.stock) == {UNKNOWN}


def test_no_text_of_a_state_or_event_names_a_hidden_card() -> None:
    state, events = deal(3, 3, tunnela_window="own_first_draw")
    for _, _, _, caused in play(state, at_random(random.Random(1))):
        events = [*events, *caused]
    hiding = tuple({type(event) for event in events if mask(event, None) != event})
    assert {kind.__name__ for kind in hiding} >= {"Dealt", "Drew"}
    for event in events:
        if isinstance(event, hiding):
            assert not any(f"<{card}>" in repr(event) for card in CARDS)
    assert not any(f"<{card}>" in repr(state) or f"<{card}>" in repr(state.seats) for card in CARDS)
