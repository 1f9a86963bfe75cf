"""The tables of a league: every pod gets one, open to its players only, and the table's match is the pod's result.

`follow` subscribes leagues to what happens at tables; they act within the transaction of the table.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.errors import StaleRevisionError
from bot.league.duplicate_boards import seal_sets
from bot.league.season_transaction import SeasonTransaction, show_reports
from bot.table.core.change import TableHooks, TableTransaction
from bot.table.core.table import reseated
from bot.table.flow.matches import decided
from bot.table.flow.sealing import give_boards, prepare_next
from bot.table.lobby import computer_seat
from data.preferences import TableOptions
from data.season_posts import RoundPost
from data.season_rows import PodTableRow
from data.values import BenchRow, BoardSetRow, MatchEnd, MatchRow, ResultRow, SeatRow, TableRow
from league.events import MatchFinished, MatchStarted, Result
from league.ids import PersonId
from league.matches.pod import deals_replayed, in_seats
from league.points import without_computers
from league.results import Player
from league.rulings import closed
from league.season import Pod, Season
from marriage.rules import SEATS_MIN


def follow(hooks: TableHooks) -> None:
    """Subscribe leagues to the matches that begin and end at tables."""
    hooks.deal_begins.append(match_begins)
    hooks.match_ended.append(match_ended)


async def open_tables(season_tx: SeasonTransaction, matches: Sequence[tuple[Pod, Sequence[Player]]]) -> None:
    """Open a table for each of these pods, with a seat kept for each player, and the league's rules and match length.

    In duplicate, tables of the same size get the same boards if there are enough of them.
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
    """A table in its lobby. Boards are always played in the table's own thread, because no one else is allowed to see their cards."""
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
    """How many deals a pod has to play, at so many seats."""
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
    if pod is None:
        raise StaleRevisionError  # it was drawn again, and its table is about to be closed
    _seat_computers(tx, season_tx.season, pod)
    players = in_seats(pod)
    persons = await db.seasons.persons_of(players)
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
    """Seat a computer for everybody who did not come or has left the season, if the league has chosen that.

    On boards it would be no measure for others, and deals are played again by those who played them.
    """
    if season.settings.missing == "computer" and tx.table.options.board_set is None and not pod.again:
        for _ in range(len(tx.seats), len(pod.players)):
            tx.set_seats([*tx.seats, computer_seat(tx)])


def _as_drawn(order: Sequence[PersonId], seats: Sequence[SeatRow]) -> list[SeatRow]:
    """The seats in the order of the people as drawn; computers sit where somebody is missing."""
    there = {seat.person_id for seat in seats}
    free = iter([place for place, person in enumerate(order) if person not in there])
    places = {
        seat.seat: next(free) if seat.person_id is None else order.index(seat.person_id) for seat in seats
    }
    return sorted(seats, key=lambda seat: places[seat.seat])


async def match_ended(tx: TableTransaction, match: MatchRow, why: MatchEnd) -> None:
    """Enter the result of a match that has ended: if at least one full rotation was played, its deals that somebody won."""
    db = await tx.database()
    rows = decided(await db.deals.results_of_match(match.table_id, match.match_no))
    pod_table = await db.seasons.pod_at(match.table_id)
    if pod_table is None:
        await _count_in_ladders(tx, match, rows)
        return
    season_tx = await SeasonTransaction.of(db, pod_table.season, tx.now)
    pod = season_tx.season.pods.get(pod_table.pod)
    if pod is None or pod.over:
        return  # ruled on meanwhile
    numbers = {person: player for player, person in (await db.seasons.persons_of(pod.players)).items()}
    left = {seat.person_id for seat in tx.seats if seat.left}
    there = {seat.person_id for seat in tx.seats} - left
    result = _result(rows, numbers, [person for person in numbers if person in left])
    if pod.again:
        await season_tx.add(deals_replayed(pod, result))
        await season_tx.request_post(RoundPost(pod.round))
        await season_tx.look_again()
        return
    present = [numbers[person] for person in numbers if person in there]
    gone = [player for player in pod.players if season_tx.season.has_left(player)]
    # Players who end their deals one after the other have agreed to play nothing, so they count as absent.
    verdict = "absence" if why in {"played", "vote"} else "average"
    await season_tx.add(closed(pod, result, present, gone, verdict), reason="" if why == "played" else why)
    await season_tx.request_post(RoundPost(pod.round))
    await season_tx.look_again()


def _result(
    rows: Sequence[ResultRow], numbers: Mapping[PersonId, Player], left: Sequence[PersonId]
) -> Result | None:
    """The deals of a match as the league counts them; None if none was finished."""
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
        season_tx = await SeasonTransaction.of(db, row.id, tx.now)
        numbers: dict[PersonId, Player] = {
            person: number for person in people if (number := await db.seasons.player_of(person))
        }
        if not season_tx.season.settings.format.counts_open_tables or not _all_play(
            season_tx.season, numbers, people
        ):
            continue
        result = _result(rows, numbers, [seat.person_id for seat in tx.seats if seat.left and seat.person_id])
        if result is None or len(result.deals) < len(people) or match.started_at < row.starts_at:
            continue
        pod = season_tx.season.next_pod()
        await season_tx.add(MatchStarted(pod, match.table_id, result.players), MatchFinished(pod, result))


def who_played(
    seats: Sequence[SeatRow], bench: Sequence[BenchRow], rows: Sequence[ResultRow]
) -> list[PersonId] | None:
    """The people of a match, if it may count in a ladder; None if a computer played, or somebody joined later.

    A person who sits out is included: deals without them have brought them nothing.
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
