"""Analyse one seat's play of a finished deal: compare its decisions with the best ones, and separate out luck.

Options are played out from sampled deals (`marriage.analysis.hidden`). Every option is played from the same deals, so that the
luck of the cards cancels in the difference.
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final

from pydantic import TypeAdapter

from marriage.actions import Action, Discard, Finish, FinishDublees, Show, ShowDublees
from marriage.analysis.hidden import Memory, deal_anew
from marriage.analysis.options import (
    Option,
    difference,
    figured,
    is_like,
    options,
    worth_of_draw,
    worth_of_hand,
)
from marriage.analysis.verdicts import Verdict, accuracy, at_four, verdict, whole_accuracy
from marriage.apply import apply, replay
from marriage.cards import Card, Cards
from marriage.decide import decide
from marriage.events import Dealt, Drew, Event
from marriage.notation.deals import moves_of
from marriage.review import QUIET
from marriage.sheet import Sheet
from marriage.state import State
from marriage.strategy.players import GreedyPlayer, Player, play_on
from marriage.view import View, view


@dataclass(frozen=True, slots=True)
class Position:
    """A decision to judge: the state of the deal, the seat to act, and the publicly known concealed cards."""

    state: State
    seat: int
    remembered: Mapping[int, Cards]


@dataclass(slots=True)
class Gap:
    """The difference in points between two options, as measured by rollouts."""

    samples: list[int] = field(default_factory=list[int])

    @property
    def mean(self) -> float:
        """The mean difference; 0 before the first rollout."""
        return fmean(self.samples) if self.samples else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean; infinite with fewer than two rollouts."""
        return stdev(self.samples) / sqrt(len(self.samples)) if len(self.samples) > 1 else float("inf")


def gaps(position: Position, better: Action, worse: Action, player: Player, seed: str) -> Iterator[Gap]:
    """Yield the difference after one pair of rollouts, after two, and so on without end."""
    gap = Gap()
    random = Random(seed)  # noqa: S311 - no secret
    while True:
        state = deal_anew(position.state, position.seat, position.remembered, random)
        first, second = (_result(state, position.seat, action, player) for action in (better, worse))
        gap.samples.append(first - second)
        yield gap


def _result(state: State, seat: int, action: Action, player: Player) -> int:
    """Return the seat's points at the end of the deal if it takes this action and every seat then plays as `player`."""
    for event in decide(state, seat, action):
        state = apply(state, event)
    for _, after in play_on(state, [player] * len(state.seats)):
        state = after
    if state.sheet is None:
        raise RuntimeError("a deal that is played to its end has a sheet")
    return state.sheet.lines[seat].net


ANALYSIS_VERSION: Final = 4
"""Increase this when results change: stored analyses of another version are recomputed."""
_KEPT_OPTIONS: Final = 3
_PLAYED_OUT: Final = 4
"""The number of decisions checked by rollouts; the costliest ones are chosen."""
_ROLLOUTS: Final = 30
"""The number of rollouts of each option of such a decision."""
_DOUBT: Final = 1.5
"""The standard deviation of a decision's estimated loss from its true loss, in points at four seats."""
_SHOWS: Final = (Show, ShowDublees)
_FINISHES: Final = (Finish, FinishDublees)
_PLAYER: Final = GreedyPlayer(count_outs=False)


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision: the chosen option, the best option, and the difference in points."""

    step: int
    """The replay step at which the decision was made, counted from 0."""
    chosen: Option
    best: Option
    others: tuple[Option, ...]
    """The best other options."""
    loss: float
    """The points lost by the choice; at least 0."""
    verdict: Verdict
    accuracy: float
    """The accuracy in percent, from 0 to 100."""
    rollouts: int = 0
    """The number of rollout pairs that checked the loss."""

    @property
    def missed_show(self) -> bool:
        """Whether the seat missed a show that was better than its choice."""
        return isinstance(self.best.action, _SHOWS) and not isinstance(self.chosen.action, _SHOWS)

    @property
    def missed_finish(self) -> bool:
        """Whether the seat missed a finish that was better than its choice."""
        return isinstance(self.best.action, _FINISHES) and not isinstance(self.chosen.action, _FINISHES)


@dataclass(frozen=True, slots=True)
class Draw:
    """A card from the stock, and how lucky it was."""

    step: int
    """The replay step at which the card was drawn, counted from 0."""
    card: Card
    luck: float
    """The points by which the hand is worth more after the draw than was expected before it."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """How one seat played one deal."""

    seat: int
    players: int
    decisions: tuple[Decision, ...]
    """The decisions in the order of play, without those that had only one option."""
    draws: tuple[Draw, ...]
    net: int
    """The points that the seat gained in the deal."""
    version: int = ANALYSIS_VERSION

    @property
    def accuracy(self) -> float | None:
        """The accuracy from 0 to 100; None if there was nothing to decide."""
        return whole_accuracy([decision.accuracy for decision in self.decisions])

    @property
    def lost(self) -> float:
        """The points lost by all decisions together."""
        return sum(decision.loss for decision in self.decisions)

    @property
    def drawn_luck(self) -> float:
        """The points that the drawn cards brought beyond expectation."""
        return sum(draw.luck for draw in self.draws)

    @property
    def dealt_luck(self) -> float:
        """The worth of the dealt hand at the first decision. The average hand is worth 0."""
        return self.decisions[0].best.points if self.decisions else 0.0

    @property
    def rest(self) -> float:
        """The rest of the result: the others' cards and moves, the tiplu, and errors of the estimates."""
        return self.net - self.dealt_luck - self.drawn_luck + self.lost

    @property
    def worst(self) -> tuple[Decision, ...]:
        """The three decisions that lost most, the costliest first, without good decisions."""
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
        """Return the number of decisions with this verdict."""
        return sum(decision.verdict is kind for decision in self.decisions)


ANALYSIS: Final = TypeAdapter(Analysis)
"""Reads and writes analyses as JSON."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision that came up in a deal, before it is judged."""

    step: int
    view: View
    action: Action
    position: Position


def choices(events: Sequence[Event], seat: int) -> Iterator[Choice]:
    """Yield the decisions of a seat in a finished deal. `events` must be unmasked, as stored."""
    for step, state, event, memory in _walk(events):
        for mover, action in () if isinstance(event, Dealt) else moves_of(event):
            if mover == seat and state is not None:
                yield Choice(step, view(state, seat), action, Position(state, seat, memory.held()))


Judging = Generator[None, None, tuple[Decision, ...]]
Drawing = Generator[None, None, tuple[Draw, ...]]


def analyse(events: Sequence[Event], seat: int) -> Generator[None, None, Analysis]:
    """Analyse a seat's play. `events` are the unmasked events of a finished deal.

    The analysis has three parts, which can also be run separately. The generators pause after each piece of
    work, so that the caller can abandon them there. The amount of work is counted, never timed, so the same
    deal always gets the same analysis. Raises ValueError for a deal that is not over.
    """
    ended(events)
    decisions = yield from judge(events, seat)
    decisions = yield from check_dearest(events, seat, decisions)
    draws = yield from weigh_draws(events, seat)
    return put_together(events, seat, decisions, draws)


def judge(events: Sequence[Event], seat: int) -> Judging:
    """Run the first part: estimate the loss of every decision."""
    found: list[Decision] = []
    for choice in choices(events, seat):
        decision = judged(choice)
        if decision is not None:
            found.append(decision)
        yield
    return tuple(found)


def check_dearest(events: Sequence[Event], seat: int, decisions: Sequence[Decision]) -> Judging:
    """Run the second part: correct the losses of the costliest decisions by rollouts."""
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
    """Run the third part: measure how lucky each card from the stock was."""
    found: list[Draw] = []
    for step, state, event, _ in _walk(events):
        if isinstance(event, Drew) and event.seat == seat and state is not None:
            found.append(_draw(step, state, event))
            yield
    return tuple(found)


def put_together(
    events: Sequence[Event], seat: int, decisions: Sequence[Decision], draws: Sequence[Draw]
) -> Analysis:
    """Combine the three parts into an analysis; raises ValueError for a deal that is not over."""
    lines = ended(events).lines
    return Analysis(seat, len(lines), tuple(decisions), tuple(draws), lines[seat].net)


def ended(events: Sequence[Event]) -> Sheet:
    """Return the sheet of a deal; raises ValueError if it is not over."""
    sheet = replay(events).sheet
    if sheet is None:
        raise ValueError("the deal is not over")
    return sheet


def _walk(events: Sequence[Event]) -> Iterator[tuple[int, State | None, Event, Memory]]:
    """Yield each event with the state before it, its replay step, and what everybody remembers."""
    state: State | None = None
    memory, step = Memory(), -1
    for event in events:
        yield step, state, event, memory
        state = apply(state, event)
        memory.follow(event)
        step += not isinstance(event, QUIET)


def judged(choice: Choice) -> Decision | None:
    """Return the decision with its estimated loss; None if there was only one option."""
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
    """Correct a decision's loss by rollouts. The mean weighs the estimate and the rollouts by their reliability."""
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
