"""Drawing rounds, and the tables of pods: each gets one, open to its players only, and its match is the pod's result.

In duplicate, the boards of a round are sealed before it and compared once all tables have played them. `follow` subscribes leagues to
what happens at tables; they act within the transaction of the table.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import structlog

from bot.errors import StaleRevisionError
from bot.league.agenda import draw_at
from bot.league.free_seats import nobody_to_play, offer, still_playing, waits_for_substitute
from bot.league.leagues import Leagues
from bot.league.meetings import meet_at_once
from bot.league.season import SeasonTransaction, read_former, read_season, show_reports
from bot.table.core.change import TableHooks, TableTransaction
from bot.table.core.table import reseated
from bot.table.flow.matches import decided
from bot.table.flow.sealing import give_boards, prepare_next, seal_boards
from bot.table.lobby import computer_seat
from data.errors import EventsDamaged
from data.ids import SeasonId
from data.preferences import TableOptions
from data.season_posts import (
    BoardsPost,
    CheckInPost,
    EndPost,
    RoundPost,
    SignupPost,
    StandingsPost,
    TableNotice,
)
from data.season_rows import PodTableRow, SeasonRow
from data.transaction import ReadTransaction
from data.values import BenchRow, BoardSetRow, MatchEnd, MatchRow, ResultRow, SeatRow, TableRow
from league.events import (
    BoardsPlayed,
    CheckedIn,
    Confirmed,
    DivisionSet,
    Entry,
    Event,
    MatchFinished,
    MatchStarted,
    Result,
)
from league.finals import draw_next_match, draw_stage, next_finalists
from league.ids import PersonId, TableId
from league.matches.pod import deals_replayed, in_seats
from league.pairing.drawing import checked_in, draw_rounds, gone_away, moving_up
from league.points import without_computers
from league.results import Player
from league.rulings import closed
from league.season import Member, Pod, Season, after
from league.standins import may_fill
from league.statistics.duplicate import fits
from league.statistics.ratings import NEWCOMER
from league.succession import placed
from marriage.rules import SEATS_MIN

log = structlog.get_logger(__name__)

_AWAY_DEALS = 2
"""The number of last deals of a match without a player after which they count as having left it."""


async def seal_sets(season_tx: SeasonTransaction, sizes: Sequence[int]) -> dict[int, BoardSetRow]:
    """Return board sets for a round's tables, by number of seats.

    There are none without duplicate, or for sizes with too few tables.
    """
    settings, row = season_tx.season.settings, season_tx.row
    return {
        size: await seal_boards(
            season_tx.db, row.guild_id, row.rules, same_size, settings.deals(size), season_tx.now
        )
        for size in sorted(set(sizes))
        if settings.duplicate and fits(same_size := [other for other in sizes if other == size])
    }


async def compare_boards(season_tx: SeasonTransaction, number: int) -> None:
    """Once all tables of a round are done, record the board of every deal, so that all boards are compared."""
    pods = [pod for pod in season_tx.season.pods.values() if pod.round == number and pod.result is not None]
    if not season_tx.season.settings.duplicate or any(pod.boards for pod in pods):
        return
    tables = await season_tx.db.seasons.pod_tables(season_tx.row.id)
    played = {pod.id: await _boards(season_tx.db, tables[pod.id]) for pod in pods if pod.id in tables}
    if any(any(boards) for boards in played.values()):
        await season_tx.add(
            BoardsPlayed(number, {pod: boards for pod, boards in played.items() if any(boards)})
        )
        await season_tx.request_post(BoardsPost(number))


async def show_late_results(season_tx: SeasonTransaction) -> None:
    """Count what has come after the end of a season: a match that was being played then, a report, a ruling.

    The boards of a round are compared once its last match is over, and the tables posted so far are updated.
    """
    for number in season_tx.season.rounds:
        pods = (pod for pod in season_tx.season.pods.values() if pod.round == number)
        if not any(map(season_tx.season.can_be_played, pods)):
            await compare_boards(season_tx, number)
    for post in await season_tx.db.seasons.posts(season_tx.row.id):
        if isinstance(post, StandingsPost | EndPost):
            await season_tx.request_post(post)


async def _boards(db: ReadTransaction, table_id: TableId) -> tuple[int, ...]:
    """Return the board of each deal of a table's match.

    It is 0 for a deal that was not from a board, ended early, or is still sealed.
    """
    match = await db.matches.latest(table_id)
    results = await db.deals.results_of_match(table_id, match.match_no) if match else []
    numbers = sorted({row.deal_no for row in decided(results)})
    deals = [await db.deals.get(table_id, number) for number in numbers]
    found: list[int] = []
    for deal in deals:
        counts = deal is not None and deal.ended is None and not await db.boards.is_sealed(deal)
        found.append(deal.board_no or 0 if deal is not None and counts else 0)
    return tuple(found)


def follow(hooks: TableHooks) -> None:
    """Subscribe leagues to the starts and ends of matches at tables."""
    hooks.waits = waits_for_substitute
    hooks.deal_begins.append(match_begins)
    hooks.match_ended.append(match_ended)


async def open_tables(season_tx: SeasonTransaction, matches: Sequence[tuple[Pod, Sequence[Player]]]) -> None:
    """Open a table for each of these pods, with a seat reserved for each player and the league's rules.

    The match length is also the league's. In duplicate, tables of the same size get the same boards if there
    are enough tables.
    """
    sets = await seal_sets(season_tx, [len(players) for _, players in matches])
    tables = [await _create(season_tx, pod, players, sets.get(len(players))) for pod, players in matches]
    for found in sets.values():
        table_ids = [table.id for table in tables if table.options.board_set == found.id]
        await give_boards(season_tx.db, found.id, table_ids)
    for (pod, _), table in zip(matches, tables, strict=True):
        tx = TableTransaction.of_new(season_tx.db, season_tx.now, table)
        await prepare_next(tx)
        tx.publish()
        await tx.finish()
        await season_tx.db.seasons.set_pod_table(PodTableRow(table.id, season_tx.row.id, pod.id))


async def _create(
    season_tx: SeasonTransaction, pod: Pod, players: Sequence[Player], boards: BoardSetRow | None
) -> TableRow:
    """Create a table in its lobby.

    Boards are played in the table's own thread if it can have one, away from those who have yet to play them.
    """
    db, row, settings = season_tx.db, season_tx.row, season_tx.season.settings
    persons = await db.seasons.persons_of(players)
    options = TableOptions(
        deals=_deals(season_tx.season, pod, len(players)),
        pace=row.pace,
        private=True,
        league=True,
        thread=boards is not None or settings.tables == "threads",
        board_set=boards.id if boards else None,
    )
    rules = boards.rules if boards else row.rules
    table = await db.tables.create(
        row.guild_id, row.channel_id, persons[players[0]], rules, season_tx.now, options
    )
    for player in players:
        await db.guests.set_standing(table.id, persons[player], "invited")
    return table


def _deals(season: Season, pod: Pod, seats: int) -> int:
    """Return how many deals a pod has to play with this many seats."""
    return len(pod.again) or season.settings.deals(max(SEATS_MIN, seats))


async def match_begins(tx: TableTransaction) -> None:
    """Before the first deal, seat the players as drawn, and set the length of the match by their number."""
    if tx.table.deal_no:
        return
    db = await tx.database()
    pod_table = await db.seasons.pod_at(tx.table.id)
    if pod_table is None:
        return
    season_tx = await SeasonTransaction.of(db, pod_table.season, tx.now)
    pod = season_tx.season.pods.get(pod_table.pod)
    if pod is None or not season_tx.season.open:
        raise StaleRevisionError  # drawn again, or the season ended: its table is about to be closed
    players = in_seats(pod)
    persons = await db.seasons.persons_of(players)
    playing = players if pod.again else still_playing(pod, season_tx.season)
    if not {seat.person_id for seat in tx.seats} <= {persons[player] for player in playing}:
        raise StaleRevisionError  # somebody has been replaced, or has left: they are about to be unseated
    _seat_computers(tx, season_tx.season, pod)
    seated = _as_drawn([persons[player] for player in players], tx.seats)
    tx.set_entropy(reseated(tx.entropy(), [seat.seat for seat in seated]))
    tx.set_seats([replace(seat, seat=place) for place, seat in enumerate(seated)])
    deals = _deals(season_tx.season, pod, len(seated))
    options = tx.table.options.model_copy(update={"deals": deals})
    tx.table = replace(tx.table, options=options)
    tx.update(options=options)
    await season_tx.add(MatchStarted(pod.id, tx.table.id))
    await show_reports(season_tx, pod.id)
    await season_tx.request_post(RoundPost(pod.round))


def _seat_computers(tx: TableTransaction, season: Season, pod: Pod) -> None:
    """Seat a computer for everyone who did not come or has left the season, if the league has chosen that.

    On boards a computer would be no fair comparison for others, and replayed deals are played by those who
    played them.
    """
    if season.settings.missing == "computer" and tx.table.options.board_set is None and not pod.again:
        for _ in range(len(tx.seats), len(pod.players)):
            tx.set_seats([*tx.seats, computer_seat(tx)])


def _as_drawn(order: Sequence[PersonId], seats: Sequence[SeatRow]) -> list[SeatRow]:
    """Return the seats in the order of the draw; computers take the places of missing people."""
    there = {seat.person_id for seat in seats}
    free = iter([place for place, person in enumerate(order) if person not in there])
    places = {
        seat.seat: next(free) if seat.person_id is None else order.index(seat.person_id) for seat in seats
    }
    return sorted(seats, key=lambda seat: places[seat.seat])


async def match_ended(tx: TableTransaction, match: MatchRow, why: MatchEnd) -> None:
    """Enter the result of a match that has ended: its won deals, if at least one full rotation was played.

    It is entered later if the staff have ruled on the match, or taken its result back, and have undone that.
    """
    db = await tx.database()
    rows = decided(await db.deals.results_of_match(match.table_id, match.match_no))
    pod_table = await db.seasons.pod_at(match.table_id)
    if pod_table is None:
        await _count_in_ladders(tx, match, rows)
        return
    try:
        season_tx = await SeasonTransaction.of(db, pod_table.season, tx.now)
    except EventsDamaged:  # its table must be able to close
        log.exception("leagues.match_not_counted", season=pod_table.season, table=tx.table.id)
        return
    pod = season_tx.season.pods.get(pod_table.pod)
    if pod is None or pod.over:
        return  # there was a ruling meanwhile
    numbers = {person: player for player, person in (await db.seasons.persons_of(pod.players)).items()}
    gone_people = await _gone_people(tx, match, rows)
    result = _result(rows, numbers, [person for person in numbers if person in gone_people])
    if pod.again:
        await season_tx.add(deals_replayed(pod, result))
        await season_tx.request_post(RoundPost(pod.round))
        await season_tx.look_again()
        return
    there = {seat.person_id for seat in tx.seats if not _has_left(seat, match)}
    present = [numbers[person] for person in numbers if person in there]
    gone = [player for player in pod.players if season_tx.season.has_left(player)]
    # Players who end their deals one after another have agreed to play nothing, so they count as absent.
    verdict = "absence" if why in {"played", "vote"} else "average"
    await season_tx.add(closed(pod, result, present, gone, verdict), reason="" if why == "played" else why)
    await season_tx.request_post(RoundPost(pod.round))
    await season_tx.look_again()


async def _gone_people(tx: TableTransaction, match: MatchRow, rows: Sequence[ResultRow]) -> list[PersonId]:
    """Return who left a match for good: they left its table, or are away and a computer has played their last deals.

    `rows`: the deals that count. A person whose time only ran out at the end of the match has not left it.
    """
    last = sorted({row.deal_no for row in rows})[-_AWAY_DEALS:]
    absent = await (await tx.database()).stats.absent_from(tx.table.id, last)
    gone = [seat for seat in tx.seats if _has_left(seat, match) or (seat.away and seat.person_id in absent)]
    return [seat.person_id for seat in gone if seat.person_id is not None]


def _has_left(seat: SeatRow, match: MatchRow) -> bool:
    """Return whether a player left before the end of the match. After it, people leave who have played to its end."""
    return seat.left and not (match.is_over and seat.stand_in is None)


def _result(
    rows: Sequence[ResultRow], numbers: Mapping[PersonId, Player], left: Sequence[PersonId]
) -> Result | None:
    """Return the deals of a match as the league counts them; None if none was finished."""
    deals: dict[int, dict[PersonId, int]] = {}
    for row in rows:
        if row.person_id is not None and row.person_id in numbers:
            deals.setdefault(row.deal_no, {})[row.person_id] = row.net
    if not deals:
        return None
    seated = list(next(iter(deals.values())))
    played = [tuple(deal.get(person, 0) for person in seated) for _, deal in sorted(deals.items())]
    first = min(deals)
    seats = sum(row.deal_no == first for row in rows)
    with_computers = any(row.person_id is None for row in rows)
    return Result(
        players=tuple(numbers[person] for person in seated),
        deals=tuple(map(without_computers, played) if with_computers else played),
        left=tuple(numbers[person] for person in left if person in seated),
        seats=seats if with_computers else 0,
    )


async def _count_in_ladders(tx: TableTransaction, match: MatchRow, rows: Sequence[ResultRow]) -> None:
    """Count a match at an ordinary table in every ladder of the server that all its players belong to."""
    people = who_played(tx.seats, tx.bench, rows)
    if people is None or len(people) < SEATS_MIN:
        return
    db = await tx.database()
    for row in await db.seasons.in_guild(tx.table.guild_id):
        if row.closed_at is not None or row.rules != tx.table.rules:
            continue
        try:
            season_tx = await SeasonTransaction.of(db, row.id, tx.now)
        except EventsDamaged:  # this match must be able to end
            log.exception("leagues.match_not_counted", season=row.id, table=tx.table.id)
            continue
        numbers: dict[PersonId, Player] = {
            person: number for person in people if (number := await db.seasons.player_of(person))
        }
        if not season_tx.season.settings.format.counts_open_tables or not _all_play(
            season_tx.season, numbers, people
        ):
            continue
        result = _result(rows, numbers, await _gone_people(tx, match, rows))
        if result is None or len(result.deals) < len(people) or match.started_at < row.starts_at:
            continue
        pod = season_tx.season.next_pod()
        await season_tx.add(MatchStarted(pod, match.table_id, result.players), MatchFinished(pod, result))


def who_played(
    seats: Sequence[SeatRow], bench: Sequence[BenchRow], rows: Sequence[ResultRow]
) -> list[PersonId] | None:
    """Return the people of a match that may count in a ladder.

    Return None if a computer played or someone joined later. A person who sits out is included: deals without
    them scored nothing for them.
    """
    seated = [seat.person_id for seat in seats if seat.person_id is not None]
    began = {row.person_id for row in rows if row.deal_no == rows[0].deal_no}
    people = [
        *seated,
        *(row.person_id for row in bench if any(result.person_id == row.person_id for result in rows)),
    ]
    return people if len(seated) == len(seats) and began.issuperset(people) else None


def _all_play(season: Season, numbers: Mapping[PersonId, Player], people: Sequence[PersonId]) -> bool:
    members = [season.members.get(numbers.get(person, 0)) for person in people]
    return all(member is not None and member.plays for member in members)


class Draws:
    """Computes each draw before the transaction begins, and again if the season has changed meanwhile."""

    def __init__(self, leagues: Leagues) -> None:
        self._leagues = leagues

    async def draw(self, season_id: SeasonId, number: int) -> None:
        """Draw a round, if it is not drawn yet, and open its tables."""
        while True:
            row, season, last, former, by_strength = await self._leagues.store.read(_known, season_id)
            if row.closed_at is not None:
                return
            events = await asyncio.to_thread(_drawn, row, season, number, former, by_strength)
            if await self._leagues.write(season_id, partial(_enter, number, events, last)):
                return


async def _known(
    db: ReadTransaction, season_id: SeasonId
) -> tuple[SeasonRow, Season, int, list[Season], list[Player]]:
    """Return a season, its last event, its earlier seasons, and its members by strength."""
    row, season, last = await read_season(db, season_id)
    return row, season, last, await _remembered(db, row, season), await _by_strength(db, row, season)


async def _enter(number: int, events: Sequence[Event], last: int, season_tx: SeasonTransaction) -> bool:
    """Enter a draw that was computed after the event `last`; returns False if there is a later one."""
    if season_tx.last != last:
        return False
    await season_tx.add(*events)
    await open_round(season_tx, number)
    return True


async def draw_finals(season_tx: SeasonTransaction, due: int) -> bool:
    """Draw the next stage of the finals, or in one sitting its next match, and open the tables; returns whether there is one."""
    players = next_finalists(replace(season_tx.season, seed=season_tx.row.seed.hex()))
    rounds = draw_stage(season_tx.season, players, due) if players else draw_next_match(season_tx.season, due)
    await season_tx.add(*rounds)
    for drawn in rounds:
        await open_round(season_tx, drawn.round)
    return bool(rounds)


async def open_round(season_tx: SeasonTransaction, number: int) -> None:
    """Open the tables of a round, post its pods, and notify all players where they play.

    In one sitting, everyone has to be present when the table opens.
    """
    season, settings = season_tx.season, season_tx.season.settings
    tables = await season_tx.db.seasons.pod_tables(season_tx.row.id)
    to_open = [
        (pod, still_playing(pod, season_tx.season))
        for pod in sorted(season_tx.season.pods.values(), key=lambda pod: pod.id)
        if pod.round == number and not pod.over and pod.id not in tables
    ]
    matches = [
        pod_and_players for pod_and_players in to_open if _may_play(season_tx.season, *pod_and_players)
    ]
    for pod, playing in to_open:
        if (pod, playing) not in matches:
            await season_tx.add(nobody_to_play(pod, playing))
    await open_tables(season_tx, matches)
    opened = await season_tx.db.seasons.pod_tables(season_tx.row.id) if number in season.cancelled else {}
    for pod, playing in matches:
        await offer(season_tx, pod)
        if settings.is_sitting:
            await meet_at_once(season_tx, pod)
        for player in playing:
            if not settings.format.plays_to_the_end or _is_first(season_tx.season, pod, player):
                await season_tx.request_post(TableNotice(number, player, opened.get(pod.id)))
    if to_open or not settings.format.plays_to_the_end:
        await season_tx.request_post(RoundPost(number))
    if await season_tx.db.seasons.post(season_tx.row.id, CheckInPost(number)) is not None:
        await season_tx.request_post(CheckInPost(number))
    await season_tx.request_post(SignupPost())


def _may_play(season: Season, pod: Pod, playing: Sequence[Player]) -> bool:
    """Return whether a pod has enough players left, or could have them once a substitute takes a seat."""
    return len(playing) >= SEATS_MIN or (bool(playing) and may_fill(season, pod))


def _is_first(season: Season, pod: Pod, player: Player) -> bool:
    """Return whether this is the player's first pod. Later pods of an evening mention them at the table instead."""
    return not any(other.id < pod.id and player in other.players for other in season.pods.values())


async def _remembered(db: ReadTransaction, row: SeasonRow, season: Season) -> list[Season]:
    """Return the earlier seasons that can give a player a division."""
    count = 0 if season.drawn else season.settings.format.seasons_remembered(season.settings)
    return await read_former(db, row, count) if count else []


async def _by_strength(db: ReadTransaction, row: SeasonRow, season: Season) -> list[Player]:
    """Return the members before the first draw by their ratings in this server, then in order of sign-up."""
    if season.drawn:
        return []
    members = sorted(season.members.values(), key=lambda member: (member.signed_up, member.player))
    people = await db.seasons.persons_of(season.members)
    ratings = await db.stats.ratings(row.guild_id, list(people.values()))

    def strength(member: Member) -> float:
        rating = ratings.get(people[member.player], NEWCOMER)
        return rating.order(row.starts_at)

    return [member.player for member in sorted(members, key=strength, reverse=True)]


def _drawn(
    row: SeasonRow, season: Season, number: int, former: Sequence[Season], by_strength: Sequence[Player]
) -> list[Event]:
    """Return the events of a draw; none if the round is already drawn."""
    if season.drawn >= number:
        return []
    settings = season.settings
    to_come = range(number, settings.rounds + 1)
    dues = [season.to_redraw.get(later, draw_at(row, season, later + 1)) for later in to_come]
    before: list[Event] = [*map(Confirmed, moving_up(season, at_the_draw=True))]
    if settings.format.has_divisions:
        before += _divided(_foreseen(season, before), former, by_strength)
    if not settings.format.draws_all_rounds and not settings.checks_in(number):
        before += _taken_for_granted(_foreseen(season, before), number)
    return [*before, *draw_rounds(_foreseen(season, before), row.seed, dues, by_strength)]


def _foreseen(season: Season, events: Sequence[Event]) -> Season:
    """Return the season after these events."""
    for event in events:
        season = after(season, Entry(0, 0, event))
    return season


def _taken_for_granted(season: Season, number: int) -> list[Event]:
    """Check in everyone who has a place, for rounds without check-in.

    In one sitting, those who missed their last match are left out.
    """
    coming = {member.player for member in checked_in(season, number)}
    gone = gone_away(season)
    return [
        CheckedIn(member.player, number)
        for member in season.members.values()
        if member.plays and member.player not in coming and member.player not in gone
    ]


def _divided(season: Season, former: Sequence[Season], by_strength: Sequence[Player]) -> list[Event]:
    """Return everyone's division: by earlier seasons, for newcomers by the staff's seeds, then strength."""
    playing = [player for player in by_strength if season.members[player].plays]
    playing.sort(key=lambda player: season.members[player].seed or 10**6)
    return [
        DivisionSet(player, division) for player, division in placed(former, playing, season.settings).items()
    ]
