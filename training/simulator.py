"""The simulator in C, compiled at first use: deals, game logs, labels and judgements as numpy arrays."""

import ctypes
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from shutil import which
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from marriage.arena.match import ArenaMatch, Purpose
from marriage.rules import PRESETS, Rules

SOURCES: Final = tuple(
    Path(__file__).with_name(name) for name in ("simulator.c", "features.h", "positions.h")
)
COMPILED: Final = Path(__file__).parents[1] / "var" / "training"
COMPILER: Final = "gcc"
DISCARD_FEATURES: Final = 56
TAKE_FEATURES: Final = 40
SEATS: Final = 4
MOST_SEATS: Final = 5
SUPPORTED: Final = ("pagat", "murder", "kidnap")
"""The presets that the simulator supports."""
DECK: Final = 156
_LOGGED: Final = 15
_MOST_TURNS: Final = 600
_KINDS: Final = 4

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int32]


class _Rules(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_int32)
        for name in (
            *("seats", "murder", "kidnap", "seen_pay", "unseen_pay", "dublee_bonus", "reshuffles"),
            "one_stock",
        )
    ]


class _Net(ctypes.Structure):
    _fields_ = [("hidden", ctypes.c_int32)] + [
        (name, ctypes.c_void_p) for name in ("first", "bias", "second", "skip")
    ]


class _Player(ctypes.Structure):
    _fields_ = [
        ("master", ctypes.c_int32),
        ("wider", ctypes.c_double),
        ("discard", _Net),
        ("take", _Net),
    ]


class _SimulatedTable(ctypes.Structure):
    _fields_ = [
        ("features", ctypes.c_void_p),
        ("values", ctypes.c_void_p),
        ("decisions", ctypes.c_void_p),
        ("faces", ctypes.c_void_p),
        ("count", ctypes.c_int64),
        ("room", ctypes.c_int64),
        ("decided", ctypes.c_int32),
    ]


@dataclass(frozen=True, slots=True)
class SimulatedNet:
    """One hidden layer of rectified units plus a linear part.

    The value is `relu(x @ first + bias) @ second + x @ skip`.
    """

    first: Floats
    bias: Floats
    second: Floats
    skip: Floats

    def values(self, features: Floats) -> Floats:
        """Return the value of each row of features."""
        units = np.maximum(np.float32(0), features @ self.first + self.bias)
        return (units @ self.second + features @ self.skip).astype(np.float32)


@dataclass(frozen=True, slots=True)
class SimulatedPlayer:
    """A player of the simulator: greedy+outs, with the given nets and habits replacing its own judgement."""

    master: bool = False
    """Whether it collects dublees sooner, and takes only for the show until then, as `MasterPlayer` does."""
    wider: float = 1.0
    """How much wider a wait must become for the player to take a card, as in `MasterPlayer`; 1 for never."""
    discard: SimulatedNet | None = None
    """The net for discards before a show."""
    take: SimulatedNet | None = None
    """The net for takes before a show."""


GREEDY_OUTS: Final = SimulatedPlayer()
MASTER: Final = SimulatedPlayer(master=True, wider=0.12)
"""The master, except for its discards before a show, which are those of greedy+outs here."""


class Deals(NamedTuple):
    """Deals of one purpose: decks in card order, dealers, and the seeds of all later chance."""

    decks: npt.NDArray[np.uint8]
    dealers: Numbers
    chances: npt.NDArray[np.uint64]


class Labels(NamedTuple):
    """The options of labelled decisions, one per row."""

    features: Floats
    values: Floats
    """The lead in points over the first option of the decision; for a take, over the draw."""
    decisions: Numbers
    faces: Numbers


class Log(NamedTuple):
    """One game, turn by turn."""

    turns: Numbers
    """One row per turn.

    Its columns: seat, took, shown before and after, thrown (-1 at a finish), finished, and the nine cards
    laid.
    """
    nets: Numbers
    reshuffles: int


def has_compiler() -> bool:
    """Return whether this machine can compile the simulator."""
    return which(COMPILER) is not None


@cache
def library() -> ctypes.CDLL:
    """Return the compiled simulator; raises RuntimeError if there is no compiler."""
    compiler = which(COMPILER)
    if compiler is None:
        raise RuntimeError(f"the simulator needs {COMPILER}; install it and try again")
    made = COMPILED / f"simulator-{digest()}.so"
    if not made.exists():
        COMPILED.mkdir(parents=True, exist_ok=True)
        fresh = made.with_suffix(f".{id(made)}")
        command = (compiler, "-O3", "-march=native", "-shared", "-fPIC", "-o", str(fresh), str(SOURCES[0]))
        subprocess.run(command, check=True)  # noqa: S603 - our own source
        fresh.replace(made)
    loaded = ctypes.CDLL(str(made))
    loaded.log_deal.restype = loaded.play_position.restype = ctypes.c_int32
    return loaded


def digest() -> str:
    """A digest of the sources, by which labels and nets say where they come from."""
    return sha256(b"".join(source.read_bytes() for source in SOURCES)).hexdigest()[:16]


def deals(purpose: Purpose, count: int, *, seed: str = "0", first: int = 0, seats: int = SEATS) -> Deals:
    """Return the arena's deals with these numbers. Its keys keep deals to fit and deals to judge apart."""
    match = ArenaMatch(("",), PRESETS["pagat"], count, seed=seed, purpose=purpose)
    numbers = range(first, first + count)
    decks = np.array([match.key(number).deck(match.rules) for number in numbers], np.uint8)
    chances = [
        int.from_bytes(sha256(f"{purpose}/{seed}/{number}".encode()).digest()[:8], "big")
        for number in numbers
    ]
    dealers = np.array([number % seats for number in numbers], np.int32)
    return Deals(decks.reshape(count, DECK), dealers, np.array(chances, np.uint64))


def is_supported(rules: Rules) -> bool:
    """Return whether the simulator supports these rules."""
    plain = {"seen_pay", "unseen_pay", "dublee_bonus", "reshuffle_cap"}
    return any(
        rules.model_dump(exclude=plain) == PRESETS[name].model_dump(exclude=plain) for name in SUPPORTED
    )


@dataclass(slots=True)
class Simulator:
    """The simulator for one set of rules; raises ValueError for unsupported rules."""

    rules: Rules
    seats: int = SEATS
    one_stock: bool = False
    """Whether all seats draw from one stock, as in an ordinary deal, instead of each from its own."""
    _kept: list[Any] = field(default_factory=list[Any])
    """The arrays that C reads; they must live until the call returns."""

    def __post_init__(self) -> None:
        if not is_supported(self.rules):
            raise ValueError(f"the simulator plays the presets {', '.join(SUPPORTED)} alone")

    def log(self, deck: npt.NDArray[np.uint8], dealer: int, player: SimulatedPlayer = GREEDY_OUTS) -> Log:
        """Play one deal with the same player at every seat."""
        turns, nets = np.zeros((_MOST_TURNS, _LOGGED), np.int32), np.zeros(self.seats, np.int32)
        reshuffles = ctypes.c_int32()
        count: int = library().log_deal(
            ctypes.byref(self.given_rules()),
            self._pointer(deck),
            dealer,
            ctypes.byref(self._player(player)),
            self._pointer(turns),
            _MOST_TURNS,
            self._pointer(nets),
            ctypes.byref(reshuffles),
        )
        self._kept.clear()
        return Log(turns[:count], nets, reshuffles.value)

    def labels(self, dealt: Deals, *, rollouts: int, takes: float, discards: float) -> tuple[Labels, Labels]:
        """Label these shares of the takes and of the discards before a show, with greedy+outs at every seat."""
        count = len(dealt.decks)
        tables = [_Blank(40 * count, TAKE_FEATURES), _Blank(600 * count, DISCARD_FEATURES)]
        given = [blank.table(self._pointer) for blank in tables]
        library().label_deals(
            ctypes.byref(self.given_rules()),
            *self._dealt(dealt),
            rollouts,
            ctypes.c_double(takes),
            ctypes.c_double(discards),
            *map(ctypes.byref, given),
        )
        self._kept.clear()
        first, second = (blank.filled(table.count) for blank, table in zip(tables, given, strict=True))
        return first, second

    def nets(self, dealt: Deals) -> Numbers:
        """Return each seat's gain in each deal, one row per deal, with greedy+outs at every seat."""
        found = np.zeros((len(dealt.decks), self.seats), np.int32)
        library().play_alike(ctypes.byref(self.given_rules()), *self._dealt(dealt), self._pointer(found))
        self._kept.clear()
        return found

    def duplicates(self, dealt: Deals, player: SimulatedPlayer) -> Doubles:
        """Return one player's gain in each deal against greedy+outs, averaged over the seats."""
        gains = np.zeros(len(dealt.decks))
        library().play_duplicates(
            ctypes.byref(self.given_rules()),
            *self._dealt(dealt),
            ctypes.byref(self._player(player)),
            self._pointer(gains),
        )
        self._kept.clear()
        return gains

    def leads(self, dealt: Deals, player: SimulatedPlayer, rollouts: int) -> Doubles:
        """Return each deal's estimated gain from unseen and seen takes, and from unseen and seen discards."""
        found = np.zeros((len(dealt.decks), _KINDS))
        library().estimate_gains(
            ctypes.byref(self.given_rules()),
            *self._dealt(dealt),
            ctypes.byref(self._player(player)),
            rollouts,
            self._pointer(found),
        )
        self._kept.clear()
        return found

    def given_rules(self) -> ctypes.Structure:
        """The rules as C reads them."""
        rules = self.rules
        murder, kidnap = (int(rules.unseen_maal == name) for name in ("murder", "kidnap_points"))
        pays = rules.seen_pay, rules.unseen_pay, rules.dublee_bonus
        return _Rules(self.seats, murder, kidnap, *pays, rules.reshuffle_cap, int(self.one_stock))

    def _player(self, player: SimulatedPlayer) -> _Player:
        return _Player(int(player.master), player.wider, self._net(player.discard), self._net(player.take))

    def _net(self, net: SimulatedNet | None) -> _Net:
        if net is None:
            return _Net()
        return _Net(len(net.bias), *map(self._pointer, (net.first, net.bias, net.second, net.skip)))

    def _dealt(self, dealt: Deals) -> Sequence[Any]:
        return (*map(self._pointer, dealt), len(dealt.decks))

    def _pointer(self, array: npt.NDArray[Any]) -> ctypes.c_void_p:
        whole = np.ascontiguousarray(array)
        self._kept.append(whole)
        return ctypes.c_void_p(whole.ctypes.data)


class _Blank:
    """An empty table for C to fill."""

    def __init__(self, room: int, features: int) -> None:
        self.room = room
        self.features = np.zeros((room, features), np.float32)
        self.values = np.zeros(room, np.float32)
        self.decisions = np.zeros(room, np.int32)
        self.faces = np.zeros(room, np.int32)

    def table(self, pointer: Any) -> _SimulatedTable:
        arrays = (self.features, self.values, self.decisions, self.faces)
        return _SimulatedTable(*(pointer(array) for array in arrays), 0, self.room, 0)

    def filled(self, count: int) -> Labels:
        return Labels(self.features[:count], self.values[:count], self.decisions[:count], self.faces[:count])
