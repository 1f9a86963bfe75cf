"""The puzzles, the first answers of people, and the strength of both."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Final

from sqlalchemy import ColumnElement, and_, delete, exists, func, insert, or_, select, update

from data.dialect import insert_or_keep, json_flag, upsert
from data.rows.puzzles import AllowedDeal, AnswerRow, NewPuzzle, PuzzlePlayerRow, PuzzleRow, Shelf
from data.schema.core import person
from data.schema.puzzles import puzzle, puzzle_answer, puzzle_player
from data.schema.stats import played, played_seat
from data.session import Session
from league.ids import PersonId
from league.statistics.puzzle_ratings import Strength, first_strength
from league.times import DAY
from marriage.puzzles import PuzzleKind

KEPT_MS: Final = 120 * DAY
"""A puzzle that was no day's is asked for so long; then it goes with its answers, and a new one takes its place."""
_ALLOWS = json_flag(person.c.settings, "puzzles").is_(True)
"""Whether a person allows puzzles of their deals."""
_PUZZLE = select(
    puzzle.c.id,
    puzzle.c.seat,
    puzzle.c.position,
    puzzle.c.puzzle,
    puzzle.c.mu,
    puzzle.c.sigma,
    puzzle.c.answers,
    puzzle.c.correct,
    puzzle.c.day,
)


class PuzzleQueries(Session):
    """Finds puzzles and answers."""

    __slots__ = ()

    async def get(self, puzzle_id: int) -> PuzzleRow | None:
        """The puzzle of this number; None if there is none any more."""
        return await self._one(PuzzleRow, _PUZZLE.where(puzzle.c.id == puzzle_id))

    async def of_day(self, day: str) -> PuzzleRow | None:
        """The puzzle of this day; None before somebody asked for it."""
        return await self._one(PuzzleRow, _PUZZLE.where(puzzle.c.day == day))

    async def player(self, person_id: PersonId) -> PuzzlePlayerRow | None:
        """What is known of a person as an answerer; None before their first puzzle."""
        return await self._one(
            PuzzlePlayerRow, select(puzzle_player).where(puzzle_player.c.person_id == person_id)
        )

    async def answer_of(self, puzzle_id: int, person_id: PersonId) -> AnswerRow | None:
        """A person's answer to a puzzle; None before they gave it."""
        mine = puzzle_answer.c.puzzle_id == puzzle_id, puzzle_answer.c.person_id == person_id
        return await self._one(AnswerRow, select(puzzle_answer).where(*mine))

    async def days_answered(self, person_id: PersonId) -> set[str]:
        """The days on which a person answered the puzzle of the day."""
        theirs = puzzle_answer.c.person_id == person_id, puzzle_answer.c.day.is_not(None)
        rows = await self._execute(select(puzzle_answer.c.day).where(*theirs))
        return set(rows.scalars())

    async def nearest(self, person_id: PersonId, mu: float) -> PuzzleRow | None:
        """The puzzle nearest to this strength that the person has not answered; None if they have answered all.

        It is no day's puzzle, not of a deal of the person themselves, and of nobody who has taken their permission back.
        """
        answered = exists().where(
            puzzle_answer.c.puzzle_id == puzzle.c.id, puzzle_answer.c.person_id == person_id
        )
        others = or_(puzzle.c.person_id.is_(None), puzzle.c.person_id != person_id)
        near = func.abs(puzzle.c.mu - mu)
        fits = and_(puzzle.c.day.is_(None), others, _allowed(), ~answered)
        return await self._one(PuzzleRow, _PUZZLE.where(fits).order_by(near, puzzle.c.id).limit(1))

    async def offered_to(self, person_id: PersonId) -> PuzzleRow | None:
        """The puzzle that the person was asked and has not answered; None without one that may still be asked."""
        offered = select(puzzle_player.c.offered).where(puzzle_player.c.person_id == person_id)
        fits = puzzle.c.id == offered.scalar_subquery(), puzzle.c.day.is_(None), _allowed()
        return await self._one(PuzzleRow, _PUZZLE.where(*fits))

    async def unasked(self, mu: float, kind: PuzzleKind | None = None) -> PuzzleRow | None:
        """A puzzle of computers that nobody has answered, the nearest to this strength; of one kind, if that is given."""
        fresh = [puzzle.c.day.is_(None), puzzle.c.person_id.is_(None), puzzle.c.answers == 0]
        if kind is not None:
            fresh.append(puzzle.c.kind == kind.value)
        near = func.abs(puzzle.c.mu - mu)
        return await self._one(PuzzleRow, _PUZZLE.where(*fresh).order_by(near, puzzle.c.id).limit(1))

    async def stock(self) -> dict[Shelf, int]:
        """How many puzzles there are on each shelf, those of days apart."""
        shelf = puzzle.c.kind, puzzle.c.goes_on
        counted = select(*shelf, func.count().label("puzzles")).where(puzzle.c.day.is_(None))
        rows = await self._execute(counted.group_by(*shelf))
        return {(PuzzleKind(row.kind), row.goes_on): row.puzzles for row in rows}

    async def allowed_deals(self, after: int, before: int) -> list[AllowedDeal]:
        """The seats of people who allow puzzles, in the finished deals with numbers between these two, `before` left out."""
        columns = played.c.number, played.c.table_id, played.c.deal_no, played_seat.c.seat
        seats = (
            select(*columns, played_seat.c.person_id)
            .join(played, played.c.number == played_seat.c.number)
            .join(person, person.c.id == played_seat.c.person_id)
            .where(played_seat.c.number > after, played_seat.c.number < before, _ALLOWS)
            .order_by(played_seat.c.number, played_seat.c.seat)
        )
        return await self._all(AllowedDeal, seats)

    async def last_deal(self) -> int:
        """The number of the deal that finished last; 0 before the first."""
        return await self._scalar(select(func.max(played.c.number))) or 0


def _allowed() -> ColumnElement[bool]:
    """Whether the person at the seat, if there was one, allows puzzles of their deals now."""
    return or_(puzzle.c.person_id.is_(None), exists().where(person.c.id == puzzle.c.person_id, _ALLOWS))


class PuzzleRepository(PuzzleQueries):
    """Stores puzzles and answers."""

    __slots__ = ()

    async def add(self, found: Iterable[NewPuzzle], now: int) -> None:
        """Store new puzzles; those of a moment that is stored already change nothing."""
        for new in found:
            strength = first_strength(new.puzzle)
            row = {
                "kind": new.puzzle.kind.value,
                "goes_on": new.puzzle.goes_on,
                "seat": new.seat,
                "position": new.position,
                "puzzle": new.puzzle,
                "source": new.source,
                "person_id": new.person_id,
                "mu": strength.mu,
                "sigma": strength.sigma,
                "answers": 0,
                "correct": 0,
                "made_at": now,
            }
            await self._execute(insert_or_keep(puzzle, row))

    async def set_day(self, puzzle_id: int, day: str) -> None:
        """Make this the puzzle of a day that has none."""
        await self._execute(update(puzzle).where(puzzle.c.id == puzzle_id).values(day=day))

    async def offer(self, person_id: PersonId, puzzle_id: int) -> None:
        """Note that a person, who is stored, is asked this puzzle now."""
        fresh = {**asdict(Strength()), "correct": 0, "offered": puzzle_id}
        key = {"person_id": person_id}
        await self._execute(upsert(puzzle_player, key, fresh, on_conflict={"offered": puzzle_id}))

    async def add_answer(self, answer: AnswerRow, player: Strength, of_puzzle: Strength) -> None:
        """Store a first answer and the new strengths of both; the person must be stored."""
        await self._execute(insert(puzzle_answer).values(asdict(answer)))
        count = int(answer.correct)
        changed = {**asdict(of_puzzle), "correct": puzzle.c.correct + count}
        await self._execute(update(puzzle).where(puzzle.c.id == answer.puzzle_id).values(changed))
        fresh = {**asdict(player), "correct": count, "offered": None}
        known = {**asdict(player), "correct": puzzle_player.c.correct + count}
        key = {"person_id": answer.person_id}
        await self._execute(upsert(puzzle_player, key, fresh, on_conflict=known))
        done = puzzle_player.c.person_id == answer.person_id, puzzle_player.c.offered == answer.puzzle_id
        await self._execute(update(puzzle_player).where(*done).values(offered=None))

    async def set_shared(self, puzzle_id: int, person_id: PersonId) -> None:
        """Note that a person has shown their result to others."""
        mine = puzzle_answer.c.puzzle_id == puzzle_id, puzzle_answer.c.person_id == person_id
        await self._execute(update(puzzle_answer).where(*mine).values(shared=True))

    async def forget_old(self, now: int) -> None:
        """Remove puzzles that were asked for long enough, with their answers; those of days stay."""
        old = select(puzzle.c.id).where(puzzle.c.day.is_(None), puzzle.c.made_at < now - KEPT_MS)
        await self._execute(delete(puzzle_answer).where(puzzle_answer.c.puzzle_id.in_(old)))
        offered = puzzle_player.c.offered.in_(old)
        await self._execute(update(puzzle_player).where(offered).values(offered=None))
        await self._execute(delete(puzzle).where(puzzle.c.id.in_(old)))
