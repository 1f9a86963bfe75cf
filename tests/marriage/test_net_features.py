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
from tests.marriage.dealing import WINNING, Script, actor, arranged, deal, expose, play

GREEDY = GreedyPlayer(count_outs=False)
PAIRS = "AS AS 4S 4S 8H 8H QH QH 6D 6D"
SPREAD = "2C 2C 5C 5C 8C 8C JC 2S 10S KS 3H 6H"
"""Three pairs, and cards too far apart for a run."""
APART = f"5S 6S 9H 10H AD 3D {SPREAD} KH 6D 9D"
"""A hand three cards from a show."""
HELD = {
    "five pairs": {"hand": f"{PAIRS} 2H 4D KD JS 6S 9D AC 4C 9S KH 10C"},
    "six pairs": {"hand": f"{PAIRS} 10C 10C 2H 4D KD JS 6S 9D AC 4C 9S"},
    "ready to show": {"hand": "5C 6C 7C 9H 10H JH AD 2D 3D 5S 6S 7S KC 2H 4H 4D 8D 9S KS 2C 10D"},
    "two cards from a show": {"hand": APART, "up": "7S", "stock": "8H"},
    "one card from a finish": {"hand": WINNING.replace("3D", "KC"), "up": "3D"},
    "five pairs and a run": {"hand": f"{PAIRS} 8S 9S 10S 2H 4D KD JC 8C 5C 2C JD"},
    "the top makes a tunnela": {"hand": APART, "up": "2C"},
    "three exposed tunnelas": {
        "hand": f"AS AS AS 4H 4H 4H QD QD QD {SPREAD}",
        "up": "3H",
        "exposed": "AS 4H QD",
    },
}
"""Hands, and the first cards that can be taken and drawn."""
FEATURES = {
    "two deals": "94f40fb830cf0a6b",
    "dublees shown": "d562e436f1397254",
    "five pairs": "e4d2bd2f291f1e9e",
    "six pairs": "3586d8ce8b68704a",
    "exposed tunnelas": "48c4d2fe4cc25d74",
    "ready to show": "6fcf776fc4ec06c4",
    "two cards from a show": "e4f92a1730271086",
    "one card from a finish": "5e102340ce9af45e",
    "five pairs and a run": "1712a3449170c4a6",
    "the top makes a tunnela": "8d59389569f1ebf5",
    "three exposed tunnelas": "c05d961fdd5f5ea3",
    "passed by the next player": "d7ba2b77e503ecce",
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


def held(hand: str, up: str = "9S", stock: str = "7H", exposed: str = "") -> Iterator[View]:
    """Yield what a seat with this hand sees before and after its first draw."""
    table = Script(arranged(hand, "", "", "", up=up, stock=stock))
    if exposed:
        table.do(expose(exposed), seat=0)
    yield table.close_window().view(0)
    yield table.draw().view(0)


def passed(hand: str, card: str) -> View:
    """Return what a seat sees in its second turn, after the next player did not take this card that it threw."""
    table = Script(arranged(hand, "", "", "")).close_window().draw().throw(card)
    return table.pass_turn().pass_turn().pass_turn().draw().view(0)


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
        case "exposed tunnelas":
            yield from dealt(8)
        case "passed by the next player":
            yield passed(APART, "2C")
        case _:
            yield from held(**HELD[name])


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
