"""A decision of a real deal on the simulator: what an option gains when the cards that its seat cannot see are dealt anew."""

import ctypes
from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import sha256
from itertools import chain
from typing import Any, Final

import numpy as np

from marriage.actions import (
    Action,
    DeclineTunnelas,
    Discard,
    DrawStock,
    ExposeTunnelas,
    Finish,
    FinishDublees,
    Show,
    ShowDublees,
    TakeDiscard,
)
from marriage.analysis.deal_analysis import Position
from marriage.cards import FACES, PACKS, Card
from marriage.state import Phase, ShowKind
from marriage.view import View, view
from training.simulator import DECK, MOST_SEATS, Numbers, Simulator, library

_NOBODY: Final = 255
_SHOWN: Final = {None: 0, ShowKind.GROUPS: 1, ShowKind.DUBLEES: 2}
_KINDS: Final[dict[type[Action], int]] = {
    DrawStock: 0,
    TakeDiscard: 1,
    Discard: 2,
    Show: 3,
    ShowDublees: 4,
    Finish: 5,
    FinishDublees: 5,
    ExposeTunnelas: 6,
    DeclineTunnelas: 6,
}
_MOST_TUNNELAS: Final = 7

_Faces = ctypes.c_int32 * FACES
_OfSeats = ctypes.c_int32 * MOST_SEATS
_Pile = ctypes.c_int32 * DECK


class _Position(ctypes.Structure):
    _fields_ = [
        ("seat", ctypes.c_int32),
        *((name, _Faces * MOST_SEATS) for name in ("held", "open", "pairs", "exposed")),
        *((name, _OfSeats) for name in ("shown", "hidden", "waits")),
        ("pile", _Pile),
        ("thrower", _Pile),
        *((name, ctypes.c_int32) for name in ("pile_count", "stock", "turned", "tiplu")),
        *((name, ctypes.c_int32) for name in ("taken", "shown_now", "reshuffles", "turn")),
    ]


class _Action(ctypes.Structure):
    _fields_ = [
        ("kind", ctypes.c_int32),
        ("count", ctypes.c_int32),
        ("faces", ctypes.c_int32 * _MOST_TUNNELAS),
    ]


def gains(position: Position, action: Action, rollouts: int, seed: str) -> Numbers:
    """What the seat gains by an action in each of so many deals of the hidden cards, if greedy+outs plays on.

    The same seed deals the same cards, so that two actions of a position can be compared. Which sets are shown, or end the
    deal, is chosen as greedy+outs does. Only ordinary deals with one stock are known. Raises ValueError if the simulator does
    not play these rules, and RuntimeError if it refuses the position or the action.
    """
    seen = view(position.state, position.seat)
    simulator = Simulator(seen.rules, seen.players, one_stock=True)
    found = np.zeros(rollouts, np.int32)
    chance = int.from_bytes(sha256(seed.encode()).digest()[:8], "big")
    played: int = library().play_position(
        ctypes.byref(simulator.given_rules()),
        ctypes.byref(_position(seen, position)),
        ctypes.byref(_action(action)),
        rollouts,
        ctypes.c_uint64(chance),
        found.ctypes.data_as(ctypes.c_void_p),
    )
    if not played:
        raise RuntimeError(f"the simulator cannot play {action} here")
    return found


def _action(action: Action) -> _Action:
    match action:
        case Discard(card=card):
            faces: Sequence[Card] = (card,)
        case ExposeTunnelas():
            faces = action.faces
        case _:
            faces = ()
    return _Action(_KINDS[type(action)], len(faces), (ctypes.c_int32 * _MOST_TUNNELAS)(*faces))


def _position(seen: View, position: Position) -> _Position:
    told: Any = _Position(seat=position.seat)
    for place, seat in enumerate(seen.seats):
        laid = Counter(chain.from_iterable(seat.laid))
        known = position.remembered.get(place, ()) if place != position.seat else seen.hand
        _count(told.held[place], known)
        _count(told.open[place], (laid | Counter(dict.fromkeys(seat.exposed, PACKS))).elements())
        _count(told.pairs[place], (pair[0] for pair in seat.laid if seat.shown is ShowKind.DUBLEES))
        _count(told.exposed[place], seat.exposed)
        told.shown[place] = _SHOWN[seat.shown]
        told.hidden[place] = seat.concealed_count - len(known)
        told.waits[place] = seen.phase is Phase.WINDOW and not seat.answered
    for place, (card, thrower) in enumerate(seen.discards):
        told.pile[place] = card
        told.thrower[place] = _NOBODY if thrower is None else thrower
    told.pile_count = len(seen.pile)
    told.stock = seen.stock_count - (not seen.tiplu_cut)
    told.turned = seen.tiplu_cut
    told.tiplu = -1 if seen.tiplu is None else seen.tiplu
    told.taken = -1 if seen.taken is None else seen.taken
    told.shown_now = seen.shown_now
    told.reshuffles = seen.reshuffles
    told.turn = seen.turn
    return told


def _count(into: Any, cards: Iterable[Card]) -> None:
    for card in cards:
        into[card] += 1
