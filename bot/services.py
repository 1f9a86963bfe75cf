"""The wiring of all services, without Discord, for the bot and the tests alike."""

from dataclasses import dataclass

from bot.clock import Clock
from bot.cluster.shards import Shards
from bot.daily.deals import Daily
from bot.daily.reminders import Reminders
from bot.forgetting import Forgetting
from bot.history import stats
from bot.history.leaderboards import Leaderboards
from bot.history.past_deals import DealSearch
from bot.history.replays import Analyses, Replays
from bot.history.stats import EstimatesWorker
from bot.league import pod_tables
from bot.league.calendar_acts import Postponing
from bot.league.entries import Entries
from bot.league.free_seats import Offers
from bot.league.leagues import Leagues
from bot.league.meetings import Meetings
from bot.league.members import Members, Teams
from bot.league.reports import DealReports, Reports
from bot.league.rounds import Rounds
from bot.league.rulings import Rulings
from bot.league.season_admin import SeasonAdmin
from bot.outages import Outages
from bot.pictures import Pictures
from bot.puzzles.asking import Puzzles
from bot.puzzles.mining import LOOK_S, PuzzleMiner
from bot.scheduler import Deadlines, Handler, Scheduler, SeasonMoments
from bot.scorekeeping.scorekeeper import Scorekeeper
from bot.servers import Servers
from bot.settings import Settings
from bot.table.attendance import Attendance, Leaving, Presence
from bot.table.core.repository import TableRepository
from bot.table.core.table import (
    ABANDONED,
    BETWEEN,
    COMPUTER,
    DAILY,
    LOBBY,
    MENTION,
    PAUSED,
    READY,
    TURN,
    VOTE,
    WINDOW,
)
from bot.table.endings import Endings
from bot.table.flow.clocks import Clocks
from bot.table.hosting import Fouling, Hosting
from bot.table.lobby import Lobby
from bot.table.pauses import Pauses
from bot.table.personal_settings import PersonalSettings, ask_about_stronger
from bot.table.play import Play
from bot.ui.panel import AttachedFiles
from bot.words.names import Mentions
from bot.words.texts import KnownEmojis, Languages
from bot.workpool.pool import WorkPool
from data.privacy.ledger import NAME, ForgottenLedger
from data.sqlite.copies import folder_of
from data.store import Store


@dataclass(frozen=True, slots=True)
class Services:
    """All services of the bot, by subject."""

    settings: Settings
    store: Store
    clock: Clock
    shards: Shards
    languages: Languages
    mentions: Mentions
    card_emojis: KnownEmojis
    workpool: WorkPool
    pictures: Pictures
    attached: AttachedFiles
    outages: Outages
    scheduler: Scheduler
    deadlines: Deadlines
    forgetting: Forgetting
    servers: Servers
    personal: PersonalSettings

    tables: TableRepository
    lobby: Lobby
    hosting: Hosting
    play: Play
    presence: Presence
    changing: Attendance
    leaving: Leaving
    endings: Endings
    pauses: Pauses
    fouling: Fouling
    daily: Daily
    reminders: Reminders

    leagues: Leagues
    entries: Entries
    meetings: Meetings
    members: Members
    teams: Teams
    offers: Offers
    reports: Reports
    deal_reports: DealReports
    season_admin: SeasonAdmin
    rulings: Rulings
    rounds: Rounds
    postponing: Postponing

    boards: Leaderboards
    deal_search: DealSearch
    replays: Replays
    analyses: Analyses
    estimates_worker: EstimatesWorker
    scores: Scorekeeper

    puzzles: Puzzles
    puzzle_miner: PuzzleMiner


def wire(settings: Settings, store: Store, clock: Clock) -> Services:
    """Wire the services over this store; leagues and statistics subscribe to the tables."""
    shards = Shards(settings.shard_count or 1, store.shard_locks)
    tables = TableRepository(store, clock, shards)
    stats.follow(tables.hooks)
    ask_about_stronger(tables.hooks)
    pod_tables.follow(tables.hooks)
    outages = Outages(store, clock, shards)
    clocks, workpool = Clocks(settings, tables.activity), WorkPool()
    pictures = Pictures(workpool)
    lobby, play = Lobby(store, tables, settings), Play(store.directory, tables, settings)
    daily = Daily(store, tables, play)
    personal = PersonalSettings(store, tables)
    endings = Endings(tables, play)
    presence = Presence(store.directory, tables, clocks, play, endings)
    leaving = Leaving(tables, lobby, play, clocks, endings)
    pauses = Pauses(store, tables, clocks, play, endings, settings)
    leagues = Leagues(store, tables)
    entries = Entries(leagues)
    postponing = Postponing(leagues)
    outages.on_loss(postponing.put_off)
    outages.on_credit(tables.clocks_were_set)
    handlers: dict[str, Handler] = {
        LOBBY: lobby.expire,
        BETWEEN: lobby.expire,
        READY: play.all_ready,
        WINDOW: play.close_window,
        COMPUTER: play.computer_turn,
        MENTION: presence.mention,
        TURN: presence.time_out,
        VOTE: endings.expire,
        ABANDONED: endings.abandoned,
        PAUSED: pauses.expire,
        DAILY: daily.close,
    }
    """The handler of each kind of deadline."""
    rounds = Rounds(leagues, lobby, endings)
    scheduler, deadlines = Scheduler(clock), Deadlines(store, clock, handlers, lambda: outages.served)
    scheduler.add("table", deadlines)
    scheduler.add("season", SeasonMoments(store, rounds.catch_up, lambda: outages.served))
    outages.on_end(scheduler.wake)
    tables.on_commit(scheduler.wake, moves=False)
    tables.on_deadline(scheduler.was_set)
    shards.on_change(lambda _, __: scheduler.wake())
    estimates_worker = EstimatesWorker(store, clock, shards)
    puzzle_miner = PuzzleMiner(store, clock, workpool, settings.puzzle_stock, shards)
    tables.on_commit(puzzle_miner.note_change)
    scheduler.repeat("estimates", estimates_worker.keep_up)
    scheduler.repeat("puzzles", puzzle_miner.search_if_idle, first_after_s=LOOK_S)
    boards = Leaderboards(store, clock)
    forgetting = Forgetting(
        store, tables, leaving, entries, pictures, boards, estimates_worker, workpool, _ledger(settings)
    )
    store.on_news(forgetting.heard)
    return Services(
        settings=settings,
        store=store,
        clock=clock,
        shards=shards,
        languages=Languages(store),
        mentions=Mentions(),
        card_emojis=KnownEmojis(),
        workpool=workpool,
        pictures=pictures,
        attached=AttachedFiles(store),
        outages=outages,
        scheduler=scheduler,
        deadlines=deadlines,
        forgetting=forgetting,
        servers=Servers(store, clock, tables.committed),
        personal=personal,
        tables=tables,
        lobby=lobby,
        hosting=Hosting(tables, lobby),
        play=play,
        presence=presence,
        changing=Attendance(tables, play, clocks),
        leaving=leaving,
        endings=endings,
        pauses=pauses,
        fouling=Fouling(tables),
        daily=daily,
        reminders=Reminders(store, tables, personal),
        leagues=leagues,
        entries=entries,
        meetings=Meetings(leagues),
        members=Members(leagues),
        teams=Teams(leagues),
        offers=Offers(leagues),
        reports=Reports(leagues),
        deal_reports=DealReports(leagues),
        season_admin=SeasonAdmin(leagues),
        rulings=Rulings(leagues),
        rounds=rounds,
        postponing=postponing,
        boards=boards,
        deal_search=DealSearch(store, clock),
        replays=Replays(store),
        analyses=Analyses(store, clock, workpool),
        estimates_worker=estimates_worker,
        scores=Scorekeeper(store, clock),
        puzzles=Puzzles(store, clock, puzzle_miner),
        puzzle_miner=puzzle_miner,
    )


def _ledger(settings: Settings) -> ForgottenLedger:
    """Return who was forgotten: next to the backups, and where these are by default. A server's bot may not write there."""
    beside = folder_of(settings.database_path) / NAME
    path = beside if settings.backup_path is None else settings.backup_path / NAME
    if settings.database_url is not None and not beside.exists():
        return ForgottenLedger(path)
    return ForgottenLedger(path, beside)
