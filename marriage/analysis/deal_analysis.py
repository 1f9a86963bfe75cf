"""The analysis of one seat's play in a finished deal: each decision against the best known then, and luck apart from it."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pydantic import TypeAdapter

from marriage.actions import Action, Discard, Finish, FinishDublees, Show, ShowDublees
from marriage.analysis.hidden import Memory
from marriage.analysis.options import (
    Option,
    difference,
    figured,
    is_like,
    options,
    worth_of_draw,
    worth_of_hand,
)
from marriage.analysis.rollouts import Position, gaps
from marriage.analysis.verdicts import Verdict, accuracy, at_four, verdict, whole_accuracy
from marriage.apply import apply, replay
from marriage.cards import Card
from marriage.events import Dealt, Drew, Event
from marriage.notation.deals import moves_of
from marriage.review.steps import QUIET
from marriage.state import State
from marriage.strategy.players import GreedyPlayer
from marriage.view import View, view

ANALYSIS_VERSION: Final = 2
"""Analyses of another version are made anew."""
_KEPT_OPTIONS: Final = 3
_PLAYED_OUT: Final = 4
"""How many decisions, the dearest first, are played out."""
_ROLLOUTS: Final = 30
"""How often each of them is played out with either option."""
_DOUBT: Final = 1.5
"""How far the estimated loss of a decision is from the true one, as a standard deviation in points at four seats."""
_SHOWS: Final = (Show, ShowDublees)
_FINISHES: Final = (Finish, FinishDublees)
_PLAYER: Final = GreedyPlayer(count_outs=False)


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision: what was chosen, what would have been best, and what the difference is worth."""

    step: int
    """The step of the replay at which it was to be made, from 0."""
    chosen: Option
    best: Option
    others: tuple[Option, ...]
    """The best of the other options."""
    loss: float
    """The points that the choice lost, 0 and more."""
    verdict: Verdict
    accuracy: float
    """From 0 to 100."""
    rollouts: int = 0
    """With how many pairs of rollouts the loss was checked."""

    @property
    def missed_show(self) -> bool:
        """Whether a show was possible and better."""
        return isinstance(self.best.action, _SHOWS) and not isinstance(self.chosen.action, _SHOWS)

    @property
    def missed_finish(self) -> bool:
        """Whether a finish was possible and better."""
        return isinstance(self.best.action, _FINISHES) and not isinstance(self.chosen.action, _FINISHES)


@dataclass(frozen=True, slots=True)
class Draw:
    """A card from the stock, and how lucky it was."""

    step: int
    """The step of the replay at which the card was drawn."""
    card: Card
    luck: float
    """The points by which the hand is worth more than it could expect to be after the draw."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """How one seat played one deal."""

    seat: int
    players: int
    decisions: tuple[Decision, ...]
    """In the order of play; those that had only one option are left out."""
    draws: tuple[Draw, ...]
    net: int
    """What the seat gained by the deal."""
    version: int = ANALYSIS_VERSION

    @property
    def accuracy(self) -> float | None:
        """From 0 to 100; None if there was nothing to decide."""
        return whole_accuracy([decision.accuracy for decision in self.decisions])

    @property
    def lost(self) -> float:
        """The points that all decisions lost together."""
        return sum(decision.loss for decision in self.decisions)

    @property
    def drawn_luck(self) -> float:
        """The points that the drawn cards brought beyond expectation."""
        return sum(draw.luck for draw in self.draws)

    @property
    def dealt_luck(self) -> float:
        """What the dealt hand was worth at the first decision: all hands together are worth nothing."""
        return self.decisions[0].best.points if self.decisions else 0.0

    @property
    def rest(self) -> float:
        """What is left of the result: the cards and moves of the others, the tiplu, and what the estimates do not see."""
        return self.net - self.dealt_luck - self.drawn_luck + self.lost

    @property
    def worst(self) -> tuple[Decision, ...]:
        """The three decisions that lost most, the dearest first; good ones are none of them."""
        wrong = [decision for decision in self.decisions if decision.verdict is not Verdict.GOOD]
        return tuple(sorted(wrong, key=lambda decision: -decision.loss)[:3])

    @property
    def dearest_throw(self) -> Decision | None:
        """The throw that lost most against another throw; None if no throw was wrong."""
        throws = [
            decision
            for decision in self.decisions
            if isinstance(decision.chosen.action, Discard) and isinstance(decision.best.action, Discard)
        ]
        dearest = max(throws, key=lambda decision: decision.loss, default=None)
        return dearest if dearest is not None and dearest.verdict is not Verdict.GOOD else None

    def count(self, kind: Verdict) -> int:
        """How many decisions have this verdict."""
        return sum(decision.verdict is kind for decision in self.decisions)


ANALYSIS: Final = TypeAdapter(Analysis)
"""Reads and writes analyses as JSON."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision as it came up in a deal, before it is judged."""

    step: int
    view: View
    action: Action
    position: Position


def choices(events: Sequence[Event], seat: int) -> Iterator[Choice]:
    """The decisions of a seat in a finished deal; `events` must be unmasked, as they are stored."""
    for step, state, event, memory in _walk(events):
        for mover, action in () if isinstance(event, Dealt) else moves_of(event):
            if mover == seat and state is not None:
                yield Choice(step, view(state, seat), action, Position(state, seat, memory.held()))


Judging = Generator[None, None, tuple[Decision, ...]]
Drawing = Generator[None, None, tuple[Draw, ...]]


def analyse(events: Sequence[Event], seat: int) -> Generator[None, None, Analysis]:
    """The analysis of a seat's play; `events` are those of a finished deal, unmasked.

    It is made of three parts, which may be asked for one by one. All of them pause after each piece of work, so that they
    may be given up there. The work is counted, never timed: the same deal has the same analysis. Raises ValueError for a deal
    that is not over.
    """
    decisions = yield from judge(events, seat)
    decisions = yield from check_dearest(events, seat, decisions)
    draws = yield from weigh_draws(events, seat)
    return put_together(events, seat, decisions, draws)


def judge(events: Sequence[Event], seat: int) -> Judging:
    """The first part: every decision with its loss as estimated."""
    found: list[Decision] = []
    for choice in choices(events, seat):
        decision = judged(choice)
        if decision is not None:
            found.append(decision)
        yield
    return tuple(found)


def check_dearest(events: Sequence[Event], seat: int, decisions: Sequence[Decision]) -> Judging:
    """The second part: the losses of the dearest decisions corrected by rollouts."""
    dear = [each for each in decisions if each.verdict in (Verdict.MISTAKE, Verdict.BLUNDER)]
    dearest = {
        (each.step, each.chosen.action) for each in sorted(dear, key=lambda each: -each.loss)[:_PLAYED_OUT]
    }
    by_place = {(choice.step, choice.action): choice for choice in choices(events, seat)}
    found: list[Decision] = []
    for decision in decisions:
        place = (decision.step, decision.chosen.action)
        if place in dearest:
            decision = yield from _played_out(by_place[place], decision)  # noqa: PLW2901 - the same, known better
        found.append(decision)
    return tuple(found)


def weigh_draws(events: Sequence[Event], seat: int) -> Drawing:
    """The third part: how lucky each card from the stock was."""
    found: list[Draw] = []
    for step, state, event, _ in _walk(events):
        if isinstance(event, Drew) and event.seat == seat and state is not None:
            found.append(_draw(step, state, event))
            yield
    return tuple(found)


def put_together(
    events: Sequence[Event], seat: int, decisions: Sequence[Decision], draws: Sequence[Draw]
) -> Analysis:
    """The whole analysis; raises ValueError for a deal that is not over."""
    end = replay(events)
    if end.sheet is None:
        raise ValueError("the deal is not over")
    return Analysis(seat, len(end.seats), tuple(decisions), tuple(draws), end.sheet.lines[seat].net)


def _walk(events: Sequence[Event]) -> Iterator[tuple[int, State | None, Event, Memory]]:
    """Each event, with the state before it, the step of the replay that shows this state, and what everybody remembers."""
    state: State | None = None
    memory, step = Memory(), -1
    for event in events:
        yield step, state, event, memory
        state = apply(state, event)
        memory.follow(event)
        step += not isinstance(event, QUIET) or step < 0


def judged(choice: Choice) -> Decision | None:
    """The decision with its loss as estimated; None if there was nothing to choose."""
    found = options(choice.view)
    if len(found) < 2:
        return None
    chosen = next((option for option in found if is_like(option.action, choice.action)), None)
    if chosen is None:
        return None
    best = found[0]
    decision = Decision(
        step=choice.step,
        chosen=replace(figured(choice.view, chosen), action=choice.action),
        best=figured(choice.view, best),
        others=tuple(option for option in found[1:] if option is not chosen)[:_KEPT_OPTIONS],
        loss=0.0,
        verdict=Verdict.GOOD,
        accuracy=100.0,
    )
    return _with_loss(decision, difference(best, chosen), choice.view.players)


def _with_loss(decision: Decision, loss: float, players: int) -> Decision:
    loss = max(0.0, loss)
    return replace(
        decision,
        loss=loss,
        verdict=verdict(loss, players),
        accuracy=accuracy(decision.best.points, loss, players),
    )


def _played_out(choice: Choice, decision: Decision) -> Generator[None, None, Decision]:
    """The decision with its loss corrected by rollouts: both are weighed by how far they are to be trusted."""
    players = choice.view.players
    seed = f"{choice.position.seat}:{choice.step}"
    played = gaps(choice.position, decision.best.action, choice.action, _PLAYER, seed)
    gap = next(played)
    yield
    while len(gap.samples) < _ROLLOUTS:
        gap = next(played)
        yield
    doubt = _DOUBT / at_four(1.0, players)
    trust, trust_in_gap = 1 / doubt**2, 1 / max(gap.error, 0.1) ** 2
    loss = (trust * decision.loss + trust_in_gap * gap.mean) / (trust + trust_in_gap)
    return replace(_with_loss(decision, loss, players), rollouts=len(gap.samples))


def _draw(step: int, state: State, event: Drew) -> Draw:
    before = view(state, event.seat)
    after = view(apply(state, event), event.seat)
    return Draw(step + 1, event.card, worth_of_hand(after) - worth_of_draw(before))
