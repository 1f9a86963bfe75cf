"""The picture of a seat: the table as its player sees it above the hand."""

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from marriage.actions import DeclineTunnelas, DrawStock
from marriage.cards import CARDS, Card, Cards, format_cards, parse_cards, sort_cards
from marriage.state import Phase
from marriage.view import SeatView, View
from marriage.view import view as seen_by
from render import seat_picture
from render.drawing import cloth
from render.drawing import text as texts
from render.drawing.deck import BIG, LARGE
from render.drawing.faces import draw_face
from render.drawing.memory import forget_sprites
from render.hand_layout import BY_SUIT, CardOrder, lay_out
from render.hand_picture import WIDTHS
from render.samples import GROUPS, NAMES, PAIRS, closed_seat, open_seat, own_seat, sample_view, seat_views
from render.seat_picture import draw_ahead, draw_hand_below, draw_seat, turn_order
from render.style import DEFAULT, STYLES
from render.words import speaking
from tests.marriage.dealing import act, actor, deal
from tests.render.looking import differing_columns, opened

VIEWS = seat_views()
LONG = (
    "Bartholomew Montgomery-Featherstone",
    "लक्ष्मीप्रसाद देवकोटा महाकवि",
    "محمد عبد الرحمن بن خلدون",
    "ÅWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
    "Ольга Константиновна Преображенская",
)


MOST_BYTES = 48_000
"""The limit for both pictures together: they are sent often, and to phones."""


def drawn(view: View, names: tuple[str, ...] = NAMES, *, large: bool = False) -> Any:
    return draw_seat(view, names[: len(view.seats)], DEFAULT, large=large)


def below(view: View, order: CardOrder = BY_SUIT, *, large: bool = False) -> Any:
    return draw_hand_below(view, DEFAULT, order, large=large)


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("grouping", ["suit", "rank", "best"])
@pytest.mark.parametrize("name", VIEWS)
def test_every_seat_is_a_small_palette_png(name: str, grouping: str, large: bool) -> None:
    view = VIEWS[name]
    for style in STYLES:
        table = draw_seat(view, LONG[: len(view.seats)], style, large=large)
        hand = draw_hand_below(view, style, CardOrder(grouping), large=large)  # type: ignore[arg-type]
        for picture in (table, hand):
            image = opened(picture)
            assert (image.format, image.mode, image.size) == ("PNG", "P", (picture.width, picture.height))
            assert picture.width == WIDTHS[LARGE if large else BIG]
            assert len(picture.alt) <= 1000
        assert len(table.png) + len(hand.png) <= MOST_BYTES


@pytest.mark.parametrize("large", [False, True])
def test_the_fullest_tables_above_random_hands_are_small(large: bool) -> None:
    chance = random.Random(5)
    for others, grouping in product((open_seat(PAIRS, "KD"), open_seat(GROUPS, "5D 9S")), ("suit", "best")):
        cards = sort_cards(chance.sample([card for card in CARDS[:52] for _ in range(3)], 22))
        view = waiting(own_seat(format_cards(cards)), *[others] * 4)
        hand = below(view, CardOrder(grouping), large=large)
        assert len(drawn(view, LONG, large=large).png) + len(hand.png) <= MOST_BYTES


def waiting(*seats: SeatView, pile: str = "KD KH QS JC", throwers: tuple[int, ...] = (1, 2, 3, 4)) -> View:
    view = sample_view(seats, viewer=0, cut=True, pile=pile)
    return replace(view, throwers=throwers)


def test_the_same_view_gives_the_same_bytes() -> None:
    again = seat_views()
    for name, view in VIEWS.items():
        assert (drawn(view), below(view)) == (drawn(again[name]), below(again[name]))


def test_the_other_players_come_in_turn_order() -> None:
    view = VIEWS["seen-5"]
    assert turn_order(view) == (1, 2, 3, 4, 0)
    back = replace(view, rules=view.rules.with_options(direction="anticlockwise"))
    assert turn_order(back) == (1, 0, 4, 3, 2)
    with pytest.raises(ValueError, match="no seat"):
        turn_order(replace(view, viewer=None))


def test_a_spectator_has_no_seat() -> None:
    with pytest.raises(ValueError, match="no seat"):
        drawn(replace(VIEWS["wait-5"], viewer=None))
    with pytest.raises(ValueError, match="no seat"):
        below(replace(VIEWS["wait-5"], viewer=None))


def changed_seat(view: View, seat: int, **changes: Any) -> View:
    seats = list(view.seats)
    seats[seat] = replace(seats[seat], **changes)
    return replace(view, seats=tuple(seats))


CHANGES: dict[str, Callable[[View], View]] = {
    "turn": lambda view: replace(view, turn=1),
    "own turn": lambda view: replace(view, turn=0),
    "dealer": lambda view: replace(view, dealer=1),
    "stock": lambda view: replace(view, stock_count=61),
    "top of the pile": lambda view: replace(view, pile=(*view.pile[:-1], Card.parse("AS"))),
    "the card before": lambda view: replace(view, pile=(*view.pile[:-2], Card.parse("AS"), view.pile[-1])),
    "thrower": lambda view: replace(view, throwers=(*view.throwers[:-1], 3)),
    "tiplu": lambda view: replace(view, tiplu_cut=False),
    "window": lambda view: replace(view, phase=Phase.WINDOW),
    "seen": lambda view: changed_seat(view, 4, seen=True),
    "dead hand": lambda view: changed_seat(view, 4, out=True),
    "cards left": lambda view: changed_seat(view, 2, count=21, concealed_count=21),
    "sets": lambda view: changed_seat(view, 4, laid=(parse_cards("2C 3C 4C"),)),
    "tunnela": lambda view: changed_seat(view, 4, exposed=parse_cards("6D")),
}


@pytest.mark.parametrize("change", CHANGES)
def test_all_that_is_public_shows(change: str) -> None:
    view = VIEWS["wait-5"]
    assert differing_columns(drawn(view), drawn(CHANGES[change](view)))


def test_the_tiplu_is_shown_to_those_who_know_it() -> None:
    view = VIEWS["wait-5"]
    known = replace(view, tiplu=Card.parse("7H"))
    assert differing_columns(drawn(view), drawn(known))
    assert "Tiplu 7 of Hearts" in below(known).alt
    assert "Tiplu" not in below(view).alt


def test_the_alt_text_tells_hand_turn_discards_and_seats() -> None:
    assert below(VIEWS["draw-3"]).alt.startswith("Your hand")
    assert drawn(VIEWS["draw-3"]).alt == (
        "Your turn. "
        "Stock 63, pile 3, the last cards first: Q of Clubs (Bartholomew Montgomery-…), "
        "10 of Hearts (राम बहादुर श्रेष्ठ), K of Hearts (You). "
        "राम बहादुर श्रेष्ठ: 21 cards; Tunnela Diamonds 6 6 6, Spades 9 9 9. "
        "Bartholomew Montgomery-…: 21 cards."
    )
    assert "राम बहादुर श्रेष्ठ discards next" not in drawn(VIEWS["play-4"]).alt
    assert "Your turn. " in drawn(VIEWS["play-4"]).alt
    assert "Sita Gurung: 21 cards, shown three sets, seen; +105" in drawn(VIEWS["over-4"]).alt


@pytest.mark.parametrize("language", ["en", "ne", "hi"])
def test_every_language_is_drawn(language: str) -> None:
    with speaking(language):
        for large in (False, True):
            pictures = drawn(VIEWS["wait-5"], LONG, large=large), below(VIEWS["wait-5"], large=large)
            assert sum(len(picture.png) for picture in pictures) <= MOST_BYTES


def test_a_hand_that_did_not_change_is_not_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    view = waiting(own_seat("2S 3S 4S 8S KS AH"), closed_seat(), closed_seat(), throwers=(1, 2, 1))
    before = below(view)
    monkeypatch.delattr(seat_picture, "plan_hand")
    moved = replace(view, stock_count=50, turn=1, version=12, pile=parse_cards("KD KH QS"), throwers=(1, 2))
    assert below(moved) is before
    assert drawn(moved).digest != drawn(view).digest


@pytest.mark.parametrize("large", [False, True])
def test_a_card_drawn_from_the_stock_changes_the_hand_alone(large: bool) -> None:
    state, _ = deal(3, players=3)
    while state.phase is Phase.WINDOW:
        state, _ = act(state, actor(state), DeclineTunnelas())
    before = seen_by(state, state.turn)
    state, _ = act(state, state.turn, DrawStock())
    after = seen_by(state, state.turn)
    assert after.drawn is not None
    assert drawn(after, large=large) == drawn(before, large=large)
    assert below(after, large=large) != below(before, large=large)
    onlooker = (state.turn + 1) % 3
    assert drawn(seen_by(state, onlooker), large=large).alt != drawn(before, large=large).alt


def test_the_last_cards_of_the_stock_are_counted_at_once() -> None:
    before = replace(VIEWS["draw-3"], stock_count=8)
    after = replace(before, stock_count=7, phase=Phase.PLAY, drawn=parse_cards("9C")[0])
    assert "Stock 7," in drawn(after).alt
    assert "Stock 63," in drawn(replace(after, stock_count=62)).alt


def test_a_discard_that_was_taken_is_gone_from_the_table() -> None:
    view = replace(VIEWS["play-4"], taken=VIEWS["play-4"].drawn)
    assert differing_columns(drawn(view), drawn(VIEWS["play-4"]))


def test_a_hand_that_changed_is() -> None:
    cards: Cards = parse_cards("2S 3S 4S 8S KS AH")
    view = waiting(own_seat(format_cards(cards)), closed_seat(), throwers=())
    others = [
        waiting(own_seat("2S 3S 4S 8S KS 2H"), closed_seat(), throwers=()),
        replace(view, drawn=cards[0]),
        replace(view, drawn=cards[0], taken=cards[0]),
        replace(view, tiplu=Card.parse("KS")),
    ]
    assert len({below(one).png for one in (view, *others)}) == 5
    assert below(view, CardOrder("best")).png != below(view).png


def test_names_can_be_forgotten() -> None:
    drawn(VIEWS["draw-3"], ("A", "Shristi", "C"))
    texts.forget_texts()
    assert texts.drawable.cache_info().currsize == cloth._written.cache_info().currsize == 0


def test_most_cards_of_a_first_hand_are_drawn_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_sprites()
    assert all(draw_ahead())
    drawn_now: list[Card] = []

    def counted(face: Card, *rest: Any) -> Any:
        drawn_now.append(face)
        return draw_face(face, *rest)

    monkeypatch.setattr("render.drawing.deck.draw_face", counted)
    state, _ = deal(3)
    for seat in (0, 2):
        view = seen_by(state, seat)
        drawn_now.clear()
        seat_picture.forget_hands()
        drawn(view)
        draw_hand_below(view, DEFAULT, BY_SUIT, large=False)
        marked = {card for cards in lay_out(view, BY_SUIT).sets for card in cards}
        assert set(drawn_now) <= marked
