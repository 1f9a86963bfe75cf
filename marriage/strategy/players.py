"""Computer players: each chooses an action from the view of its seat, and with one at every seat a deal is played to its end.

The easiest is for people learning the game. A computer adapts its thinking time to how hard a turn looks to everybody at the
table. That time is public, so it must not depend on anything that only its seat knows.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, Protocol

from marriage.actions import (
    Action,
    CutTiplu,
    DeclineTunnelas,
    Discard,
    DrawStock,
    ExposeTunnelas,
    Show,
    TakeDiscard,
)
from marriage.apply import apply, replay
from marriage.cards import CARDS, Card, sort_cards, without
from marriage.decide import decide
from marriage.events import Event
from marriage.legal import (
    dublee_show,
    finishes,
    is_barred_in_public,
    legal_actions,
    legal_discards,
    may_take,
    shows,
    throw_fouls,
    tunnelas,
    wilds,
)
from marriage.maal import scoring_faces
from marriage.moves import must_show
from marriage.rules import FINISH_DUBLEES, SHOW_DUBLEES
from marriage.solver import Hand, distance, pairs, plan_show, rough_distance, show_distance
from marriage.state import OVER, WINDOW, Phase, ShowKind, State
from marriage.strategy.discards import DUBLEES_FROM, Aim, Lean, aim, discards
from marriage.view import View, view


class Player(Protocol):
    """An object that can play a seat."""

    def choose(self, view: View) -> Action:
        """Return the action for the viewer, who must be able to act."""
        ...


@dataclass(frozen=True, slots=True)
class RandomPlayer:
    """Chooses uniformly among the legal actions."""

    random: Random

    def choose(self, view: View) -> Action:
        """Return a random legal action."""
        return self.random.choice(legal_actions(view))


@dataclass(frozen=True, slots=True)
class GreedyPlayer:
    """Shows and finishes as soon as it can, and always keeps the smallest distance to its aim.

    It exposes all its tunnelas, takes the discard only if that brings it nearer, and plays for dublees if it has six
    pairs while a show by groups is far away. It is deterministic.
    """

    count_outs: bool = True
    """Whether to prefer, among discards of equal distance, the one with the most outs: stronger, but slower."""
    uses_pile: bool = True
    """Whether it ever takes a discard."""
    dublees_from: tuple[int, ...] = DUBLEES_FROM
    """How many pairs are enough to collect dublees while 0, 1, 2 or more cards are missing for a show by groups."""
    takes_for_show: bool = False
    """Whether a hand that cannot show yet takes only discards that bring the show, not a finish, nearer."""
    lean: Lean | None = None
    """The preference that decides between nearly equal discards."""

    def choose(self, view: View) -> Action:
        """Return the action for the viewer, who must be able to act."""
        if (answer := tunnela_answer(view)) is not None:
            return answer
        match view.phase:
            case Phase.DRAW:
                takes = self.uses_pile and may_take(view) and self._is_worth_taking(view)
                return TakeDiscard() if takes else DrawStock()
            case Phase.CUT:
                return CutTiplu()
            case _:
                return _show(view) or next(iter(finishes(view)), None) or self._throw(view)

    def _throw(self, view: View) -> Discard:
        goal = aim(view, self.dublees_from)
        return Discard(discards(view, count_outs=self.count_outs, goal=goal, lean=self.lean)[0].card)

    def _is_worth_taking(self, view: View) -> bool:
        """Return whether the top of the pile brings the hand nearer to its aim."""
        seat, card = view.own, view.pile[-1]
        if seat.shown is ShowKind.DUBLEES:
            return True  # a legal take always finishes then
        before = Hand.of(view)
        after = before._replace(
            concealed=sort_cards((*before.concealed, card)), dead=without(before.dead, [card])
        )
        match aim(view, self.dublees_from):
            case Aim.FINISH:
                return distance(after, view.rules) < distance(before, view.rules)
            case Aim.DUBLEES:
                have = pairs(seat.cards or (), view.rules)
                gain = card not in have and card in pairs((*(seat.cards or ()), card), view.rules)
                return gain and (_free_to_take(view) or len(have) + 1 == SHOW_DUBLEES)
            case Aim.SHOW:
                now, then = show_distance(before, view.rules), show_distance(after, view.rules)
                if not _free_to_take(view):
                    return then == 0 < now
                if then < now or (now and self.takes_for_show):
                    return then < now
                return rough_distance(after, view.rules) < rough_distance(before, view.rules)


def tunnela_answer(view: View) -> Action | None:
    """Return a computer player's answer about its tunnelas; None if it makes a move instead.

    It exposes all that it has. Out of turn, while its window is open, it may do nothing else.
    """
    faces = tunnelas(view)
    if view.own.answered or not (faces or view.phase is Phase.WINDOW or view.turn != view.viewer):
        return None
    return ExposeTunnelas(faces) if faces else DeclineTunnelas()


def _show(view: View) -> Action | None:
    """Return the show to make now: by groups rather than dublees, unless eight pairs finish at once."""
    seat, rules = view.own, view.rules
    if seat.shown is not None:
        return None
    if must_show(view):
        return shows(view)[0]  # with the card that was taken for it
    faces = pairs(seat.cards or (), rules) if rules.dublees_allowed(len(view.seats)) else ()
    if len(faces) >= FINISH_DUBLEES and (action := dublee_show(view)) is not None:
        return action
    groups = plan_show(Hand.of(view), rules)
    if groups is not None:
        return Show(groups)
    return dublee_show(view)


def _free_to_take(view: View) -> bool:
    """Return whether the discard may be taken without showing with it at once."""
    return view.rules.unseen_pickup == "free"


@dataclass(frozen=True, slots=True)
class BeginnerPlayer:
    """Always draws from the stock and discards the card with the fewest neighbours, without looking ahead.

    It shows and finishes when it can. It is deterministic.
    """

    near: int = 2
    """The greatest difference in rank between neighbours in a suit."""
    keeps_wilds: bool = True
    """Whether the player keeps wild cards, and maal after a show by dublees."""

    def choose(self, view: View) -> Action:
        """Return the action for the viewer, who must be able to act."""
        if (answer := tunnela_answer(view)) is not None:
            return answer
        match view.phase:
            case Phase.DRAW:
                return DrawStock()
            case Phase.CUT:
                return CutTiplu()
            case _:
                return next(iter((*finishes(view), *shows(view))), None) or self._throw(view)

    def _throw(self, view: View) -> Discard:
        held, fouls = view.own.concealed or (), throw_fouls(view)
        keep = _cards_to_keep(view) if self.keeps_wilds else frozenset[Card]()

        def order(card: Card) -> tuple[bool, bool, int, Card]:
            near = sum(self._are_near(card, other) for other in held) - 1  # not the card itself
            kept = card in keep or (self.keeps_wilds and not card.is_pack)
            return (card in fouls, kept, near, card)

        return Discard(min(legal_discards(view), key=order))

    def _are_near(self, card: Card, other: Card) -> bool:
        """Return whether two cards are neighbours in a suit, or equal man or master cards."""
        if not (card.is_pack and other.is_pack):
            return card == other
        return card.suit == other.suit and abs(card.rank - other.rank) <= self.near


def _cards_to_keep(view: View) -> frozenset[Card]:
    """Return the cards to keep: wild cards, or maal after a show by dublees.

    Wild cards replace nothing after such a show.
    """
    if view.own.shown is ShowKind.DUBLEES and view.tiplu is not None:
        return scoring_faces(view.tiplu, view.rules)
    return wilds(view)


def play_out(events: Sequence[Event], players: Sequence[Player]) -> Iterator[Event]:
    """Yield all events of a deal, from first to last. `players` sit at the seats; `events` have already happened."""
    yield from events
    yield from (event for event, _ in play_on(replay(events), players))


def play_on(state: State, players: Sequence[Player]) -> Iterator[tuple[Event, State]]:
    """Yield the events from this state to the end of the deal, each with the state after it."""
    while state.phase is not OVER:
        seat = _next_to_act(state)
        for event in decide(state, seat, players[seat].choose(view(state, seat))):
            state = apply(state, event)
            yield event, state


def _next_to_act(state: State) -> int:
    if state.phase is not WINDOW:
        return state.turn
    return next(index for index, seat in enumerate(state.seats) if not seat.answered)


_NEAR: Final = 2
_COPIES: Final = 3
_TAKING: Final = 0.5
"""The share of a turn's difficulty that comes from the choice whether to take the discard.

The rest grows with every show.
"""


def difficulty(view: View) -> float:
    """Return how hard the turn of the seat to act is, from 0 to 1, judged from a spectator's view.

    A draw is hard if the discard may be taken and most cards that go with it may still be in hands or in the
    stock. Every turn gets harder with each show, because more players know the tiplu and the end is nearer.
    """
    shown = sum(seat.seen for seat in view.seats) / view.players
    take = 0.0
    if view.phase is Phase.DRAW and not is_barred_in_public(view, view.turn):
        take = _hidden_share(view.pile[-1], view)
    return (1 - _TAKING) * shown + _TAKING * take


def _hidden_share(top: Card, view: View) -> float:
    """Return the share of the cards that could form a set with this one and that no one can see."""
    if not top.is_pack:
        return 1.0
    partners = {card for card in CARDS[:52] if _go_together(card, top)}
    visible = Counter(_visible(view))
    hidden = sum(max(0, _COPIES - visible[card]) for card in partners)
    return hidden / (_COPIES * len(partners) - 1)  # not the top itself


def _go_together(card: Card, other: Card) -> bool:
    return card.rank == other.rank or (card.suit == other.suit and abs(card.rank - other.rank) <= _NEAR)


def _visible(view: View) -> Iterable[Card]:
    yield from view.pile
    for seat in view.seats:
        yield from (card for group in seat.laid for card in group)
        yield from (face for face in seat.exposed for _ in range(_COPIES))
