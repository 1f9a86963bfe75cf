"""The layout of hands: no card is lost, own groups stay, and unseen hands show no wild card."""

import random
from dataclasses import replace
from itertools import accumulate

import pytest

from marriage.cards import CARDS, Card, format_cards, parse_cards, sort_cards
from marriage.groups import is_group, is_primary, wilds_for
from marriage.rules import PRESETS
from marriage.state import Phase
from marriage.view import view
from render.hand_layout import (
    COMPLETE,
    PLAIN,
    CardOrder,
    Heap,
    HeapKind,
    LayoutStep,
    lay_out,
    moved,
    still_held,
)
from render.samples import closed_seat, hand_views, own_seat, sample_view, table_views
from tests.marriage.dealing import at_random, deal, play

ORDERS = [CardOrder("suit"), CardOrder("rank"), CardOrder("best")]
DECK = [card for card in CARDS[:52] for _ in range(3)] + [CARDS[52]] * 3 + [CARDS[53]]


@pytest.mark.parametrize("number", range(4))
def test_every_card_of_a_deal_lies_in_one_place(number):
    chance = random.Random(number)
    state, _ = deal(number)
    for after, *_ in list(play(state, at_random(chance)))[::9]:
        for seat in range(len(after.seats)):
            mine = view(after, seat)
            pinned = (tuple(chance.sample(mine.own.concealed, min(4, len(mine.own.concealed)))),)
            own = (tuple(chance.sample(mine.own.concealed, min(6, len(mine.own.concealed)))),)
            for order in [
                *ORDERS,
                CardOrder("best", pinned),
                CardOrder("suit", pinned),
                CardOrder("best", pinned, own=own),
            ]:
                layout = lay_out(mine, order)
                assert sort_cards(layout.cards) == mine.own.concealed
                if layout.drawn is not None:
                    assert layout.drawn == mine.drawn


SMALL = "2S 3S KS 5H 5H 9C"


def steps(view, order: CardOrder, *to: LayoutStep | int, place: int) -> list[str]:
    """Return the heaps after each step of one card, which is marked with `*`."""
    said = []
    for step in to:
        heaps, place = moved(lay_out(view, order), place, step)
        order = CardOrder(own=tuple(heap.cards for heap in heaps))
        names = [str(card) for heap in heaps for card in heap.cards]
        names[place] = f"*{names[place]}"
        ends = accumulate(len(heap.cards) for heap in heaps)
        said.append(
            " | ".join(
                " ".join(names[end - len(heap.cards) : end]) for heap, end in zip(heaps, ends, strict=True)
            )
        )
    return said


def test_a_card_moves_step_by_step_over_the_edges_of_heaps():
    mine = sample_view((own_seat(SMALL), closed_seat()), viewer=0)
    assert steps(
        mine,
        CardOrder(),
        LayoutStep.RIGHT,
        LayoutStep.RIGHT,
        LayoutStep.RIGHT,
        LayoutStep.RIGHT,
        LayoutStep.RIGHT,
        place=2,
    ) == [
        "2S 3S | *KS 5H 5H | 9C",
        "2S 3S | 5H *KS 5H | 9C",
        "2S 3S | 5H 5H *KS | 9C",
        "2S 3S | 5H 5H | *KS 9C",
        "2S 3S | 5H 5H | 9C *KS",
    ]
    assert steps(
        mine,
        CardOrder(),
        LayoutStep.LEFT,
        LayoutStep.LEFT,
        LayoutStep.FIRST,
        LayoutStep.LEFT,
        LayoutStep.LAST,
        LayoutStep.RIGHT,
        place=5,
    ) == [
        "2S 3S KS | 5H 5H *9C",
        "2S 3S KS | 5H *9C 5H",
        "*9C 2S 3S KS | 5H 5H",
        "*9C 2S 3S KS | 5H 5H",
        "2S 3S KS | 5H 5H *9C",
        "2S 3S KS | 5H 5H *9C",
    ]
    assert steps(mine, CardOrder(), 1, 4, 4, 0, place=5) == [
        "2S *9C 3S KS | 5H 5H",
        "2S 3S KS | *9C 5H 5H",
        "2S 3S KS | *9C 5H 5H",
        "*9C 2S 3S KS | 5H 5H",
    ]


def test_new_cards_stand_last_in_the_own_order_and_the_drawn_one_apart():
    own = CardOrder("best", own=(parse_cards("KS 9C"), parse_cards("5H 2S 5H 3S")))
    mine = sample_view((own_seat(f"{SMALL} 4D"), closed_seat()), viewer=0, drawn="4D")
    layout = lay_out(mine, own)
    assert (layout.heaps[-1].cards, layout.drawn) == (parse_cards("5H 2S 5H 3S"), parse_cards("4D")[0])
    later = lay_out(sample_view((own_seat("2S 3S KS 5H 9C 4D 3D"), closed_seat()), viewer=0), own)
    assert [heap.cards for heap in later.heaps] == [
        *map(parse_cards, ("KS 9C", "5H 2S 3S")),
        sort_cards(parse_cards("3D 4D")),
    ]
    assert later.drawn is None
    heaps, place = moved(layout, 6, LayoutStep.LEFT)
    assert (heaps[-1].cards, place) == (parse_cards("5H 2S 5H 3S 4D"), 6)


def test_an_own_order_of_which_nothing_is_held_gives_way_to_the_grouping():
    mine = sample_view((own_seat(SMALL), closed_seat()), viewer=0)
    assert lay_out(mine, CardOrder("rank", own=(parse_cards("KD"),))) == lay_out(mine, CardOrder("rank"))


@pytest.mark.parametrize("name", ["pagat", "kathmandu"])
def test_sets_are_called_what_they_are(name):
    rules = PRESETS[name]
    chance = random.Random(name)
    for _ in range(40):
        hand = format_cards(sort_cards(chance.sample(DECK[:156], 22)))
        seen = sample_view((own_seat(hand), closed_seat()), viewer=0, rules=rules)
        layout = lay_out(seen, CardOrder("best"))
        wilds = wilds_for(None, rules)
        for heap in layout.heaps:
            if heap.kind in COMPLETE - {HeapKind.DUBLEE}:
                assert is_group(sort_cards(heap.cards), wilds, rules)
        assert all(is_primary(cards, rules) or len(cards) == 2 for cards in layout.sets)


def test_no_wild_card_stands_in_before_the_tiplu_is_seen():
    views = hand_views()
    layout = lay_out(replace(views["seen"], tiplu=None), CardOrder("best"))
    kinds = {heap.kind for heap in lay_out(views["seen"], CardOrder("best")).heaps}
    assert HeapKind.DIRTY_SEQUENCE in kinds
    seats = (replace(views["seen"].own, laid=(), shown=None, seen=False), *views["seen"].seats[1:])
    unseen = lay_out(replace(views["seen"], tiplu=None, seats=seats), CardOrder("best"))
    assert not {HeapKind.DIRTY_SEQUENCE, HeapKind.DIRTY_TRIAL, HeapKind.WILDS} & {
        heap.kind for heap in unseen.heaps
    }
    assert layout.sets == ()


def test_own_groups_stay_and_cards_that_leave_drop_out():
    cards = parse_cards("3S 4S 5S 9D 9D KH")
    assert still_held((parse_cards("9D KH 9D"),), cards) == (parse_cards("9D KH 9D"),)
    assert still_held((parse_cards("9D KH QH 9D 9D"),), cards) == (parse_cards("9D KH 9D"),)
    assert still_held((parse_cards("KH QH"), parse_cards("KH 3S")), cards) == (parse_cards("KH 3S"),)
    assert still_held((parse_cards("AS 2S"),), cards) == ()
    drawn = hand_views()["drawn"]
    layout = lay_out(drawn, CardOrder("rank", (parse_cards("KS 6C"),)))
    assert layout.heaps[0].cards == parse_cards("KS 6C")
    assert layout.drawn is None


def test_the_drawn_card_lies_apart_unless_it_makes_a_set():
    drawn, taken = hand_views()["drawn"], hand_views()["seen-drawn"]
    assert all(lay_out(drawn, order).drawn == Card.parse("6C") for order in ORDERS[:2])
    assert lay_out(drawn, ORDERS[2]).drawn is None
    assert lay_out(taken, ORDERS[2]).drawn == Card.parse("MASTER")


def test_seven_dublees_are_sets_too():
    six = "AS AS 4S 4S 8H 8H QH QH 6D 6D 10C 10C 2C 2C 3D KD JS 9D 5C KH 3H"
    layout = lay_out(sample_view((own_seat(six), closed_seat()), viewer=0), CardOrder("best"))
    assert [heap.kind for heap in layout.heaps] == [HeapKind.DUBLEE] * 7 + [HeapKind.REST]
    assert len(layout.sets) == 7


def test_a_finished_deal_has_nothing_to_show():
    over = replace(hand_views()["dealt"], phase=Phase.OVER)
    assert lay_out(over).sets == ()


def test_a_spectator_has_no_layout():
    with pytest.raises(ValueError, match="no seat"):
        lay_out(table_views()["play-3"])


@pytest.mark.parametrize(
    ("hand", "laid"),
    [
        ("AS 2S 3S 9S", "AS 2S 3S 9S"),
        ("AS 9S QS KS", "9S QS KS AS"),
        ("AS 2S KS", "AS 2S KS"),
        ("AS 2S 3S KS", "AS 2S 3S KS"),
        ("AS 9S KS", "9S KS AS"),
        ("AS AS 2S 3S QS KS", "AS 2S 3S QS KS AS"),
        ("AS 2S 3S QS KS", "AS 2S 3S QS KS"),
        ("AS 9S", "AS 9S"),
        ("MAN MAN MASTER", "MAN MAN MASTER"),
    ],
)
def test_an_ace_stands_beside_its_run(hand, laid):
    seen = sample_view((own_seat(hand), closed_seat()), viewer=0)
    assert [format_cards(heap.cards) for heap in lay_out(seen).heaps] == [laid]


def test_a_plain_hand_tells_none_of_its_sets():
    """As in a puzzle, finding the sets is the question."""
    told = 0
    for seen in hand_views().values():
        marked, plain = lay_out(seen), lay_out(seen, PLAIN)
        assert plain.sets == ()
        assert plain.cards == marked.cards
        told += bool(marked.sets)
        for cards in marked.sets:
            assert plain.number_of(Heap(HeapKind.SEQUENCE, cards)) == 0
    assert told
