"""Duplicate in a season: the boards of a round are sealed before it and compared once all tables have played them."""

from collections.abc import Sequence

from bot.league.season_transaction import SeasonTransaction
from bot.table.flow.matches import decided
from bot.table.flow.sealing import seal_boards
from data.season_posts import BoardsPost
from data.transaction import ReadTransaction
from data.values import BoardSetRow
from league.events import BoardsPlayed
from league.ids import TableId
from league.statistics.duplicate import fits


async def seal_sets(season_tx: SeasonTransaction, sizes: Sequence[int]) -> dict[int, BoardSetRow]:
    """Board sets for the tables of a round, by number of seats; empty without duplicate, or with too few tables."""
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


async def _boards(db: ReadTransaction, table_id: TableId) -> tuple[int, ...]:
    """The board of each deal of a table's match; 0 for a deal that was not of a board, ended early, or is still sealed."""
    match = await db.matches.latest(table_id)
    results = await db.deals.results_of_match(table_id, match.match_no) if match else []
    numbers = sorted({row.deal_no for row in decided(results)})
    deals = [await db.deals.get(table_id, number) for number in numbers]
    found: list[int] = []
    for deal in deals:
        counts = deal is not None and deal.ended is None and not await db.boards.is_sealed(deal)
        found.append(deal.board_no or 0 if deal is not None and counts else 0)
    return tuple(found)
