"""Packed hands: each function gives what the same question gives for a tuple of cards."""

from collections import Counter

import pytest

from marriage.bits import all_in, contains, every_copy, others, pack, present, size, thrice, twice, unpack
from marriage.cards import CARDS, FACES, PACKS, Cards, parse_cards, sort_cards

HANDS = ["", "AS", "KC KC KC", "AS AS 2S 2S 2S 3S", "AS 5H 5H 9D QD QD QD KC"]
PACK = CARDS[:FACES]


@pytest.fixture(params=HANDS)
def cards(request: pytest.FixtureRequest) -> Cards:
    return parse_cards(request.param)


def faces_with(cards: Cards, least: int) -> Cards:
    return sort_cards(card for card, count in Counter(cards).items() if count >= least)


def test_a_hand_is_unpacked_in_order(cards: Cards) -> None:
    assert unpack(pack(cards[::-1])) == cards
    assert size(pack(cards)) == len(cards)


def test_cards_outside_the_packs_are_left_out() -> None:
    assert unpack(pack(parse_cards("MAN 3S MASTER"))) == parse_cards("3S")


def test_the_others_complete_the_packs(cards: Cards) -> None:
    assert Counter(unpack(others(pack(cards)))) + Counter(cards) == Counter(PACK * PACKS)


def test_a_face_held_too_often_has_no_others() -> None:
    rest = Counter(unpack(others(pack(parse_cards("2S 2S 2S 2S 2S 3S 3S KC KC KC KC")))))
    assert [rest[card] for card in parse_cards("AS 2S 3S 4S KC")] == [3, 0, 1, 3, 0]
    assert rest.total() == FACES * PACKS - 8


def test_faces_by_the_number_of_their_copies(cards: Cards) -> None:
    hand = pack(cards)
    assert unpack(present(hand)) == faces_with(cards, 1)
    assert unpack(twice(hand)) == faces_with(cards, 2)
    assert unpack(thrice(hand)) == faces_with(cards, 3)
    assert unpack(every_copy(present(hand))) == sort_cards(faces_with(cards, 1) * PACKS)


@pytest.mark.parametrize("part", ["", "AS", "AS AS", "2S 3S", "KC KC", "5H 5H 5H", "AS 4S", "QD QD KC"])
def test_a_hand_contains_the_parts_whose_every_copy_it_holds(cards: Cards, part: str) -> None:
    held = Counter(parse_cards(part)) <= Counter(cards)
    hand, wanted = pack(cards), pack(parse_cards(part))
    assert contains(hand, wanted) is held
    assert all_in(hand, [wanted, 0, wanted]) == ([wanted, 0, wanted] if held else [0])
