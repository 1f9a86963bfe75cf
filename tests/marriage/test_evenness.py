"""The fair shuffle is even with fixed inputs, and two biased shuffles fail the same test."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import permutations
from math import sqrt

import pytest

from marriage.rules import preset
from marriage.shuffle import DealSeed, Stream, deal_key, permuted, shuffled_deck

SEED = bytes(range(32))


def keys(count: int) -> list[bytes]:
    return [deal_key(SEED, "even", deal, ()) for deal in range(count)]


def deviation(counts: Counter[object], cells: int) -> float:
    """Return by how many standard deviations chi-square differs from its value for even chances."""
    expected = counts.total() / cells
    chi = sum((count - expected) ** 2 for count in counts.values()) / expected
    chi += (cells - len(counts)) * expected
    return (chi - (cells - 1)) / sqrt(2 * (cells - 1))


def deck_deviations(shuffle: Callable[[bytes], Sequence[int]], deals: int) -> tuple[float, float]:
    """Return the deviations of the position of card 0, and of the card on top."""
    decks = [shuffle(key) for key in keys(deals)]
    places = Counter[object](deck.index(0) for deck in decks)
    tops = Counter[object](deck[0] for deck in decks)
    return deviation(places, 156), deviation(tops, 156)


def order_deviation(shuffle: Callable[[Sequence[int], bytes], Sequence[int]], deals: int) -> float:
    """Return the deviation of all orders of five cards."""
    return deviation(Counter[object](tuple(shuffle(range(5), key)) for key in keys(deals)), 120)


def test_every_card_comes_everywhere_alike():
    for z in deck_deviations(lambda key: shuffled_deck(key, 156), 12_000):
        assert abs(z) < 4


def test_all_orders_of_five_cards_are_alike():
    assert set(permutations(range(5))) == {permuted(range(5), key) for key in keys(3_000)}
    assert abs(order_deviation(permuted, 24_000)) < 4


def test_a_stream_without_rejection_fails(monkeypatch):
    class Biased(Stream):
        def below(self, n: int) -> int:
            return next(self._bytes) % n

    monkeypatch.setattr("marriage.shuffle.Stream", Biased)
    assert max(deck_deviations(lambda key: shuffled_deck(key, 156), 12_000)) > 8


def test_swapping_with_any_card_fails():
    def swap_any(cards: Sequence[int], key: bytes) -> tuple[int, ...]:
        order, stream = list(cards), Stream(key)
        for place in range(len(order)):
            other = stream.below(len(order))
            order[place], order[other] = order[other], order[place]
        return tuple(order)

    assert order_deviation(swap_any, 12_000) > 8


def test_random_deals_hold_as_many_tunnelas_as_they_should():
    """Of 21 cards out of 156, 10.9 % hold a tunnela."""
    deals = 1_500
    seeds = [DealSeed(SEED, "even", deal) for deal in range(deals)]
    hands = [seed.deck(preset("pagat"))[:21] for seed in seeds]
    share = sum(max(Counter(hand).values()) == 3 for hand in hands) / deals
    assert share == pytest.approx(0.109, abs=0.03)
