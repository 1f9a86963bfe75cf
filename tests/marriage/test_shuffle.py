"""The fair shuffle: its pinned vectors, its evenness with fixed inputs, and two biased shuffles that must fail."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import permutations
from math import sqrt

import pytest
from pydantic import TypeAdapter

from marriage.cards import MAN, MASTER, Card, sort_cards
from marriage.rules import Rules, preset
from marriage.shuffle import (
    HIDDEN_SEED,
    SHUFFLE_VERSION,
    DealSeed,
    Stream,
    commitment,
    deal_cards,
    deal_key,
    permuted,
    piece_card,
    recompute,
    record,
    shuffled_deck,
)

SEED = bytes(range(32))
ITEMS = (
    "0:1300000000000000001:-",
    "1:1300000000000000002:ddb08d77c2d511947652161b35987022711aa216387b041dd459a03eb66a8304",
)
SECRET = DealSeed(SEED, "T1", 1, ITEMS)
ADAPTER = TypeAdapter(DealSeed)


# Pinned figures, on which independent programs agree


def test_word_of_the_second_item():
    assert ITEMS[1].endswith(sha256("नमस्ते".encode()).hexdigest())


def test_commitment():
    published = "510cf4a376e5d6c1350f18438a3a858b3e02811aad712778b209b52d50cffd34"
    assert commitment(SEED, "T1", 1, 156) == published
    assert SECRET.commitment(Rules()) == published
    assert commitment(SEED, "T1", 2, 159).startswith("7d01cf196d9d77fa")


def test_key():
    key = deal_key(SEED, "T1", 1, ITEMS)
    assert key.hex() == "fcf277b797381cfce5732f78ee014fb61dfda89afacbe667446154c6ad8e67bb"


@pytest.mark.parametrize(
    ("deal", "items", "size", "first", "digest"),
    [
        (1, ITEMS, 156, "145 27 85 45 65 101 105 76 7 67 94 26", "441a4bf1d70f126e98f1df02a07d05fb"),
        (1, (), 156, "127 36 99 27 139 117 105 88", "65f11ecb14ddc67f"),
        (2, ITEMS, 159, "64 88 8 83 98 89 112 65", "9c7364b011536eae"),
    ],
)
def test_deck(deal, items, size, first, digest):
    deck = shuffled_deck(deal_key(SEED, "T1", deal, items), size)
    top = [int(piece) for piece in first.split()]
    assert list(deck[: len(top)]) == top
    assert sorted(deck) == list(range(size))
    assert sha256(bytes(deck)).hexdigest().startswith(digest)


def test_end_of_the_first_deck():
    assert shuffled_deck(deal_key(SEED, "T1", 1, ITEMS), 156)[-3:] == (119, 20, 109)


def test_cut_and_reshuffle():
    assert SECRET.cut(71) == 51
    assert SECRET.reshuffle(1, (10, 20, 30, 40, 50, 60, 70)) == (10, 30, 20, 40, 70, 60, 50)


def test_purposes_never_share_a_stream():
    purposes = [(), ("cut",), ("reshuffle", 1), ("reshuffle", 2), ("board",)]
    assert len({deal_key(SEED, "T1", 1, ITEMS, *purpose) for purpose in purposes}) == len(purposes)


@pytest.mark.parametrize(
    "changed",
    [{"seed": SEED[::-1]}, {"table": "T2"}, {"deal": 2}, {"items": ITEMS[::-1]}, {"items": ITEMS[:1]}],
)
def test_everything_that_enters_changes_the_deck(changed):
    assert replace(SECRET, **changed).deck(Rules()) != SECRET.deck(Rules())


def test_lists_of_items_that_read_alike_when_joined_differ():
    assert deal_key(SEED, "T1", 1, ("ab", "c")) != deal_key(SEED, "T1", 1, ("a", "bc"))


# The stream


def test_below_stays_below_and_reaches_everything():
    stream = Stream(b"key")
    for n in (1, 2, 3, 100, 156, 255, 256):
        assert {stream.below(n) for _ in range(20 * n)} == set(range(n))


def test_one_choice_takes_no_chance():
    used, fresh = Stream(b"key"), Stream(b"key")
    assert [used.below(1) for _ in range(10)] == [0] * 10
    assert used.below(256) == fresh.below(256)


@pytest.mark.parametrize("n", [-1, 0, 257])
def test_a_byte_cannot_decide_among_so_many(n):
    with pytest.raises(ValueError, match="cannot be taken from one byte"):
        Stream(b"key").below(n)


# Cards and hands


def test_pieces_are_three_packs_then_man_cards_then_the_master():
    faces = [piece_card(piece, 2) for piece in range(159)]
    assert faces[:52] == faces[52:104] == faces[104:156] == [Card(face) for face in range(52)]
    assert faces[156:] == [MAN, MAN, MASTER]


@pytest.mark.parametrize(
    "rules", [Rules(), Rules(man_cards=3, master_card="always"), Rules(master_card="after_seeing")]
)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_deal_hands_out_the_whole_deck(rules, players):
    deck = SECRET.deck(rules)
    order = [(3 + seat) % players for seat in range(players)]
    hands, up_card, stock = deal_cards(deck, order)
    assert sort_cards([*(card for hand in hands for card in hand), up_card, *stock]) == sort_cards(deck)
    assert len(deck) == rules.deck_size
    assert [len(hand) for hand in hands] == [21] * players
    assert hands[order[0]] == sort_cards(deck[:21])
    assert hands[order[1]] == sort_cards(deck[21:42])
    assert up_card == deck[21 * players]
    assert stock == deck[21 * players + 1 :]


# The secret


def test_the_secret_round_trips_as_json_and_shows_nothing_of_itself():
    text = ADAPTER.dump_json(SECRET)
    assert SEED.hex().encode() in text
    assert ADAPTER.validate_json(text) == SECRET
    assert ADAPTER.validate_python(ADAPTER.dump_python(SECRET, mode="json")) == SECRET
    for shown in (repr(SECRET), str(SECRET), f"{SECRET}"):
        assert shown == "<DealSeed table='T1' deal=1>"


def test_the_hidden_seed_gives_no_chance():
    for use in (lambda: HIDDEN_SEED.cut(3), lambda: HIDDEN_SEED.deck(Rules())):
        with pytest.raises(ValueError, match="hidden"):
            use()


def test_a_record_can_be_checked():
    revealed = record(SECRET, 156)
    assert revealed.version == SHUFFLE_VERSION == 1
    assert revealed.deck_hash == "441a4bf1d70f126e98f1df02a07d05fb2e7a2847b0d1e1348f8a3d0a5857fbd4"
    assert recompute(revealed)[:3] == (145, 27, 85)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"seed": SEED[::-1]}, "committed"),
        ({"deal": 7}, "committed"),
        ({"items": ITEMS[:1]}, "does not follow"),
        ({"deck_hash": "00" * 32}, "does not follow"),
        ({"version": 2}, "version"),
    ],
)
def test_a_record_that_was_changed_is_found_out(changed, sentence):
    with pytest.raises(ValueError, match=sentence):
        recompute(replace(record(SECRET, 156), **changed))


# Evenness


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


@pytest.mark.lot
@pytest.mark.parametrize("players", range(2, 6))
def test_the_lot_for_who_deals_first_is_fair_and_follows_from_the_seed(players: int) -> None:
    seeds = [DealSeed(number.to_bytes(32, "big"), "1", 1) for number in range(1_000)]
    by_lot = preset("pagat")
    fell = Counter(seed.first_dealer(by_lot, players) for seed in seeds)
    assert sorted(fell) == list(range(players))
    assert all(abs(count - 1_000 / players) < 4 * (1_000 / players) ** 0.5 for count in fell.values())
    assert [seed.first_dealer(by_lot, players) for seed in seeds[:5]] == [
        seed.first_dealer(by_lot, players) for seed in seeds[:5]
    ]
    mixed = [replace(seed, items=("0:1:-",)).first_dealer(by_lot, players) for seed in seeds]
    assert mixed != [seed.first_dealer(by_lot, players) for seed in seeds]


@pytest.mark.lot
def test_the_rules_may_name_who_deals_first() -> None:
    named = [preset("pagat", first_dealer=seat) for seat in range(1, 6)]
    assert [SECRET.first_dealer(rules, 3) for rules in named] == [0, 1, 2, 2, 2]
