"""Find puzzles in a deal. Each moment is seen as one seat knew it, and nothing else enters a puzzle.

"Do you finish now?" asks whether and with which card, and why waiting for maal would be worse. "Which of these cards do you
throw?" has the discard as its answer that leaves the hand nearest to its aim, with the most outs. Most hands have cards that
are equally useless, so such a puzzle offers the best one, and otherwise only cards that are clearly worse. "Which three sets
do you show?" has the show as its answer that leaves the best rest, whichever card the tiplu is.

Deals between computer players are a source of puzzles. The same number always gives the same deal.
"""

from collections.abc import Generator, Iterable, Iterator, Sequence
from itertools import chain, combinations_with_replacement
from statistics import fmean
from typing import Final, NamedTuple

from marriage.apply import apply
from marriage.cards import CARDS, FACES, PACKS, Card, Cards, contains, sort_cards, without
from marriage.decide import start
from marriage.events import Drew, Event, TipluSeen, Took
from marriage.legal import finishes, shows, wilds
from marriage.moves import free_discards, must_show
from marriage.notation import read_position, write_position
from marriage.puzzles.puzzle import Puzzle, PuzzleKind, PuzzleOption, Waiting
from marriage.rules import FINISH_GROUPS, PRESETS, PRIMARY_GROUPS, SHOW_DUBLEES, Rules
from marriage.scoring.hand_points import laid_marriages, points_of, score_hand
from marriage.shuffle import DealSeed
from marriage.solver import Hand, distance, find_finish, pairs
from marriage.state import DUBLEES, GROUPS, PLAY, State
from marriage.strategy.discards import Aim, DiscardOption, aim, discards
from marriage.strategy.players import GreedyPlayer, play_out
from marriage.strategy.showable_sets import showable_sets
from marriage.view import SeatView, View, mask, view

_MORE_POINTS: Final = 2
"""How many points of maal the best finish must keep beyond the next best one."""
_RISK: Final = 0.05
"""The greatest break-even chance (`Waiting.break_even`) for which finishing is the clear answer: one round in twenty."""


def finish_now(view: View) -> Puzzle | None:
    """Return the puzzle of the viewer's finish by sets; None if it has no clearly best answer."""
    if view.own.shown is not GROUPS or view.tiplu is None:
        return None
    if view.shown_now and not view.rules.same_turn_finish:
        return None
    options = [_finish_option(view, card) for card in free_discards(view, view.hand)]
    finishing = [option for option in options if option.points is not None]
    if finishing:
        return _may_finish(view, options, finishing)
    return _may_not(options)


def _finish_option(view: View, card: Card) -> PuzzleOption:
    """Return the option to throw one card. If that is a finish, it has the sets and the points."""
    hand, rules, tiplu = Hand.of(view), view.rules, view.tiplu
    missing = distance(hand._replace(concealed=without(hand.concealed, [card])), rules)
    if missing or tiplu is None:
        return PuzzleOption(card=card, missing=missing)
    free = FINISH_GROUPS - PRIMARY_GROUPS - sum((face,) * 3 not in view.own.laid for face in view.own.exposed)
    plan = find_finish(view.hand, free, wilds(view), rules, keep=frozenset(view.hand) - {card})
    if plan is None or plan.discard != card:
        raise RuntimeError("the solver finds no sets for a hand that lacks no card")
    return PuzzleOption(
        card=card, sets=plan.groups, points=_maal(view, without(view.own.cards or (), [card]), tiplu)
    )


def _maal(view: View, cards: tuple[Card, ...], tiplu: Card) -> int:
    own = view.own
    return points_of(score_hand(cards, own.exposed, laid_marriages(own.laid, tiplu), tiplu, view.rules))


def _may_not(options: list[PuzzleOption]) -> Puzzle | None:
    """Return the puzzle if no throw finishes. It is only worth asking if the hand lacks a single card."""
    least = min(option.missing for option in options)
    if least != 1:
        return None
    return Puzzle(PuzzleKind.FINISH, (*options, PuzzleOption(missing=least)), len(options))


def _may_finish(view: View, options: list[PuzzleOption], finishing: list[PuzzleOption]) -> Puzzle | None:
    first, *others = sorted(finishing, key=lambda option: -(option.points or 0))
    if others and (first.points or 0) < (others[0].points or 0) + _MORE_POINTS:
        return None
    waiting = _waiting(view, first)
    if waiting is None or waiting.break_even > _RISK:
        return None
    return Puzzle(PuzzleKind.FINISH, (*options, PuzzleOption()), options.index(first), waiting)


def _waiting(view: View, finish: PuzzleOption) -> Waiting | None:
    """Bound the gain of waiting one more turn, and the cost if another player finishes first. None without a bound.

    The bound counts every unseen card as equally likely to be the next one, and assumes that it is kept
    together with the whole hand, so no maal is ever lost to it. The next card must come from the stock, so a
    wild card on the pile must be forbidden. Points of other players change the result by the same amount
    whether the viewer finishes now or later.
    """
    rules, tiplu = view.rules, view.tiplu
    if tiplu is None or rules.seen_pickup_wild == "allow" or rules.unseen_maal == "kidnap_cards":
        return None
    if view.stock_count < view.players:
        return None
    left = Hand.of(view).left(rules)
    now = finish.points or 0
    more = sum(
        left[card] * max(0, _maal(view, sort_cards((*(view.own.cards or ()), card)), tiplu) - now)
        for card in CARDS[:-1]
        if left[card]
    )
    others = [seat for index, seat in enumerate(view.seats) if index != view.viewer]
    cost = sum(_pays(seat, view) for seat in others) + rules.seen_pay
    return Waiting((view.players - 1) * more / sum(left), cost) if cost else None


def _pays(seat: SeatView, view: View) -> int:
    """Return the least that another seat pays for the finish."""
    if seat.out or (seat.shown is DUBLEES and view.rules.dublee_exempt):
        return 0
    return view.rules.seen_pay if seat.seen else view.rules.unseen_pay


_NEAR: Final = 2
"""The greatest distance of a puzzle's hand.

Further away, many ways are open and the next card decides little.
"""
_OFFERED: Final = 5
_FEWEST: Final = 3
_MORE_OUTS: Final = 1.2
_MORE_CARDS: Final = 3


def which_card(view: View) -> Puzzle | None:
    """Return the puzzle of the viewer's discard, with 22 cards in hand; None if no card is clearly better."""
    if shows(view) or finishes(view) or aim(view) is Aim.DUBLEES:
        return None
    ranked = discards(view)
    best = ranked[0]
    if not 1 <= best.distance <= _NEAR or _pairs_may_be_quicker(view, best):
        return None
    if any(_outs(option) > _outs(best) for option in ranked if option.distance == best.distance):
        return None
    worse = [option for option in ranked if _clearly_better(best, option)]
    if not any(option.distance == best.distance for option in worse):
        return None
    hardest = sorted(worse, key=lambda option: (option.distance, -_outs(option), option.card))
    offered = sorted((best, *hardest[: _OFFERED - 1]), key=lambda option: option.card)
    if len(offered) < _FEWEST:
        return None
    options = tuple(
        PuzzleOption(card=option.card, missing=option.distance, outs=option.outs) for option in offered
    )
    return Puzzle(PuzzleKind.CARD, options, offered.index(best))


def _clearly_better(best: DiscardOption, other: DiscardOption) -> bool:
    """Return whether the other discard leaves the hand further away, or with clearly fewer helpful cards."""
    if other.distance > best.distance:
        return True
    outs, fewer = _outs(best), _outs(other)
    return outs >= fewer + _MORE_CARDS and outs >= fewer * _MORE_OUTS


def _outs(option: DiscardOption) -> int:
    return option.outs or 0


def _pairs_may_be_quicker(view: View, best: DiscardOption) -> bool:
    """Return whether dublees are so near that a player could reasonably play for them instead."""
    if view.own.shown is not None or not view.rules.dublees_allowed(view.players):
        return False
    missing = SHOW_DUBLEES - len(pairs(view.own.cards or (), view.rules))
    return missing <= best.distance + 1


_MOST_SETS: Final = 14
"""The most sets in a puzzle. More can be combined in too many ways for a person to compare."""

_MARGIN: Final = 0.15
"""How many cards nearer to a finish the best show must leave the hand, on average over the tiplus."""


class _Show(NamedTuple):
    """One way to show, and what it leaves under every possible tiplu."""

    sets: tuple[Cards, ...]
    missing: tuple[int, ...]
    """The cards still needed for a finish, by tiplu."""
    points: tuple[int, ...]
    """The points for laid marriages beyond those for marriages in hand, by tiplu."""

    def never_worse(self, other: "_Show") -> bool:
        """Return whether this show is at least as good as the other under every tiplu."""
        nearer = all(mine <= theirs for mine, theirs in zip(self.missing, other.missing, strict=True))
        return nearer and all(mine >= theirs for mine, theirs in zip(self.points, other.points, strict=True))


def which_sets(view: View) -> Puzzle | None:
    """Return the puzzle of the viewer's show, with 22 cards in hand.

    None if no show is clearly the best, or the tiplu is open.
    """
    if view.own.shown is not None or must_show(view) or view.tiplu is not None:
        return None
    if len(pairs(view.own.cards or (), view.rules)) >= SHOW_DUBLEES:
        return None
    ways = tuple(_ways(view))
    if len(ways) < 2:
        return None
    tiplus = _tiplus(view)
    shows = sorted((_worked_out(view, sets, tiplus) for sets in ways), key=lambda show: _mean(show, tiplus))
    best, *others = shows
    if not all(best.never_worse(other) and _margin(best, other, tiplus) >= _MARGIN for other in others):
        return None
    offered = sorted(shows[:_OFFERED])  # by their sets
    options = tuple(_set_option(show, tiplus, view.rules) for show in offered)
    return Puzzle(PuzzleKind.SETS, options, offered.index(best))


def _ways(view: View) -> Iterator[tuple[Cards, ...]]:
    """Yield the ways to show. Of those that leave the same cards and lay the same runs, only the first is listed."""
    exposed = tuple((face,) * PACKS for face in view.own.exposed[:PRIMARY_GROUPS])
    in_hand = [group for group in showable_sets(view) if group not in exposed]
    if len(in_hand) > _MOST_SETS:
        return
    known = set[tuple[object, ...]]()
    for laid in combinations_with_replacement(in_hand, PRIMARY_GROUPS - len(exposed)):
        cards = tuple(chain.from_iterable(laid))
        if not contains(view.hand, cards):
            continue
        runs = tuple(sorted(laid)) if view.rules.laid_marriage else ()
        alike = (without(view.hand, cards), runs)
        if alike not in known:
            known.add(alike)
            yield (*exposed, *laid)


def _tiplus(view: View) -> dict[Card, int]:
    """Return every face that may be the tiplu, with the number of copies that the viewer cannot see."""
    left = Hand.of(view).left(view.rules)
    return {card: left[card] for card in CARDS[:FACES] if left[card]}


def _worked_out(view: View, sets: tuple[Cards, ...], tiplus: dict[Card, int]) -> _Show:
    hand = Hand.of(view)
    shown = (group for group in sets if group not in tuple((face,) * PACKS for face in hand.exposed))
    rest = hand._replace(concealed=without(hand.concealed, chain.from_iterable(shown)), laid=sets)
    return _Show(
        sets,
        tuple(distance(rest._replace(tiplu=tiplu), view.rules) for tiplu in tiplus),
        tuple(_laid_points(view, sets, tiplu) for tiplu in tiplus),
    )


def _laid_points(view: View, sets: tuple[Cards, ...], tiplu: Card) -> int:
    """Return how much more the hand is worth because marriages were laid, if the rules reward that."""
    laid = laid_marriages(sets, tiplu) if view.rules.laid_marriage else 0
    if not laid:
        return 0
    cards, exposed = view.own.cards or (), view.own.exposed
    with_laid, without_laid = (
        points_of(score_hand(cards, exposed, count, tiplu, view.rules)) for count in (laid, 0)
    )
    return with_laid - without_laid


def _mean(show: _Show, tiplus: dict[Card, int]) -> float:
    return fmean(show.missing, tiplus.values())


def _margin(best: _Show, other: _Show, tiplus: dict[Card, int]) -> float:
    return _mean(other, tiplus) - _mean(best, tiplus)


def _set_option(show: _Show, tiplus: dict[Card, int], rules: Rules) -> PuzzleOption:
    return PuzzleOption(
        sets=show.sets,
        missing=_mean(show, tiplus),
        points=fmean(show.points, tiplus.values()) if rules.laid_marriage else None,
        at_once=fmean((not missing for missing in show.missing), tiplus.values()),
    )


_SEED: Final = b"tiplu/puzzles".ljust(32, b"\0")
_PRESETS: Final = ("pagat", "kathmandu")
"""The rules of the puzzles: the most popular presets."""
_SEATS: Final = (4, 3, 5)


def seats_of(number: int) -> int:
    """Return the number of seats in the deal with this number."""
    return _SEATS[number // len(_PRESETS) % len(_SEATS)]


def deal_between_computers(number: int) -> Iterator[Event]:
    """Yield the events of the deal with this number, counted from 0. Rules and numbers of seats alternate."""
    rules = PRESETS[_PRESETS[number % len(_PRESETS)]]
    seats = seats_of(number)
    begun = start(rules, seats, number % seats, DealSeed(_SEED, "puzzles", number))
    return play_out(begun, [GreedyPlayer()] * seats)


_ASKS: Final = (Drew, Took, TipluSeen)
"""The events after which a seat has a decision to make. After other events it may be in the middle of a move."""


class Found(NamedTuple):
    """A puzzle in a deal."""

    seat: int
    step: int
    """The number of events before the question."""
    position: str
    """The seat's knowledge, as written by `marriage.notation`; unknown cards are `??`."""
    puzzle: Puzzle


def puzzles_of(view: View) -> tuple[Puzzle, ...]:
    """Return the puzzles that this view poses to its viewer; none unless it is their turn to play a card."""
    if view.phase is not PLAY or view.turn != view.viewer:
        return ()
    found = (which_sets(view), finish_now(view), which_card(view))
    return tuple(puzzle for puzzle in found if puzzle is not None)


def puzzles_in(events: Sequence[Event], seats: Iterable[int]) -> Iterator[Found]:
    """Yield the puzzles that a deal posed to these seats, seat by seat and in the order of play."""
    for seat in seats:
        for found in _moments(events, seat):
            yield from found


def search_deal(events: Sequence[Event], seats: Sequence[int]) -> Generator[None, None, tuple[Found, ...]]:
    """Do the same as a task that pauses after every moment, so that other work can run in between."""
    kept: list[Found] = []
    for seat in seats:
        for found in _moments(events, seat):
            kept += found
            yield
    return tuple(kept)


def search_computers(number: int) -> Generator[None, None, tuple[Found, ...]]:
    """Find the puzzles of the deal between computers with this number, as a task that pauses."""
    events: list[Event] = []
    for event in deal_between_computers(number):
        events.append(event)
        yield
    return (yield from search_deal(events, range(seats_of(number))))


def _moments(events: Sequence[Event], seat: int) -> Iterator[tuple[Found, ...]]:
    """Yield the puzzles posed at every moment at which the seat had a decision to make."""
    state: State | None = None
    for step, event in enumerate(events, start=1):
        state = apply(state, mask(event, seat))
        if isinstance(event, _ASKS) and event.seat == seat:
            puzzles = puzzles_of(view(state, seat))
            yield tuple(Found(seat, step, write_position(state), puzzle) for puzzle in puzzles)


def view_of(position: str, seat: int) -> View:
    """Rebuild the view of a puzzle from its stored position; raises ValueError for any other text."""
    return view(read_position(position), seat)
