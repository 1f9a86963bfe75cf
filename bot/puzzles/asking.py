"""Asking puzzles: the next one for a person, the one of the day, and what an answer changes."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import date
from typing import Final

from bot.clock import Clock
from bot.daily.days import day_at
from bot.errors import UnexpectedInputError, UserError
from bot.people import NamedPerson
from bot.puzzles.mining import PuzzleMiner
from data.preferences import PersonSettings
from data.repositories.learning import AnswerRow, PuzzleRow
from data.store import HAS_STORED, Store, aside
from data.transaction import ReadTransaction, WriteTransaction
from league.statistics.duplicate import current_streak
from league.statistics.puzzle_ratings import NEWCOMER, Strength, after_answer
from league.statistics.ratings import MU
from marriage.puzzles import PuzzleKind, view_of
from marriage.view import View

_KINDS: Final = (PuzzleKind.CARD, PuzzleKind.FINISH, PuzzleKind.SETS)
"""The kinds of the puzzle of the day, in turn."""


@dataclass(frozen=True, slots=True, repr=False)
class AskedPuzzle:
    """A puzzle as one person sees it now."""

    row: PuzzleRow
    view: View
    player: Strength
    """The person's strength, after their answer if they gave one."""
    settings: PersonSettings
    answer: AnswerRow | None
    """The person's first answer; None before it."""
    today: date
    today_open: bool
    """Whether the person has yet to answer today's puzzle."""
    streak: int
    """The number of days in a row on which the person has answered the puzzle of the day."""

    @property
    def is_of_today(self) -> bool:
        """Whether this is today's puzzle."""
        return self.row.day == self.today.isoformat()


class Puzzles:
    """Ask puzzles and record answers. Only the first answer to a puzzle counts, from any device."""

    def __init__(self, store: Store, clock: Clock, miner: PuzzleMiner) -> None:
        self._store = store
        self._clock = clock
        self._miner = miner

    async def next(self, person: NamedPerson) -> AskedPuzzle:
        """Return the person's open puzzle, or the unanswered one nearest to their strength."""
        return await self._asked(person, _next_row)

    async def of_today(self, person: NamedPerson) -> AskedPuzzle:
        """Return the puzzle of the day, which the first person to ask draws for everyone.

        Raises UserError for a person who has answered it and has been forgotten since.
        """
        day, now = self._today(), self._clock.now()

        async def row_of_day(db: WriteTransaction, _: NamedPerson) -> PuzzleRow | None:
            row = await db.puzzles.of_day(day.isoformat()) or await _draw(db, day)
            if row is not None and await db.puzzles.answer_of(row.id, person.id) is None:
                await _require_not_forgotten(db, row, person, now)
            return row

        return await self._asked(person, row_of_day)

    async def answer(self, person: NamedPerson, puzzle_id: int, choice: int) -> AskedPuzzle:
        """Return the puzzle after the person's answer, which counts if it is their first.

        Raises UserError for a puzzle that the person was not asked, and UnexpectedInputError for an option
        that it lacks.
        """
        now, today = self._clock.now(), self._today().isoformat()

        async def write(db: WriteTransaction) -> AskedPuzzle:
            row = await db.puzzles.get(puzzle_id)
            if row is None:
                raise UserError("puzzle.gone")
            if choice >= len(row.puzzle.options):
                raise UnexpectedInputError("an answer that the puzzle does not offer")
            if await db.puzzles.answer_of(puzzle_id, person.id) is None:
                await person.keep(db, now)
                await _count(db, row, person, choice, now, today)
            return await self._seen(db, row.id, person)

        return await self._store.write(write)

    async def share(self, person: NamedPerson, puzzle_id: int) -> AskedPuzzle:
        """Return a day's answered puzzle to show to others.

        Raises UserError without an answer, or the second time.
        """

        async def write(db: WriteTransaction) -> AskedPuzzle:
            given = await db.puzzles.answer_of(puzzle_id, person.id)
            if given is None or given.day is None:
                raise UserError("puzzle.gone")
            if given.shared:
                raise UserError("puzzle.shared_already")
            await db.puzzles.set_shared(puzzle_id, person.id, shared=True)
            return await self._seen(db, puzzle_id, person)

        return await self._store.write(write)

    async def unshare(self, person: NamedPerson, puzzle_id: int) -> None:
        """Let the person share the puzzle again, because it could not be posted."""
        await self._store.write(lambda db: db.puzzles.set_shared(puzzle_id, person.id, shared=False))
        HAS_STORED.set(False)  # as if nothing had been posted

    def _today(self) -> date:
        return day_at(self._clock.now(), "UTC").date

    async def _asked(
        self,
        person: NamedPerson,
        choose: Callable[[WriteTransaction, NamedPerson], Awaitable[PuzzleRow | None]],
    ) -> AskedPuzzle:
        """Return the chosen puzzle. If there is none, search for more first; raises UserError if that finds none."""

        async def ask(db: WriteTransaction) -> AskedPuzzle | None:
            await person.keep(db, self._clock.now())
            row = await choose(db, person)
            if row is None:
                return None
            if row.day is None:
                await db.puzzles.offer(person.id, row.id)
            return await self._seen(db, row.id, person)

        with aside():
            asked = await self._store.write(ask)
            if asked is None:
                await self._miner.search_for(person.id)
                asked = await self._store.write(ask)
        if asked is None:
            raise UserError("puzzle.none")
        return asked

    async def _seen(self, db: ReadTransaction, puzzle_id: int, person: NamedPerson) -> AskedPuzzle:
        row = await db.puzzles.get(puzzle_id)
        if row is None:
            raise UserError("puzzle.gone")
        player, kept = await db.puzzles.player(person.id), await db.people.get(person.id)
        today = self._today()
        days = {date.fromisoformat(day) for day in await db.puzzles.days_answered(person.id)}
        return AskedPuzzle(
            row=row,
            view=view_of(row.position, row.seat),
            player=player.strength if player else NEWCOMER,
            settings=kept.settings if kept else PersonSettings(),
            answer=await db.puzzles.answer_of(puzzle_id, person.id),
            today=today,
            today_open=today not in days,
            streak=current_streak(days, today),
        )


def _ends_at(now: int) -> int:
    """Return when the day of the puzzle of the day ends, in milliseconds since 1970."""
    return day_at(now, "UTC").ends_at


async def _require_not_forgotten(db: ReadTransaction, row: PuzzleRow, person: NamedPerson, now: int) -> None:
    """Raise UserError for a person who has answered today's puzzle and has been forgotten since."""
    if await db.limits.is_limited(person.id, "puzzle", row.id):
        raise UserError("puzzle.forgotten", at=_ends_at(now))


async def _next_row(db: WriteTransaction, person: NamedPerson) -> PuzzleRow | None:
    if (waits := await db.puzzles.offered_to(person.id)) is not None:
        return waits
    player = await db.puzzles.player(person.id)
    return await db.puzzles.nearest(person.id, player.mu if player else MU)


async def _draw(db: WriteTransaction, day: date) -> PuzzleRow | None:
    """Make an unanswered puzzle the puzzle of a day; None if there is none."""
    kind = _KINDS[day.toordinal() % len(_KINDS)]
    row = await db.puzzles.unasked(MU, kind) or await db.puzzles.unasked(MU)
    if row is None:
        return None
    await db.puzzles.set_day(row.id, day.isoformat())
    return await db.puzzles.get(row.id)


async def _count(
    db: WriteTransaction, row: PuzzleRow, person: NamedPerson, choice: int, now: int, today: str
) -> None:
    """Store a first answer.

    Raises UserError if the person was not asked this puzzle, or gave an answer today and was forgotten since.
    """
    player = await db.puzzles.player(person.id)
    of_a_day = row.day is not None and row.day <= today
    if not of_a_day and (player is None or player.offered != row.id):
        raise UserError("puzzle.gone")
    before = player.strength if player else NEWCOMER
    right = choice == row.puzzle.best
    after, of_puzzle = after_answer(before, row.strength, right=right)
    day = today if row.day == today else None
    if day is not None:
        await _require_not_forgotten(db, row, person, now)
        await db.limits.add_limit(person.id, "puzzle", row.id, _ends_at(now))
    gained = after.shown - before.shown
    await db.puzzles.add_answer(
        AnswerRow(row.id, person.id, choice, right, gained, now, day), after, of_puzzle
    )
