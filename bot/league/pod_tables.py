"""The tables of a league: one is opened for every pod, for its players alone, and its match is the pod's result.

This is all that the tables themselves know of leagues. It happens within the transaction of the table.
"""

from collections.abc import Sequence
from dataclasses import replace

from bot.league.duplicate_boards import seal_sets
from bot.league.season_transaction import Chronicle
from bot.table import duplicate
from bot.table.fairness import reseated
from bot.table.repository import Sitting
from data.preferences import TableOptions
from data.season_rows import PodTableRow
from data.values import BenchRow, BoardSetRow, MatchEnd, MatchRow, ResultRow, SeatRow, TableRow
from league.events import MatchFinished, MatchStarted, Result
from league.results import Player
from league.rulings import closed
from league.season import Pod, Season
from marriage.rules import SEATS_MIN


async def open_tables(chronicle: Chronicle, matches: Sequence[tuple[Pod, Sequence[Player]]]) -> None:
    """Open a table for each of these pods, a seat kept for each of its players; rules and length are the league's.

    Where the season is played in duplicate, tables of a size get the same boards if there are enough of them.
    """
    sets = await seal_sets(chronicle, [len(players) for _, players in matches])
    tables = [await _create(chronicle, players, sets.get(len(players))) for _, players in matches]
    for found in sets.values():
        own = [table.id for table in tables if table.options.board_set == found.id]
        await duplicate.give_boards(chronicle.writer, found.id, own)
    for (pod, _), table in zip(matches, tables, strict=True):
        sitting = Sitting(chronicle.writer, chronicle.now, table, (), events=[], state=None)
        await duplicate.prepare(sitting)
        await sitting.publish()
        await chronicle.writer.change_table(table, **sitting.changes)
        await chronicle.writer.set_pod_table(PodTableRow(table.id, chronicle.row.id, pod.id))


async def _create(chronicle: Chronicle, players: Sequence[Player], boards: BoardSetRow | None) -> TableRow:
    """A table in its lobby. Boards are played in a thread of the table's own: nobody else may see their cards."""
    writer, row = chronicle.writer, chronicle.row
    persons = await writer.persons_of(players)
    options = TableOptions(
        deals=chronicle.season.settings.deals(max(SEATS_MIN, len(players))),
        pace=row.pace,
        private=True,
        league=True,
        thread=boards is not None,
        board_set=boards.id if boards else None,
    )
    rules = boards.rules if boards else row.rules
    table = await writer.create_table(
        row.guild_id, row.channel_id, persons[players[0]], rules, chronicle.now, options
    )
    for player in players:
        await writer.set_standing(table.id, persons[player], "invited")
    return table


async def everybody_is_there(sitting: Sitting) -> bool:
    """Whether all for whom a seat is kept at this table have taken it; at a table of no league nobody is waited for."""
    if not sitting.table.options.league:
        return True
    guests = await sitting.writer.guests(sitting.table.id)
    seated = {seat.person_id for seat in sitting.seats}
    return {person for person, standing in guests.items() if standing == "invited"} <= seated


async def match_begins(sitting: Sitting) -> None:
    """Before the first deal: the seats are those of the draw, and the match is as long as suits their number."""
    own = await sitting.writer.pod_at(sitting.table.id)
    if own is None or sitting.table.deal_no:
        return
    chronicle = await Chronicle.of(sitting.writer, own.season, sitting.now)
    pod = chronicle.season.pods[own.pod]
    persons = await sitting.writer.persons_of(pod.players)
    order = [persons[player] for player in pod.players]
    seated = sorted(sitting.seats, key=lambda seat: order.index(seat.person_id or 0))
    await sitting.set_entropy(reseated(await sitting.entropy(), [seat.seat for seat in seated]))
    await sitting.set_seats([replace(seat, seat=place) for place, seat in enumerate(seated)])
    deals = chronicle.season.settings.deals(max(SEATS_MIN, len(seated)))
    options = sitting.table.options.model_copy(update={"deals": deals})
    sitting.table = replace(sitting.table, options=options)
    sitting.changes["options"] = options
    await chronicle.add(MatchStarted(pod.id, sitting.table.id))
    await chronicle.tell(f"round:{pod.round}")


async def match_ended(sitting: Sitting, match: MatchRow, why: MatchEnd) -> None:
    """Enter the result of a match that has just ended: in full, or by the rule for those that were stopped."""
    rows = await sitting.writer.results_of_match(match.table_id, match.match_no)
    own = await sitting.writer.pod_at(match.table_id)
    if own is None:
        await _count_in_ladders(sitting, match, rows)
        return
    chronicle = await Chronicle.of(sitting.writer, own.season, sitting.now)
    pod = chronicle.season.pods.get(own.pod)
    if pod is None or pod.over:
        return  # ruled on meanwhile
    numbers = {person: player for player, person in (await sitting.writer.persons_of(pod.players)).items()}
    left = {seat.person_id for seat in sitting.seats if seat.left}
    result = _result(rows, numbers, [person for person in numbers if person in left])
    if why == "played" and result is not None:
        await chronicle.add(MatchFinished(pod.id, result))
    else:
        present = [numbers[person] for person in numbers if person not in left]
        gone = [player for player in pod.players if chronicle.season.has_left(player)]
        await chronicle.add(closed(pod, result, present, gone), reason=why)
    await chronicle.tell(f"round:{pod.round}")
    await chronicle.look_again()


def _result(rows: Sequence[ResultRow], numbers: dict[int, Player], left: Sequence[int]) -> Result | None:
    """The deals of a match as the league counts them; None where none was played out."""
    deals: dict[int, dict[int, int]] = {}
    for row in rows:
        if row.person_id in numbers:
            deals.setdefault(row.deal_no, {})[row.person_id] = row.net
    if not deals:
        return None
    seated = list(next(iter(deals.values())))
    return Result(
        players=tuple(numbers[person] for person in seated),
        deals=tuple(tuple(deal.get(person, 0) for person in seated) for _, deal in sorted(deals.items())),
        left=tuple(numbers[person] for person in left if person in seated),
    )


async def _count_in_ladders(sitting: Sitting, match: MatchRow, rows: Sequence[ResultRow]) -> None:
    """A match at an ordinary table counts in every ladder of the server to which all at the table belong."""
    people = who_played(sitting.seats, sitting.bench, rows)
    if people is None or len(people) < SEATS_MIN:
        return
    for row in await sitting.writer.seasons_of_guild(sitting.table.guild_id):
        if row.closed_at is not None or row.rules != sitting.table.rules:
            continue
        chronicle = await Chronicle.of(sitting.writer, row.id, sitting.now)
        numbers = {person: number for person in people if (number := await sitting.writer.player_of(person))}
        if chronicle.season.settings.format != "ladder" or not _all_play(chronicle.season, numbers, people):
            continue
        result = _result(
            rows, numbers, [seat.person_id for seat in sitting.seats if seat.left and seat.person_id]
        )
        if result is None or len(result.deals) < len(people) or match.started_at < row.starts_at:
            continue
        pod = chronicle.season.next_pod()
        await chronicle.add(MatchStarted(pod, match.table_id, result.players), MatchFinished(pod, result))


def who_played(
    seats: Sequence[SeatRow], bench: Sequence[BenchRow], rows: Sequence[ResultRow]
) -> list[int] | None:
    """The people of a match that may count in a ladder; None where a computer played, or somebody came later.

    Who sits out is one of them: deals without him have brought him nothing.
    """
    seated = [seat.person_id for seat in seats if seat.person_id is not None]
    began = {row.person_id for row in rows if row.deal_no == rows[0].deal_no}
    people = [
        *seated,
        *(row.person_id for row in bench if any(one.person_id == row.person_id for one in rows)),
    ]
    return people if len(seated) == len(seats) and began.issuperset(people) else None


def _all_play(season: Season, numbers: dict[int, Player], people: Sequence[int]) -> bool:
    members = [season.members.get(numbers.get(person, 0)) for person in people]
    return all(member is not None and member.plays for member in members)
