"""Twin deals: two deals that differ only in hidden cards give a viewer the same pictures, byte for byte."""

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from marriage.cards import sort_cards, without
from marriage.state import Phase, State
from marriage.view import view
from render.hand_layout import BY_SUIT, CardOrder
from render.hand_picture import draw_hand
from render.samples import NAMES
from render.seat_picture import draw_hand_below, draw_seat, forget_hands
from render.sheet_picture import draw_sheet
from render.style import DEFAULT
from render.table_picture import draw_table
from tests.marriage.dealing import at_random, deal, play


def twin(state: State, seat: int | None, chance: random.Random) -> State:
    """Return the same deal with all cards that `seat` cannot see shuffled among their places."""
    others = [index for index in range(len(state.seats)) if index != seat]
    hidden = [card for index in others for card in state.seats[index].concealed()] + list(state.stock)
    knows_tiplu = seat is not None and state.seats[seat].seen
    if state.tiplu is not None and not knows_tiplu:
        hidden.append(state.tiplu)
    chance.shuffle(hidden)
    seats = list(state.seats)
    for index in others:
        concealed = seats[index].concealed()
        new, hidden = hidden[: len(concealed)], hidden[len(concealed) :]
        seats[index] = replace(
            seats[index], cards=sort_cards((*without(seats[index].cards, concealed), *new))
        )
    tiplu = state.tiplu if knows_tiplu or state.tiplu is None else hidden.pop()
    drawn = state.drawn if seat == state.turn else None
    return replace(state, seats=tuple(seats), stock=tuple(hidden), tiplu=tiplu, drawn=drawn)


def moments(number: int) -> list[State]:
    """Return a few states of one deal played at random; the last one is the end."""
    state, _ = deal(number)
    states = [state, *(after for after, *_ in play(state, at_random(random.Random(number))))]
    return [*states[:: max(1, len(states) // 6)], states[-1]]


@pytest.mark.parametrize("number", [1, 2])
def test_hidden_cards_change_no_picture(number: int) -> None:
    chance = random.Random(number)
    for state in moments(number):
        if state.phase is Phase.OVER:
            continue
        for seat in (None, 0, 1):
            other = twin(state, seat, chance)
            assert other.all_cards() == state.all_cards()
            assert other.seats != state.seats
            mine, same = view(state, seat), view(other, seat)
            assert draw_table(mine, NAMES[:4]) == draw_table(same, NAMES[:4])
            if seat is not None:
                assert draw_hand(mine) == draw_hand(same)
                assert draw_hand(mine, DEFAULT, CardOrder("best")) == draw_hand(
                    same, DEFAULT, CardOrder("best")
                )
                assert draw_seat(mine, NAMES[:4], DEFAULT, large=False) == draw_seat(
                    same, NAMES[:4], DEFAULT, large=False
                )
                forget_hands()
                before = draw_hand_below(mine, DEFAULT, BY_SUIT, large=False)
                forget_hands()
                assert draw_hand_below(same, DEFAULT, BY_SUIT, large=False) == before


def test_a_whole_deal_can_be_drawn() -> None:
    last = moments(3)[-1]
    assert last.phase is Phase.OVER
    seen = view(last, 0)
    assert draw_hand(seen).alt.startswith("Your hand")
    assert draw_sheet(seen, NAMES[:4]).png == draw_sheet(view(last, None), NAMES[:4]).png


def test_threads_draw_the_same() -> None:
    views = [view(state, seat) for state in moments(4)[:4] for seat in range(4)]
    alone = [draw_hand(one) for one in views]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(draw_hand, views)) == alone
