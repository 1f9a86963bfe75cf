"""Tables at every point of deals by every preset and by the most extreme rules, with the longest names."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import pytest

from bot.table.core.snapshot import ShownHand, Snapshot
from bot.table.core.table import PAUSED, READY, TURN, VOTE, WINDOW, Table, recent_events
from data.preferences import GuildSettings, PersonSettings, TableOptions
from data.repositories.people import Names, PersonRow
from data.values import BenchRow, DeadlineRow, DealRow, MatchRow, ResultRow, SeatRow, TableRow
from league.statistics.stats import Achievement, Earned
from marriage.actions import Show
from marriage.apply import apply, replay
from marriage.decide import decide, start
from marriage.events import Event, FoulReason, FoulRuled
from marriage.legal import legal_actions, tunnelas
from marriage.rules import PRESETS, Rules, preset
from marriage.sheet import Status
from marriage.state import Phase, State
from marriage.strategy.advice import Missing
from marriage.strategy.discards import Aim
from marriage.strategy.players import GreedyPlayer
from marriage.strategy.showable_sets import best_show
from marriage.view import View, view
from render.alt import hand_alt, strip_alt
from render.hand_layout import CardOrder, lay_out
from render.picture import Picture
from tests.marriage.dealing import Chooser, actor, arranged, at_random, seed

FAR = 2_000_000_000_000
LARGE = 2**53
"""An id, revision or table number with the most digits possible."""
SEATS = 5
MOST_MOVES = 250
NAMES = tuple(f"{'*' * 23}{number}" for number in range(1, 8))
"""Names of the longest displayed length; every character is escaped as two."""

EXTREMES = {
    "everything": preset(
        "wikipedia",
        man_cards=6,
        master_card="always",
        primary_trial=True,
        open_tiplu=True,
        tunnela_window="own_first_draw",
        unseen_pickup="show_only",
        dublee_min_players=2,
        dublee_game="double",
        reshuffle_cap=20,
        custom_points={"tiplu": (3, 8, 200), "poplu": (2, 5, 200), "marriage": (100, 150, 200)},
        alter=True,
        mixed_pairs=True,
        unseen_maal="kidnap_cards",
        seen_pay=50,
        unseen_pay=50,
        dublee_bonus=20,
        better_after=1,
        better_factor=5,
        foul="each",
        foul_points=100,
        dead_hand="pays",
    ),
    "nothing": preset("pagat", dublee=False, unseen_pickup="show_only", stock_out="dismiss", man_cards=6),
    "claims": preset("pagat", foul="total", false_claim="foul", throw_foul=True, dead_hand="spared"),
}
RULES: dict[str, Rules] = {**PRESETS, **EXTREMES}
EACH = [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in RULES]
"""All rules as parameters; one process plays the deals of each for all tests that look at them."""

WIDE = (
    "AS 2S 3S 4S 5S 6S 7S AH 2H 3H 4H 5H 6H 7H AD 2D 3D 4D 5D 6D 7D",
    "2C 2C 2C 4C 4C 4C 6C 6C 6C 8C 8C 8C 10C 10C 10C QC QC QC AC AC AC",
    "2D 2D 4D 4D 6D 6D 8D 8D 10D 10D QD QD 3D 3D 5D 5D 7D 7D 9D 9D JD",
)
"""Hands with the most faces and sets, the most tunnelas, and the most dublees."""


@dataclass(frozen=True)
class Point:
    """A moment of a deal, looked at from one seat."""

    table: Table
    seat: int


@cache
def points(name: str) -> tuple[Point, ...]:
    """Return a moment of every kind in deals by these rules, each the fullest found."""
    found: dict[object, tuple[int, Point]] = {}
    for state, recent in _states(RULES[name]):
        for seat in range(SEATS):
            seen = view(state, seat)
            kind = _kind(seen)
            size = len(set(seen.own.concealed or ())) + len(seen.own.laid) + len(tunnelas(seen))
            if kind not in found or size > found[kind][0]:
                found[kind] = size, Point(_table(RULES[name], state, recent), seat)
    return tuple(point for _, point in found.values())


def _kind(seen: View) -> object:
    is_asked = seen.turn == seen.viewer or seen.phase is Phase.WINDOW
    actions = frozenset(type(action) for action in legal_actions(seen)) if is_asked else len(tunnelas(seen))
    own = seen.own
    over = seen.sheet.ending if seen.sheet is not None else None
    return seen.phase, is_asked, actions, own.shown, own.ruled, seen.tiplu is None, over


def _states(rules: Rules) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """Yield the states of deals in which seats act at random, act well, or were dealt the widest hands."""
    for number in range(4):
        chance = random.Random(number)
        yield from _deal(start(rules, SEATS, 0, seed(number)), at_random(chance))
        dealt = arranged(*WIDE, "", "", rules=rules, number=number, up="KC")
        yield from _deal([dealt], at_random(chance))
    owing = start(rules, SEATS, 0, seed(9), carry=[*range(len(NAMES))], better=rules.better_after > 0)
    ruled = [FoulRuled(seat, FoulReason.TEAMED, None) for seat in range(SEATS)]
    yield from _deal([*owing, *ruled] if rules.foul != "off" else owing, GreedyPlayer().choose)


def _deal(events: list[Any], choose: Chooser) -> Iterator[tuple[State, tuple[Event, ...]]]:
    state, recent = replay(events), recent_events((), events)
    for _ in range(MOST_MOVES):
        yield state, recent
        if state.phase is Phase.OVER:
            return
        seat = actor(state)
        more = decide(state, seat, choose(view(state, seat)))
        for event in more:
            state = apply(state, event)
        recent = recent_events(recent, more)


# The table around a deal


def _table(rules: Rules, state: State, recent: tuple[Event, ...]) -> Table:
    """Return the fullest table: a long match, a vote, a bench, the shuffle of every seat."""
    is_over = state.phase is Phase.OVER
    row = TableRow(
        *(LARGE, LARGE, LARGE, LARGE, 1, "between" if is_over else "playing", LARGE, rules, 1),
        *(50, state.dealer, 0, None),
        options=TableOptions(deals=50, thread=True),
        thread_id=LARGE,
        thread_lack="locked",
        ended="abandoned" if is_over else None,
    )
    kinds = [VOTE, *([READY] if is_over else [WINDOW, TURN])]
    seats = tuple(
        SeatRow(LARGE, seat, seat + 1, NAMES[seat], away=seat == 3, left=seat == 4, ending=seat == 0)
        for seat in range(SEATS)
    )
    entropy = [f"{seat}:{'f' * 64}" for seat in range(SEATS)]
    deal = DealRow(LARGE, 50, b"x" * 32, "f" * 64, entropy, 1, 1, rules, 0, 0, match_no=99, match_deal=50)
    return Table(
        row=row,
        seats=seats,
        bench=tuple(BenchRow(LARGE, n, 6 + n, NAMES[5 + n], 5, comes=n == 0) for n in range(2)),
        deals={50: deal, 51: replace(deal, deal_no=51, former_seeds=["f" * 64] * 3)},
        state=state,
        recent=recent,
        deadlines={kind: DeadlineRow(LARGE, kind, LARGE, FAR) for kind in kinds},
        match=MatchRow(LARGE, 99, 50, 0),
        results=tuple(_results(state)),
        earned=tuple(Earned(1 + n % SEATS, what, LARGE, 50, 0) for n, what in enumerate(Achievement)),
    )


def _results(state: State) -> Iterator[ResultRow]:
    """Return the results of 49 deals with large gains, and of this one if it is over."""
    for deal_no in range(1, 51 if state.phase is Phase.OVER else 50):
        players = SEATS if state.sheet is None else len(state.sheet.lines)
        for seat in range(players):
            net = -99 if seat else 99 * (players - 1)
            yield ResultRow(
                *(LARGE, deal_no, seat, seat + 1, NAMES[seat], Status.SEEN, 999, net, net, not seat)
            )


def snapshot(table: Table, *, paused: bool = False, settings: PersonSettings | None = None) -> Snapshot:
    """Return the snapshot of a table, with these `settings` for everyone, or with direct messages closed."""
    people = {
        number: PersonRow(number, Names(name), settings is not None, 0, settings or PersonSettings())
        for number, name in enumerate(NAMES, 1)
    }
    if paused:
        stopped = {PAUSED: DeadlineRow(LARGE, PAUSED, LARGE, FAR)}
        table = replace(table, deadlines={**table.deadlines, **stopped})
    return Snapshot.of(table, people, GuildSettings())


def hand_of(shown: Snapshot, seat: int, *, in_words: bool) -> ShownHand:
    """Return the hand of a seat, with a fake picture that has the alt text, or in words."""
    seen = shown.private[seat]
    actions = legal_actions(seen)
    may_show = any(isinstance(action, Show) for action in actions)
    alts = () if in_words else (strip_alt(seen, shown.names), hand_alt(seen))
    return ShownHand(
        view=seen,
        actions=actions,
        layout=lay_out(seen, CardOrder()),
        pinned=(),
        pictures=tuple(Picture(b"PNG", alt, 1, 1) for alt in alts),
        missing=Missing(21, Aim.SHOW),
        maal=99,
        best=best_show(seen) if may_show else None,
    )
