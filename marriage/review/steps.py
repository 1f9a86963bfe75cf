"""A finished deal step by step: as one seat saw it, as spectators saw it, or with all hands open.

Use it only for deals that are over: `ReviewStep.opened` hides nothing.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from marriage.apply import apply
from marriage.events import (
    ClaimFailed,
    Dealt,
    Dismissed,
    Event,
    Finished,
    FinishedDublees,
    FoulLifted,
    FoulRuled,
    Settled,
    Showed,
    ShowedDublees,
    TipluCut,
    TipluSeen,
    TipluTurned,
    TunnelasDeclined,
    TunnelasExposed,
    WindowClosed,
)
from marriage.state import State
from marriage.view import View, mask, view

QUIET = (TunnelasDeclined, WindowClosed, TipluTurned, Settled)
"""Events shown together with the step before them."""
_NOTABLE = (
    Dealt,
    TunnelasExposed,
    Showed,
    ShowedDublees,
    TipluCut,
    TipluSeen,
    ClaimFailed,
    FoulRuled,
    FoulLifted,
    Finished,
    FinishedDublees,
    Dismissed,
)


@dataclass(frozen=True, slots=True)
class SeenStep:
    """One step as one viewer saw it."""

    event: Event
    """The event; cards that the viewer did not see are `UNKNOWN`."""
    view: View
    """The deal right after the event."""


@dataclass(frozen=True, slots=True, repr=False)
class ReviewStep:
    """One event and the complete state after it. Call `seen_by` or `opened` to get a `SeenStep` to show."""

    event: Event
    state: State

    @property
    def notable(self) -> bool:
        """Whether the step is a turning point: the deal, an exposure, a show, a look at the tiplu, a foul or the end."""
        return isinstance(self.event, _NOTABLE)

    def seen_by(self, seat: int | None) -> SeenStep:
        """What this seat knew then; None stands for a spectator."""
        return SeenStep(mask(self.event, seat), view(self.state, seat))

    def opened(self) -> SeenStep:
        """Return the step with all hands and the tiplu open, as no player could see it before the deal was over."""
        whole = view(self.state, None)
        seats = tuple(view(self.state, seat).seats[seat] for seat in range(whole.players))
        return SeenStep(
            self.event, replace(whole, seats=seats, tiplu=self.state.tiplu, drawn=self.state.drawn)
        )


def steps(events: Iterable[Event]) -> tuple[ReviewStep, ...]:
    """The steps of a deal, starting with the dealing; raises ValueError for an impossible sequence of events."""
    return tuple(step_by_step(events))


def step_by_step(events: Iterable[Event]) -> Iterator[ReviewStep]:
    """Yield the same steps, each computed when it is needed."""
    step: ReviewStep | None = None
    state: State | None = None
    for event in events:
        state = apply(state, event)
        if step is not None and isinstance(event, QUIET):
            step = ReviewStep(step.event, state)
            continue
        if step is not None:
            yield step
        step = ReviewStep(event, state)
    if step is not None:
        yield step
