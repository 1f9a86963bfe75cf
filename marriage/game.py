"""One deal as an object: who acts, what they may do, moves forwards and back, the score, and the deal as text.

It is for programs that use the engine. A `Game` knows every card, so a player's code should receive only a `view`.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Final

from marriage.actions import Action, Show, ShowDublees
from marriage.apply import apply, replay
from marriage.decide import decide
from marriage.errors import IllegalActionError
from marriage.events import ClaimFailed, Event
from marriage.legal import every_finish, legal_actions
from marriage.notation import Deal, read_deal, write_deal
from marriage.notation.deals import Move, begin
from marriage.rules import SHOW_DUBLEES, Rules
from marriage.sheet import Sheet
from marriage.shuffle import SEED_BYTES, DealSeed
from marriage.solver import pairs
from marriage.state import OVER, PLAY, WINDOW, State
from marriage.strategy.showable_sets import every_show
from marriage.view import View, own_view, view

_TABLE: Final = "game"


class Game:
    """A deal in progress.

    Wherever a seat can be given, None means the only seat that may act. ValueError is raised if there are
    several or none, and for a seat that does not exist.
    """

    def __init__(self, deal: Deal) -> None:
        """Deal the cards and play the moves of `deal`.

        Raises ValueError if it has an impossible number of seats or an impossible dealer, and IllegalActionError for a move
        that the rules refuse.
        """
        self._deal = deal
        events = begin(deal)
        self._steps: list[tuple[list[Event], State]] = [(events, replay(events))]
        """The events caused by the deal and by each move, each with the state after them."""
        self._moves: list[Move] = []
        for seat, action in deal.moves:
            self.push(action, seat)

    @classmethod
    def new(cls, rules: Rules, players: int, seed: bytes, *, dealer: int = 0) -> "Game":
        """Deal new cards. They follow from the 32 bytes of the seed, which must stay secret until the end.

        Raises ValueError for another length, and as the class does.
        """
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        return cls(Deal(rules=rules, key=DealSeed(seed, _TABLE, 1), seats=players, dealer=dealer))

    @classmethod
    def read(cls, text: str) -> "Game":
        """Read what `write` wrote; raises ValueError, also for an illegal move."""
        return cls(read_deal(text))

    def write(self) -> str:
        """Return the deal and its moves as text. It contains the seed."""
        return write_deal(replace(self._deal, moves=self.moves))

    @property
    def state(self) -> State:
        """The state after the last move."""
        return self._steps[-1][1]

    @property
    def events(self) -> tuple[Event, ...]:
        """All events so far."""
        return tuple(event for events, _ in self._steps for event in events)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves so far, each a seat and its action."""
        return tuple(self._moves)

    @property
    def is_over(self) -> bool:
        """Whether the deal has ended."""
        return self.state.phase is OVER

    @property
    def sheet(self) -> Sheet | None:
        """The score sheet; None until the deal is over."""
        return self.state.sheet

    @property
    def acting(self) -> tuple[int, ...]:
        """The seats that may act now.

        While tunnelas can be exposed these are all that have not answered, else the one whose turn it is.
        """
        if self.is_over:
            return ()
        if self.state.phase is not WINDOW:
            return (self.state.turn,)
        return tuple(number for number, seat in enumerate(self.state.seats) if not seat.answered)

    def view(self, seat: int | None = None) -> View:
        """Return what this seat may know."""
        return view(self.state, self._seat(seat))

    def legal_actions(self, seat: int | None = None) -> tuple[Action, ...]:
        """Return the actions that the seat may take, with one way to show and one to finish.

        Empty if it may not act.
        """
        return legal_actions(own_view(self.state, self._seat(seat)))

    def shows(self, seat: int | None = None) -> Iterator[Show | ShowDublees]:
        """Yield every show that the seat may make now. There can be thousands."""
        number = self._seat(seat)
        if not self._plays(number):
            return
        seen = view(self.state, number)
        yield from map(Show, every_show(seen))
        for faces in combinations(pairs(seen.own.cards or (), seen.rules), SHOW_DUBLEES):
            if self.is_legal(by_dublees := ShowDublees(faces), number):
                yield by_dublees

    def finishes(self, seat: int | None = None) -> Iterator[Action]:
        """Yield a finish for each closing discard and each eighth dublee that the rules allow now."""
        number = self._seat(seat)
        return every_finish(own_view(self.state, number)) if self._plays(number) else iter(())

    def is_legal(self, action: Action, seat: int | None = None) -> bool:
        """Return whether the seat may do this now. A false claim, which the rules punish, is not legal."""
        try:
            events = decide(self.state, self._seat(seat), action)
        except IllegalActionError:
            return False
        return not isinstance(events[0], ClaimFailed)

    def push(self, action: Action, seat: int | None = None) -> list[Event]:
        """Make a move; returns what it causes. Raises IllegalActionError, whose code names the broken rule."""
        number, state = self._seat(seat), self.state
        events = decide(state, number, action)
        for event in events:
            state = apply(state, event)
        self._steps.append((events, state))
        self._moves.append((number, action))
        return list(events)

    def pop(self) -> Move:
        """Take back the last move and return it; raises IndexError if there is none."""
        move = self._moves.pop()
        self._steps.pop()
        return move

    def _plays(self, seat: int) -> bool:
        """Return whether it is this seat's turn and it has drawn."""
        return self.state.phase is PLAY and seat == self.state.turn

    def _seat(self, seat: int | None) -> int:
        if seat is not None:
            if not 0 <= seat < len(self.state.seats):
                raise ValueError(f"there is no seat {seat}")
            return seat
        if len(self.acting) != 1:
            raise ValueError(f"{len(self.acting)} seats may act now, so name one")
        return self.acting[0]
