"""The fair shuffle: its pinned vectors, its stream of chance, and the record that anyone can check."""

from collections import Counter
from dataclasses import replace
from hashlib import sha256

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


def test_the_secret_deals_from_the_stream_of_the_shuffle():
    pieces = shuffled_deck(deal_key(SEED, "T1", 1, ITEMS), 156)
    assert SECRET.deck(Rules()) == tuple(piece_card(piece, 0) for piece in pieces)


@pytest.mark.lot
def test_the_lot_for_who_deals_first_has_its_own_stream():
    lot = deal_key(SEED, "T1", 1, ITEMS, "dealer")
    for players in range(2, 6):
        assert SECRET.first_dealer(preset("pagat"), players) == Stream(lot).below(players)


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
    with pytest.raises(ValueError, match=f"^a number below {n} cannot be taken from one byte$"):
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
    assert ADAPTER.validate_python(ADAPTER.dump_python(SECRET)) == SECRET
    for shown in (repr(SECRET), str(SECRET), f"{SECRET}"):
        assert shown == "<DealSeed table='T1' deal=1>"


def test_the_hidden_seed_gives_no_chance():
    for use in (lambda: HIDDEN_SEED.cut(3), lambda: HIDDEN_SEED.deck(Rules())):
        with pytest.raises(ValueError, match=r"^the seed of this deal is hidden$"):
            use()


def test_a_record_can_be_checked():
    revealed = record(SECRET, 156, 0)
    assert revealed.version == SHUFFLE_VERSION == 1
    assert revealed.deck_hash == "441a4bf1d70f126e98f1df02a07d05fb2e7a2847b0d1e1348f8a3d0a5857fbd4"
    assert recompute(revealed)[:3] == (145, 27, 85)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"seed": SEED[::-1]}, "the seed is not the one that was committed to"),
        ({"deal": 7}, "the seed is not the one that was committed to"),
        ({"items": ITEMS[:1]}, "the deck does not follow from the seed and the contributions"),
        ({"deck_hash": "00" * 32}, "the deck does not follow from the seed and the contributions"),
        ({"version": 2}, "the record is of shuffle version 2, not 1"),
        ({"man_cards": 1}, "156 cards are not the packs, 1 man cards and a master card or none"),
        ({"deck_size": 158}, "158 cards are not the packs, 0 man cards and a master card or none"),
    ],
)
def test_a_record_that_was_changed_is_found_out(changed, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        recompute(replace(record(SECRET, 156, 0), **changed))


@pytest.mark.parametrize(("size", "men"), [(157, 1), (157, 0), (162, 6), (163, 6)])
def test_a_record_says_how_many_man_cards_there_are(size, men):
    revealed = record(SECRET, size, men)
    assert revealed.man_cards == men
    assert sorted(recompute(revealed)) == list(range(size))


# Who deals first


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
