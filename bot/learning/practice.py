"""Practice deals for learners: one stored row per person, without a table, and not counted anywhere."""

import asyncio
from dataclasses import dataclass

from bot.clock import Clock
from bot.errors import StaleRevisionError
from bot.interactions.choices import Choice
from bot.people import NamedPerson
from bot.table.core.snapshot import Holder
from data.errors import RevisionConflictError
from data.repositories.learning import PracticeRow
from data.store import Store
from data.transaction import WriteTransaction
from marriage.actions import Action
from marriage.apply import replay
from marriage.events import Discarded, Event
from marriage.state import Phase
from marriage.strategy.practice import LEARNER, advised, after, opening
from marriage.view import View, view


@dataclass(frozen=True, slots=True, repr=False)
class Lesson:
    """A practice deal as the learner sees it now."""

    revision: int
    events: tuple[Event, ...]
    view: View
    advised: Action | None
    """The action that the computer would choose for the learner; None once the deal is over."""
    holder: Holder
    """The learner's card preferences."""

    @property
    def is_over(self) -> bool:
        """Whether the deal has ended."""
        return self.view.phase is Phase.OVER

    @property
    def has_discarded(self) -> bool:
        """Whether the learner has completed a turn."""
        return any(isinstance(event, Discarded) and event.seat == LEARNER for event in self.events)


class Practice:
    """Opens practice deals and plays their moves."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def open(self, person: NamedPerson) -> Lesson:
        """Return the deal where the person left it; a new one at first, and after the last one is over."""
        row = await self._store.read(lambda db: db.practice.get(person.id))
        if row is None or replay(row.events).phase is Phase.OVER:
            return await self.begin(person)
        return await self._lesson(row)

    async def begin(self, person: NamedPerson) -> Lesson:
        """Return a new deal."""
        events = await asyncio.to_thread(opening)
        now = self._clock.now()

        async def write(db: WriteTransaction):
            await person.keep(db, now)
            row = await db.practice.get(person.id)
            return await db.practice.set(person.id, row.revision if row else 0, events, now)

        row = await self._store.write(write)
        return await self._lesson(row)

    async def act(self, person: NamedPerson, revision: int, choose: Choice) -> tuple[Lesson, str | None]:
        """Return the deal after the person's move, and the key of a comment if it was not the advised move.

        Raises IllegalActionError and UserError like a table, and StaleRevisionError for an old button.
        """
        row = await self._store.read(lambda db: db.practice.get(person.id))
        if row is None or row.revision != revision:
            raise StaleRevisionError
        state = replay(row.events)
        action = await asyncio.to_thread(choose, view(state, LEARNER))
        wanted = await asyncio.to_thread(advised, state)
        events = await asyncio.to_thread(after, row.events, action)
        try:
            row = await self._store.write(
                lambda db: db.practice.set(person.id, revision, events, self._clock.now())
            )
        except RevisionConflictError:
            raise StaleRevisionError from None
        return await self._lesson(row), None if action == wanted else "practice.other"

    async def _lesson(self, row: PracticeRow) -> Lesson:
        state = replay(row.events)
        return Lesson(
            revision=row.revision,
            events=row.events,
            view=view(state, LEARNER),
            advised=await asyncio.to_thread(advised, state),
            holder=Holder(await self._store.directory.person_settings(row.person_id)),
        )
