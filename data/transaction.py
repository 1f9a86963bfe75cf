"""Transactions of the store: one repository a subject, all on the same connection."""

from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncConnection

from data.files.marks import MarkRepository
from data.privacy.amendments import AmendmentQueries, AmendmentRepository
from data.privacy.free_text import FreeTextRepository
from data.privacy.limits import LimitQueries, LimitRepository
from data.privacy.personal_data import PrivacyQueries, PrivacyRepository
from data.repositories.benches import BenchQueries, BenchRepository
from data.repositories.deadlines import DeadlineQueries, DeadlineRepository
from data.repositories.deals import DealQueries, DealRepository
from data.repositories.duplicate_boards import DuplicateBoardQueries, DuplicateBoardRepository
from data.repositories.estimates import EstimateQueries, EstimateRepository
from data.repositories.guests import GuestQueries, GuestRepository
from data.repositories.guilds import GuildQueries, GuildRepository
from data.repositories.history import HistoryQueries
from data.repositories.interactions import InteractionQueries, InteractionRepository
from data.repositories.key_values import KeyValueQueries, KeyValueRepository
from data.repositories.matches import MatchQueries, MatchRepository
from data.repositories.outbox import OutboxQueries, OutboxRepository
from data.repositories.people import PersonQueries, PersonRepository
from data.repositories.pins import PinQueries, PinRepository
from data.repositories.practice import PracticeQueries, PracticeRepository
from data.repositories.profiles import ProfileQueries
from data.repositories.score_sessions import ScoreSessionQueries, ScoreSessionRepository
from data.repositories.season_cache import SeasonCache
from data.repositories.seasons import SeasonQueries, SeasonRepository
from data.repositories.staff import StaffLogQueries, StaffLogRepository
from data.repositories.stats import StatsQueries, StatsRepository
from data.repositories.tables import TableQueries, TableRepository


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
    seasons: SeasonQueries
    limits: LimitQueries
    amendments: AmendmentQueries


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
    seasons: SeasonRepository
    limits: LimitRepository
    amendments: AmendmentRepository
    free_text: FreeTextRepository
    marks: MarkRepository

    async def forget_old(self, now: int) -> None:
        """Remove what is kept for a while only: answered interactions, published outbox rows, limits that are over."""
        await self.interactions.forget_old(now)
        await self.outbox.forget_old(now)
        await self.limits.forget_old(now)


def read_transaction(connection: AsyncConnection, cache: SeasonCache) -> ReadTransaction:
    """The repositories on this connection, for reading."""
    return ReadTransaction(
        guilds=GuildQueries(connection, cache),
        people=PersonQueries(connection, cache),
        tables=TableQueries(connection, cache),
        deals=DealQueries(connection, cache),
        matches=MatchQueries(connection, cache),
        boards=DuplicateBoardQueries(connection, cache),
        stats=StatsQueries(connection, cache),
        estimates=EstimateQueries(connection, cache),
        history=HistoryQueries(connection, cache),
        profiles=ProfileQueries(connection, cache),
        privacy=PrivacyQueries(connection, cache),
        interactions=InteractionQueries(connection, cache),
        deadlines=DeadlineQueries(connection, cache),
        outbox=OutboxQueries(connection, cache),
        key_values=KeyValueQueries(connection, cache),
        guests=GuestQueries(connection, cache),
        benches=BenchQueries(connection, cache),
        pins=PinQueries(connection, cache),
        staff_log=StaffLogQueries(connection, cache),
        score_sessions=ScoreSessionQueries(connection, cache),
        practice=PracticeQueries(connection, cache),
        seasons=SeasonQueries(connection, cache),
        limits=LimitQueries(connection, cache),
        amendments=AmendmentQueries(connection, cache),
    )


def write_transaction(connection: AsyncConnection, cache: SeasonCache) -> WriteTransaction:
    """The repositories on this connection, for reading and writing."""
    return WriteTransaction(
        guilds=GuildRepository(connection, cache),
        people=PersonRepository(connection, cache),
        tables=TableRepository(connection, cache),
        deals=DealRepository(connection, cache),
        matches=MatchRepository(connection, cache),
        boards=DuplicateBoardRepository(connection, cache),
        stats=StatsRepository(connection, cache),
        estimates=EstimateRepository(connection, cache),
        history=HistoryQueries(connection, cache),
        profiles=ProfileQueries(connection, cache),
        privacy=PrivacyRepository(connection, cache),
        interactions=InteractionRepository(connection, cache),
        deadlines=DeadlineRepository(connection, cache),
        outbox=OutboxRepository(connection, cache),
        key_values=KeyValueRepository(connection, cache),
        guests=GuestRepository(connection, cache),
        benches=BenchRepository(connection, cache),
        pins=PinRepository(connection, cache),
        staff_log=StaffLogRepository(connection, cache),
        score_sessions=ScoreSessionRepository(connection, cache),
        practice=PracticeRepository(connection, cache),
        seasons=SeasonRepository(connection, cache),
        limits=LimitRepository(connection, cache),
        amendments=AmendmentRepository(connection, cache),
        free_text=FreeTextRepository(connection, cache),
        marks=MarkRepository(connection, cache),
    )
