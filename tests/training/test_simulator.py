"""The simulator in C plays as the engine does, move for move."""

import numpy as np
import pytest

from marriage.arena.match import ArenaMatch
from marriage.decide import start
from marriage.duplicate_board import board_rules
from marriage.events import (
    Discarded,
    Drew,
    Event,
    Finished,
    FinishedDublees,
    Reshuffled,
    Settled,
    Showed,
    ShowedDublees,
    TipluCut,
    Took,
)
from marriage.rules import PRESETS
from marriage.strategy.players import GreedyPlayer, play_out
from training.simulator import SEATS, SUPPORTED, Log, Simulator, deals, has_compiler

pytestmark = pytest.mark.skipif(
    not has_compiler(), reason="the simulator is compiled with gcc, which is not here"
)

Turn = tuple[int, bool, int, int, bool, tuple[int, ...]]
"""The seat, whether it took, how it showed (0 for not at all), what it threw, whether it finished, and what it laid."""


def on_the_engine(preset: str, number: int) -> tuple[list[Turn], list[int]]:
    """Return the turns of a deal of greedy+outs, and what each seat gains.

    Turns after a reshuffle are left out, because the simulator reshuffles differently.
    """
    match = ArenaMatch(("",), PRESETS[preset], 1)
    dealt = start(board_rules(match.rules), SEATS, number % SEATS, match.key(number), board=True)
    turns: list[Turn] = []
    events = list(play_out(dealt, [GreedyPlayer()] * SEATS))
    if any(isinstance(event, Reshuffled) for event in events):
        events = events[: next(place for place, event in enumerate(events) if isinstance(event, Reshuffled))]
    for event in events:
        turns = followed(turns, event)
    end = events[-1]
    return turns, [line.net for line in end.sheet.lines] if isinstance(end, Settled) else []


def followed(turns: list[Turn], event: Event) -> list[Turn]:
    """Return the turns after one more event."""
    if isinstance(event, Drew | Took):
        return [*turns, (event.seat, isinstance(event, Took), 0, -1, False, ())]
    if not turns:
        return turns
    seat, took, shown, thrown, finished, laid = turns[-1]
    match event:
        case Showed():
            shown, laid = 1, tuple(sorted(card for group in event.groups for card in group))
        case ShowedDublees():
            shown = 2
        case Discarded():
            thrown = int(event.card)
        case Finished() | FinishedDublees():
            finished = True
        case _:
            pass
    return [*turns[:-1], (seat, took, shown, thrown, finished, laid)]


def on_the_simulator(log: Log, exposed: list[list[int]]) -> list[Turn]:
    turns: list[Turn] = []
    for seat, took, before, after, thrown, finished, *laid in log.turns.tolist():
        cards = [card for card in laid if card >= 0]
        if before == 0 and after == 1:  # exposed tunnelas are part of the show
            cards += [face for face in exposed[seat][:3] for _ in range(3)]
        turns.append(
            (seat, bool(took), after if before == 0 else 0, thrown, bool(finished), tuple(sorted(cards)))
        )
    return turns


def tunnelas_dealt(deck: list[int], dealer: int, seats: int = SEATS) -> list[list[int]]:
    hands = {(dealer + 1 + place) % seats: deck[21 * place : 21 * (place + 1)] for place in range(seats)}
    return [
        sorted(face for face in set(hands[seat]) if hands[seat].count(face) == 3) for seat in range(seats)
    ]


def compare(preset: str, first: int, count: int) -> int:
    """Play deals on both, and return the number of compared turns."""
    dealt, simulator = deals("judge", count, first=first), Simulator(PRESETS[preset])
    compared = 0
    for place in range(count):
        number = first + place
        turns, nets = on_the_engine(preset, number)
        log = simulator.log(dealt.decks[place], number % SEATS)
        played = on_the_simulator(log, tunnelas_dealt(dealt.decks[place].tolist(), number % SEATS))
        assert played[: len(turns)] == turns, f"deal {number}"
        if nets:
            assert log.nets.tolist() == nets, f"deal {number}"
        compared += len(turns)
    return compared


@pytest.mark.parametrize("first", [0, 5, 10, 15])
def test_greedy_with_outs_plays_the_same_moves_as_on_the_engine(first: int):
    assert compare("pagat", first, 5) > 5 * SEATS


def test_so_it_does_where_unseen_maal_is_void():
    assert compare("murder", 20, 2) > 2 * SEATS


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("preset", SUPPORTED)
def test_it_plays_an_ordinary_deal_of_one_stock(preset: str, seats: int):
    """The engine cuts the tiplu from the stock at the first show, so the simulator gets that card as its tiplu from the beginning."""
    rules, key = PRESETS[preset], ArenaMatch(("",), PRESETS[preset], 1).key(seats)
    events = list(play_out(start(rules, seats, 1, key), [GreedyPlayer()] * seats))
    assert not any(isinstance(event, Reshuffled) for event in events)
    deck, first = [int(card) for card in key.deck(rules)], 21 * seats + 1
    cut = next(place for place, event in enumerate(events) if isinstance(event, TipluCut))
    drawn = sum(isinstance(event, Drew) for event in events[:cut])
    tiplu = deck.pop(first + drawn + events[cut].place)
    deck.insert(first, tiplu)
    turns: list[Turn] = []
    for event in events:
        turns = followed(turns, event)
    log = Simulator(rules, seats, one_stock=True).log(np.array(deck, np.uint8), 1)
    assert on_the_simulator(log, tunnelas_dealt(deck, 1, seats)) == turns
    assert log.nets.tolist() == [line.net for line in events[-1].sheet.lines]


def test_many_deals_at_once_are_the_deals_one_by_one():
    dealt, simulator = deals("judge", 4, seed="par", seats=5), Simulator(PRESETS["kidnap"], 5, one_stock=True)
    nets = simulator.nets(dealt)
    assert nets.tolist() == [
        simulator.log(deck, dealer).nets.tolist()
        for deck, dealer in zip(dealt.decks, dealt.dealers.tolist(), strict=True)
    ]


@pytest.mark.by_name
@pytest.mark.timeout(600)
def test_it_plays_the_same_moves_in_many_deals():
    assert compare("pagat", 100, 150) > 150 * SEATS


def test_other_rules_are_refused():
    with pytest.raises(ValueError, match="presets"):
        Simulator(PRESETS["kathmandu"])


def test_deals_to_fit_and_deals_to_judge_are_never_the_same():
    fit, judge = deals("fit", 20), deals("judge", 20)
    assert not {deck.tobytes() for deck in fit.decks} & {deck.tobytes() for deck in judge.decks}
    assert deals("fit", 1, first=3).decks.tobytes() == fit.decks[3].tobytes()
