"""What people learn from: puzzles with the answers to them, practice deals, and the analyses of their own deals.

Times are UTC milliseconds, days are dates of UTC such as `2026-11-22`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Final

from sqlalchemy import ColumnElement, and_, delete, exists, func, insert, or_, select, update

from data.dialect import insert_or_keep, json_flag, upsert
from data.errors import RevisionConflictError
from data.schema.core import person, practice, puzzle, puzzle_answer, puzzle_player
from data.schema.stats import analysis, played, played_seat
from data.session import Session
from league.ids import PersonId, TableId
from league.statistics.puzzle_ratings import PuzzleFigures, Strength, first_strength
from league.times import DAY
from marriage.analysis.deal_analysis import ANALYSIS_VERSION, Analysis
from marriage.analysis.verdicts import at_four
from marriage.events import Event
from marriage.puzzles import Puzzle, PuzzleKind


@dataclass(frozen=True, slots=True)
class NewPuzzle:
    """A newly found puzzle without a number."""

    source: str
    """The moment that it shows; the same moment is stored only once."""
    seat: int
    position: str
    """The knowledge of the seat, in the format of `marriage.notation`."""
    puzzle: Puzzle
    person_id: PersonId | None = None
    """The person at the seat, who allows puzzles of their deals; None for a computer."""


@dataclass(frozen=True, slots=True)
class PuzzleRow:
    """A puzzle of the stock, or of a day."""

    id: int
    seat: int
    position: str
    puzzle: Puzzle
    mu: float
    sigma: float
    answers: int
    correct: int
    day: str | None
    """The day whose puzzle it is or was."""

    @property
    def strength(self) -> Strength:
        """The difficulty, as estimated from the answers."""
        return Strength(self.mu, self.sigma, self.answers)


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """A person's first answer to a puzzle; later ones are not stored."""

    puzzle_id: int
    person_id: PersonId
    choice: int
    """The index of the option."""
    correct: bool
    gained: int
    """The change of the person's rating, on the scale that people read."""
    at: int
    day: str | None
    """The day, if it was that day's puzzle and answered on the day."""
    shared: bool = False
    """Whether the person has shown the result to others."""


@dataclass(frozen=True, slots=True)
class PuzzlePlayerRow:
    """A person who answers puzzles."""

    person_id: PersonId
    mu: float
    sigma: float
    answers: int
    correct: int
    offered: int | None
    """The puzzle that they were asked last, until they answer it."""

    @property
    def strength(self) -> Strength:
        """The person's strength at puzzles."""
        return Strength(self.mu, self.sigma, self.answers)

    @property
    def figures(self) -> PuzzleFigures | None:
        """The figures shown in their profile; None before the first answer."""
        return PuzzleFigures(self.strength, self.correct) if self.answers else None


@dataclass(frozen=True, slots=True)
class AllowedDeal:
    """A finished deal with a player who allows puzzles of their deals."""

    number: int
    """The number of the deal among all finished ones."""
    table_id: TableId
    deal_no: int
    seat: int
    person_id: PersonId


Shelf = tuple[PuzzleKind, bool]
"""A part of the stock: the kind of its puzzles, and whether the answer to "finish now?" is to play on."""


KEPT_MS: Final = 120 * DAY
"""How long a puzzle that belongs to no day is asked; then it and its answers are replaced by a new one."""
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

    async def get(self, puzzle_id: int) -> PuzzleRow | None:
        """Return the puzzle of this number; None if it no longer exists."""
        return await self._one(PuzzleRow, _PUZZLE.where(puzzle.c.id == puzzle_id))

    async def of_day(self, day: str) -> PuzzleRow | None:
        """Return the puzzle of this day; None before anyone asked for it."""
        return await self._one(PuzzleRow, _PUZZLE.where(puzzle.c.day == day))

    async def player(self, person_id: PersonId) -> PuzzlePlayerRow | None:
        """Return the stored strength of a person as a solver; None before their first puzzle."""
        return await self._one(
            PuzzlePlayerRow, select(puzzle_player).where(puzzle_player.c.person_id == person_id)
        )

    async def answer_of(self, puzzle_id: int, person_id: PersonId) -> AnswerRow | None:
        """Return a person's answer to a puzzle; None before they gave it."""
        mine = puzzle_answer.c.puzzle_id == puzzle_id, puzzle_answer.c.person_id == person_id
        return await self._one(AnswerRow, select(puzzle_answer).where(*mine))

    async def days_answered(self, person_id: PersonId) -> set[str]:
        """Return the days on which a person answered the puzzle of the day."""
        theirs = puzzle_answer.c.person_id == person_id, puzzle_answer.c.day.is_not(None)
        rows = await self._execute(select(puzzle_answer.c.day).where(*theirs))
        return set(rows.scalars())

    async def nearest(self, person_id: PersonId, mu: float) -> PuzzleRow | None:
        """Return the unanswered puzzle nearest to this strength; None if the person has answered all.

        It is not a puzzle of the day, nor from a deal of the person, nor from anyone who has withdrawn their
        permission.
        """
        answered = exists().where(
            puzzle_answer.c.puzzle_id == puzzle.c.id, puzzle_answer.c.person_id == person_id
        )
        others = or_(puzzle.c.person_id.is_(None), puzzle.c.person_id != person_id)
        near = func.abs(puzzle.c.mu - mu)
        fits = and_(puzzle.c.day.is_(None), others, _allowed(), ~answered)
        return await self._one(PuzzleRow, _PUZZLE.where(fits).order_by(near, puzzle.c.id).limit(1))

    async def offered_to(self, person_id: PersonId) -> PuzzleRow | None:
        """Return the puzzle that the person was asked and has not answered; None if none can still be asked."""
        offered = select(puzzle_player.c.offered).where(puzzle_player.c.person_id == person_id)
        fits = puzzle.c.id == offered.scalar_subquery(), puzzle.c.day.is_(None), _allowed()
        return await self._one(PuzzleRow, _PUZZLE.where(*fits))

    async def unasked(self, mu: float, kind: PuzzleKind | None = None) -> PuzzleRow | None:
        """Return the unanswered computer puzzle nearest to this strength, of one kind if given."""
        fresh = [puzzle.c.day.is_(None), puzzle.c.person_id.is_(None), puzzle.c.answers == 0]
        if kind is not None:
            fresh.append(puzzle.c.kind == kind.value)
        near = func.abs(puzzle.c.mu - mu)
        return await self._one(PuzzleRow, _PUZZLE.where(*fresh).order_by(near, puzzle.c.id).limit(1))

    async def stock(self) -> dict[Shelf, int]:
        """Return the number of puzzles on each shelf, without those of days."""
        shelf = puzzle.c.kind, puzzle.c.goes_on
        counted = select(*shelf, func.count().label("puzzles")).where(puzzle.c.day.is_(None))
        rows = await self._execute(counted.group_by(*shelf))
        return {(PuzzleKind(row.kind), row.goes_on): row.puzzles for row in rows}

    async def allowed_deals(self, after: int, before: int) -> list[AllowedDeal]:
        """Return the seats of people who allow puzzles in finished deals with numbers in (`after`, `before`)."""
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
        """Return the number of the deal that finished last; 0 before the first."""
        return await self._scalar(select(func.max(played.c.number))) or 0


def _allowed() -> ColumnElement[bool]:
    """Select whether the person at the seat, if any, allows puzzles of their deals now."""
    return or_(puzzle.c.person_id.is_(None), exists().where(person.c.id == puzzle.c.person_id, _ALLOWS))


class PuzzleRepository(PuzzleQueries):
    """Stores puzzles and answers."""

    async def add(self, found: Iterable[NewPuzzle], now: int) -> None:
        """Store new puzzles; a puzzle of a moment that is already stored is ignored."""
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
        """Record that a person, who must already be stored, is asked this puzzle now."""
        fresh = {**asdict(Strength()), "correct": 0, "offered": puzzle_id}
        key = {"person_id": person_id}
        await self._execute(upsert(puzzle_player, key, fresh, on_conflict={"offered": puzzle_id}))

    async def add_answer(self, answer: AnswerRow, player: Strength, of_puzzle: Strength) -> None:
        """Store a first answer and the new strengths of both; the person must already be stored."""
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

    async def set_shared(self, puzzle_id: int, person_id: PersonId, *, shared: bool) -> None:
        """Record whether a person has shown their result to others."""
        mine = puzzle_answer.c.puzzle_id == puzzle_id, puzzle_answer.c.person_id == person_id
        await self._execute(update(puzzle_answer).where(*mine).values(shared=shared))

    async def forget_old(self, now: int) -> None:
        """Remove expired puzzles with their answers; puzzles of days stay."""
        old = select(puzzle.c.id).where(puzzle.c.day.is_(None), puzzle.c.made_at < now - KEPT_MS)
        await self._execute(delete(puzzle_answer).where(puzzle_answer.c.puzzle_id.in_(old)))
        offered = puzzle_player.c.offered.in_(old)
        await self._execute(update(puzzle_player).where(offered).values(offered=None))
        await self._execute(delete(puzzle).where(puzzle.c.id.in_(old)))


class AnalysisQueries(Session):
    """Finds analyses."""

    async def of_deal(self, table_id: TableId, deal_no: int, person_id: PersonId) -> Analysis | None:
        """Return how a person played a deal; None before it was analysed."""
        this = (analysis.c.table_id == table_id, analysis.c.deal_no == deal_no)
        mine = (analysis.c.person_id == person_id, analysis.c.version == ANALYSIS_VERSION)
        rows = await self._execute(select(analysis.c.analysis).where(*this, *mine))
        return rows.scalar_one_or_none()

    async def latest(self, person_id: PersonId, count: int) -> list[tuple[float, float]]:
        """Return accuracy in percent and points lost for a person's latest analysed deals.

        Points are converted to a table of four. Latest first; deals without any decision are left out.
        """
        mine = analysis.c.person_id == person_id, analysis.c.version == ANALYSIS_VERSION
        decided = analysis.c.accuracy.is_not(None)
        found = select(analysis.c.accuracy, analysis.c.lost).where(*mine, decided)
        rows = await self._execute(found.order_by(analysis.c.at.desc()).limit(count))
        return [(row.accuracy, row.lost) for row in rows]


class AnalysisRepository(AnalysisQueries):
    """Stores analyses."""

    async def keep(
        self, table_id: TableId, deal_no: int, person_id: PersonId, found: Analysis, now: int
    ) -> None:
        """Store the analysis of a finished deal for a person, who must already be stored."""
        key = {"table_id": table_id, "deal_no": deal_no, "person_id": person_id}
        values = {
            "version": ANALYSIS_VERSION,
            "analysis": found,
            "at": now,
            "accuracy": found.accuracy,
            "lost": at_four(found.lost, found.players),
        }
        await self._execute(upsert(analysis, key, values))


@dataclass(frozen=True, slots=True)
class PracticeRow:
    """A practice deal, which belongs to no table and is never counted."""

    person_id: PersonId
    revision: int
    """The number of changes, which continues in a new deal."""
    events: tuple[Event, ...] = field(repr=False)
    at: int


class PracticeQueries(Session):
    """Finds practice deals."""

    async def get(self, person_id: PersonId) -> PracticeRow | None:
        """Return the practice deal of this person; None before their first one."""
        return await self._one(PracticeRow, select(practice).where(practice.c.person_id == person_id))


class PracticeRepository(PracticeQueries):
    """Stores practice deals."""

    async def set(self, person_id: PersonId, before: int, events: Sequence[Event], now: int) -> PracticeRow:
        """Store the deal of a person, replacing the one at revision `before`; 0 means that there is none yet.

        The person must already be stored. Raises RevisionConflictError if the deal has changed meanwhile, or
        is gone because the person was forgotten.
        """
        row = PracticeRow(PersonId(person_id), before + 1, tuple(events), now)
        values = {"revision": row.revision, "events": row.events, "at": now}
        if before:
            mine = practice.c.person_id == person_id, practice.c.revision == before
            done = await self._execute(update(practice).where(*mine).values(**values))
        else:
            done = await self._execute(insert_or_keep(practice, {"person_id": person_id, **values}))
        if done.rowcount != 1:
            raise RevisionConflictError(f"the practice deal is no longer at revision {before}")
        return row
