"""Sample a deal that is consistent with what one seat knows: all cards hidden from it are dealt again at random.

Everybody knows that a card taken from the pile is still in the taker's hand until it is thrown. Such cards
stay there.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from random import Random

from marriage.cards import Card, Cards, sort_cards
from marriage.events import Discarded, Event, Showed, ShowedDublees, Took
from marriage.shuffle import DealSeed
from marriage.state import Seat, State


class Memory:
    """The concealed cards that everybody knows about: those taken from the pile."""

    def __init__(self) -> None:
        self._held: dict[int, Counter[Card]] = {}

    def follow(self, event: Event) -> None:
        """Record what an event reveals to everybody."""
        match event:
            case Took(seat=seat, card=card):
                self._held.setdefault(seat, Counter())[card] += 1
            case Discarded(seat=seat, card=card):
                self._drop(seat, (card,))
            case Showed(seat=seat, groups=sets) | ShowedDublees(seat=seat, pairs=sets):
                self._drop(seat, tuple(chain.from_iterable(sets)))
            case _:
                pass

    def held(self) -> dict[int, Cards]:
        """Return the publicly known concealed cards by seat."""
        return {seat: tuple(cards.elements()) for seat, cards in self._held.items()}

    def _drop(self, seat: int, cards: Cards) -> None:
        if seat in self._held:
            self._held[seat] -= Counter(cards)


def deal_anew(state: State, seat: int, remembered: Mapping[int, Cards], random: Random) -> State:
    """Return the deal with the cards that `seat` cannot see dealt again.

    It depends only on the seat's knowledge and on `random`. `remembered` are each seat's publicly known cards
    (`Memory.held`).
    """
    known = {other: _known(held, remembered.get(other, ())) for other, held in enumerate(state.seats)}
    hides_tiplu = state.tiplu is not None and not (state.seats[seat].seen or state.rules.open_tiplu)
    pool = [*state.stock, *state.aside, *chain.from_iterable(state.stocks)]
    for other, held in enumerate(state.seats):
        if other != seat:
            pool += (Counter(held.concealed()) - Counter(known[other])).elements()
    if hides_tiplu and state.tiplu is not None:
        pool.append(state.tiplu)
    pool.sort()
    random.shuffle(pool)
    tiplu = state.tiplu
    if hides_tiplu:
        tiplu = pool.pop(next(place for place, card in enumerate(pool) if card.is_pack))
    aside = _from_pool(pool, len(state.aside))
    if state.aside and state.tiplu is None and not aside[0].is_pack:
        place = next(place for place, card in enumerate(pool) if card.is_pack)
        aside, pool[place] = (pool[place], *aside[1:]), aside[0]
    seats = tuple(
        held if other == seat else _with_other_cards(held, known[other], pool)
        for other, held in enumerate(state.seats)
    )
    return replace(
        state,
        seats=seats,
        tiplu=tiplu,
        aside=aside,
        stocks=tuple(_from_pool(pool, len(stock)) for stock in state.stocks),
        stock=_from_pool(pool, len(state.stock)),
        key=DealSeed(random.randbytes(32), "analysis", 1),
    )


def _known(seat: Seat, remembered: Cards) -> Cards:
    """Return the remembered cards that the seat still conceals."""
    return tuple((Counter(remembered) & Counter(seat.concealed())).elements())


def _with_other_cards(seat: Seat, known: Cards, pool: list[Card]) -> Seat:
    unknown = len(seat.concealed()) - len(known)
    return replace(seat, cards=sort_cards((*seat.locked().elements(), *known, *_from_pool(pool, unknown))))


def _from_pool(pool: list[Card], count: int) -> Cards:
    taken = tuple(pool[len(pool) - count :])
    del pool[len(pool) - count :]
    return taken
