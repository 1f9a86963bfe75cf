"""Transactions of the store: one repository for each subject, all in the same transaction."""

from dataclasses import dataclass

from data.files.marks import MarkRepository
from data.privacy.free_text import FreeTextRepository
from data.privacy.limits import LimitQueries, LimitRepository
from data.privacy.personal_data import PrivacyQueries, PrivacyRepository
from data.privacy.public_messages import PublicMessageRepository
from data.repositories.attached_files import AttachedFileQueries, AttachedFileRepository
from data.repositories.benches import BenchQueries, BenchRepository
from data.repositories.deadlines import DeadlineQueries, DeadlineRepository
from data.repositories.deals import DealQueries, DealRepository
from data.repositories.duplicate_boards import DuplicateBoardQueries, DuplicateBoardRepository
from data.repositories.guests import GuestQueries, GuestRepository
from data.repositories.guilds import GuildQueries, GuildRepository
from data.repositories.interactions import InteractionQueries, InteractionRepository
from data.repositories.key_values import KeyValueQueries, KeyValueRepository
from data.repositories.matches import MatchQueries, MatchRepository
from data.repositories.outbox import OutboxQueries, OutboxRepository
from data.repositories.people import PersonQueries, PersonRepository
from data.repositories.pins import PinQueries, PinRepository
from data.repositories.practice import PracticeQueries, PracticeRepository
from data.repositories.puzzles import PuzzleQueries, PuzzleRepository
from data.repositories.score_sessions import ScoreSessionQueries, ScoreSessionRepository
from data.repositories.seasons import SeasonQueries, SeasonRepository
from data.repositories.staff import StaffLogQueries, StaffLogRepository
from data.repositories.statistics.deal_search import HistoryQueries
from data.repositories.statistics.estimates import EstimateQueries, EstimateRepository
from data.repositories.statistics.profiles import ProfileQueries
from data.repositories.statistics.stats import StatsQueries, StatsRepository
from data.repositories.tables import TableQueries, TableRepository
from data.session import Scope


@dataclass(frozen=True, slots=True)
class ReadTransaction:
    """Everything that can be asked, from one snapshot."""

    guilds: GuildQueries
    people: PersonQueries
    tables: TableQueries
    deals: DealQueries
    matches: MatchQueries
    boards: DuplicateBoardQueries
    stats: StatsQueries
    estimates: EstimateQueries
    history: HistoryQueries
    profiles: ProfileQueries
    privacy: PrivacyQueries
    interactions: InteractionQueries
    deadlines: DeadlineQueries
    outbox: OutboxQueries
    key_values: KeyValueQueries
    guests: GuestQueries
    benches: BenchQueries
    pins: PinQueries
    staff_log: StaffLogQueries
    score_sessions: ScoreSessionQueries
    practice: PracticeQueries
    puzzles: PuzzleQueries
    seasons: SeasonQueries
    limits: LimitQueries
    attached_files: AttachedFileQueries


@dataclass(frozen=True, slots=True)
class WriteTransaction(ReadTransaction):
    """Everything that can be asked and changed, in one transaction."""

    guilds: GuildRepository
    people: PersonRepository
    tables: TableRepository
    deals: DealRepository
    matches: MatchRepository
    boards: DuplicateBoardRepository
    stats: StatsRepository
    estimates: EstimateRepository
    privacy: PrivacyRepository
    interactions: InteractionRepository
    deadlines: DeadlineRepository
    outbox: OutboxRepository
    key_values: KeyValueRepository
    guests: GuestRepository
    benches: BenchRepository
    pins: PinRepository
    staff_log: StaffLogRepository
    score_sessions: ScoreSessionRepository
    practice: PracticeRepository
    puzzles: PuzzleRepository
    seasons: SeasonRepository
    limits: LimitRepository
    attached_files: AttachedFileRepository
    public_messages: PublicMessageRepository
    free_text: FreeTextRepository
    marks: MarkRepository

    async def forget_old(self, now: int) -> None:
        """Remove what is kept for a while only: answered interactions, published outbox rows, and the like."""
        await self.interactions.forget_old(now)
        await self.outbox.forget_old(now)
        await self.limits.forget_old(now)
        await self.attached_files.forget_old(now)
        await self.puzzles.forget_old(now)


def read_transaction(scope: Scope) -> ReadTransaction:
    """The repositories of a transaction, for reading."""
    return ReadTransaction(
        guilds=GuildQueries(scope),
        people=PersonQueries(scope),
        tables=TableQueries(scope),
        deals=DealQueries(scope),
        matches=MatchQueries(scope),
        boards=DuplicateBoardQueries(scope),
        stats=StatsQueries(scope),
        estimates=EstimateQueries(scope),
        history=HistoryQueries(scope),
        profiles=ProfileQueries(scope),
        privacy=PrivacyQueries(scope),
        interactions=InteractionQueries(scope),
        deadlines=DeadlineQueries(scope),
        outbox=OutboxQueries(scope),
        key_values=KeyValueQueries(scope),
        guests=GuestQueries(scope),
        benches=BenchQueries(scope),
        pins=PinQueries(scope),
        staff_log=StaffLogQueries(scope),
        score_sessions=ScoreSessionQueries(scope),
        practice=PracticeQueries(scope),
        puzzles=PuzzleQueries(scope),
        seasons=SeasonQueries(scope),
        limits=LimitQueries(scope),
        attached_files=AttachedFileQueries(scope),
    )


def write_transaction(scope: Scope) -> WriteTransaction:
    """The repositories of a transaction, for reading and writing."""
    return WriteTransaction(
        guilds=GuildRepository(scope),
        people=PersonRepository(scope),
        tables=TableRepository(scope),
        deals=DealRepository(scope),
        matches=MatchRepository(scope),
        boards=DuplicateBoardRepository(scope),
        stats=StatsRepository(scope),
        estimates=EstimateRepository(scope),
        history=HistoryQueries(scope),
        profiles=ProfileQueries(scope),
        privacy=PrivacyRepository(scope),
        interactions=InteractionRepository(scope),
        deadlines=DeadlineRepository(scope),
        outbox=OutboxRepository(scope),
        key_values=KeyValueRepository(scope),
        guests=GuestRepository(scope),
        benches=BenchRepository(scope),
        pins=PinRepository(scope),
        staff_log=StaffLogRepository(scope),
        score_sessions=ScoreSessionRepository(scope),
        practice=PracticeRepository(scope),
        puzzles=PuzzleRepository(scope),
        seasons=SeasonRepository(scope),
        limits=LimitRepository(scope),
        attached_files=AttachedFileRepository(scope),
        public_messages=PublicMessageRepository(scope),
        free_text=FreeTextRepository(scope),
        marks=MarkRepository(scope),
    )
