"""The input of the nets, number by number: the nets were trained with exactly this.

The hashes say that nothing changed. That the numbers are right, `tests/training` shows: the simulator counts the same.
"""

from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256

import pytest

from marriage.legal import may_take
from marriage.state import Phase, ShowKind
from marriage.strategy.net_features import (
    Situation,
    discard_features,
    discard_options,
    take_features,
)
from marriage.strategy.players import GreedyPlayer
from marriage.view import View, view
from tests.marriage.dealing import Script, actor, arranged, deal, play

GREEDY = GreedyPlayer(count_outs=False)
PAIRS = "AS AS 4S 4S 8H 8H QH QH 6D 6D"
FEATURES = {
    "two deals": "94f40fb830cf0a6b",
    "dublees shown": "d562e436f1397254",
    "five pairs": "e4d2bd2f291f1e9e",
    "six pairs": "3586d8ce8b68704a",
    "exposed tunnelas": "48c4d2fe4cc25d74",
    "ready to show": "6fcf776fc4ec06c4",
}
"""The hash of all features in each situation."""


def dealt(number: int) -> Iterator[View]:
    """Yield what the seat in turn sees before its show, at every third step of a deal."""
    state, _ = deal(number, 4)
    for step, (after, *_) in enumerate(play(state, GREEDY.choose)):
        if after.phase in (Phase.DRAW, Phase.PLAY) and step % 3 != 1:
            seen = view(after, actor(after))
            if seen.own.shown is None:
                yield seen


def held(hand: str) -> Iterator[View]:
    """Yield what a seat with this hand sees before and after its first draw."""
    table = Script(arranged(hand, "", "", "", up="9S", stock="7H")).close_window()
    yield table.view(0)
    yield table.draw().view(0)


def by_dublees(seen: View) -> View:
    """Return the view as if everybody who has shown had shown dublees."""
    seats = (
        replace(seat, shown=ShowKind.DUBLEES) if seat.shown is ShowKind.GROUPS else seat
        for seat in seen.seats
    )
    return replace(seen, seats=tuple(seats))


def situations(name: str) -> Iterator[View]:
    match name:
        case "two deals":
            yield from (*dealt(5), *dealt(9))
        case "dublees shown":
            yield from map(by_dublees, dealt(9))
        case "five pairs":
            yield from held(f"{PAIRS} 2H 4D KD JS 6S 9D AC 4C 9S KH 10C")
        case "six pairs":
            yield from held(f"{PAIRS} 10C 10C 2H 4D KD JS 6S 9D AC 4C 9S")
        case "exposed tunnelas":
            yield from dealt(8)
        case _:
            yield from held("5C 6C 7C 9H 10H JH AD 2D 3D 5S 6S 7S KC 2H 4H 4D 8D 9S KS 2C 10D")


def features(seen: View) -> Iterator[tuple[float, ...]]:
    """Yield the features of a take or of every discard that is weighed."""
    situation = Situation(seen)
    if seen.phase is Phase.DRAW and may_take(seen):
        yield tuple(take_features(situation))
    elif seen.phase is Phase.PLAY:
        base = min(seen.hand)
        for card in discard_options(situation, base):
            yield (card, *discard_features(situation, card, is_base=card == base))


@pytest.mark.parametrize("name", FEATURES)
def test_the_features_are_those_that_the_nets_were_trained_with(name: str) -> None:
    digest = sha256()
    for seen in situations(name):
        for numbers in features(seen):
            digest.update(repr([round(number, 9) + 0.0 for number in numbers]).encode())
    assert digest.hexdigest()[:16] == FEATURES[name]
