"""Transactions of the store: one repository for each subject, all in the same transaction."""

from collections.abc import Callable
from typing import Generic, TypeVar

from data.privacy.export import PrivacyQueries
from data.privacy.limits import LimitQueries, LimitRepository
from data.privacy.personal_data import (
    FreeTextQueries,
    FreeTextRepository,
    PrivacyRepository,
)
from data.privacy.public_messages import PublicMessageQueries, PublicMessageRepository
from data.repositories.deal_search import FairPlayQueries, HistoryQueries
from data.repositories.deals import (
    DealQueries,
    DealRepository,
    DuplicateBoardQueries,
    DuplicateBoardRepository,
    MatchQueries,
    MatchRepository,
)
from data.repositories.key_values import KeyValueQueries, KeyValueRepository
from data.repositories.learning import (
    AnalysisQueries,
    AnalysisRepository,
    PracticeQueries,
    PracticeRepository,
    PuzzleQueries,
    PuzzleRepository,
)
from data.repositories.messages import (
    AttachedFileQueries,
    AttachedFileRepository,
    InteractionQueries,
    InteractionRepository,
    OutboxQueries,
    OutboxRepository,
)
from data.repositories.people import (
    GuildQueries,
    GuildRepository,
    PersonQueries,
    PersonRepository,
    StaffLogQueries,
    StaffLogRepository,
)
from data.repositories.profiles import EstimateQueries, EstimateRepository, ProfileQueries
from data.repositories.score_sessions import ScoreSessionQueries, ScoreSessionRepository
from data.repositories.seasons import SeasonPageQueries, SeasonQueries, SeasonRepository
from data.repositories.stats import StatsQueries, StatsRepository
from data.repositories.tables import (
    BenchQueries,
    BenchRepository,
    DeadlineQueries,
    DeadlineRepository,
    GameTableQueries,
    GameTableRepository,
    GuestQueries,
    GuestRepository,
    PinQueries,
    PinRepository,
)
from data.session import Scope

R_co = TypeVar("R_co", covariant=True)


class Repository(Generic[R_co]):
    """An attribute of a transaction: one of its repositories, created on first use because few are needed."""

    def __init__(self, kind: Callable[[Scope], R_co]) -> None:
        self._kind = kind

    def __set_name__(self, _: type, name: str) -> None:
        self._name = name

    def __get__(self, transaction: "ReadTransaction", _: type) -> R_co:
        found = self._kind(transaction.scope)
        vars(transaction)[self._name] = found  # from now on the attribute is found there
        return found


class ReadTransaction:
    """All queries, on one snapshot."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    guilds = Repository(GuildQueries)
    people = Repository(PersonQueries)
    tables = Repository(GameTableQueries)
    deals = Repository(DealQueries)
    matches = Repository(MatchQueries)
    boards = Repository(DuplicateBoardQueries)
    stats = Repository(StatsQueries)
    estimates = Repository(EstimateQueries)
    fair_play = Repository(FairPlayQueries)
    history = Repository(HistoryQueries)
    profiles = Repository(ProfileQueries)
    privacy = Repository(PrivacyQueries)
    interactions = Repository(InteractionQueries)
    deadlines = Repository(DeadlineQueries)
    outbox = Repository(OutboxQueries)
    key_values = Repository(KeyValueQueries)
    guests = Repository(GuestQueries)
    benches = Repository(BenchQueries)
    pins = Repository(PinQueries)
    staff_log = Repository(StaffLogQueries)
    score_sessions = Repository(ScoreSessionQueries)
    practice = Repository(PracticeQueries)
    puzzles = Repository(PuzzleQueries)
    analyses = Repository(AnalysisQueries)
    seasons = Repository(SeasonQueries)
    season_pages = Repository(SeasonPageQueries)
    limits = Repository(LimitQueries)
    attached_files = Repository(AttachedFileQueries)
    public_messages = Repository(PublicMessageQueries)
    free_text = Repository(FreeTextQueries)


class WriteTransaction(ReadTransaction):
    """All queries and changes, in one transaction."""

    guilds = Repository(GuildRepository)
    people = Repository(PersonRepository)
    tables = Repository(GameTableRepository)
    deals = Repository(DealRepository)
    matches = Repository(MatchRepository)
    boards = Repository(DuplicateBoardRepository)
    stats = Repository(StatsRepository)
    estimates = Repository(EstimateRepository)
    privacy = Repository(PrivacyRepository)
    interactions = Repository(InteractionRepository)
    deadlines = Repository(DeadlineRepository)
    outbox = Repository(OutboxRepository)
    key_values = Repository(KeyValueRepository)
    guests = Repository(GuestRepository)
    benches = Repository(BenchRepository)
    pins = Repository(PinRepository)
    staff_log = Repository(StaffLogRepository)
    score_sessions = Repository(ScoreSessionRepository)
    practice = Repository(PracticeRepository)
    puzzles = Repository(PuzzleRepository)
    analyses = Repository(AnalysisRepository)
    seasons = Repository(SeasonRepository)
    limits = Repository(LimitRepository)
    attached_files = Repository(AttachedFileRepository)
    public_messages = Repository(PublicMessageRepository)
    free_text = Repository(FreeTextRepository)

    def is_own_work(self) -> None:
        """Declare that all work resulting from this transaction belongs to this process; no other need check."""
        self.scope.changes.is_own_work = True

    def changes_everything(self) -> None:
        """Make other processes drop all their caches, for example of the names of a person to be forgotten."""
        self.scope.changes.is_of_everything = True

    async def forget_old(self, now: int) -> None:
        """Remove what is kept only for a while: answered interactions, published outbox rows, and the like."""
        await self.interactions.forget_old(now)
        await self.outbox.forget_old(now)
        await self.limits.forget_old(now)
        await self.attached_files.forget_old(now)
        await self.score_sessions.forget_old(now)
        await self.puzzles.forget_old(now)
        await self.key_values.forget_old(now)
