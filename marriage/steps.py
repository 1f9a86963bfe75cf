"""A deal step by step, as one seat saw it, as those who watched saw it, or with every hand open.

For deals that are over: `Step.opened` hides nothing.
"""

from collections.abc import Iterable
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

_QUIET = (TunnelasDeclined, WindowClosed, TipluTurned, Settled)
"""What is no step of its own, but belongs to the one before it."""
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
class Moment:
    """One step as somebody knew it."""

    event: Event
    """What happened; `UNKNOWN` stands for the cards that he did not see."""
    view: View
    """The deal right afterwards."""


@dataclass(frozen=True, slots=True, repr=False)
class Step:
    """One thing that happened, and the deal after it: for the engine's eyes, who shows it asks for a `Moment`."""

    event: Event
    state: State

    @property
    def notable(self) -> bool:
        """Whether it is a turning point: somebody exposed, showed, saw the tiplu, claimed wrongly or ended the deal."""
        return isinstance(self.event, _NOTABLE)

    def seen_by(self, seat: int | None) -> Moment:
        """Exactly what this seat, or a spectator for None, knew then."""
        return Moment(mask(self.event, seat), view(self.state, seat))

    def opened(self) -> Moment:
        """With every hand and the tiplu open, which nobody could see before the deal was over."""
        whole = view(self.state, None)
        seats = tuple(view(self.state, seat).seats[seat] for seat in range(whole.players))
        return Moment(self.event, replace(whole, seats=seats, tiplu=self.state.tiplu, drawn=self.state.drawn))


def steps(events: Iterable[Event]) -> tuple[Step, ...]:
    """The steps that these events make, the deal itself first; raises ValueError for a log that makes no sense."""
    found: list[Step] = []
    state: State | None = None
    for event in events:
        state = apply(state, event)
        if found and isinstance(event, _QUIET):
            found[-1] = Step(found[-1].event, state)
        else:
            found.append(Step(event, state))
    return tuple(found)
