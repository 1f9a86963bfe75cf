"""Pairs for the open groups: the search of all pairs against one that tries each way, and the pairs to try first."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product

import pytest

from marriage.bits import FULL, pack, unpack
from marriage.cards import CARDS, Card, Cards, contains, parse_cards
from marriage.solver.pairing import Pairing, first_pairs, in_pairs, pairs_fill
from marriage.solver.question import Question
from marriage.solver.three import nothing_laid
from tests.marriage.oracle import primary_patterns
from tests.marriage.small_questions import small_questions

COUNT = 150
KINDS = (("same", "9D 9D"), ("suited", "2S 3S"), ("suited", "6S 8S"), ("ranked", "QH QC"))
MORE = (("same", "KC KC"), ("suited", "4H 5H"), ("suited", "7D 8D"), ("ranked", "10S 10D"))


def hand(text: str) -> int:
    return pack(parse_cards(text))


def awaited() -> dict[Cards, list[Card]]:
    """Return the cards that complete each pair to a group of three."""
    found: dict[Cards, list[Card]] = {}
    for whole in primary_patterns(3, True, "off"):
        for place in {whole.index(card) for card in whole}:
            found.setdefault((*whole[:place], *whole[place + 1 :]), []).append(whole[place])
    return found


AWAITED = awaited()


def is_pure(pair: Cards) -> bool:
    return pair[0].suit == pair[1].suit


def least_kept(asked: Question, primary: int, general: int, lack: int) -> int:
    """Return the smallest `allowed` with which some pairs are enough, by trying each way to lay pairs."""
    held, wild, live = unpack(asked.hand), set(unpack(asked.wild)), unpack(asked.live)
    pairs = [pair for pair in AWAITED if contains(held, pair)]

    def come(waiting: list[list[Card]]) -> bool:
        return any(contains(live, cards) for cards in product(*waiting))

    def kept(
        start: int, cards: Counter[Card], left: tuple[int, int], short: int, waiting: list[list[Card]]
    ) -> Iterator[int]:
        yield max(0, short)
        for index in range(start, len(pairs)):
            pair = pairs[index]
            rest, same = cards - Counter(pair), pair[0] == pair[1]
            if rest.total() != cards.total() - 2:
                continue
            longer = [*waiting, AWAITED[pair]]
            faced = sum(card in wild for card in pair)
            if left[0] and is_pure(pair) and come(longer):
                for less in kept(index, rest, (left[0] - 1, left[1]), short + faced, longer):
                    yield less - 1
            longer = longer if same or not asked.stand_ins else waiting
            if left[1] and not faced and come(longer):
                for less in kept(index, rest, (left[0], left[1] - 1), short - 1 - same, longer):
                    yield less + same

    return min(kept(0, Counter(held), (primary, general), lack, []))


def crowded_questions(count: int) -> Iterator[Question]:
    """Yield questions with many pairs in few faces, some of them wild, that wait for few cards."""
    chance = random.Random(16)
    for _ in range(count):
        low = chance.randrange(9)
        faces = [card for card in CARDS[:26] if low <= card.rank < low + 5]
        cards = chance.sample(faces * 3, 8 + chance.randrange(12))
        wild = chance.sample(faces, chance.choice((0, 0, 1, 3)))
        primary, general = chance.choice(((0, 3), (1, 2), (2, 1), (3, 0), (2, 2)))
        yield Question(
            pack(cards[:8]),
            primary=primary,
            total=3 * (primary + general),
            spare=chance.randrange(2),
            wild=3 * pack(wild),
            live=pack(cards[8:]),
            stand_ins=chance.random() < 0.5,
        )


def crowded(text: str, live: str, wild: str, groups: tuple[int, int], spare: int) -> Question:
    primary, general = groups
    total = 3 * (primary + general)
    return Question(hand(text), primary, total, spare, 3 * hand(wild), hand(live), stand_ins=spare > 0)


CROWDED = (
    # some pairs wait for a card that other pairs take, though not all of them
    crowded("6S 7S 7S 9S 10S 6H 9H 10H", "7S 8S 10S 8H", "6H 9H", (3, 0), 1),
    crowded("10S 10S JS QS QS 8H 9H 10H", "10S QS JH QH QH", "QS 10H", (3, 0), 0),
    # a pair elsewhere frees a wild card for primary groups
    crowded("4S 6S 5H 5H 6H 6H 7H 7H", "8S 5H 8H", "5S 6H 7H", (2, 2), 1),
    crowded("7S 7S 8S 9S 9H 9H 10H 10H", "6H 9H", "7S 9H 10H", (1, 3), 1),
)


def test_pairs_are_enough_exactly_if_one_of_all_ways_to_lay_them_is():
    small = (question.asked for question in small_questions("threes", COUNT))
    for asked in (*small, *CROWDED, *crowded_questions(COUNT)):
        packing, pairing = nothing_laid(asked), Pairing(asked)
        least = least_kept(asked, *packing[1:])
        for allowed in range(-asked.primary, max(0, packing[-1]) + 1):
            assert pairing.fills(*packing, allowed) == (allowed >= least), (asked, allowed)
            if pairs_fill(*packing, allowed + 2 * asked.primary, first_pairs(asked)):
                assert allowed >= least, (asked, allowed)


def test_the_faces_in_pairs_are_those_of_each_pair_that_the_hand_holds():
    for asked, *_ in small_questions("threes", COUNT):
        held = unpack(asked.hand)
        pairs = [pair for pair in AWAITED if contains(held, pair)]
        suited = {card for pair in pairs if is_pure(pair) for card in pair}
        assert in_pairs(asked.hand) == (pack(suited), pack({card for pair in pairs for card in pair}))


def fewest(counts: Counter[str], primary: int, general: int, lack: int) -> int:
    """Return the fewest holes with pairs of each kind, none of which shares a card with another."""
    return min(
        2 * primary - same - suited + elsewhere + max(0, lack - 2 * elsewhere - others)
        for same in range(min(primary, counts["same"]) + 1)
        for suited in range(min(primary - same, counts["suited"]) + 1)
        for elsewhere in range(min(general, counts["same"] - same) + 1)
        for others in [min(general - elsewhere, counts["suited"] - suited + counts["ranked"])]
    )


@pytest.mark.parametrize("size", range(7))
def test_pairs_without_a_common_card_fill_what_they_can(size: int):
    for chosen in combinations((*KINDS, *MORE), size):
        held = hand(" ".join(text for _, text in chosen))
        pairs = first_pairs(Question(held, primary=3, total=21))
        counts = Counter(kind for kind, _ in chosen)
        for primary, general in ((0, 4), (1, 3), (2, 2), (3, 0), (3, 4)):
            for lack in range(-1, 2 * general + 1, 2):
                holes = fewest(counts, primary, general, lack)
                assert pairs_fill(held, primary, general, lack, holes, pairs)
                assert not pairs_fill(held, primary, general, lack, holes - 1, pairs)


def first_pairs_of(text: str, gone: str = "", *, wild: str = "", stand_ins: bool = False) -> tuple[int, int]:
    """Return how many holes the first pairs remove in primary groups, and in others."""
    held = hand(text)
    live = FULL - held - hand(gone)
    pairs = first_pairs(
        Question(held, primary=3, total=21, wild=hand(wild) * 3, live=live, stand_ins=stand_ins)
    )
    return (
        max(less for less in range(4) if pairs_fill(held, 3, 0, 0, 6 - less, pairs)),
        max(less for less in range(5) if pairs_fill(held, 0, 4, 8, 8 - less, pairs)),
    )


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("", (0, 0)),
        ("5S", (0, 0)),
        ("5S 6S", (1, 1)),
        ("5S 7S", (1, 1)),
        ("5S 8S", (0, 0)),
        ("5S 5S", (1, 1)),
        ("5S 5S 5S", (0, 0)),
        ("AS 2S", (1, 1)),
        ("AS 3S", (1, 1)),
        ("JS QS", (1, 1)),
        ("QS KS", (1, 1)),
        ("JS KS", (1, 1)),
        ("KS AH", (0, 0)),
        ("QS AH", (0, 0)),
        ("KS 2S", (0, 0)),
        ("KS 2H", (0, 0)),
        ("KD AD", (0, 1)),
        ("QD AD", (0, 1)),
        ("QS KS AS", (1, 1)),
        ("KS KH AS AH", (0, 2)),
        ("5S 5H", (0, 1)),
        ("5S 5D", (0, 1)),
        ("5S 5C", (0, 1)),
        ("5H 5D", (0, 1)),
        ("5H 5C", (0, 1)),
        ("5D 5C", (0, 1)),
        ("KS KC", (0, 1)),
        ("5S 5H 5D", (0, 1)),
        ("5S 6H", (0, 0)),
        ("5S 6S 7S", (1, 1)),
        ("5S 7S 9S", (1, 1)),
        ("5S 6S 8S", (1, 1)),
        ("5S 7S 5H", (1, 1)),
        ("2S 5S 6S 7S", (1, 1)),
        ("4H 5S 6S 7S", (1, 1)),
        ("3H 5S 7S 9S", (1, 1)),
        ("5S 6S 9S 10S", (2, 2)),
        ("5S 6S 8S 10S", (2, 2)),
        ("5S 6S 8S 10S KS AS", (2, 3)),
        ("5S 6S 5D 6H", (1, 2)),  # two pairs of a rank instead of one in suit
        ("5S 6S 5D 6H 9S 10S JD KD", (3, 4)),
        ("5S 7S 5D 7H 9S 10S JS KS", (3, 4)),
    ],
)
def test_the_first_pairs_are_those_of_neighbours_in_suit_and_of_a_rank(text: str, filled: tuple[int, int]):
    assert first_pairs_of(text) == filled


@pytest.mark.parametrize(
    ("text", "gone", "filled"),
    [
        ("5S 6S", "4S", (1, 1)),
        ("5S 6S", "7S", (1, 1)),
        ("AS 2S", "KS", (1, 1)),
        ("QS KS", "AS", (1, 1)),
        ("5S 7S", "4S 8S", (1, 1)),
        ("KD AD", "2D JD", (0, 1)),
        ("QD AD", "2D JD", (0, 1)),
        ("5S 5H", "5D", (0, 1)),
        ("5S 5H", "5C", (0, 1)),
        ("5S 5D", "5H", (0, 1)),
        ("5S 5D", "5C", (0, 1)),
        ("5S 5C", "5D", (0, 1)),
        ("5H 5C", "5S", (0, 1)),
        ("5D 5C", "5H", (0, 1)),
        ("5H 5C", "5D", (0, 1)),
        ("5S 6S", "4S 4S 4S 7S 7S 7S", (0, 0)),
        ("5S 7S", "6S 6S 6S", (0, 0)),
        ("AS 2S", "3S 3S 3S", (0, 0)),
        ("QS KS", "JS JS JS AS AS AS", (0, 0)),
        ("KS AS", "QS QS QS", (0, 0)),
        ("QS AS", "KS KS KS", (0, 0)),
        ("QD AD", "KD KD KD", (0, 0)),
        ("5S 5S", "5S", (0, 0)),
        ("5S 5H", "5D 5D 5D 5C 5C 5C", (0, 0)),
    ],
)
def test_the_first_pairs_can_be_completed_by_cards_that_have_not_gone(
    text: str, gone: str, filled: tuple[int, int]
):
    assert first_pairs_of(text, gone) == filled


def test_a_wild_card_that_may_come_completes_a_pair_of_a_rank():
    gone = "5D 5D 5D 5C 5C 5C"
    assert first_pairs_of("5S 5H", gone, stand_ins=True) == (0, 1)


@pytest.mark.parametrize("text", ["5S 6S", "5S 5S", "5S 5H"])
def test_a_wild_card_in_hand_is_in_none_of_the_first_pairs(text: str):
    assert first_pairs_of(text, wild="5S") == (0, 0)
